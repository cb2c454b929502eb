import type { Heard, LiveRoom } from "./live-figures.ts";

/** How far figures may be believed: `cut` by the way to the gateway, `store` by the gateway's own way to its store. */
export interface Freshness {
  readonly kind: "waiting" | "live" | "cut" | "store";
  /** Milliseconds since the figures were true. */
  readonly ageMs: number;
}

/** News come each second. */
const cutAfterMs = 3_500;
/** A process asks its store each second. */
const oldAfterMs = 5_000;

/** @param nowMs by the clock by which the news were heard */
export function freshnessOfRoom(room: LiveRoom, { heardMs }: Heard, nowMs: number): Freshness {
  const unheardMs = Math.max(0, nowMs - heardMs);
  const ageMs = unheardMs + (room.age_ms ?? 0);
  if (unheardMs > cutAfterMs) return { kind: "cut", ageMs };
  if (room.age_ms === null) return { kind: "waiting", ageMs };
  return { kind: (room.age_ms ?? 0) > oldAfterMs ? "store" : "live", ageMs };
}

/** Of all that is shown: that of the oldest. */
export function freshnessOfAll(heard: Heard | null, nowMs: number): Freshness {
  if (heard === null) return { kind: "waiting", ageMs: 0 };
  const unheardMs = Math.max(0, nowMs - heard.heardMs);
  const ageMs = unheardMs + Math.max(0, ...heard.figures.rooms.map(({ age_ms }) => age_ms ?? 0));
  if (unheardMs > cutAfterMs) return { kind: "cut", ageMs: unheardMs };
  return { kind: ageMs - unheardMs > oldAfterMs ? "store" : "live", ageMs };
}

export function isStale({ kind }: Freshness): boolean {
  return kind === "cut" || kind === "store";
}
