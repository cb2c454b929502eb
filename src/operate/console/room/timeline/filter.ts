import type { Speech } from "../../frame/speech.ts";
import type { Entry } from "./entries.ts";
import { entryInWords } from "./words.ts";

export const kinds = ["all", "people", "events", "refused"] as const;

export interface TimelineFilter {
  readonly kind: (typeof kinds)[number];
  /** The id of a person or a key; empty for all. */
  readonly principal: string;
  /** What an entry has to say; empty for all. */
  readonly text: string;
}

export const everything: TimelineFilter = { kind: "all", principal: "", text: "" };

export function passes(entry: Entry, { kind, principal, text }: TimelineFilter, speech: Speech): boolean {
  const row = entry.kind === "act" ? entry.row : null;
  if (kind === "people" && row === null) return false;
  if (kind === "events" && row !== null) return false;
  if (kind === "refused" && (row === null || row.error === null)) return false;
  if (principal !== "" && row?.principal?.id !== principal) return false;
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return true;
  const { who, what, detail, refusal } = entryInWords(entry, speech);
  return `${who} ${what} ${detail} ${refusal ?? ""}`.toLowerCase().includes(wanted);
}

/** Everybody who did something, by id, each once. */
export function peopleOf(entries: readonly Entry[]): { readonly id: string; readonly name: string }[] {
  const found = new Map<string, string>();
  for (const entry of entries) {
    const principal = entry.kind === "act" ? entry.row.principal : null;
    if (principal) found.set(principal.id, principal.name ?? principal.id);
  }
  return [...found].map(([id, name]) => ({ id, name })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
