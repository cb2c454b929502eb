/**
 * What the waiting page is run by: which script it has, the texts that this says, and the files that it loads later. A file's name has the hash
 * of what is in it, so browsers and caches keep it for good, and any process finds the file of any page, whichever process made the page.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locale } from "../locales/locale.ts";
import { withoutRepeatedForms } from "../locales/texts.ts";
import type { LaterTexts, Live, LiveTexts } from "../shared/live.ts";
import { type Look, rehearsalSheets } from "../themes/looks.ts";
import type { WaitingView } from "../types.ts";
import { type AssetFile, assetFile, hashedName, type InlineAsset, readScript, scriptType } from "./assets.ts";

/**
 * What the page can come to without being loaded anew: the build makes a script for each. `entry`: the doors are closed yet.
 * `held`: the line has come to the visitor, who is held back.
 */
export type ScriptKind = "usual" | "entry" | "held";

/** What the script of a page goes by. */
export interface ScriptNeeds {
  readonly kind: ScriptKind;
  readonly isUndrawn: boolean;
  readonly isSoldOut: boolean;
  /** Whether the people ahead may be a bound. */
  readonly isAtMost: boolean;
}

function kindOf({ state, draw }: WaitingView): ScriptKind {
  return draw === "undrawn" || state === "entered" || state === "drawing"
    ? "entry"
    : state === "held"
      ? "held"
      : "usual";
}

export function scriptNeedsOf(view: WaitingView): ScriptNeeds {
  const isUndrawn = view.draw === "undrawn";
  const isAtMost = view.serving === null && !isUndrawn;
  return { kind: kindOf(view), isUndrawn, isSoldOut: view.state === "sold_out", isAtMost };
}

/** Without what only the page itself says, when it comes while the store is away, and what this one never comes to say. */
export function textsForScript(
  { kind, isUndrawn, isSoldOut, isAtMost }: ScriptNeeds,
  { texts: all }: Pick<Locale, "texts">,
): LiveTexts {
  const { live, draw } = all.waiting;
  const atMost = isAtMost ? {} : { aheadAtMost: undefined };
  const ofDraw = isUndrawn ? {} : { drawing: undefined };
  // A page of what is sold out is followed by another.
  const hasDoors = kind === "entry" && !isSoldOut;
  const ofDoors = hasDoors ? {} : { entered: undefined, opens: undefined };
  const ofTurn = kind === "held" ? {} : { held: undefined, full: undefined, behind: undefined };
  const texts = {
    ...live,
    ...atMost,
    drawn: isUndrawn ? live.drawn : undefined,
    doors: hasDoors ? live.doors : undefined,
    labels: {
      place: live.labels.place,
      entry: isUndrawn ? draw.number : kind === "entry" ? live.labels.entry : undefined,
    },
    titles: {
      ...live.titles,
      ...atMost,
      ...ofTurn,
      ...ofDraw,
      ...ofDoors,
      ...(isSoldOut && { sold_out: all.waiting.soldOut.title }),
    },
    // They come later: see words.ts.
    pausedReasons: undefined,
    paceNotes: undefined,
    ...(isSoldOut && { autoHint: "" }),
    estimate: isSoldOut ? undefined : { ...live.estimate, paused: undefined },
    problem: { ...live.problem, store_away: undefined, recovering: undefined },
    status: isSoldOut
      ? {}
      : {
          ...live.status,
          idle: undefined,
          ended: undefined,
          ...ofTurn,
          ...ofDraw,
          ...ofDoors,
          store_away: undefined,
          recovering: undefined,
        },
  };
  return withoutRepeatedForms(texts) as unknown as LiveTexts;
}

/** A part of the script that a page loads when the visitor wants it (src/web/browser/later). */
export interface LaterPart extends AssetFile {
  /** Of its address, `/assets/FILE.js`. */
  readonly file: string;
}

/** By the name of its source. @throws Error where the build has left them out */
export function readLaterParts(browserDir: string): ReadonlyMap<string, LaterPart> {
  const folder = join(browserDir, "later");
  const names = readdirSync(folder).map((file) => file.replace(/\.js$/, ""));
  return new Map(names.map((name) => [name, readPart(folder, name)]));
}

function readPart(folder: string, name: string): LaterPart {
  const plain = readFileSync(join(folder, `${name}.js`));
  return Object.assign(assetFile(scriptType, plain), { file: hashedName(name, plain) });
}

/** The file of a part, for the page's script. @throws Error for a name that is none */
export function fileOfPart(parts: ReadonlyMap<string, LaterPart>, name: string): string {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`src/web/browser/later has no ${name}.ts`);
  return part.file;
}

/** The texts that only later parts of the script say, and those that a page says after its first second alone: a file for each language and theme. */
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
  const assets = new Map<string, AssetFile>();
  const createdTags = new Set<string>();

  function fileOf(locale: Locale): string {
    const cached = files.get(locale);
    if (cached !== undefined) return cached;
    const plain = Buffer.from(`export default ${JSON.stringify(laterTexts(locale))}`);
    const file = hashedName(`words-${locale.tag}`, plain);
    files.set(locale, file);
    if (!assets.has(file)) assets.set(file, assetFile(scriptType, plain));
    return file;
  }

  return {
    fileOf,
    find(file) {
      const [, tag] = /^words-(\S+)-[0-9a-f]{8}$/.exec(file) ?? [];
      if (tag !== undefined && !assets.has(file) && !createdTags.has(tag)) {
        const locales = localesOf(tag);
        // Of a name that is none, nothing is kept.
        if (locales.length > 0) createdTags.add(tag);
        for (const locale of locales) fileOf(locale);
      }
      return assets.get(file);
    },
  };
}

export type WaitingSources = ReturnType<typeof createWaitingSources>;

/** Style and scripts of the waiting page, whether they stand in it or beside it. @throws Error where the build has left something out */
export function createWaitingSources(
  browserDir: string,
  laterParts: ReadonlyMap<string, LaterPart>,
  words: Pick<Words, "fileOf">,
) {
  const scripts: Readonly<Record<ScriptKind, InlineAsset>> = {
    usual: readScript(join(browserDir, "waiting.js")),
    entry: readScript(join(browserDir, "waiting-entry.js")),
    held: readScript(join(browserDir, "waiting-held.js")),
  };
  const part = (name: string) => fileOfPart(laterParts, name);
  const usual = { call: part("call"), life: part("life"), progress: part("progress") };
  const draw = part("draw");
  return {
    script: (kind: ScriptKind): InlineAsset => scripts[kind],
    /** Files that the script loads on demand. */
    later: (locale: Locale, isUndrawn: boolean): Live["later"] => {
      return { ...usual, ...(isUndrawn && { draw }), words: words.fileOf(locale) };
    },
    /** Default: of what is sold out, and of where a visitor may go on then, there is nothing in it. */
    style: (look: Look, page: Pick<WaitingView, "isRehearsal">, isSoldOut = false, hasOnward = false): InlineAsset =>
      look.style(
        "base.css",
        ...rehearsalSheets(page),
        "message.css",
        "waiting.css",
        ...(isSoldOut ? ["sold-out.css"] : []),
        ...(hasOnward ? ["onward.css"] : []),
      ),
  };
}
