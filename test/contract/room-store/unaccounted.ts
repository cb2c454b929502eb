import fc from "fast-check";
import { expect, it } from "vitest";
import type { Admission, RoomMemory, RoomState } from "../../../src/store/contract/room-store.ts";
import type { RoomTest } from "../room-context.ts";
import { minute, type Place, type RoomDriver } from "../room-driver.ts";

function sumOf(lapses: RoomState["liveLapses"]): number {
  return lapses.reduce((sum, { count }) => sum + count, 0);
}

function proofOf({ admittedMs, expiresMs, via }: Admission) {
  return { admittedMs, expiresMs, via };
}

/** Live admissions on record, and with the unaccounted admissions. */
async function countsOf(room: RoomDriver): Promise<[live: number, counted: number]> {
  const { liveAdmissions, liveLapses } = await room.state();
  return [liveAdmissions, sumOf(liveLapses)];
}

const people = 9;
const who = fc.nat({ max: people - 1 });
/** Of whom a memory has the admission: bit n for the person n. */
const known = fc.oneof(fc.constantFrom(0, 2 ** people - 1), fc.nat({ max: 2 ** people - 1 }));
const event = fc.oneof(
  { weight: 30, arbitrary: fc.record({ do: fc.constant("come" as const), who }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constant("end" as const), who }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constant("prove" as const), who }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(500, 5_000, 40_000, 150_000) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("save" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remember" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("lose" as const),
      how: fc.constantFrom("wipe" as const, "restore" as const),
      isFresh: fc.boolean(),
      known,
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("late" as const), memory: fc.nat({ max: 20 }), known }) },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;
type Loss = Extract<Event, { do: "lose" }>;

/** An admission as nobody but the test knows it: whether its visitor may really be in. */
interface Stay {
  readonly person: number;
  readonly place: Place;
  readonly admission: Admission;
  hasEnded: boolean;
}

/** Plays events against one room, with a memory of everything that no store and no process has. */
class Play {
  readonly #room: RoomDriver;
  readonly #most: number;
  /** Processes know the ends of all admissions, and the last state before a loss. */
  readonly #areEndsKnown: boolean;
  readonly #stays: Stay[] = [];
  readonly #places = new Map<number, Place>();
  readonly #memories: { memory: RoomMemory; stays: number }[] = [];
  /** For whom there may be an unaccounted admission; and those when the snapshot was taken. */
  #unknown = new Set<Stay>();
  #unknownWhenSaved = new Set<Stay>();
  /** Admissions and ends that were forgotten, each time that they were: so many more may be in, and nobody can know. */
  #forgotten = 0;
  /** Whose end was forgotten in this incarnation of the store. */
  readonly #revived = new Set<Stay>();

  constructor(room: RoomDriver, most: number, areEndsKnown: boolean) {
    this.#room = room;
    this.#most = most;
    this.#areEndsKnown = areEndsKnown;
  }

