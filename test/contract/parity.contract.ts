/**
 * Goal: memory and Redis give the same answer to every operation. Method: the same random walk of operations on two
 * rooms, clock steps, losses and memories runs against both, and each answer is compared. fast-check prints the seed of
 * a failure and shrinks it; PARITY_RUNS and PARITY_SEED walk more, and elsewhere. A short file walks little, a long one more.
 */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type {
  AdminStep,
  Admission,
  ClaimRequest,
  Draw,
  DrawnEntry,
  LoadReport,
  RoomMemory,
  RoomSettings,
  RoomSettingsPatch,
} from "../../src/store/contract/room-store.ts";
import { withPatch } from "../support/room-settings.ts";
import { drandChain } from "./drand-chain.ts";
import type { StoreHarness } from "./harness.ts";
import { createMemoryHarness } from "./memory-harness.ts";
import { createDatabaseHarness } from "./redis-harness.ts";
import { admissionOf, keyName, memoryOf, minute, RoomDriver, type SettingsSketch, settings } from "./room-driver.ts";

const seed = process.env.PARITY_SEED === undefined ? undefined : Number(process.env.PARITY_SEED);

/** So many walks go side by side, in databases of their own: one at a time would mostly wait for the other process. */
const lanes = 4;
let count = 0;

/** Mostly `value`, now and then another. */
const mostly = <T, U>(value: T, arbitrary: fc.Arbitrary<U>, weight = 9) =>
  fc.oneof({ weight, arbitrary: fc.constant(value) }, { weight: 1, arbitrary });
const some = <T>(...values: T[]) => fc.constantFrom(...values);

