// Long: sixteen crowds of four thousand pages.
/**
 * Goal: whoever has long to wait asks seldom, and no step by which an operator shortens the wait comes too late to a page. Method: a crowd's
 * pages in simulated time, with the real room and the page's own functions, twice: as pages are told to ask, and as if they were told to ask
 * as often far back as in the middle of the line.
 */
import { expect, test } from "vitest";
import type { WaitingRoom } from "../../../src/room/waiting-room.ts";
import { withPatch } from "../../support/room-settings.ts";
import { type PollingPlan, simulatePolling } from "./polling.ts";

const visitors = 4_000;
const stepAtMs = 240_000;
/** At the short end of the estimate. */
const farSec = 1_200;

const plain = {
  seed: "steps",
  visitors,
  inlet: { type: "periodic", outflowPerMinute: 66 },
  opensAtMs: 0,
  stepAtMs,
  untilMs: stepAtMs + 180_000,
} satisfies Omit<PollingPlan, "step">;

const act = (room: WaitingRoom, step: Parameters<WaitingRoom["operations"]["step"]>[0]) =>
  room.operations.step(step, null, "operator");

async function changeInlet(room: WaitingRoom, inlet: Partial<PollingPlan["inlet"]>) {
  const { state } = room;
  if (state === null) throw new Error("no state");
  await room.operations.changeSettings({ inlet }, withPatch(room.settings, { inlet }), state.version, "operator");
}

const steps: Record<string, Partial<PollingPlan> & Pick<PollingPlan, "step">> = {
  "the counter moved by hand": { step: (room) => act(room, { step: "increment", by: 3_000 }) },
  "places called in a room that is moved by hand alone": {
    inlet: { type: "manual" },
    step: (room) => act(room, { step: "increment", by: 3_000 }),
  },
  "a limit thirty times as high": { step: (room) => changeInlet(room, { outflowPerMinute: 2_000 }) },
  "more who may be in at a time": {
    inlet: { type: "max_active", maxActive: 60 },
    step: (room) => changeInlet(room, { maxActive: 3_000 }),
  },
  "everybody let in": { step: (room) => act(room, { step: "phase", phase: "passthrough" }) },
  "doors opened two hours early": {
    opensAtMs: 7_200_000,
    inlet: { type: "periodic", outflowPerMinute: 700 },
    step: (room) => act(room, { step: "phase", phase: "open" }),
  },
  "the end of a pause": {
    begin: (room) => act(room, { step: "pause" }),
    inlet: { type: "periodic", outflowPerMinute: 700 },
    step: (room) => act(room, { step: "resume" }),
  },
  "a turn that is held for three minutes": {
    claimWithinMs: 180_000,
    inlet: { type: "periodic", outflowPerMinute: 66 },
    step: (room) => act(room, { step: "increment", by: 3_000 }),
  },
};

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

test.each(Object.entries(steps))("%s is learnt in time", async (_, plan) => {
  const now = await simulatePolling({ ...plain, ...plan });
  const today = await simulatePolling({ ...plain, ...plan, poll: { far_ceiling_ms: 0 } });
  // Nobody has lost a place: a claim of one that is gone ends the simulation.
  expect(now.reactions.length).toBeGreaterThan(100);
  expect(now.reactions.length).toBeGreaterThan(0.95 * today.reactions.length);
  const delays = ({ reactions }: typeof now, isFar: boolean) =>
    reactions
      .filter(({ atMs, wasAwaySec }) => atMs > stepAtMs && wasAwaySec > farSec === isFar)
      .map(({ afterMs }) => afterMs);
  for (const share of [0.5, 0.9, 0.99, 0.999, 1])
    expect(quantile(delays(now, true), share)).toBeLessThanOrEqual(quantile(delays(today, true), share) + 120_000);
  expect(quantile(delays(now, false), 0.99)).toBeLessThanOrEqual(quantile(delays(today, false), 0.99) + 10_000);
});
