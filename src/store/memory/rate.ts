import type { InletSettings } from "../contract/room-store.ts";
import type { RoomData } from "./data.ts";

/** The settings of an `adaptive` inlet with their defaults. */
export function adaptiveSettings(inlet: InletSettings) {
  const limit = inlet.outflowPerMinute ?? 1;
  const floor = Math.min(limit, inlet.floorPerMinute ?? Math.max(1, Math.floor(limit / 100)));
  const latencyMs = inlet.latencyMs ?? null;
  return {
    limit,
    floor,
    start: Math.min(limit, Math.max(floor, inlet.startPerMinute ?? Math.floor(limit / 10))),
    step: inlet.stepPerMinute ?? Math.max(1, Math.floor(limit / 50)),
    latencyMs,
    timesBaseline: inlet.timesBaseline ?? (latencyMs === null ? 3 : null),
    errorRate: inlet.errorRate ?? 0.05,
    everyMs: inlet.decideEveryMs ?? 10_000,
  };
}

export function isAdaptive({ settings }: RoomData): boolean {
  const { type, outflowPerMinute } = settings.effective.inlet;
  return type === "adaptive" && outflowPerMinute !== null;
}

/** What the room lets in by a minute now: the rate in force of an `adaptive` inlet, else the room's own limit; null for none. */
export function ratePerMinute(room: RoomData): number | null {
  const { inlet } = room.settings.effective;
  if (!isAdaptive(room)) return inlet.outflowPerMinute;
  const { floor, start, limit } = adaptiveSettings(inlet);
  const { rate } = room.adaptive;
  return rate === 0 ? start : Math.min(limit, Math.max(floor, rate));
}
