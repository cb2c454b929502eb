import { expect, it } from "vitest";
import type { RoomTest } from "../room-context.ts";
import { minute, type RoomDriver } from "../room-driver.ts";

const settleMs = 30_000;

/** Visitors who look every second whether they are served; a share of them never shows up. */
async function simulate(room: RoomDriver, limit: number, noShows: number, durationMs: number) {
  const range = await room.join(10_000);
  // Spread evenly: the golden ratio's multiples.
  const isAbsent = (position: number) => (position * 0.618_034) % 1 < noShows;
  const waiting = new Map<number, { servedMs: number; dueMs: number }>();
  const delays: number[] = [];
  let admitted = 0;
  let serving = 0;
  const startMs = room.harness.nowMs();
  for (let nowMs = startMs; nowMs < startMs + durationMs; nowMs += 250) {
    if ((nowMs - startMs) % 1_000 === 0) {
      const { state } = await room.tick();
      for (; serving < state.serving; serving++) {
        const position = serving + 1;
        if (!isAbsent(position)) waiting.set(position, { servedMs: nowMs, dueMs: nowMs + ((position * 137) % 1_000) });
      }
    }
    for (const [position, person] of waiting) {
      if (person.dueMs > nowMs) continue;
      const answer = await room.claim(room.place(range, position));
      if (answer.result === "held") person.dueMs = nowMs + answer.retryMs;
      else {
        expect(answer.result).toBe("admitted");
        waiting.delete(position);
        if (nowMs >= startMs + settleMs) {
          admitted++;
          delays.push(nowMs - person.servedMs);
        }
      }
    }
    await room.harness.advance(250);
  }
  const used = admitted / ((limit * (durationMs - settleMs)) / minute);
  return { used, delays: delays.toSorted((a, b) => a - b), serving };
}

export const inlets: RoomTest = (context) => {
  it.each([
    [240, 0],
    [240, 0.5],
    [240, 0.9],
    [60, 0.5],
  ])("serves just enough to keep the outflow at %i per minute with a share of %d no-shows", async (limit, noShows) => {
    const room = await context.room({ type: "periodic", limit, claimWithinMs: 60 * minute }).open();
    const { used, delays } = await simulate(room, limit, noShows, 3 * minute);
    expect(used).toBeGreaterThanOrEqual(0.97);
    expect(delays[Math.floor(delays.length * 0.99)]).toBeLessThanOrEqual(14_000);
  });

  it("serves at most once per second of the flow clock, however many call", async () => {
    const room = await context.room({ type: "periodic", limit: 600 }).open();
    await room.join(10_000);
    const seen = new Set<number>();
    for (let i = 0; i < 50; i++) {
      await context.harness.advance(100);
      seen.add((await room.state()).serving);
    }
    expect(seen.size).toBeLessThanOrEqual(6);
  });

  it("never serves beyond the queue counter, and at least one place at low limits", async () => {
    const room = await context.room({ type: "periodic", limit: 5 }).open();
    await room.pass(5_000);
    expect((await room.state()).serving).toBe(0);
    await room.join(1);
    await room.pass(2_000);
    expect((await room.state()).serving).toBe(1);
    await room.pass(20_000);
    expect((await room.state()).serving).toBe(1);
  });

  it("serves nobody while the room is paused", async () => {
    const room = await context.room({ type: "periodic", limit: 600 }).open();
    await room.step({ step: "pause" });
    await room.join(1_000);
    await room.pass(10_000);
    expect((await room.state()).serving).toBe(0);
    await room.step({ step: "resume" });
    await room.pass(1_000);
    expect((await room.state()).serving).toBeGreaterThan(0);
  });
};
