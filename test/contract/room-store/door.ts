import { expect } from "vitest";
import { type Place, type RoomDriver, settings } from "../room-driver.ts";

/** People at the door of a room with a limit, who claim again when they were told to. Records who came in when. */
export function createDoor(room: RoomDriver, places: readonly Place[], limit: number) {
  const waiting = places.map((place) => ({ place, dueMs: 0 }));
  const admittedMs: number[] = [];
  // The limit in force at each admission, and the highest of the two seconds before.
  const limits: { atMs: number; limit: number }[] = [{ atMs: 0, limit }];
  let checked = 0;
  const nowMs = () => room.harness.nowMs();

  function limitsDuring(fromMs: number, toMs: number): number[] {
    const during = limits.filter(
      (l, i) => l.atMs <= toMs && (limits[i + 1]?.atMs ?? Number.POSITIVE_INFINITY) >= fromMs,
    );
    return during.map((l) => l.limit);
  }

  async function claim(person: { place: Place; dueMs: number }): Promise<void> {
    const answer = await room.claim(person.place);
    if (answer.result === "admitted") {
      admittedMs.push(nowMs());
      waiting.splice(waiting.indexOf(person), 1);
    } else if (answer.result === "held") person.dueMs = nowMs() + answer.retryMs;
    else throw new Error(`the claim was answered ${answer.result}`);
  }

  return {
    admittedMs,
    async setLimit(next: number) {
      const { version } = await room.state();
      const live = { inlet: { outflowPerMinute: next } };
      const effective = settings({ limit: next, claimWithinMs: room.file.admission.claimWithinMs });
      await room.rooms.changeSettings(room.room, room.life, live, effective, version);
      limits.push({ atMs: nowMs(), limit: next });
    },
    /** The first `count` claim, due or not, in their order: one connection keeps it. */
    async claimSome(count: number) {
      await Promise.all(waiting.slice(0, count).map(claim));
    },
    /** All among the first `count` claim whose time has come. */
    async claimDue(count: number) {
      const due = waiting.slice(0, count).filter((person) => person.dueMs <= nowMs());
      await Promise.all(due.map(claim));
    },
    expectWithinLimits() {
      for (; checked < admittedMs.length; checked++) {
        const atMs = admittedMs[checked] ?? 0;
        const inWindow = (ms: number) => admittedMs.slice(0, checked + 1).filter((t) => t > atMs - ms).length;
        expect(inWindow(60_000)).toBeLessThanOrEqual(Math.max(...limitsDuring(atMs, atMs)));
        expect(inWindow(2_000)).toBeLessThanOrEqual(Math.max(1, Math.max(...limitsDuring(atMs - 2_000, atMs)) / 10));
      }
    },
  };
}
