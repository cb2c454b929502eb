/** Runs one scenario, event by event, and asserts the rules at each. */
import { createSeededRandom } from "../../support/seeded-random.ts";
import { type ArrivalPlan, startArrivals } from "./arrivals.ts";
import { createChance } from "./chance.ts";
import type { MeasuredTime } from "./door.ts";
import { createDrawSource } from "./draw-plan.ts";
import { EventQueue } from "./events.ts";
import { type Fault, planFault } from "./faults.ts";
import { type Measured, Measures } from "./measures.ts";
import { Memories } from "./memories.ts";
import { changeSettings, reportLoad, takeStep } from "./operator.ts";
import { LimitMet, RuleBroken, Rules } from "./rules.ts";
import { type Series, SeriesRecorder } from "./series.ts";
import { type RoomPlan, settingsOf } from "./settings.ts";
import { judgeStatistics } from "./statistics-rules.ts";
import { createSimulatedTime } from "./time.ts";
import { Trace } from "./trace.ts";
import type { People, Surroundings, Visitor } from "./visitors.ts";
import { createWorld, type Gateway, type StoreKind } from "./world.ts";

export interface Scenario {
  readonly name: string;
  readonly seed: string;
  readonly store: StoreKind;
  readonly gateways: number;
  readonly room: RoomPlan;
  readonly people: People;
  readonly arrivals: ArrivalPlan;
  readonly faults: readonly Fault[];
  readonly measured: MeasuredTime;
  readonly untilMs: number;
  /**
   * For so long, after everything is healed and nobody comes any more, the line may go on: by then everyone who
   * waited faithfully must be in. Null: it ends as it is.
   */
  readonly drainMs: number | null;
  readonly isThorough: boolean;
  readonly askedShare: number;
  /** By how much the clock of each process differs from the store's; default: not at all. */
  readonly clocksApartMs?: readonly number[];
}

export interface RunResult {
  readonly measured: Measured;
  readonly series: Series;
  readonly events: number;
  readonly arrived: number;
  /** How many draws were drawn. */
  readonly drawn: number;
  /** The known limit that the day came to, and ended at; null for none. */
  readonly limit: string | null;
}

export class SimulationFailed extends Error {
  override name = "SimulationFailed";
}

const tickMs = 1_000;
const traceLength = 40;
const recoveredMs = 10_000;

