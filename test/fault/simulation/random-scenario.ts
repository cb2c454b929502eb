/** Scenarios by chance: any mixture of crowds, habits and faults that a seed may bring. */
import { type ArrivalRate, between, diurnal, flashCrowd, steady, together } from "./arrivals.ts";
import { type Chance, createChance } from "./chance.ts";
import type { Fault } from "./faults.ts";
import { randomDraw, randomDrawFaults } from "./random-draws.ts";
import type { Scenario } from "./run.ts";
import type { RoomPlan } from "./settings.ts";
import type { People } from "./visitors.ts";
import type { Cut, StoreKind } from "./world.ts";

const minuteMs = 60_000;
const doorsOpenMs = 5_000;
const crowdLengthsMs = [1_000, 30_000];

export interface RandomScenarioOptions {
  readonly store: StoreKind;
  /** Of the time in which visitors come; what is left after it is for those who wait. */
  readonly minutes: number;
  /** About so many come in all. */
  readonly visitors: number;
  /** Whether there is a prequeue; default: false. */
  readonly hasDraw?: boolean;
}

export function randomScenario(seed: string, options: RandomScenarioOptions): Scenario {
  const chance = createChance(seed);
  const untilMs = options.minutes * minuteMs;
  const gateways = 1 + chance.below(4);
  const plain = adaptedRoom(createChance(`${seed} adaptive`), randomRoom(chance));
  const crowdMs = chance.between(doorsOpenMs, untilMs / 2);
  const drawChance = createChance(`${seed} draw`);
  const draw = options.hasDraw ? randomDraw(drawChance, gateways, crowdMs) : undefined;
  const room = draw === undefined ? plain : { ...plain, draw, ...logKept(drawChance) };
  const drawn = [
    ...randomFaults(chance, room, gateways, crowdMs, untilMs),
    ...(draw === undefined ? [] : randomDrawFaults(drawChance, draw, gateways, crowdMs)),
    ...randomLosses(createChance(`${seed} losses`), gateways, crowdMs, untilMs),
  ];
  // Then nobody but the visitors themselves would know of their admissions.
  const faults = mayForgetClaims(drawn) ? drawn.map(withoutLostAnswers) : drawn;
  const people = { ...randomPeople(chance), oldCookieShare: mayForgetClaims(drawn) ? 0 : 0.3 };
  return {
    name: `by chance, ${options.store}`,
    seed,
    store: options.store,
    gateways,
    room,
    people,
    arrivals: {
      rate: between(doorsOpenMs, untilMs, randomRate(chance, options.visitors, crowdMs, untilMs)),
      untilMs,
      sliceMs: chance.pick([50, 200, 1_000]),
      isBulk: false,
    },
    faults: [
      ...faults,
      ...randomLinks(createChance(`${seed} links`), room, drawn, untilMs),
      ...randomMoves(createChance(`${seed} moves`), drawn, untilMs),
      ...randomLoad(createChance(`${seed} load`), room, untilMs),
    ],
    measured: { fromMs: 0, untilMs },
    untilMs,
    drainMs: 20 * 60 * minuteMs,
    isThorough: true,
    askedShare: 1,
    clocksApartMs: randomClocks(createChance(`${seed} clocks`), gateways),
  };
}

/** Machines whose clocks nobody has set. */
function randomClocks(chance: Chance, gateways: number): number[] {
  const isApart = chance.isTrue(0.4);
  return Array.from({ length: gateways }, () =>
    isApart ? chance.pick([0, -2_000, 1_500, 30_000, -3_600_000, 3_600_000]) : 0,
  );
}

/** In some scenarios the store loses something, and processes die and return at any moment of it; some of them had lost their checkpoints. */
function randomLosses(chance: Chance, gateways: number, crowdMs: number, untilMs: number): Fault[] {
  if (!chance.isTrue(0.5)) return [];
  const atMs = Math.round(chance.isTrue(0.5) ? crowdMs + chance.between(0, 30_000) : chance.between(30_000, untilMs));
  const toAgoMs = chance.pick([2_500, 5_000, 25_000]);
  const loss = chance.pick<Fault>([
    { fault: "wipe", atMs },
    { fault: "rollback", atMs, toAgoMs },
    { fault: "put_back", atMs, toAgoMs },
    { fault: "put_back", atMs, toAgoMs },
  ]);
  const deaths = Array.from({ length: chance.below(gateways + 1) }, (_, gateway): Fault => {
    const diesMs = Math.max(1_000, Math.round(atMs + chance.between(-2_000, 6_000)));
    const forMs = chance.pick([200, 1_000, 2_500, 6_000, 30_000]);
    return { fault: "restart", atMs: diesMs, forMs, gateway, how: chance.isTrue(0.8) ? "killed" : "orderly" };
  });
  const lagging = Array.from({ length: gateways }, (_, gateway): Fault[] => {
    const forMs = chance.pick([500, 3_000, 60_000]);
    return chance.isTrue(0.2) ? [{ fault: "checkpoints", atMs: Math.max(1_000, atMs - forMs), forMs, gateway }] : [];
  });
  return [loss, ...deaths, ...lagging.flat()];
}

