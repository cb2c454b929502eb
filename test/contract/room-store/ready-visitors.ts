import { expect } from "vitest";
import { type Place, type RoomDriver, settings } from "../room-driver.ts";

/** Ready visitors of a room with a limit, who claim again when the answer said. Records the times of their admissions. */
export function createReadyVisitors(room: RoomDriver, places: readonly Place[], limit: number) {
  const waiting = places.map((place) => ({ place, dueMs: 0 }));
  const admittedMs: number[] = [];
  // The limit in force at each admission, and the highest of the two seconds before.
  const limits: { atMs: number; limit: number }[] = [{ atMs: 0, limit }];
  let checked = 0;
  const [ofMinute, ofTwoSeconds] = [createWindow(admittedMs, 60_000), createWindow(admittedMs, 2_000)];
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
      await room.rooms.changeSettings(room.room, room.incarnation, live, effective, version);
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
      const excesses: { atMs: number; windowMs: number; admitted: number; limit: number }[] = [];
      const check = (last: number, window: Window, limit: number) => {
        const admitted = window.countUntil(last);
        if (!(admitted <= limit)) excesses.push({ atMs: admittedMs[last] ?? 0, windowMs: window.ms, admitted, limit });
      };
      for (; checked < admittedMs.length; checked++) {
        const atMs = admittedMs[checked] ?? 0;
        check(checked, ofMinute, Math.max(...limitsDuring(atMs, atMs)));
        check(checked, ofTwoSeconds, Math.max(1, Math.max(...limitsDuring(atMs - 2_000, atMs)) / 10));
      }
      expect(excesses).toEqual([]);
    },
  };
}

type Window = ReturnType<typeof createWindow>;

/** A window that slides over times that only rise: it is asked of one after the other, and goes over each once. */
function createWindow(times: readonly number[], ms: number) {
  let first = 0;
  return {
    ms,
    /** How many lie in the window that ends with this one. */
    countUntil(last: number): number {
      while ((times[first] ?? 0) <= (times[last] ?? 0) - ms) first++;
      return last - first + 1;
    },
  };
}
