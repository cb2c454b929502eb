import fc from "fast-check";
import { expect, it } from "vitest";
import type { BasePhase } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { admissionOf, minute, okValue, type Place, type RoomDriver } from "../room-driver.ts";

const phase = fc.constantFrom<BasePhase>("idle", "prequeue", "open", "ended", "passthrough");
const who = fc.nat(1_000);
const event = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("phase" as const), phase }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("pause" as const, "resume" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("alarm" as const), isSet: fc.boolean() }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant("join" as const), count: fc.integer({ min: 1, max: 5 }) }) },
  // With or without the place; a visitor without one may come as well.
  { weight: 40, arbitrary: fc.record({ do: fc.constant("claim" as const), who, withPlace: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("leave" as const), who }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("end" as const), who }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("increment" as const), by: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 15, arbitrary: fc.record({ do: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 9_000 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("schedule" as const), inMs: fc.integer({ min: -9_000, max: 9_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("lose" as const) }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** A room that goes through phases at random, and what the visitors saw of it. */
class Walk {
  readonly room: RoomDriver;
  readonly places: Place[] = [];
  readonly admitted = { queue: 0, others: 0 };
  readonly used = new Set<number>();
  readonly left = new Set<number>();
  joined = 0;
  last = 0;
  serving = 0;

  constructor(room: RoomDriver) {
    this.room = room;
  }

  async join(count: number): Promise<void> {
    const { basePhase } = await this.room.state();
    const range = await this.room.join(count);
    const granted = range.last - range.first + 1;
    expect(granted).toBe(basePhase === "open" || basePhase === "prequeue" ? count : 0);
    if (granted > 0) expect(range.first, "handed out twice").toBeGreaterThan(this.last);
    for (let position = range.first; position <= range.last; position++) {
      this.places.push(this.room.place(range, position));
    }
    this.joined += granted;
    this.last = Math.max(this.last, range.last);
  }

  async claim(place: Place): Promise<void> {
    const { phase: current } = await this.room.state();
    const before = await admissionOf(this.room, place.sub);
    const answer = await this.room.claim(place);
    if (answer.result !== "admitted" || !answer.isNew) return;
    const { position, via, ended } = answer.admission;
    expect(before === null || before.ended !== null, "two live admissions of one visitor").toBe(true);
    expect(ended).toBeNull();
    expect(via === "queue" ? "open" : via).toBe(current);
    if (via === "queue") this.admitted.queue++;
    else this.admitted.others++;
    if (position === 0) return;
    expect(this.used.has(position), "one place admitted twice").toBe(false);
    expect(this.left.has(position), "a place that was left admitted").toBe(false);
    this.used.add(position);
  }

  async carryOut(event: Event): Promise<void> {
    const { room, places } = this;
    const one = "who" in event && places.length > 0 ? places[event.who % places.length] : undefined;
    if (event.do === "phase") await room.phase(event.phase);
    else if (event.do === "pause" || event.do === "resume") await room.step({ step: event.do });
    else if (event.do === "alarm") await room.step({ step: "alarm", isSet: event.isSet });
    else if (event.do === "join") await this.join(event.count);
    else if (event.do === "increment") await room.serve(event.by);
    else if (event.do === "advance") await room.harness.advance(event.ms);
    else if (event.do === "claim") {
      const sub = one?.sub ?? `new-${event.who}`;
      await this.claim(one !== undefined && event.withPlace ? one : { sub, edition: 0, position: 0, joinedMs: 0 });
    } else if (event.do === "leave" && one !== undefined) {
      await room.leave(one);
      if (!this.used.has(one.position)) this.left.add(one.position);
    } else if (event.do === "end" && one !== undefined) await room.end(one.sub);
    else if (event.do === "schedule") {
      await room.change({ schedule: { opensAtMs: room.harness.nowMs() + event.inMs } });
    } else if (event.do === "lose") {
      const memory = await room.memory();
      await room.harness.wipe();
      await room.recover(memory);
      // What was left is lost with the store, and what was claimed comes back with the admissions that are remembered.
      this.left.clear();
      this.used.clear();
      for (const { usedPosition } of memory.admissions) if (usedPosition > 0) this.used.add(usedPosition);
    }
  }

  async check(): Promise<void> {
    const { state } = okValue(await this.room.rooms.tick(this.room.room, this.room.incarnation, 0));
    expect(state.counts.joined, "joined").toBe(this.joined);
    expect([state.counts.entered, state.counts.passed], "entered and passed").toEqual([
      this.admitted.queue,
      this.admitted.others,
    ]);
    const { completed, abandoned, loggedOut, revoked, expired, noShows } = state.counts;
    const ended = completed + abandoned + loggedOut + revoked + expired;
    expect(state.liveAdmissions + ended, "each admission is live or has one end").toBe(
      this.admitted.queue + this.admitted.others,
    );
    expect(noShows + this.admitted.queue, "neither a no-show that came, nor one twice").toBeLessThanOrEqual(
      this.joined,
    );
    expect(state.serving, "backwards").toBeGreaterThanOrEqual(this.serving);
    this.serving = state.serving;
  }
}

export const transitions: RoomTest = (context) => {
  it.each(["periodic", "max_active", "manual"] as const)(
    "count nobody twice, whatever the phases, holds and losses (%s)",
    async (type) => {
      const run = async (events: Event[]) => {
        const room = await context
          .room({
            type,
            limit: type === "periodic" ? 300 : null,
            maxActive: 10,
            whenIdle: "pass_through",
            whenEnded: "pass_through",
            durationMs: 30_000,
            claimWithinMs: minute,
          })
          .open();
        const walk = new Walk(room);
        for (const each of events) {
          await walk.carryOut(each);
          // An idle phase ends with all admissions of that millisecond.
          await context.harness.advance(1);
          await walk.check();
        }
      };
      const property = fc.asyncProperty(fc.array(event, { minLength: 20, maxLength: 100 }), run);
      await fc.assert(property, { numRuns: context.runs(200, 30) });
    },
  );
};