const inletType = some("manual" as const, "periodic" as const, "max_active" as const, "adaptive" as const);
const limit = some(null, 5, 60, 120, 1_200);
const maxActive = some(null, 1, 3, 8, 30);
const maxWaiting = some(null, null, 0, 3, 20);
const withoutLine = some("page" as const, "pass_through" as const);
const durationMs = some(3_000, 15_000, minute);
const maxDurationMs = some(null, 20_000, 2 * minute);
const claimWithinMs = some(5_000, 20_000, 3_600_000);
/** Times near the walk's clock, from its beginning on. */
const time = fc.integer({ min: -20_000, max: 60_000 });
const shared = fc.record({
  id: some("shared-a", "shared-a", "shared-b"),
  outflowPerMinute: some(60, 600),
  weight: some(1, 2, 5),
});
const gate = fc.record({
  healthUrl: fc.constant("http://127.0.0.1/health"),
  intervalMs: fc.constant(5_000),
  timeoutMs: fc.constant(2_000),
  unhealthyAfter: some(1, 2),
  healthyAfter: some(1, 2),
});
const adaptive = fc.record(
  {
    floorPerMinute: some(1, 4, 30),
    startPerMinute: some(1, 60, 120),
    stepPerMinute: some(1, 30),
    latencyMs: some(100, 300),
    timesBaseline: some(1.5, 3),
    errorRate: some(0, 0.3),
    decideEveryMs: some(1_000, 3_000),
  },
  { requiredKeys: [] },
);
const load: fc.Arbitrary<LoadReport> = fc.oneof(
  fc.record({ source: some("probe" as const), latencyMs: mostly(null, fc.integer({ min: 1, max: 900 }), 1) }),
  fc.record({
    source: some("site" as const),
    latencyMs: mostly(null, fc.double({ min: 0.5, max: 900, noNaN: true }), 1),
    errorRate: mostly(null, some(0, 0.1, 1), 2),
    signal: mostly(null, some("on" as const, "off" as const), 3),
  }),
);
const schedule = fc.record({
  prequeueAtMs: mostly(null, time, 2),
  opensAtMs: mostly(null, time, 2),
  endsAtMs: mostly(null, time, 2),
});
const draw = fc.record({
  order: some("random" as const, "arrival" as const),
  beacon: some("none" as const, "drand" as const),
});
const stock = mostly(
  undefined,
  fc.record({ show: some("number" as const), perVisitor: some(1, 2), returns: fc.boolean() }),
  1,
);
/** Sold out, by the operator's word. */
const message = fc.record(
  {
    severity: some("warning" as const, "sold_out" as const),
    texts: fc.constant([{ language: null, text: "Gone" }]),
    returns: fc.boolean(),
  },
  { requiredKeys: ["severity", "texts"] },
);
const anyFile = fc.record({
  type: inletType,
  limit,
  maxActive,
  startsAtMs: mostly(null, time, 4),
  endsAtMs: mostly(null, time, 4),
  shared: mostly(null, shared, 1),
  gate: mostly(null, gate, 1),
  adaptive,
  schedule: mostly({ prequeueAtMs: null, opensAtMs: null, endsAtMs: null }, schedule, 1),
  whenIdle: withoutLine,
  whenEnded: withoutLine,
  maxWaiting,
  draw: mostly(null, draw, 2),
  durationMs,
  maxDurationMs,
  claimWithinMs,
  logins: fc.constant(2),
  addresses: some(undefined, undefined, 1, 2),
  firstVisitWithinMs: some(undefined, undefined, 10_000, 30_000),
  logRows: some(undefined, undefined, undefined, 0),
  stock,
  moves: some("once" as const, "once" as const, "never" as const, "unlimited" as const),
});
type FileSketch = typeof anyFile extends fc.Arbitrary<infer T> ? T : never;
const plainFile: FileSketch = {
  type: "periodic",
  limit: 120,
  maxActive: null,
  startsAtMs: null,
  endsAtMs: null,
  shared: null,
  gate: null,
  adaptive: {},
  schedule: { prequeueAtMs: null, opensAtMs: null, endsAtMs: null },
  whenIdle: "page",
  whenEnded: "page",
  maxWaiting: null,
  draw: null,
  durationMs: minute,
  maxDurationMs: null,
  claimWithinMs: 20_000,
  logins: 2,
  addresses: undefined,
  firstVisitWithinMs: undefined,
  logRows: undefined,
  stock: undefined,
  moves: "unlimited",
};
/** Rooms that contend for a shared outflow. */
const sharedFile = fc
  .record({ type: some("manual" as const, "periodic" as const), limit: some(null, null, 60), weight: some(1, 5) })
  .map(({ weight, ...part }): FileSketch => {
    return {
      ...plainFile,
      ...part,
      shared: { id: "shared-a", outflowPerMinute: 60, weight },
      claimWithinMs: 3_600_000,
    };
  });
/** Rooms that are soon full, with a line. */
const boundedFile = fc
  .record({ maxActive: some(1, 3, 8), limit: mostly(null, fc.constant(120), 3), durationMs, maxDurationMs })
  .map((part): FileSketch => ({ ...plainFile, ...part, type: "max_active" }));
/** Rooms that draw. */
const drawFile = fc
  .record({
    draw: mostly({ order: "random" as const, beacon: "none" as const }, draw, 1),
    schedule: mostly({ prequeueAtMs: null, opensAtMs: null, endsAtMs: null }, schedule, 1),
    type: mostly("periodic" as const, some("manual" as const, "max_active" as const), 1),
    maxWaiting,
  })
  .map((part): FileSketch => ({ ...plainFile, ...part, maxActive: 8, whenIdle: "pass_through" }));
/** Rooms whose rate moves. */
const adaptiveFile = fc
  .record({ adaptive, limit: some(60, 120, 1_200) })
  .map((part): FileSketch => ({ ...plainFile, ...part, type: "adaptive" }));
