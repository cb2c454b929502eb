import { createHash } from "node:crypto";
import type { WordsInLanguage } from "../../../config/index.ts";

const revisions = new WeakMap<readonly WordsInLanguage[], string>();

/**
 * Names what visitors may read while they wait by what it says, the same in every process: a page knows by it whether what it shows is still in
 * force. "": nothing. Null: the room leaves it to the theme of its pages.
 */
export function revisionOf(words: readonly WordsInLanguage[] | null | undefined): string | null {
  if (words === undefined) return null;
  if (words === null) return "";
  const known = revisions.get(words);
  if (known !== undefined) return known;
  const said = words.map(({ language, text }) => [language, text]);
  const revision = createHash("sha256").update(JSON.stringify(said)).digest("base64url").slice(0, 10);
  revisions.set(words, revision);
  return revision;
}
