/** Rooms whose places are drawn, and several processes that draw them. */

import { type DrawSource, noBeacon } from "../../../src/room/draw/draw-source.ts";
import type { Ticket } from "../../../src/room/tickets/ticket.ts";
import type { Draw, RoomSettings } from "../../../src/store/contract/room-store.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSharedWorld, type Process, type SharedWorld } from "./processes.ts";

export const key = { kid: "draw-1", secret: Buffer.alloc(32, 1) };
export const otherKey = { kid: "draw-2", secret: Buffer.alloc(32, 2) };

export const source = (keys = [key], beacon = noBeacon): DrawSource => ({
  issuer: "https://queue.example.com",
  keys: () => keys,
  beacon: () => beacon,
});

export function settingsAt(opensAtMs: number | null, beacon: "none" | "drand" = "none"): RoomSettings {
  const prequeueAtMs = opensAtMs === null ? null : opensAtMs - 600_000;
  return {
    ...manualSettings,
    schedule: { prequeueAtMs, opensAtMs, endsAtMs: null },
    draw: { order: "random", beacon },
  };
}

/** Two processes in the prequeue of a room that opens in ten minutes. */
export async function inPrequeue(seed: string, beacon: "none" | "drand" = "none", draws = source()) {
  const world = createSharedWorld(seed);
  const opensAtMs = world.clock.now() + 700_000;
  const settings = settingsAt(opensAtMs, beacon);
  const one = world.process("one", { isNewInstallation: true, settings, draws });
  const two = world.process("two", { settings, draws });
  const both = [one, two];
  await world.pass(2_000, both);
  const announced = drawOf(one);
  world.clock.advance(98_000);
  await world.pass(1_000, both);
  return { world, one, two, both, settings, opensAtMs, announced };
}

export function drawOf({ room }: Process): Draw {
  const draw = room.draws.current;
  if (draw === null) throw new Error("no draw");
  return draw;
}

export async function toOpening(world: SharedWorld, opensAtMs: number, processes: readonly Process[]) {
  world.clock.advance(opensAtMs - world.clock.now() - 400);
  await world.pass(1_000, processes);
}

export const positionOf = ({ room }: Process, ticket: Ticket) => room.place(ticket).position;
export const stateOf = ({ room }: Process, ticket: Ticket) => room.describe(ticket)?.state;

export async function letIn(process: Process, count: number): Promise<void> {
  await process.room.operations.step({ step: "increment", by: count }, null, "test");
}