export async function simulate(scenario: Scenario): Promise<RunResult> {
  const { seed, people, room } = scenario;
  const trace = new Trace(traceLength);
  const time = createSimulatedTime();
  const chance = createChance(seed);
  const queue = new EventQueue();
  const beganMs = time.wall.now();
  const settings = settingsOf(room, beganMs);
  const measures = new Measures(scenario.measured, settings.inlet.outflowPerMinute, settings.inlet.maxActive);
  const recorder = new SeriesRecorder();
  let broken: RuleBroken | Error | null = null;
  const waiting = new Set<Visitor>();

  const isDiskLost = (process: string) =>
    world.gateways.some(({ name, areCheckpointsLost }) => name === process && areCheckpointsLost);
  const memories = scenario.isThorough ? new Memories(isDiskLost) : null;
  const rules: Rules = new Rules({
    time,
    trace,
    settings,
    memories,
    listener: {
      served: (edition, serving) => measures.served(edition, serving, time.nowMs),
      admitted(admission) {
        measures.admitted(admission, time.nowMs);
        recorder.admitted();
      },
      joined({ first, last }) {
        measures.joined(last - first + 1);
        recorder.joined(last - first + 1);
      },
      live: (count) => measures.live(count, time.nowMs),
    },
    onBroken(error) {
      broken ??= error;
    },
  });
  const world = await createWorld({
    store: scenario.store,
    gateways: scenario.gateways,
    settings,
    clocksApartMs: scenario.clocksApartMs ?? [],
    drawSource: (process, keys) => (room.draw ? createDrawSource(room.draw, process, keys, time) : null),
    clock: time.wall,
    random: createSeededRandom(seed),
    fraction: chance.fraction,
    logFraction: createChance(`${seed} log`).fraction,
    watcher: rules,
    memories,
    onFailure: (what, error) => rules.fail(what, error),
  });
  const sim: Surroundings = {
    time,
    queue,
    chance,
    world,
    rules,
    measures,
    trace,
    people,
    waiting,
    askedShare: scenario.askedShare,
    isThorough: scenario.isThorough,
    isOpen: true,
  };

  function keepTicking(gateway: Gateway): void {
    const tick = async () => {
      if (gateway.isUp) await gateway.refresh();
      queue.call(time.nowMs + tickMs * chance.between(0.9, 1.1), tick);
    };
    queue.call(time.nowMs + chance.between(0, 100), tick);
  }

  function sample(nowMs: number): void {
    measures.live(rules.liveCount, nowMs);
    measures.sample(nowMs, waiting.size);
    const state = world.gateways.find(({ isUp }) => isUp)?.room.state ?? null;
    recorder.sample(nowMs, state, rules.settings.inlet, rules.liveCount);
    queue.call(nowMs + 1_000, sample);
  }

  let events = 0;
  async function runUntil(untilMs: number, isOver: () => boolean = () => false): Promise<void> {
    while (queue.nextMs <= untilMs) {
      if (isOver()) return;
      time.advanceTo(queue.nextMs);
      const running = queue.pop()?.run(time.nowMs);
      if (running !== undefined) await running;
      events++;
      if (broken !== null) throw broken;
    }
    time.advanceTo(untilMs);
  }

  const isSomebodyLeft = () => {
    for (const visitor of waiting) if (visitor.isFaithful) return true;
    return false;
  };

  let arrivals = { count: 0 };
  const result = (limit: string | null): RunResult => {
    const [measured, series] = [measures.result(time.nowMs), recorder.series()];
    return { measured, series, events, arrived: arrivals.count, drawn: rules.draws.drawn, limit };
  };

  try {
    for (const gateway of world.gateways) keepTicking(gateway);
    queue.call(1_000, sample);
    arrivals = startArrivals(sim, scenario.arrivals);
    for (const fault of scenario.faults) planFault(sim, fault);
    await runUntil(scenario.untilMs);
    if (scenario.drainMs !== null) {
      sim.isOpen = false;
      await heal(sim);
      let nextLookMs = 0;
      await runUntil(scenario.untilMs + scenario.drainMs, () => {
        if (time.nowMs < nextLookMs) return false;
        nextLookMs = time.nowMs + 5_000;
        return !isSomebodyLeft();
      });
      const left = [...waiting].filter(({ isFaithful }) => isFaithful);
      if (left.length > 0) {
        const some = left.slice(0, 5).map(String);
        throw new RuleBroken(`rule 6: ${left.length} who waited faithfully never got in: ${some.join("; ")}`);
      }
      // Whatever was lost last, the room has recovered by then.
      await runUntil(time.nowMs + recoveredMs);
      const [first] = world.gateways;
      if (first !== undefined) await rules.log.judge(first.room);
      if (broken !== null) throw broken;
    }
    const someone = world.gateways.find(({ isUp }) => isUp);
    if (someone !== undefined) await judgeStatistics(someone.room, beganMs, time.wall.now());
    return result(null);
  } catch (error) {
    if (error instanceof LimitMet) return result(error.message);
    throw new SimulationFailed(describeFailure(scenario, error, time.nowMs, trace), { cause: error });
  } finally {
    await world.close();
  }
}

/** Everything runs again, and the line moves. */
async function heal(sim: Surroundings): Promise<void> {
  for (const gateway of sim.world.gateways) {
    gateway.cut = { kind: "none" };
    if (!gateway.isUp) sim.world.start(gateway);
  }
  await takeStep(sim, { step: "phase", phase: "open" });
  await takeStep(sim, { step: "alarm", isSet: false });
  await takeStep(sim, { step: "resume" });
  await reportLoad(sim, { signal: "on" });
  const { type } = sim.rules.settings.inlet;
  if (type === "manual") await changeSettings(sim, { inlet: { type: "periodic", outflowPerMinute: 600 } });
}

function describeFailure(scenario: Scenario, error: unknown, nowMs: number, trace: Trace): string {
  const { name, seed, ...plan } = scenario;
  const what = error instanceof Error ? (error.name === "RuleBroken" ? error.message : error.stack) : String(error);
  return [
    `${what}`,
    `after ${nowMs / 1_000} s of "${name}", seed "${seed}"`,
    `scenario: ${JSON.stringify(plan)}`,
    "what happened last:",
    trace.toString(),
  ].join("\n");
}
