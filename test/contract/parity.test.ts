/**
 * Goal: memory and Redis give the same answer to every operation. Method: the same random walk of operations, clock
 * steps, losses and memories runs against both, and each answer is compared. fast-check prints the seed of a failure
 * and shrinks it.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AdminStep } from "../../src/store/room-store.ts";
import type { StoreHarness } from "./harness.ts";
import { createMemoryHarness } from "./memory-harness.ts";
import { createRedisHarness } from "./redis-harness.ts";
import { memoryOf, minute, RoomDriver, settings } from "./room-driver.ts";

let harnesses: StoreHarness[] = [];
let count = 0;

beforeAll(async () => {
  harnesses = [await createMemoryHarness({ isShared: true }), await createRedisHarness()];
});
afterAll(() => Promise.all(harnesses.map((harness) => harness.close())));

const file = settings({ type: "periodic", limit: 120, claimWithinMs: 20_000, durationMs: minute, logins: 2 });
/** The file as processes may have it, one after the other. */
const files = [file, settings({ type: "manual", limit: null }), { ...settings({ limit: 30 }), title: "Changed" }];
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const position = fc.integer({ min: 1, max: 60 });
const operation = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("join" as const), count: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 60,
    arbitrary: fc.record({
      do: fc.constant("claim" as const),
      position,
      edition: rarely(fc.constantFrom(-1, 1)),
      login: fc.constantFrom(null, "a", "b", "c"),
      proofAgeMs: rarely(fc.integer({ min: 0, max: 90_000 })),
    }),
  },
  { weight: 20, arbitrary: fc.record({ do: fc.constant("tick" as const) }) },
  {
    weight: 30,
    arbitrary: fc.record({
      do: fc.constant("advance" as const),
      ms: fc.oneof(
        { weight: 12, arbitrary: fc.integer({ min: 0, max: 600 }) },
        { weight: 6, arbitrary: fc.integer({ min: 0, max: 6_000 }) },
        { weight: 1, arbitrary: fc.constantFrom(-3_600_000, 3_600_000) },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("leave" as const), position }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("end" as const), position }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("increment" as const), by: fc.integer({ min: -10, max: 25 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("pause" as const, "resume" as const, "resume" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reset" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("settings" as const),
      inlet: fc.record(
        {
          type: fc.constantFrom("manual" as const, "periodic" as const),
          outflowPerMinute: fc.constantFrom(null, 5, 60, 1_200),
        },
        { requiredKeys: [] },
      ),
      claimWithinMs: fc.constantFrom(5_000, 20_000, 3_600_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("remember" as const, "list" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wipe" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("contribute" as const),
      isNewRoom: fc.boolean(),
      file: fc.constantFrom(...files.keys()),
      with: fc.constantFrom("nothing" as const, "memory" as const, "ticket" as const),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** One store's side of the walk. */
function createSide(harness: StoreHarness, room: string) {
  const driver = new RoomDriver(harness, room, file);
  let memory: Awaited<ReturnType<RoomDriver["memory"]>> | null = null;
  let edition = 0;
  let joinedMs = 0;
  let requests = 0;
  const { rooms } = driver;
  const place = (at: number) => ({ sub: `sub-${at}`, edition, position: at, joinedMs });

  async function step(asked: AdminStep): Promise<unknown> {
    const outcome = await rooms.adminStep(room, driver.life, asked, `r${requests++}`);
    if (outcome.result === "ok" && "edition" in outcome.value) edition = outcome.value.edition;
    return outcome;
  }

  async function run(op: Operation): Promise<unknown> {
    const { life } = driver;
    switch (op.do) {
      case "join": {
        const outcome = await rooms.join(room, life, op.count);
        if (outcome.result === "ok") ({ edition, joinedMs } = outcome.value);
        return outcome;
      }
      case "claim": {
        const admittedMs = harness.nowMs() - (op.proofAgeMs ?? 0);
        const proof = op.proofAgeMs === null ? null : { admittedMs, expiresMs: admittedMs + minute };
        const ticket = place(op.position);
        return rooms.claim(room, life, { ...ticket, edition: edition + (op.edition ?? 0), login: op.login, proof });
      }
      case "tick":
        return rooms.tick(room, life, driver.cursor);
      case "advance":
        return harness.advance(op.ms);
      case "leave":
        return rooms.leave(room, life, place(op.position));
      case "end":
        return rooms.endAdmission(room, life, `sub-${op.position}`, "logout");
      case "increment":
        return step({ step: "increment", by: op.by });
      case "pause":
      case "resume":
      case "reset":
        return step({ step: op.do });
      case "settings": {
        const tick = await rooms.tick(room, life, 0);
        const version = tick.result === "ok" ? tick.value.state.version : 0;
        const own = tick.result === "ok" ? tick.value.state.settings.file : file;
        const { inlet, claimWithinMs } = op;
        const live = { inlet, admission: { claimWithinMs } };
        const admission = { ...own.admission, claimWithinMs };
        const effective = { ...own, inlet: { ...own.inlet, ...inlet }, admission };
        return rooms.changeSettings(room, life, live, effective, version);
      }
      case "remember": {
        const tick = await rooms.tick(room, life, 0);
        if (tick.result === "ok") memory = { ...memoryOf(tick.value.state), admissions: tick.value.admissions };
        return tick;
      }
      case "list":
        return rooms.listAdmissions(room, 0, 10);
      case "wipe":
        return harness.wipe();
      case "contribute": {
        const ticket = memory === null ? null : { ...memory, version: 0, queued: memory.queued + 3, admissions: [] };
        const offered = { nothing: null, memory, ticket }[op.with];
        return driver.contribute({ memory: offered, isNewRoom: op.isNewRoom, fileSettings: files[op.file] ?? file });
      }
    }
  }
  return { run, open: () => driver.open() };
}

/** Lives have names of their own in each store; everything else must be the same. */
function withoutLife(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer ?? null, (key, value: unknown) => (key === "life" ? undefined : value)));
}

it("answers alike in memory and in Redis", { timeout: 120_000 }, async () => {
  const walk = async (operations: Operation[]) => {
    const room = `walk-${++count}`;
    // Every walk begins at the same time in both, whatever the walks before did to the clock.
    const [a, b] = harnesses.map((harness) => createSide(harness, room));
    if (a === undefined || b === undefined) throw new Error("no harness");
    for (const harness of harnesses) await harness.wipe();
    await a.open();
    await b.open();
    for (const [index, op] of operations.entries()) {
      const answers = [await a.run(op), await b.run(op)].map(withoutLife);
      expect(answers[1], `step ${index}: ${JSON.stringify(op)}`).toEqual(answers[0]);
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(operation, { minLength: 50, maxLength: 250 }), walk), { numRuns: 150 });
});
