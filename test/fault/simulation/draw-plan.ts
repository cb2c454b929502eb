/** What a scenario says of the draws of its room, and what processes make them of. */
import { createHash } from "node:crypto";
import type { DrawSource } from "../../../src/room/draw/draw-source.ts";
import { publishedMs, quicknet } from "../../../src/room/draw-recipe/index.ts";
import type { RingKey } from "../../../src/room/tickets/ticket.ts";
import type { RoomSettings } from "../../../src/store/contract/room-settings.ts";
import type { BeaconValue } from "../../../src/store/contract/room-store.ts";
import type { SimulatedTime } from "./time.ts";

export interface DrawPlan {
  readonly order: "random" | "arrival";
  readonly beacon: "none" | "drand";
  /** Of each process: how long (ms) after a round is published it can have it; null: never. */
  readonly beaconDelaysMs: readonly (number | null)[];
  /** By the wall clock, counted (ms) from the beginning; null: no schedule, an operator opens the prequeue. */
  readonly prequeueAfterMs: number | null;
  readonly opensAfterMs: number | null;
}

/** Draw keys as all processes have them; the first one makes the next seeds. */
export type DrawKeys = RingKey[];

export function createDrawKeys(): DrawKeys {
  return [createDrawKey(1)];
}

export function createDrawKey(number: number): RingKey {
  return { kid: `draw-${number}`, secret: Buffer.alloc(32, number) };
}

/** The room's schedule and draw as its file has them. */
export function withDraw(settings: RoomSettings, plan: DrawPlan | undefined, beginsMs: number): RoomSettings {
  if (plan === undefined) return settings;
  const { order, beacon, prequeueAfterMs, opensAfterMs } = plan;
  const at = (afterMs: number | null) => (afterMs === null ? null : beginsMs + afterMs);
  const schedule = { prequeueAtMs: at(prequeueAfterMs), opensAtMs: at(opensAfterMs), endsAtMs: null };
  return { ...settings, schedule, draw: { order, beacon } };
}

/** What one process makes draws of. */
export function createDrawSource(plan: DrawPlan, process: number, keys: DrawKeys, time: SimulatedTime): DrawSource {
  const delayMs = plan.beaconDelaysMs[process % plan.beaconDelaysMs.length] ?? null;
  const isToBeHad = (round: number) => delayMs !== null && time.wall.now() >= publishedMs(quicknet, round) + delayMs;
  return {
    issuer: "https://queue.example.com",
    keys: () => keys,
    beacon: () => ({ chain: quicknet, fetch: async (round) => (isToBeHad(round) ? roundValue(round) : null) }),
  };
}

function roundValue(round: number): BeaconValue {
  const digest = (what: string) => createHash("sha256").update(`${what} ${round}`).digest("hex");
  return { round, signature: `${digest("signature")}${digest("rest").slice(0, 32)}`, randomness: digest("randomness") };
}