function logKept(chance: Chance): Pick<RoomPlan, "logRowsMax"> {
  return chance.isTrue(0.2) ? { logRowsMax: chance.pick([20, 100]) } : {};
}

function randomRoom(chance: Chance): RoomPlan {
  const claimWithinMs = chance.pick([3, 5, 15]) * minuteMs;
  const type = chance.pick(["periodic", "periodic", "max_active", "manual"] as const);
  if (type === "max_active") {
    return {
      inlet: {
        type,
        maxActive: chance.pick([1, 3, 20, 100]),
        outflowPerMinute: chance.isTrue(0.4) ? chance.pick([20, 120]) : null,
      },
      durationMs: chance.pick([1, 2]) * minuteMs,
      claimWithinMs,
    };
  }
  return {
    inlet: {
      type,
      outflowPerMinute: type === "periodic" || chance.isTrue(0.5) ? chance.pick([5, 20, 60, 300, 1_200]) : null,
    },
    durationMs: chance.pick([2, 20]) * minuteMs,
    claimWithinMs,
  };
}

/** Some of the rooms with an outflow adapt it to what is heard of their site. */
function adaptedRoom(chance: Chance, room: RoomPlan): RoomPlan {
  if (room.inlet.type !== "periodic" || !chance.isTrue(0.4)) return room;
  const decideEveryMs = chance.pick([1_000, 5_000, 30_000]);
  return { ...room, inlet: { ...room.inlet, type: "adaptive", latencyMs: 500, decideEveryMs } };
}

/** What a site says that is sometimes well and sometimes not. */
function randomLoad(chance: Chance, room: RoomPlan, untilMs: number): Fault[] {
  if (room.inlet.type !== "adaptive") return [];
  const faults: Fault[] = [];
  for (let atMs = 0; atMs < untilMs; atMs += chance.between(1_000, 20_000)) {
    const latencyMs = chance.pick([50, 200, 480, 700, 5_000]);
    faults.push({ fault: "load", atMs: Math.round(atMs), latencyMs, errorRate: chance.isTrue(0.1) ? 0.5 : 0 });
  }
  if (chance.isTrue(0.5)) {
    faults.push({ fault: "signal", atMs: Math.round(chance.between(0, untilMs)), forMs: chance.pick([3_000, 60_000]) });
  }
  return faults;
}

function randomPeople(chance: Chance): Omit<People, "oldCookieShare"> {
  return {
    absentShare: chance.pick([0, 0.2, 0.5, 0.9]),
    lateShare: chance.pick([0, 0.3]),
    lateMeanMs: chance.pick([2, 10]) * minuteMs,
    impatientShare: chance.pick([0, 0.2]),
    patienceMeanMs: 4 * minuteMs,
    leavingShare: 0.5,
    completingShare: chance.pick([0, 0.5, 0.9]),
    completingMeanMs: minuteMs,
    reentryShare: chance.pick([0, 0.3]),
    reentryMeanMs: minuteMs,
    secondLoginShare: chance.pick([0, 0.2]),
  };
}

function randomRate(chance: Chance, visitors: number, crowdMs: number, untilMs: number): ArrivalRate {
  const perMinute = (visitors * minuteMs) / untilMs;
  const crowd = (count: number) => flashCrowd(count, crowdMs, chance.pick(crowdLengthsMs));
  return chance.pick([
    () => steady(perMinute),
    () => diurnal(perMinute, 1, untilMs / 2),
    () => crowd(visitors),
    () => together(crowd(visitors / 2), steady(perMinute / 2)),
  ])();
}

function isLossy(kinds: ReadonlySet<Fault["fault"]>): boolean {
  return kinds.has("wipe") || kinds.has("rollback") || kinds.has("put_back");
}

/** What is claimed outlives the store in the memory of processes, and these in the memory of the store: not both at once. */
function mayForgetClaims(faults: readonly Fault[]): boolean {
  const kinds = new Set(faults.map(({ fault }) => fault));
  return kinds.has("restart") && isLossy(kinds);
}

