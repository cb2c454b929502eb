/**
 * An operator calls 600 people at once in a room that lets 60 in a minute. Whoever stands behind them is told the truth: they come
 * in first, and then the line goes on at the limit.
 */
import { expect, test } from "vitest";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import type { RoomState } from "../../../src/store/room-store.ts";
import { estimateWait } from "../../../src/waiting-room/estimate.ts";
import { peopleAhead } from "../../../src/waiting-room/line.ts";
import { createMovedClock } from "../../support/moved-clock.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";

const called = 600;
const perMinute = 60;

test("the estimate behind a crowd that was called by hand is true at every moment", async () => {
  const clock = createMovedClock();
  const { rooms } = createMemoryStore({ clock, random: createSeededRandom("crowd") });
  const inlet = { ...manualSettings.inlet, type: "periodic" as const, outflowPerMinute: perMinute };
  const fileSettings = { ...manualSettings, inlet };
  const { life } = await rooms.contribute({ room: "r", fileSettings, memory: null, isNewRoom: true });
  const joined = await rooms.join("r", life, 2_000);
  if (joined.result !== "ok") throw new Error("no places");
  const { edition, joinedMs } = joined.value;
  const beginMs = clock.now();
  const waiting = new Set(Array.from({ length: 2_000 }, (_, index) => index + 1));
  let state: RoomState | undefined;
  /** All whose turn it is have their page open, which asks again every four seconds. */
  const pass = async (toSec: number) => {
    while (clock.now() < beginMs + toSec * 1_000) {
      clock.advance(1_000);
      const tick = await rooms.tick("r", life, Number.MAX_SAFE_INTEGER - 1);
      if (tick.result !== "ok") throw new Error("no state");
      ({ state } = tick.value);
      for (const position of waiting) {
        if (position > state.serving) break;
        // Those whose slot it is ask at the time they were told, the others in turns.
        const isTheirTurn = position < firstOf(waiting) + 3 || (position + clock.now() / 1_000) % 4 === 0;
        if (!isTheirTurn) continue;
        const claim = { sub: `s${position}`, edition, position, joinedMs, login: null, proof: null };
        const outcome = await rooms.claim("r", life, claim);
        if (outcome.result === "ok" && outcome.value.result === "admitted") waiting.delete(position);
      }
    }
  };
  await pass(60);
  const already = 2_000 - waiting.size;
  await rooms.adminStep("r", life, { step: "increment", by: called }, null);
  const jumpSec = 60;
  const behind = called + already + 100;
  for (const sec of [65, 90, 150, 400]) {
    await pass(sec);
    if (state === undefined) throw new Error("no state");
    const estimate = estimateWait(state, peopleAhead(state, behind));
    const realSec = ((behind - already) * 60) / perMinute - (sec - jumpSec);
    expect(estimate, `after ${sec} s: ${realSec} s to go`).not.toBeNull();
    expect(estimate?.low).toBeLessThanOrEqual(realSec);
    expect(estimate?.high).toBeGreaterThanOrEqual(realSec);
    expect(estimate?.high).toBeLessThanOrEqual(realSec * 1.5 + 60);
  }
  expect(2_000 - waiting.size).toBeGreaterThan(already + 300);
}, 60_000);

function firstOf(positions: ReadonlySet<number>): number {
  return positions.values().next().value ?? 0;
}