const anyInlet = fc.record(
  {
    type: inletType,
    outflowPerMinute: limit,
    maxActive,
    sharedOutflow: fc.option(shared),
    startPerMinute: some(20, 90),
    weight: some(1, 5),
  },
  { requiredKeys: [] },
);
const anyPatch = fc.record(
  {
    title: fc.constant("Live"),
    message: fc.option(message),
    inlet: anyInlet,
    schedule: fc.record(
      { prequeueAtMs: fc.option(time), opensAtMs: fc.option(time), endsAtMs: fc.option(time) },
      { requiredKeys: [] },
    ),
    whenIdle: withoutLine,
    whenEnded: withoutLine,
    maxWaiting,
    draw,
    admission: fc.record({ durationMs, maxDurationMs, claimWithinMs }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

const position = fc.integer({ min: 1, max: 45 });
const basePhase = some("idle" as const, "prequeue" as const, "open" as const, "ended" as const, "passthrough" as const);
const adminStep: fc.Arbitrary<AdminStep> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ step: some("increment" as const), by: fc.integer({ min: -8, max: 25 }) }) },
  { weight: 6, arbitrary: fc.record({ step: some("pause" as const, "resume" as const, "resume" as const) }) },
  { weight: 1, arbitrary: fc.record({ step: some("reset" as const) }) },
  { weight: 4, arbitrary: fc.record({ step: some("phase" as const), phase: mostly("open" as const, basePhase, 1) }) },
  { weight: 2, arbitrary: fc.record({ step: some("alarm" as const), isSet: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      step: some("stock" as const),
      remaining: some(null, 0, 0, 1, 40),
      asOfMs: mostly(null, some(0, 1_900_000_000_000), 4),
    }),
  },
  { weight: 2, arbitrary: fc.record({ step: some("exited" as const), count: fc.integer({ min: 0, max: 6 }) }) },
);
const end = some("logout" as const, "completed" as const, "abandoned" as const, "revoked" as const);
const via = some("queue" as const, "bypass" as const, "passthrough" as const, "idle" as const, "ended" as const);
const proof = fc.record({ ageMs: fc.integer({ min: 0, max: 90_000 }), via });
/** Links of an old age are void; some are of a time to come. */
const bypass = fc.record({ id: fc.integer({ min: 1, max: 30 }), ageMs: fc.integer({ min: -8_000, max: 70_000 }) });

/** Those who take places over; 0 stands for whoever was given the place. */
const guest = fc.integer({ min: 1, max: 3 });

/** Those who join with keys. */
const keyNumber = fc.integer({ min: 1, max: 9 });

/** From what the position was drawn, as the caller thinks; mostly it knows of no draw. */
const entry = mostly(null, fc.record({ number: position, draw: fc.integer({ min: 1, max: 3 }) }), 3);
const drawId = fc.integer({ min: 1, max: 3 });

