import type {
  AdaptiveState,
  AdmissionEnd,
  AdmittedVia,
  ClaimResult,
  Draw,
  Phase,
  PhaseReason,
  RoomSettings,
  StoredSettings,
} from "../store/contract/room-store.ts";

/** What happens in waiting rooms. Listeners log, count and publish; nothing here waits for them. */
export interface RoomEvents {
  "tickets.joined": [{ room: string; count: number }];
  "admission.granted": [
    {
      room: string;
      sub: string;
      position: number;
      edition: number;
      via: AdmittedVia;
      isNew: boolean;
      isLogin: boolean;
    },
  ];
  /** An operator's key made a link that admits a visitor ahead of the line; `note` is the operator's. */
  "bypass.created": [{ room: string; link: string; admin: string; note: string | null; expires_at: string }];
  /** The link was used up. */
  "bypass.used": [{ room: string; link: string; sub: string }];
  "admission.ended": [{ room: string; sub: string; end: AdmissionEnd }];
  /** A site was notified that an admission has ended (back-channel logout). */
  "backchannel_logout.sent": [{ room: string; client: string; sub: string }];
  /** It could not be sent; unless `isOver`, it is tried again later. */
  "backchannel_logout.failed": [
    { room: string; client: string; sub: string; attempt: number; isOver: boolean; reason: string },
  ];
  "claim.refused": [{ room: string; reason: Exclude<ClaimResult["result"], "admitted"> | "recovering" }];
  /** A refresh of tokens under a live admission. */
  "admission.renewed": [{ room: string; sub: string }];
  "join.refused": [{ room: string; reason: "full" | "closed"; count: number }];
  /** So many have taken a place from one address that this one has to come again. */
  "join.over_address_limit": [{ room: string }];
  /** Joins over the limit since the last report; at most one report a minute. */
  "joins.limited": [{ room: string; count: number }];
  "place.left": [{ room: string; sub: string }];
  /** Carried from one visitor to another. Reported again where the answer was lost and the link is used once more. */
  "place.moved": [{ room: string; from: string; sub: string }];
  "room.recovering": [{ room: string; remainingMs: number }];
  /** Positions and admissions are given again, whether or not there was anything to bring back. */
  "room.recovery_over": [{ room: string; durationMs: number }];
  "room.recovered": [{ room: string; phase: Phase; queued: number; serving: number; holdMs: number }];
  /** As synced by this process; every process reports it. */
  "room.phase_changed": [{ room: string; phase: Phase; reason: PhaseReason; before: Phase }];
  /** A decision of an `adaptive` inlet that changed the rate, as synced by this process; every process reports it. */
  "inlet.adapted": [{ room: string; before: number; adaptive: AdaptiveState }];
  /** As synced by this process; every process reports it. */
  "draw.changed": [{ room: string; edition: number; draw: Draw }];
  /** Nobody can draw it but a process that has this draw key. */
  "draw.key_unknown": [{ room: string; edition: number; draw: number; key: string }];
  "room.admin_step": [{ room: string; step: string; detail: Readonly<Record<string, unknown>>; admin: string }];
  "room.settings_changed": [{ room: string; version: number; admin: string }];
  /** The head of the admission log, as synced by this process; every process reports it. */
  "log.sealed": [{ room: string; seq: number; hash: string }];
  "store.away": [{ room: string; error: unknown }];
  "store.back": [{ room: string; awayMs: number }];
  /** The file settings in the store became, or are no longer, different from those of this process's file. */
  "settings.drift": [{ room: string; isDrifting: boolean; own: RoomSettings; stored: RoomSettings }];
  /** This process synced the room for the first time, and live changes are in force over the file's values. */
  "settings.live": [{ room: string; settings: StoredSettings }];
  /** A refresh failed in a way that is no outage: a fault of the program or of the store. */
  "room.failed": [{ room: string; error: unknown }];
}