  #isIn({ hasEnded, admission }: Stay): boolean {
    return !hasEnded && admission.expiresMs > this.#room.harness.nowMs();
  }

  #stayOf(person: number): Stay | undefined {
    return this.#stays.find((stay) => stay.person === person && this.#isIn(stay));
  }

  async #come(person: number): Promise<void> {
    if (this.#stayOf(person) !== undefined) return;
    const place = this.#places.get(person) ?? { ...this.#newPlace(await this.#room.join()), sub: `person-${person}` };
    this.#places.set(person, place);
    // No two admissions of one visitor begin in the same millisecond.
    await this.#room.harness.advance(1);
    const answer = await this.#room.claim(place);
    if (answer.result === "waiting" || answer.result === "held") return;
    this.#places.delete(person);
    if (answer.result !== "admitted") return;
    const { admission } = answer;
    if (!answer.isNew) {
      // The store has forgotten that it had ended.
      for (const stay of this.#stays) if (isOf(stay, admission)) stay.hasEnded = false;
      return;
    }
    this.#stays.push({ person, place, admission, hasEnded: false });
    expect((await countsOf(this.#room))[1], "after a new admission").toBeLessThanOrEqual(this.#most);
  }

  #newPlace(range: Awaited<ReturnType<RoomDriver["join"]>>): Place {
    return this.#room.place(range, range.first);
  }

  async #end(person: number): Promise<void> {
    const stay = this.#stayOf(person);
    if (stay !== undefined && (await this.#room.end(stay.place.sub)) !== null) stay.hasEnded = true;
  }

  async #prove(person: number): Promise<void> {
    const stay = this.#stayOf(person);
    if (stay === undefined) return;
    const answer = await this.#room.claim(stay.place, { proof: proofOf(stay.admission) });
    if (answer.result !== "admitted") stay.hasEnded = true;
  }

  async #remember(): Promise<{ memory: RoomMemory; stays: number }> {
    // What is pending is left out, as by a process that lives through the loss.
    const { liveLapses } = await this.#room.state();
    const heard = { memory: await this.#room.memory({ liveLapses }), stays: this.#stays.length };
    this.#memories.push(heard);
    return heard;
  }

  /** The memory of a process that has heard of these people's admissions only. */
  #part(memory: RoomMemory, mask: number): RoomMemory {
    const offered = memory.admissions.flatMap((admission) => {
      const stay = this.#stays.find((each) => isOf(each, admission));
      if (stay === undefined) return [];
      // A later admission says that the earlier ones of the visitor have ended.
      const isEnd = this.#stays.some(({ person, hasEnded }) => person === stay.person && hasEnded);
      const isKnown = (mask >> stay.person) % 2 === 1 || (this.#areEndsKnown && isEnd);
      const ended = admission.ended ?? (this.#areEndsKnown && stay.hasEnded ? "logout" : null);
      return isKnown ? [{ ...admission, ended }] : [];
    });
    return { ...memory, admissions: offered };
  }

  async #lose({ how, isFresh, known: mask }: Loss): Promise<void> {
    const fresh = await this.#remember();
    const { admissions } = fresh.memory;
    const heard = isFresh || this.#areEndsKnown ? fresh : (this.#memories.at(-2) ?? fresh);
    const hadEnded = (stay: Stay) => admissions.some((each) => isOf(stay, each) && each.ended !== null);
    for (const stay of this.#stays) {
      if (!this.#areEndsKnown || !hadEnded(stay)) this.#unknown.add(stay);
    }
    if (how === "restore") for (const stay of this.#unknownWhenSaved) this.#unknown.add(stay);
    this.#forgotten += this.#stays.length - heard.stays;
    this.#revived.clear();
    if (how === "restore") await this.#room.harness.restore();
    else await this.#room.harness.wipe();
    await this.#room.recover(this.#part(heard.memory, mask));
  }

  /** A process that comes when recovery is over; it may begin another, if it knows more. */
  async #late(memory: RoomMemory, mask: number): Promise<void> {
    const { recovering } = await this.#room.contribute({ memory: this.#part(memory, mask) });
    if (!recovering) return;
    expect(this.#areEndsKnown, "another recovery").toBe(false);
    for (const stay of this.#stays) this.#unknown.add(stay);
    this.#revived.clear();
    await this.#room.harness.advance(2_500);
    await this.#room.contribute();
  }

  async carryOut(each: Event): Promise<void> {
    if (each.do === "come") await this.#come(each.who);
    else if (each.do === "end") await this.#end(each.who);
    else if (each.do === "prove") await this.#prove(each.who);
    else if (each.do === "pass") await this.#room.pass(each.ms, 5_000);
    else if (each.do === "remember") await this.#remember();
    else if (each.do === "lose") await this.#lose(each);
    else if (each.do === "save") {
      this.#unknownWhenSaved = new Set(this.#unknown);
      await this.#room.harness.save();
    } else {
      const heard = this.#memories[each.memory % Math.max(1, this.#memories.length)];
      if (heard !== undefined) await this.#late(heard.memory, each.known);
    }
  }

  async check(): Promise<void> {
    const [live, counted] = await countsOf(this.#room);
    const { admissions } = await this.#room.memory();
    for (const admission of admissions) {
      const stay = this.#stays.find((each) => isOf(each, admission));
      if (stay === undefined) throw new Error("an admission that nobody was given");
      if (admission.ended === null) {
        this.#unknown.delete(stay);
        if (this.#isIn(stay) || this.#revived.has(stay)) continue;
        this.#revived.add(stay);
        this.#forgotten++;
      } else {
        // One that was forgotten to have ended, and was used since.
        if (this.#areEndsKnown) expect(this.#isIn(stay), "ended by nobody").toBe(false);
        stay.hasEnded = true;
      }
    }
    const isIn = this.#stays.filter((stay) => this.#isIn(stay)).length;
    if (this.#areEndsKnown) expect(this.#forgotten).toBe(0);
    expect(counted + this.#forgotten, "everybody who may be in is counted").toBeGreaterThanOrEqual(isIn);
    expect(counted - live, "unaccounted admissions of those who are on record").toBeLessThanOrEqual(this.#unknown.size);
  }
}

function isOf({ admission }: Stay, { sub, admittedMs }: Admission): boolean {
  return admission.sub === sub && admission.admittedMs === admittedMs;
}

/** What is counted as live for `max_active` after a loss, though no admission is on record. */
export const unaccounted: RoomTest = (context) => {
  /** A room for 20 of whom ten are in. */
  async function half() {
    const room = await context.room({ type: "max_active", maxActive: 20 }).open();
    const places = await room.places(10);
    await room.pass(5_000);
    for (const place of places) await room.admit(place);
    await room.pass(2_000);
    return { room, places, memory: await room.memory() };
  }

  it("make way for the admissions that a late memory brings", async () => {
    const { room, memory } = await half();
    await context.harness.wipe();
    await room.recover({ ...memory, admissions: [] });
    expect(await countsOf(room)).toEqual([0, 10]);
    await context.harness.advance(500);
    await room.contribute({ memory: { ...memory, admissions: memory.admissions.slice(0, 4) } });
    expect(await countsOf(room)).toEqual([4, 10]);
    await room.contribute({ memory });
    await room.contribute({ memory });
    expect(await countsOf(room)).toEqual([10, 10]);
  });

  it("of a snapshot make way for visitors who have proven their admissions since", async () => {
    const { room, places, memory } = await half();
    await context.harness.wipe();
    await room.recover({ ...memory, admissions: [] });
    await context.harness.save();
    for (const [i, place] of places.entries()) {
      await room.claim(place, { proof: proofOf(memory.admissions[i] as Admission) });
    }
    expect(await countsOf(room)).toEqual([10, 10]);
    // And one who was let in since, for whom there is no unaccounted admission.
    await room.admit(room.place(await room.join(), 1_011));
    const all = await room.memory();
    await context.harness.restore();
    await room.recover(all);
    expect(await countsOf(room)).toEqual([11, 11]);
  });

  it("stay where a late memory brings what was over, or what is on record already", async () => {
    const { room, memory } = await half();
    const [one, two] = memory.admissions as [Admission, Admission];
    await context.harness.wipe();
    await room.recover({ ...memory, admissions: [one] });
    expect(await countsOf(room)).toEqual([1, 10]);
    const lapsed = { ...two, expiresMs: context.harness.nowMs() };
    const ended = { ...two, sub: "another", ended: "logout" as const };
    await room.contribute({ memory: { ...memory, admissions: [one, lapsed, ended] } });
    expect(await countsOf(room)).toEqual([1, 10]);
  });

  it("stay where a later admission takes the place of one that is taken to be live", async () => {
    const { room, memory } = await half();
    const [one] = memory.admissions as [Admission];
    const earlier = { ...one, admittedMs: one.admittedMs - 1_000 };
    await context.harness.wipe();
    await room.recover({ ...memory, admissions: [earlier] });
    await room.contribute({ memory: { ...memory, admissions: [one] } });
    expect(await countsOf(room)).toEqual([1, 10]);
  });

  it("stay where a memory brings an admission that was given after they were counted", async () => {
    const { room, memory } = await half();
    await context.harness.wipe();
    await room.recover({ ...memory, admissions: [] });
    await context.harness.save();
    // The process heard of this one by the answer to the claim, and lost the store before the next state.
    const before = await room.memory();
    const newcomer = await room.admit(room.place(await room.join(), 1_011));
    await context.harness.restore();
    await room.recover({ ...before, admissions: [newcomer] });
    expect(await countsOf(room)).toEqual([1, 11]);
  });

  it.each([
    ["where ends are known", true],
    ["but for what nobody remembers", false],
  ])("cover everybody who may be in, and nobody who is on record: %s", async (_what, areEndsKnown) => {
    const run = async (most: number, events: Event[]) => {
      const sketch = {
        type: "max_active",
        maxActive: most,
        durationMs: 10 * minute,
        claimWithinMs: 60 * minute,
      } as const;
      const room = await context.room(sketch).open();
      await context.harness.save();
      const play = new Play(room, most, areEndsKnown);
      for (const each of events) {
        await play.carryOut(each);
        await play.check();
      }
    };
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: people }),
      fc.array(event, { minLength: 20, maxLength: 70 }),
      run,
    );
    await fc.assert(property, { numRuns: context.runs(500, 15) });
  });
};