const operation = fc.oneof(
  { weight: 14, arbitrary: fc.record({ do: some("join" as const), count: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: some("joinKeys" as const),
      keys: fc.uniqueArray(keyNumber, { minLength: 1, maxLength: 4 }),
      older: mostly(0, keyNumber, 4),
      position,
      entry,
    }),
  },
  {
    weight: 40,
    arbitrary: fc.record({
      do: some("claim" as const),
      key: mostly(0, keyNumber, 4),
      position,
      entry,
      hasPlace: mostly(true, fc.constant(false), 15),
      by: mostly(0, guest, 5),
      edition: mostly(0, some(-1, 1)),
      login: some(null, "a", "b", "c:client-c", "d:client-c", "e:client:e"),
      address: some(null, "home", "office", "train"),
      proof: mostly(null, proof),
      bypass: mostly(null, bypass, 6),
      isSilent: mostly(false, fc.constant(true), 10),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: some("rush" as const), from: position, count: fc.integer({ min: 2, max: 20 }) }),
  },
  { weight: 20, arbitrary: fc.record({ do: some("tick" as const) }) },
  {
    weight: 30,
    arbitrary: fc.record({
      do: some("advance" as const),
      ms: fc.oneof(
        { weight: 12, arbitrary: fc.integer({ min: 0, max: 600 }) },
        { weight: 6, arbitrary: fc.integer({ min: 0, max: 6_000 }) },
        { weight: 2, arbitrary: some(-3_600_000, 3_600_000, -700) },
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: some("pass" as const), seconds: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 3, arbitrary: fc.record({ do: some("leave" as const), position, entry, by: mostly(0, guest, 3) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: some("commit" as const),
      id: drawId,
      text: some("a", "b"),
      edition: mostly(0, some(-1, 1)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: some("fix" as const),
      id: drawId,
      hasBeacon: fc.boolean(),
      edition: mostly(0, some(-1, 1)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: some("move" as const),
      position,
      entry,
      by: mostly(0, guest, 3),
      edition: mostly(0, some(-1, 1)),
      to: guest,
      link: mostly({ id: 0, ageMs: 0 }, bypass, 6),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: some("end" as const), position, end }) },
  { weight: 2, arbitrary: fc.record({ do: some("renew" as const), position }) },
  { weight: 2, arbitrary: fc.record({ do: some("visit" as const), position }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: some("take ended" as const), done: fc.nat({ max: 3 }), limit: some(1, 2, 100) }),
  },
  { weight: 2, arbitrary: fc.record({ do: some("take" as const), position, login: some("a", "b") }) },
  { weight: 1, arbitrary: fc.record({ do: some("admission" as const), position }) },
  { weight: 10, arbitrary: fc.record({ do: some("step" as const), step: adminStep }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: some("health" as const), latencyMs: fc.option(fc.integer({ min: 0, max: 9_999 })) }),
  },
  { weight: 6, arbitrary: fc.record({ do: some("load" as const), report: load }) },
  { weight: 3, arbitrary: fc.record({ do: some("listen" as const), reports: fc.array(load, { maxLength: 25 }) }) },
  { weight: 2, arbitrary: fc.record({ do: some("settings" as const), live: anyPatch }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: some("remember" as const, "list" as const),
      status: some("live" as const, "expired" as const, "logout" as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: some("log" as const),
      mark: some("sealed" as const, "sealed" as const, "base" as const),
      by: fc.integer({ min: -1, max: 12 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: some("record" as const),
      report: mostly(
        null,
        fc.record({
          process: some(1, 2),
          sequence: fc.integer({ min: 1, max: 6 }),
          refused: some([], [1, 0, 0, 2], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9_000_000]),
          pages: fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 5 }),
        }),
        1,
      ),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: some("statistics" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: some("wipe" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: some("lose" as const), knowsAdmissions: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: some("contribute" as const),
      isNewRoom: fc.boolean(),
      file: fc.nat({ max: 2 }),
      with: some(
        "nothing" as const,
        "memory" as const,
        "ticket" as const,
        "admissions ahead" as const,
        "draws apart" as const,
      ),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
interface Turn {
  readonly room: number;
  readonly op: Operation;
}

/** Both rooms have people ready to enter for a while, in turn. */
const contention = fc.record({
  from: position,
  claims: fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 })),
  turns: fc.nat({ max: 9 }),
});

type Sketch<A> = A extends fc.Arbitrary<infer T> ? T : never;

function contend({ from, claims, turns }: Sketch<typeof contention>): Turn[] {
  const both = (opOf: (room: number) => Operation) => [0, 1].map((room) => ({ room, op: opOf(room) }));
  const turn: Turn[] = [
    ...both((room) => ({ do: "rush", from, count: 2 + (claims[room] ?? 0) })),
    { room: 0, op: { do: "advance", ms: 900 } },
  ];
  return [
    ...both(() => ({ do: "join", count: 30 })),
    ...both(() => ({ do: "step", step: { step: "increment", by: 25 } })),
    ...Array.from({ length: turns }, () => turn).flat(),
  ];
}

/** A draw from the prequeue on, with something else between its stages, given up at any of them or gone through to the end. */
const course = fc.record({
  id: mostly(1, drawId, 3),
  count: fc.integer({ min: 0, max: 12 }),
  closesIn: some(4, 5, 6),
  drawnIn: some(2, 3, 31),
  hasBeacon: fc.boolean(),
  stages: mostly(7, fc.integer({ min: 2, max: 6 }), 2),
  between: fc.array(fc.array(operation, { maxLength: 2 }), { minLength: 7, maxLength: 7 }),
});

function draws({ id, count, closesIn, drawnIn, hasBeacon, stages, between }: Sketch<typeof course>): Turn[] {
  const course: Operation[] = [
    { do: "step", step: { step: "phase", phase: "prequeue" } },
    { do: "commit", id, text: "a", edition: 0 },
    { do: "join", count: count + 1 },
    { do: "step", step: { step: "phase", phase: "open" } },
    { do: "pass", seconds: closesIn },
    { do: "pass", seconds: drawnIn },
    { do: "fix", id, hasBeacon, edition: 0 },
  ];
  return course
    .slice(0, stages)
    .flatMap((op, i) => [op, ...(between[i] ?? [])])
    .map((op) => ({ room: 0, op }));
}

const walks = fc.record({
  /** The file of each room as processes may have it, one after the other. */
  files: fc.oneof(
    {
      weight: 3,
      arbitrary: fc.array(fc.oneof(fc.constant(plainFile), { weight: 3, arbitrary: anyFile }), {
        minLength: 3,
        maxLength: 3,
      }),
    },
    { weight: 1, arbitrary: fc.array(sharedFile, { minLength: 3, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(boundedFile, { minLength: 3, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(adaptiveFile, { minLength: 3, maxLength: 3 }) },
    { weight: 2, arbitrary: fc.array(drawFile, { minLength: 3, maxLength: 3 }) },
  ),
  moves: fc.array(
    fc.oneof(
      { weight: 40, arbitrary: fc.record({ room: mostly(0, fc.constant(1), 2), op: operation }).map((move) => [move]) },
      { weight: 1, arbitrary: contention.map(contend) },
      { weight: 2, arbitrary: course.map(draws) },
    ),
    { maxLength: 250, size: "max" },
  ),
});

const after = (beginMs: number, ms: number | null | undefined) => (typeof ms === "number" ? beginMs + ms : null);

function fileOf({ schedule: times, draw, ...sketch }: FileSketch, beginMs: number): RoomSettings {
  return settings({
    ...sketch,
    ...(draw && { draw }),
    startsAtMs: after(beginMs, sketch.startsAtMs),
    endsAtMs: after(beginMs, sketch.endsAtMs),
    schedule: {
      prequeueAtMs: after(beginMs, times.prequeueAtMs),
      opensAtMs: after(beginMs, times.opensAtMs),
      endsAtMs: after(beginMs, times.endsAtMs),
    },
  } satisfies SettingsSketch);
}

function patchOf({ schedule: times, ...patch }: RoomSettingsPatch, beginMs: number): RoomSettingsPatch {
  if (times === undefined) return patch;
  const moved = Object.entries(times).map(([name, ms]) => [name, after(beginMs, ms)] as const);
  return { ...patch, schedule: Object.fromEntries(moved) };
}

/** As by another history of the same edition. */
function apart(draw: Draw): Draw {
  return { ...draw, first: Math.max(0, draw.first - 1), commitment: draw.commitment === "" ? "" : "c" };
}

function anHourAhead(admission: Admission): Admission {
  const { admittedMs, expiresMs } = admission;
  return { ...admission, admittedMs: admittedMs + 60 * minute, expiresMs: expiresMs + 60 * minute };
}

/** One room in one store. */
function createSide(harness: StoreHarness, room: string, files: readonly RoomSettings[], beginMs: number) {
  const file = files[0] ?? settings();
  const driver = new RoomDriver(harness, room, file);
  let memory: RoomMemory | null = null;
  let edition = 0;
  let joinedMs = 0;
  let requests = 0;
  const { rooms } = driver;
  let moves = 0;
  let taken: readonly string[] = [];
  const place = (at: number, by = 0, entry: DrawnEntry | null = null) => ({
    sub: by === 0 ? `sub-${entry?.number ?? at}` : `guest-${by}`,
    edition,
    position: at,
    entry,
    joinedMs,
  });

  async function remember() {
    const tick = await rooms.tick(room, driver.incarnation, 0);
    if (tick.result === "ok") {
      const { state, admissions, moves } = tick.value;
      const listed = await rooms.listKeys(room, driver.incarnation, 0, 2_000);
      memory = { ...memoryOf(state), admissions, moves, keys: listed.result === "ok" ? listed.value.keys : [] };
    }
    return tick;
  }

  async function run(op: Operation): Promise<unknown> {
    const { incarnation } = driver;
    switch (op.do) {
      case "join": {
        const outcome = await rooms.join(room, incarnation, op.count);
        if (outcome.result === "ok") ({ edition, joinedMs } = outcome.value);
        return outcome;
      }
      case "joinKeys": {
        const names = (key: number) => (op.older === 0 ? [key] : [key, op.older]).map((each) => keyName(`${each}`));
        const keys = op.keys.map((key) => ({ names: names(key), place: { position: op.position, entry: op.entry } }));
        const outcome = await rooms.joinKeys(room, incarnation, { prefix: `${room}.`, keys });
        if (outcome.result === "ok") ({ edition, joinedMs } = outcome.value);
        return [outcome, await rooms.listKeys(room, incarnation, op.position, 5)];
      }
      case "claim": {
        const keyed = op.key === 0 ? {} : { sub: `${room}.${keyName(`${op.key}`)}`, key: keyName(`${op.key}`) };
        const admittedMs = harness.nowMs() - (op.proof?.ageMs ?? 0);
        const madeMs = harness.nowMs() - (op.bypass?.ageMs ?? 0);
        const claim: ClaimRequest = {
          ...place(op.position, op.by, op.hasPlace ? op.entry : null),
          position: op.hasPlace ? op.position : 0,
          edition: edition + op.edition,
          login: op.login,
          address: op.address,
          proof: op.proof === null ? null : { admittedMs, expiresMs: admittedMs + minute, via: op.proof.via },
          bypass: op.bypass === null ? null : { id: `link-${op.bypass.id}`, madeMs, expiresMs: madeMs + minute },
          isSilent: op.isSilent,
          ...keyed,
        };
        return rooms.claim(room, incarnation, [claim]);
      }
      case "rush": {
        const nothing = { login: null, address: null, proof: null, bypass: null };
        const claims = Array.from({ length: op.count }, (_, i) => ({ ...place(op.from + i), ...nothing }));
        return rooms.claim(room, incarnation, claims);
      }
      case "tick": {
        const tick = await rooms.tick(room, incarnation, driver.cursor);
        if (tick.result === "recover") await driver.contribute({ memory });
        return tick;
      }
      case "pass": {
        const ticks: unknown[] = [];
        for (let i = 0; i < op.seconds; i++) {
          await harness.advance(1_000);
          ticks.push(await rooms.tick(room, incarnation, Number.MAX_SAFE_INTEGER - 1));
        }
        return ticks;
      }
      case "advance":
        return harness.advance(op.ms);
      case "leave":
        return rooms.leave(room, incarnation, place(op.position, op.by, op.entry));
      case "commit": {
        const commitment = { id: op.id, keyId: `key-${op.text}`, commitment: op.text, chain: drandChain(op.text) };
        return rooms.commitDraw(room, incarnation, { edition: edition + op.edition, ...commitment });
      }
      case "fix": {
        const beacon = op.hasBeacon ? { round: 4_711, signature: "ab", randomness: "cd" } : null;
        return rooms.fixDraw(room, incarnation, { edition: edition + op.edition, id: op.id, seed: `${op.id}`, beacon });
      }
      case "move": {
        const { sub: from, ...moved } = place(op.position, op.by, op.entry);
        const madeMs = harness.nowMs() - op.link.ageMs;
        const id = op.link.id === 0 ? `move-${moves++}` : `link-${op.link.id}`;
        const link = { id, madeMs, expiresMs: madeMs + minute };
        return rooms.move(room, incarnation, {
          ...moved,
          edition: edition + op.edition,
          from,
          to: `guest-${op.to}`,
          link,
        });
      }
      case "end":
        return rooms.endAdmission(room, incarnation, `sub-${op.position}`, op.end);
      case "renew":
        return rooms.renewAdmission(room, incarnation, `sub-${op.position}`);
      case "visit":
        return rooms.recordVisit(room, incarnation, `sub-${op.position}`);
      case "take ended": {
        const outcome = await rooms.takeEndedLogins(room, incarnation, taken.slice(0, op.done), op.limit);
        taken = outcome.result === "ok" ? outcome.value.map(({ id }) => id) : [];
        return outcome;
      }
      case "take":
        return rooms.takeLogin(room, incarnation, `sub-${op.position}`, op.login);
      case "admission":
        return admissionOf({ rooms, room }, `sub-${op.position}`);
      case "step": {
        const outcome = await rooms.adminStep(room, incarnation, op.step, `r${requests++}`);
        if (outcome.result === "ok" && "edition" in outcome.value) edition = outcome.value.edition;
        return outcome;
      }
      case "health":
        return rooms.reportHealth(room, incarnation, op.latencyMs);
      case "load":
        return rooms.reportLoad(room, incarnation, op.report);
      case "listen": {
        const ticks: unknown[] = [];
        for (const report of op.reports) {
          await harness.advance(700);
          ticks.push(await rooms.reportLoad(room, incarnation, report));
          ticks.push(await rooms.tick(room, incarnation, Number.MAX_SAFE_INTEGER - 1));
        }
        return ticks;
      }
      case "settings": {
        const tick = await rooms.tick(room, incarnation, 0);
        const version = tick.result === "ok" ? tick.value.state.version : 0;
        const own = tick.result === "ok" ? tick.value.state.settings.file : file;
        const live = patchOf(op.live, beginMs);
        return rooms.changeSettings(room, incarnation, live, withPatch(own, live), version);
      }
      case "remember":
        return remember();
      case "list":
        return [
          await rooms.listAdmissions(room, 0, 10),
          await rooms.listAdmissions(room, 0, 3, { status: op.status, edition: { id: 1, isOthers: true } }),
        ];
      case "log": {
        const page = await rooms.readLog(room, 0, 1_000);
        const from = page[op.mark];
        const to = { seq: from.seq + op.by, hash: `hash-${page.last}-${op.by}` };
        return [page, await rooms.moveLogMark(room, op.mark, from, to)];
      }
      case "record":
        return rooms.recordStatistics(room, incarnation, op.report);
      case "statistics": {
        // With an hour on either side.
        const chunk = Math.floor(harness.nowMs() / 600_000) - 7;
        const hour = Math.floor(harness.nowMs() / 3_600_000) - 2;
        const [tens, minutes] = [
          await rooms.readStatistics(room, "tens", chunk, 15),
          await rooms.readStatistics(room, "minutes", hour, 5),
        ];
        return [tens, minutes];
      }
      case "wipe":
        return harness.wipe();
      case "lose": {
        await remember();
        await harness.wipe();
        const known = memory as RoomMemory | null;
        await driver.contribute({
          memory: known && { ...known, ...(!op.knowsAdmissions && { admissions: [], moves: [] }) },
        });
        await harness.advance(2_500);
        return rooms.tick(room, driver.incarnation, 0);
      }
      case "contribute": {
        const ticket =
          memory === null ? null : { ...memory, version: 0, queued: memory.queued + 3, admissions: [], moves: [] };
        // As by a clock that was ahead then.
        const ahead = memory === null ? null : { ...memory, admissions: memory.admissions.map(anHourAhead) };
        const other = memory === null ? null : { ...memory, draws: memory.draws?.map(apart) ?? [] };
        const offered = { nothing: null, memory, ticket, "admissions ahead": ahead, "draws apart": other }[op.with];
        return driver.contribute({ memory: offered, isNewRoom: op.isNewRoom, fileSettings: files[op.file] ?? file });
      }
    }
  }
  async function open(): Promise<void> {
    await driver.open();
    ({ edition } = await driver.state());
  }

  return { run, open, log: () => rooms.readLog(room, 0, 1_000) };
}

/** As JSON would tell it. Lives and runs have names of their own in each store; everything else must be the same. */
function withoutIncarnation(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutIncarnation);
  if (typeof answer === "number") return Number.isFinite(answer) ? answer + 0 : null;
  if (typeof answer !== "object" || answer === null) return answer ?? null;
  const reported: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(answer)) {
    if (Array.isArray(value) && key === "runsBefore") reported[key] = value.length;
    else if (key !== "incarnation" && key !== "runId" && value !== undefined) reported[key] = withoutIncarnation(value);
  }
  return reported;
}

/** Asks vitest, which tells the difference, only where there is one: it takes longer to find none than both stores to answer. */
function expectAlike([one, other]: readonly unknown[], where: () => string): void {
  if (!isDeepStrictEqual(other, one)) expect(other, where()).toEqual(one);
}

/** Walks one after the other. @param lane seeds differ by it; that of the first is PARITY_SEED itself */
async function walkIn(lane: number, harnesses: readonly StoreHarness[], numRuns: number): Promise<void> {
  const walk = async ({ files, moves }: Sketch<typeof walks>) => {
    count++;
    // Every walk begins at the same time in both, whatever the walks before did to the clock.
    const sides = harnesses.map((harness) => {
      const beginMs = harness.nowMs();
      const settingsOf = files.map((sketch) => fileOf(sketch, beginMs));
      return [settingsOf, settingsOf.toReversed()].map((own, i) =>
        createSide(harness, `walk-${count}-${i}`, own, beginMs),
      );
    });
    for (const harness of harnesses) await harness.wipe();
    for (const [a, b] of sides) {
      await a?.open();
      await b?.open();
    }
    for (const [index, { room, op }] of moves.flat().entries()) {
      const answers: unknown[] = [];
      for (const side of sides) answers.push(withoutIncarnation(await side[room]?.run(op)));
      expectAlike(answers, () => `step ${index}: ${JSON.stringify(op)} of room ${room}`);
    }
    for (const room of [0, 1]) {
      const logs: unknown[] = [];
      for (const side of sides) logs.push(withoutIncarnation(await side[room]?.log()));
      expectAlike(logs, () => `the log of room ${room}`);
    }
  };
  const own = seed === undefined ? {} : { seed: seed + lane };
  await fc.assert(fc.asyncProperty(walks, walk), { numRuns, ...own });
}

/** @param walks how many, unless PARITY_RUNS says it */
export function describeParity(walks: number): void {
  const numRuns = Number(process.env.PARITY_RUNS ?? walks);
  let harnesses: StoreHarness[] = [];

  beforeAll(async () => {
    harnesses = await Promise.all(Array.from({ length: lanes }, createDatabaseHarness));
  });
  afterAll(() => Promise.all(harnesses.map((harness) => harness.close())));

  it("answers alike in memory and in Redis", { timeout: 300_000 + 1_000 * numRuns }, async () => {
    const walking = harnesses.map(async (harness, lane) => {
      return walkIn(lane, [await createMemoryHarness({ isShared: true }), harness], Math.ceil(numRuns / lanes));
    });
    // A failure is reported when the others have ended, too: they use the same server.
    for (const lane of await Promise.allSettled(walking)) if (lane.status === "rejected") throw lane.reason;
  });
}
