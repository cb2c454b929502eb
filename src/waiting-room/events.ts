import type { AdmissionEnd, ClaimResult, Phase } from "../store/room-store.ts";

/** What happens in waiting rooms. Listeners log, count and publish; nothing here waits for them. */
export interface RoomEvents {
  "tickets.joined": [{ room: string; count: number }];
  "admission.granted": [
    { room: string; sub: string; position: number; edition: number; isNew: boolean; isLogin: boolean },
  ];
  "admission.ended": [{ room: string; sub: string; end: AdmissionEnd }];
  "claim.refused": [{ room: string; reason: Exclude<ClaimResult["result"], "admitted"> | "recovering" }];
  "place.left": [{ room: string; sub: string }];
  "room.recovering": [{ room: string; remainingMs: number }];
  "room.recovered": [{ room: string; phase: Phase; queued: number; serving: number; holdMs: number }];
  "room.admin_step": [{ room: string; step: string; by?: number; admin: string }];
  "room.settings_changed": [{ room: string; version: number; admin: string }];
  "store.away": [{ room: string; error: unknown }];
  "store.back": [{ room: string; awayMs: number }];
  /** The file settings in the store became, or are no longer, different from those of this process's file. */
  "settings.drift": [{ room: string; isDrifting: boolean }];
  /** A refresh failed in a way that is no outage: a fault of the program or of the store. */
  "room.failed": [{ room: string; error: unknown }];
}
