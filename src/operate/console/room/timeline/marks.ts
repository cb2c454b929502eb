import type { Mark } from "../../charts/chart-data.ts";
import type { Speech } from "../../frame/speech.ts";
import type { Entry } from "./entries.ts";
import { entryInWords } from "./words.ts";

/** An event follows the step that it tells of. */
const behindMs = 3_000;
const lengthMax = 30;

/** What changed the room, for the curves: what people did, and phases that came by themselves. */
export function marksOf(entries: readonly Entry[], speech: Speech): Mark[] {
  const acts = entries.filter(isChange);
  const phases = entries.filter(
    (entry) =>
      entry.kind === "event" &&
      entry.event.type === "usher.room.phase_changed" &&
      !acts.some(({ atMs }) => Math.abs(entry.atMs - atMs) <= behindMs),
  );
  return [...acts, ...phases].map((entry) => ({ sec: entry.atMs / 1_000, text: shortened(wordsOf(entry, speech)) }));
}

function isChange(entry: Entry): boolean {
  return entry.kind === "act" && entry.row.error === null && entry.row.changes.length > 0;
}

/** Of settings, which; of all else its name says it. */
function wordsOf(entry: Entry, speech: Speech): string {
  const { what, detail } = entryInWords(entry, speech);
  return entry.kind === "act" && entry.row.method === "PATCH" ? detail : what;
}

function shortened(text: string): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}
