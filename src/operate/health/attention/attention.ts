import type { SeenProcess, SeenStore } from "../presence.ts";
import type { Sealing } from "../sealing.ts";

/** What is not well. The console has a short title of each. */
export const attentionCodes = [
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
  "webhook_behind",
  "webhook_gave_up",
  "beacon_fails",
] as const;
export type AttentionCode = (typeof attentionCodes)[number];

/** Something that is not well, and what to do. */
export interface Attention {
  readonly code: AttentionCode;
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
  readonly isKnown: boolean;
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
}

type Given = Pick<Attention, "code" | "text"> & Partial<Attention>;

export const fault = (given: Given): Attention => ({ ...nothingElse, severity: "fault", ...given });
export const warning = (given: Given): Attention => ({ ...nothingElse, severity: "warning", ...given });

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
