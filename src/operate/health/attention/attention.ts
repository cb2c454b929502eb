import type { SeenProcess, SeenStore } from "../presence.ts";
import type { Sealing } from "../sealing.ts";

/** What is not well, but for the codes of features. The console has a short title of each. */
const attentionCodes: readonly string[] = [
  "process_gone",
  "process_not_ready",
  "process_warning",
  "process_late",
  "process_heap_full",
  "builds_differ",
  "configurations_differ",
  "settings_drift",
  "secrets_failing",
  "store_away",
  "store_slow",
  "store_restarted",
  "store_evicts",
  "store_eviction_unknown",
  "store_not_append_only",
  "store_append_fails",
  "store_save_fails",
  "store_nearly_full",
  "room_unknown",
  "room_recovering",
  "log_unsealed",
  "joins_refused",
];

/** All codes. @throws TypeError for one that is declared twice */
export function attentionCodesOf(
  features: readonly { readonly attentionCodes?: readonly string[] }[],
): readonly string[] {
  const all = [...attentionCodes, ...features.flatMap((feature) => feature.attentionCodes ?? [])];
  if (new Set(all).size < all.length) throw new TypeError("a code of health is declared twice");
  return all;
}

/** Something that is not well, and what to do. */
export interface Attention {
  readonly code: string;
  /** `fault`: visitors are worse off, or will be with the next thing that fails. */
  readonly severity: "fault" | "warning";
  /** A process by its name, a room or a webhook by its id, a store of some rooms as `stores.NAME`; null: all of it. */
  readonly about: string | null;
  readonly room: string | null;
  readonly text: string;
  /** What those read who need not know of hosts and files; null: the same. */
  readonly publicText: string | null;
}

export interface SeenRoom {
  readonly id: string;
  readonly availability: "ready" | "recovering" | "away";
  /** Null before this process has synced the room, and where there is no log. */
  readonly sealing: Sealing | null;
  readonly isSynced: boolean;
  /** By this process, in the last minutes. */
  readonly joins: { readonly joined: number; readonly refused: number };
}

/** The installation, as one process sees it. */
export interface Installation {
  /** Of the store. */
  readonly nowMs: number;
  readonly processes: readonly SeenProcess[];
  readonly store: SeenStore;
  /** Those by name that rooms are in. Absent: none. */
  readonly namedStores?: readonly { readonly name: string; readonly store: SeenStore }[];
  readonly rooms: readonly SeenRoom[];
  /** What features find that is not well. */
  readonly others?: readonly Attention[];
}

type AttentionTerms = Pick<Attention, "code" | "text"> & Partial<Attention>;

export const fault = (terms: AttentionTerms): Attention => ({ ...nothingElse, severity: "fault", ...terms });
export const warning = (terms: AttentionTerms): Attention => ({ ...nothingElse, severity: "warning", ...terms });

const nothingElse = { about: null, room: null, publicText: null };

const sentenceForOthers = "The role operator for all rooms shows what it is.";

/** A sentence that may name hosts or files. */
export function internal(text: string, about: string): Pick<Attention, "text" | "publicText"> {
  return { text, publicText: `${about}. ${sentenceForOthers}` };
}

export function seconds(ms: number): string {
  const sec = Math.max(0, Math.round(ms / 1_000));
  return sec < 120 ? `${sec} s` : `${Math.round(sec / 60)} min`;
}