function withoutLostAnswers(fault: Fault): Fault {
  return fault.fault === "cut" ? { ...fault, cut: { kind: "away" } } : fault;
}

function randomFaults(chance: Chance, room: RoomPlan, gateways: number, crowdMs: number, untilMs: number): Fault[] {
  const count = 1 + chance.below(6);
  const faults: Fault[] = [];
  for (let index = 0; index < count; index++) {
    // What goes wrong goes wrong when everybody comes.
    const isInCrowd = chance.isTrue(0.3);
    const atMs = Math.round(isInCrowd ? crowdMs + chance.between(0, 30_000) : chance.between(30_000, untilMs));
    if (chance.isTrue(0.1)) faults.push(...disaster(chance, gateways, atMs));
    else faults.push(randomFault(chance, room, gateways, atMs));
  }
  return faults;
}

/**
 * Bypass links now and then. An admission by one is in no forecast: where a loss comes before anybody has heard of it, a room
 * with `max_active` does not know it until its visitor comes back.
 */
function randomLinks(chance: Chance, room: RoomPlan, faults: readonly Fault[], untilMs: number): Fault[] {
  const isBounded = room.inlet.type === "max_active";
  if (isBounded && isLossy(new Set(faults.map(({ fault }) => fault)))) return [];
  return Array.from({ length: chance.below(4) }, () => {
    return { fault: "links", atMs: Math.round(chance.between(doorsOpenMs, untilMs)), count: chance.pick([1, 5, 30]) };
  });
}

/** Places are moved now and then. Like what is claimed, that outlives the store in the memory of processes, and these in the store's. */
function randomMoves(chance: Chance, faults: readonly Fault[], untilMs: number): Fault[] {
  if (mayForgetClaims(faults)) return [];
  return Array.from({ length: chance.below(4) }, () => {
    return { fault: "moves", atMs: Math.round(chance.between(doorsOpenMs, untilMs)), count: chance.pick([1, 5, 30]) };
  });
}

/** The store is emptied while some or all processes are down; what these knew is in their checkpoints alone. */
function disaster(chance: Chance, gateways: number, atMs: number): Fault[] {
  const killed = Array.from({ length: gateways }, (_, index) => index).filter(() => chance.isTrue(0.7));
  return [
    ...killed.map((gateway): Fault => ({ fault: "restart", atMs, forMs: 3_000, gateway, how: "killed" })),
    { fault: "wipe", atMs: atMs + 10 },
  ];
}

function randomFault(chance: Chance, room: RoomPlan, gateways: number, atMs: number): Fault {
  const forMs = chance.pick([500, 3_000, 20_000, 120_000]);
  const some = Array.from({ length: gateways }, (_, index) => index).filter(() => chance.isTrue(0.6));
  const cut: Cut = chance.isTrue(0.5) ? { kind: "away" } : { kind: "deaf", lossRate: 0.3 };
  const { outflowPerMinute: limit, maxActive } = room.inlet;
  const choices: (() => Fault)[] = [
    () => ({ fault: "cut", atMs, forMs, gateways: some.length > 0 ? some : [0], cut }),
    () => ({ fault: "cut", atMs, forMs, gateways: [0, 1, 2, 3], cut }),
    () => ({ fault: "wipe", atMs }),
    () => ({ fault: "rollback", atMs, toAgoMs: chance.pick([100, 5_000, 25_000]) }),
    () => ({ fault: "restart", atMs, forMs, gateway: chance.below(gateways), how: chance.pick(["orderly", "killed"]) }),
    () => ({ fault: "clock", atMs, byMs: chance.pick([-3_600_000, 3_600_000]) }),
    () => ({ fault: "sleep", atMs, forMs: chance.pick([10 * minuteMs, 8 * 60 * minuteMs]) }),
    () => ({ fault: "pause", atMs, forMs }),
    () => ({ fault: "alarm", atMs, forMs }),
    () => ({ fault: "phase", atMs, forMs, phase: chance.pick(["idle", "prequeue", "ended", "passthrough"]) }),
    () => ({ fault: "reload", atMs, times: 1 + chance.below(3) }),
    () => ({ fault: "increment", atMs, by: chance.pick([1, 20, 500]) }),
  ];
  if (limit != null) {
    const outflowPerMinute = Math.max(1, Math.round(limit * chance.pick([0.2, 0.5, 2, 5])));
    choices.push(() => ({ fault: "limit", atMs, outflowPerMinute }));
  }
  if (maxActive != null) {
    choices.push(() => ({
      fault: "capacity",
      atMs,
      maxActive: Math.max(1, Math.round(maxActive * chance.pick([0.3, 2]))),
    }));
  }
  return chance.pick(choices)();
}
