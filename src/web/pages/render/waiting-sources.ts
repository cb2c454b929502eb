/** What the waiting page is drawn with and run by, whether it stands in the page or beside it. */
import { join } from "node:path";
import type { Locale } from "../locales/locale.ts";
import type { Live } from "../shared/live.ts";
import type { Look } from "../themes/looks.ts";
import { type InlineAsset, readScript } from "./assets.ts";
import { fileOfPart, type LaterPart } from "./later-parts.ts";
import type { ScriptKind } from "./script-texts.ts";
import { rehearsalSheets } from "./variables.ts";
import type { Words } from "./words.ts";

export type WaitingSources = ReturnType<typeof createWaitingSources>;

/** @throws Error where the build has left something out */
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
    style: (look: Look, shown: { readonly isRehearsal?: boolean }): InlineAsset =>
      look.style("base.css", ...rehearsalSheets(shown), "message.css", "waiting.css"),
  };
}
