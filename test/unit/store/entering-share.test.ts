import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addPendingClaim,
  clearPendingClaims,
  prunePendingClaims,
  removePendingClaim,
} from "../../../src/core/positions.ts";
import { addBatch, clearBatches, enteringShare, recordShow, settleBatches } from "../../../src/core/progress.ts";
import { createOpenRoom } from "./room-data.ts";

function createDoor() {
  const room = createOpenRoom({ type: "periodic", limit: 60 });
  let last = 0;
  const second = () => {
    room.flowMs += 1_000;
    room.claimMs += 1_000;
    prunePendingClaims(room, 10_000);
    settleBatches(room);
  };
  return {
    room,
    second,
    seconds(count: number, each: () => void = () => {}) {
      for (let sec = 0; sec < count; sec++) {
        each();
        second();
      }
    },
    /** Serves so many, and answers the first place. */
    serve(places: number, by: "inlet" | "operator" = "inlet"): number {
      addBatch(room, last, last + places, by);
      last += places;
      return last - places + 1;
    },
    addPendingClaim(position: number) {
      recordShow(room, position);
      addPendingClaim(room, position);
    },
    enter(position: number) {
      recordShow(room, position);
      room.pull.came++;
      removePendingClaim(room, position);
    },
    share: () => enteringShare(room),
  };
}

/** One in ten comes in, sixty of them a minute. */
function createTenth() {
  const door = createDoor();
  door.seconds(600, () => door.enter(door.serve(10)));
  return door;
}

describe("the share of served places whose visitors come to the door", () => {
  it("is everybody before anything was measured, and then what was seen", () => {
    expect(createDoor().share()).toBe(1);
    expect(createTenth().share()).toBeCloseTo(0.1, 2);
  });

  it("stays while a crowd goes in that an operator has called, however long it takes", () => {
    const door = createTenth();
    const first = door.serve(6_000, "operator");
    const crowd = new Set(Array.from({ length: 600 }, (_, i) => first + 10 * i));
    const shares: number[] = [];
    door.seconds(600, () => {
      for (const position of crowd) door.addPendingClaim(position);
      const next = [...crowd][0] ?? 0;
      door.enter(next);
      crowd.delete(next);
      shares.push(door.share());
    });
    expect(Math.min(...shares)).toBeGreaterThan(0.095);
    expect(Math.max(...shares)).toBeLessThan(0.105);
  });

  it("waits half a minute for those whom an operator has called, who ask less often than those near the front", () => {
    const door = createDoor();
    door.seconds(600, () => door.enter(door.serve(1)));
    const first = door.serve(200, "operator");
    const shares: number[] = [];
    let come = 0;
    door.seconds(29, () => {
      for (let i = 0; i < come; i++) door.addPendingClaim(first + i);
      come = Math.min(200, come + 8);
      shares.push(door.share());
    });
    expect(Math.min(...shares)).toBeGreaterThan(0.98);
    door.seconds(5, () => {
      for (let i = 0; i < 200; i++) door.addPendingClaim(first + i);
    });
    expect(door.share()).toBeGreaterThan(0.98);
  });

  it("counts those who come late, and those once who come and go", () => {
    const door = createDoor();
    const late: number[] = [];
    door.seconds(600, () => {
      const first = door.serve(10);
      door.enter(first);
      late.push(first + 1);
      const position = late.length > 60 ? late.shift() : undefined;
      if (position !== undefined) door.enter(position);
    });
    expect(door.share()).toBeCloseTo(0.2, 2);
    const before = door.share();
    const wanderer = door.serve(1);
    // Their claim is forgotten after five seconds, and they come again.
    door.seconds(60, () => {
      if (door.room.flowMs % 10_000 === 0) door.addPendingClaim(wanderer);
    });
    expect(door.share()).toBeCloseTo(before, 2);
  });

  it("is never more than everybody, whatever a loss made the room forget", () => {
    const door = createDoor();
    const before = door.serve(500, "operator");
    clearPendingClaims(door.room);
    clearBatches(door.room);
    door.seconds(500, () => {
      door.addPendingClaim(before + 499);
      door.enter(before);
    });
    expect(door.share()).toBe(1);
    door.seconds(600, () => door.enter(door.serve(2)));
    expect(door.share()).toBeLessThan(0.55);
  });

  it("does not jump: ten seconds more never halve or double it", () => {
    const tenSeconds = fc.record({
      places: fc.integer({ min: 1, max: 30 }),
      come: fc.double({ min: 0.1, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(tenSeconds, { minLength: 18, maxLength: 30 }), (history) => {
        const door = createDoor();
        let rest = 0;
        let before = Number.NaN;
        for (const [index, { places, come }] of history.entries()) {
          door.seconds(10, () => {
            const first = door.serve(places);
            rest += places * come;
            for (let i = 0; i < places && rest >= 1; i++, rest--) door.enter(first + i);
          });
          if (index >= 12) {
            expect(door.share() / before).toBeGreaterThan(0.5);
            expect(door.share() / before).toBeLessThan(2);
          }
          before = door.share();
        }
      }),
      { numRuns: 25 },
    );
  });
});
