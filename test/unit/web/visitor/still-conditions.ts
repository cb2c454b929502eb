/** A room in each of the states in which its line moves or stands still, for what is said of it. */
import type { Availability } from "../../../../src/room/replica/synced-room.ts";
import type { Phase } from "../../../../src/store/contract/room-settings.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { createSharedWorld, joinMany, type Process, type SharedWorld } from "../../room/processes.ts";

interface Condition {
  bring(world: SharedWorld, process: Process): Promise<unknown>;
  readonly line: "moves" | "still" | "held" | "everybody";
}

const step =
  (asked: Parameters<Process["room"]["operations"]["step"]>[0]) =>
  async (_: SharedWorld, { room, refresh }: Process) => {
    await room.operations.step(asked, null, "test");
    await refresh();
  };

/** Each phase and each availability has a row: the type says so. */
export const conditions: Readonly<Record<Phase | Exclude<Availability, "ready"> | "held", Condition>> = {
  open: { bring: async () => {}, line: "moves" },
  idle: { bring: step({ step: "phase", phase: "idle" }), line: "still" },
  prequeue: { bring: step({ step: "phase", phase: "prequeue" }), line: "still" },
  paused: { bring: step({ step: "pause" }), line: "still" },
  ended: { bring: step({ step: "phase", phase: "ended" }), line: "still" },
  passthrough: { bring: step({ step: "phase", phase: "passthrough" }), line: "everybody" },
  away: {
    async bring(world, { refresh }) {
      world.setAway(true);
      await refresh();
    },
    line: "still",
  },
  recovering: {
    async bring(world, { refresh }) {
      // The last that was heard is old by then.
      world.setAway(true);
      await refresh();
      world.clock.advance(120_000);
      world.setAway(false);
      world.wipe();
      await refresh();
    },
    line: "held",
  },
  held: {
    async bring(world, process) {
      world.wipe();
      await world.pass(5_000, [process]);
    },
    line: "held",
  },
};

export const inlet = { ...manualSettings.inlet, type: "periodic" as const, outflowPerMinute: 60 };

/** With 60 visitors that have joined before. */
export async function roomThatIs(name: string, { bring }: Condition) {
  const world = createSharedWorld(`standing still: ${name}`);
  const process = world.process("one", { isNewInstallation: true, settings: { ...manualSettings, inlet } });
  const { room } = process;
  await process.refresh();
  const tickets = await joinMany(process, 60, world.clock.now());
  await process.refresh();
  await bring(world, process);
  return { world, room, tickets };
}
