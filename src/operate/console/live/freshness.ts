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

/** @param nowMs by the clock by which the news were heard: `performance.now()` */
export function freshnessOfRoom(room: Pick<LiveRoom, "age_ms">, { heardMs }: Heard, nowMs: number): Freshness {
  const unheardMs = Math.max(0, nowMs - heardMs);
  const ageMs = unheardMs + (room.age_ms ?? 0);
  if (unheardMs > cutAfterMs) return { kind: "cut", ageMs };
  if (room.age_ms === null) return { kind: "waiting", ageMs };
  return { kind: room.age_ms > oldAfterMs ? "store" : "live", ageMs };
}

const worse: readonly Freshness["kind"][] = ["live", "waiting", "store", "cut"];

/** Of all that is shown: the worst of its rooms, and of those the oldest. */
export function freshnessOfAll(heard: Heard | null, nowMs: number): Freshness {
  if (heard === null) return { kind: "waiting", ageMs: 0 };
  const ofNone = freshnessOfRoom({ age_ms: 0 }, heard, nowMs);
  return heard.figures.rooms
    .map((room) => freshnessOfRoom(room, heard, nowMs))
    .reduce((worst, each) => {
      const by = worse.indexOf(each.kind) - worse.indexOf(worst.kind);
      return by > 0 || (by === 0 && each.ageMs > worst.ageMs) ? each : worst;
    }, ofNone);
}

export function isStale({ kind }: Freshness): boolean {
  return kind === "cut" || kind === "store";
}
