import fc from "fast-check";
import { expect, it } from "vitest";
import type { AdmissionEnd, RoomMemory, RoomState } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { minute, type Place, type RoomDriver } from "../room-driver.ts";

const ends: AdmissionEnd[] = ["logout", "completed", "abandoned", "revoked", "expired"];
const who = fc.nat(1_000);
const event = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant("join" as const), count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 30, arbitrary: fc.record({ do: fc.constant("claim" as const), who }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("claim all" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("leave" as const), who }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant("end" as const), who, end: fc.constantFrom(...ends) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("exited" as const), count: fc.integer({ min: 1, max: 5 }) }) },
  {
    weight: 25,
    arbitrary: fc.record({
      do: fc.constant("advance" as const),
      // Also to where a batch is absent, and to where admissions lapse, in steps that the store believes.
      ms: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.constantFrom(5_000, 31_000, 60_000)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("set the clock" as const),
      ms: fc.constantFrom(-3_600_000, -5_000, 3_600_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("most" as const), most: fc.integer({ min: 0, max: 12 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("pause" as const, "resume" as const, "resume" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remember" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("wipe" as const, "restore" as const) }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** Live admissions, unaccounted ones too. */
function liveOf(state: RoomState): number {
  return state.liveLapses.reduce((sum, { count }) => sum + count, 0);
}

/** Plays events against one room and checks rule 5 and the queue counter after each. */
class Play {
  readonly room: RoomDriver;
  readonly places: Place[] = [];
  most: number;
  memory: RoomMemory | null = null;
  served = 0;

  constructor(room: RoomDriver, most: number) {
    this.room = room;
    this.most = most;
  }

  async claim(place: Place): Promise<void> {
    const answer = await this.room.claim(place);
    if (answer.result !== "admitted" || !answer.isNew) return;
    expect(liveOf(await this.room.state()), "after a new admission").toBeLessThanOrEqual(this.most);
  }

  async lose(how: "wipe" | "restore"): Promise<void> {
    const { harness } = this.room;
    const memory = await this.room.memory();
    if (how === "restore") await harness.restore();
    else await harness.wipe();
    // Somebody remembers all, or what was some events ago.
    await this.room.contribute({ memory: this.memory });
    await this.room.recover(memory);
    this.served = (await this.room.state()).serving;
  }

  async carryOut(event: Event): Promise<void> {
    const { room, places } = this;
    const one = "who" in event && places.length > 0 ? places[event.who % places.length] : undefined;
    if (event.do === "join") {
      const range = await room.join(event.count);
      for (let position = range.first; position <= range.last; position++) places.push(room.place(range, position));
    } else if (event.do === "claim" && one !== undefined) await this.claim(one);
    else if (event.do === "claim all") for (const place of places) await this.claim(place);
    else if (event.do === "leave" && one !== undefined) await room.leave(one);
    else if (event.do === "end" && one !== undefined) await room.end(one.sub, event.end);
    else if (event.do === "exited") await room.step({ step: "exited", count: event.count });
    else if (event.do === "set the clock") await room.harness.advance(event.ms);
    else if (event.do === "advance") await room.pass(event.ms, 5_000);
    else if (event.do === "pause" || event.do === "resume") await room.step({ step: event.do });
    else if (event.do === "remember") {
      this.memory = await room.memory();
      await room.harness.save();
    } else if (event.do === "wipe" || event.do === "restore") await this.lose(event.do);
    else if (event.do === "most") {
      this.most = event.most;
      await room.change({ inlet: { maxActive: event.most } });
    }
  }

  async check(): Promise<void> {
    const state = await this.room.state();
    expect(state.serving, "beyond the queue counter").toBeLessThanOrEqual(state.queued);
    expect(state.serving, "backwards").toBeGreaterThanOrEqual(this.served);
    expect(state.liveAdmissions).toBeGreaterThanOrEqual(0);
    expect(state.absent).toBeGreaterThanOrEqual(0);
    this.served = state.serving;
  }
}

export const maxActiveRule: RoomTest = (context) => {
  it.each([
    [null, 1_000, 60],
    [60, 200, 20],
  ])(
    "never admits anybody above the number, nor serves beyond the queue counter (rule 5; limit %s)",
    async (limit, inProcess, elsewhere) => {
      const run = async (most: number, events: Event[]) => {
        const sketch = {
          type: "max_active",
          maxActive: most,
          durationMs: minute,
          claimWithinMs: 2 * minute,
          limit,
        } as const;
        const room = await context.room(sketch).open();
        await context.harness.save();
        const play = new Play(room, most);
        for (const each of events) {
          await play.carryOut(each);
          await play.check();
        }
      };
      const property = fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(event, { minLength: 20, maxLength: 90 }),
        run,
      );
      await fc.assert(property, { numRuns: context.runs(inProcess, elsewhere) });
    },
  );

  it("lowered below what is live, admits nobody until it has fallen below that", async () => {
    const room = await context.room({ type: "max_active", maxActive: 10 }).open();
    const places = await room.places(20);
    for (const place of places.slice(0, 10)) await room.admit(place);
    // Two more are served by two ends, and do not claim yet.
    await room.end((places[0] as Place).sub);
    await room.end((places[1] as Place).sub);
    await room.change({ inlet: { maxActive: 6 } });
    for (const [i, place] of places.slice(2, 5).entries()) {
      expect((await room.claim(places[10] as Place)).result, `${8 - i} live`).toBe("held");
      await room.end(place.sub);
    }
    expect((await room.claim(places[10] as Place)).result).toBe("admitted");
    expect((await room.claim(places[11] as Place)).result).toBe("held");
  });

  it("never stalls: with room inside and people in line who come, the line moves within the show time", async () => {
    const run = async (most: number, absence: number, stays: number[]) => {
      const room = await context.room({ type: "max_active", maxActive: most, durationMs: 10 * minute }).open();
      const places = await room.places(most + 40);
      const isAbsent = ({ position }: Place) => (position * 0.618_034) % 1 < absence;
      let outside = places.filter((place) => !isAbsent(place));
      const inside: { sub: string; untilMs: number }[] = [];
      let serving = 0;
      let idleSince = context.harness.nowMs();
      const endMs = idleSince + 8 * minute;
      while (outside.length > 0 && context.harness.nowMs() < endMs) {
        const nowMs = context.harness.nowMs();
        for (const person of inside.filter(({ untilMs }) => untilMs <= nowMs)) {
          await room.end(person.sub, "completed");
          inside.splice(inside.indexOf(person), 1);
        }
        for (const place of outside.slice(0, most + 5)) {
          const { result } = await room.claim(place);
          if (result === "waiting") break;
          if (result !== "admitted") continue;
          outside = outside.filter((each) => each !== place);
          const stayMs = 1_000 * (stays[place.position % stays.length] ?? 30);
          inside.push({ sub: place.sub, untilMs: nowMs + stayMs });
          idleSince = nowMs;
        }
        if (inside.length >= most) idleSince = nowMs;
        // The show time of 30 s, and the seconds in between which the store is asked.
        expect(nowMs - idleSince).toBeLessThanOrEqual(32_000);
        await context.harness.advance(1_000);
        const { serving: now } = await room.state();
        if (now > serving) idleSince = nowMs;
        serving = now;
      }
    };
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom(0, 0.2, 0.5, 0.9),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 10 }),
      run,
    );
    await fc.assert(property, { numRuns: context.runs(60, 10) });
  });
};
