/**
 * The texts that only later parts of a page's script say, and those that a page says after its first second alone: a file for each language and theme, under
 * a name that has the hash of what is in it, so that browsers keep it for good. Any process finds the file of any page,
 * whichever process made the page.
 */
import type { Locale } from "../locales/locale.ts";
import type { LaterTexts } from "../shared/live.ts";
import { type AssetFile, assetFile, hashedName, scriptType } from "./asset-files.ts";

export interface Words {
  /** The file of a language with the texts of a theme in it. */
  fileOf(locale: Locale): string;
  /** Undefined for a name that no page of this configuration has. */
  find(file: string): AssetFile | undefined;
}

function laterTexts({ texts }: Locale): LaterTexts {
  const { pausedReasons, paceNotes, problem, estimate, status } = texts.waiting.live;
  const ofPage = { recovering: problem.recovering, paused: estimate.paused };
  // Of a page that came before: one that came since has its own.
  return {
    ...texts.later,
    ...ofPage,
    status: { idle: status.idle, ended: status.ended },
    paceNotes,
    pausedReasons: { ...pausedReasons, sold_out: texts.message.sold_out },
  };
}

/** @param localesOf all with this tag that pages may be in: that of each theme */
export function createWords(localesOf: (tag: string) => readonly Locale[]): Words {
  const files = new WeakMap<Locale, string>();
  const made = new Map<string, AssetFile>();
  const tagsMade = new Set<string>();

  function fileOf(locale: Locale): string {
    const known = files.get(locale);
    if (known !== undefined) return known;
    const plain = Buffer.from(`export default ${JSON.stringify(laterTexts(locale))}`);
    const file = hashedName(`words-${locale.tag}`, plain);
    files.set(locale, file);
    if (!made.has(file)) made.set(file, assetFile(scriptType, plain));
    return file;
  }

  return {
    fileOf,
    find(file) {
      const [, tag] = /^words-(\S+)-[0-9a-f]{8}$/.exec(file) ?? [];
      if (tag !== undefined && !made.has(file) && !tagsMade.has(tag)) {
        const locales = localesOf(tag);
        // Of a name that is none, nothing is kept.
        if (locales.length > 0) tagsMade.add(tag);
        for (const locale of locales) fileOf(locale);
      }
      return made.get(file);
    },
  };
}
