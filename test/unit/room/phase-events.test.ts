/** What processes that share a store say of a room's phases: each transition once, whoever carried it out. */
import { expect, test } from "vitest";
import type { AdminStep } from "../../../src/store/contract/room-store.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSharedWorld, type Process } from "./processes.ts";

/** Fills with what a process tells, from now on. */
function listen({ events }: Process): string[] {
  const reported: string[] = [];
  events.on("room.phase_changed", ({ before, phase, reason }) =>
    reported.push(`${before} → ${phase}${reason === null ? "" : `, ${reason}`}`),
  );
  return reported;
}

test("each time of the schedule is reported once by each process", async () => {
  const world = createSharedWorld("schedule");
  const startMs = world.clock.now();
  const schedule = { prequeueAtMs: startMs + 10_000, opensAtMs: startMs + 20_000, endsAtMs: startMs + 30_000 };
  const settings = { ...manualSettings, schedule };
  const one = world.process("one", { settings, isNewInstallation: true });
  const two = world.process("two", { settings });
  const reported = [one, two].map(listen);
  await one.refresh();
  await two.refresh();
  expect(reported).toEqual([[], []]);
  await world.pass(60_000, [one, two]);
  const all = ["idle → prequeue", "prequeue → open", "open → ended"];
  expect(reported).toEqual([all, all]);
});

const steps: readonly [AdminStep, string | null][] = [
  [{ step: "pause" }, "open → paused, operator"],
  [{ step: "pause" }, null],
  // Another hold: the room is reported to be paused all the while.
  [{ step: "alarm", isSet: true }, null],
  [{ step: "resume" }, null],
  [{ step: "alarm", isSet: false }, "paused → open"],
  [{ step: "phase", phase: "ended" }, "open → ended"],
  [{ step: "phase", phase: "ended" }, null],
  [{ step: "phase", phase: "passthrough" }, "ended → passthrough"],
  [{ step: "phase", phase: "idle" }, "passthrough → idle"],
  [{ step: "phase", phase: "prequeue" }, "idle → prequeue"],
  [{ step: "phase", phase: "open" }, "prequeue → open"],
  [{ step: "reset" }, null],
];

test("each step of an operator that changes the phase is reported once by each process, and no other step", async () => {
  const world = createSharedWorld("operator");
  const one = world.process("one", { isNewInstallation: true });
  const two = world.process("two");
  await one.refresh();
  await two.refresh();
  const reported = [one, two].map(listen);
  for (const [index, [step, expected]] of steps.entries()) {
    const { room } = index % 2 === 0 ? one : two;
    await room.operations.step(step, null, "test");
    await world.pass(3_000, [one, two]);
    const once = expected === null ? [] : [expected];
    expect(reported, JSON.stringify(step)).toEqual([once, once]);
    for (const list of reported) list.length = 0;
  }
});
