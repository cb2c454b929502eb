/**
 * `npx tsx test/bench/scale/run.ts`: joins of one room past one machine, by the simulation beside it and the bench's figures. Prints tables.
 * What a call costs Redis is measured by join-costs.ts, and may be given, in microseconds; how far the simulation is off, by against-one.ts.
 */
import { benchFigures } from "../../../src/features/plan/bench-figures.ts";
import { loginCpuUs } from "../../../src/features/plan/reckon.ts";
import { type Costs, type Installation, type Outcome, simulate } from "./simulate.ts";

const { cpuUs, store, storeLogins } = benchFigures;
/** A page's join; a smaller part of it comes before the store is asked. */
const callUs = Number(process.argv[2] ?? store.joinCallCpuUs);
const costs: Costs = {
  turn: 20,
  before: 0.4 * cpuUs.join,
  after: 0.6 * cpuUs.join,
  call: callUs,
  place: 0,
  network: 300,
};
const loginsPerSec = 100;
const otherShare = (loginsPerSec * loginCpuUs(storeLogins, loginsPerSec)) / 1e6;
const latencyMsMost = 100;

type Rest = Omit<Installation, "gateways" | "joinsPerSec">;

/** By joins a second, up to what the gateways bear, each 10 % above the one before. */
function outcomesOf(gateways: number, rest: Rest) {
  const outcomes: { joinsPerSec: number; outcome: Outcome }[] = [];
  for (let joinsPerSec = 1_000; joinsPerSec < (gateways * 1.1e6) / cpuUs.join; joinsPerSec *= 1.1) {
    outcomes.push({ joinsPerSec, outcome: simulate(costs, { gateways, joinsPerSec, ...rest }) });
  }
  return outcomes;
}

const perSec = (joins: number | null) => (joins === null ? "never" : Number(joins.toPrecision(2)).toLocaleString("en"));
const percent = (share: number) => `${Math.round(100 * share)} %`;
const isAt = (share: number) => (outcome: Outcome) => outcome.redisShare >= share;
const isSlow = ({ p99Ms }: Outcome) => p99Ms > latencyMsMost;

function row(gateways: number, rest: Rest = {}): void {
  const outcomes = outcomesOf(gateways, rest);
  const least = (isSo: (outcome: Outcome) => boolean) => {
    return perSec(outcomes.find(({ outcome }) => isSo(outcome))?.joinsPerSec ?? null);
  };
  const joinsPerSec = (gateways * 0.6 * 1e6) / cpuUs.join;
  const { redisShare, placesPerCall, p50Ms, p99Ms } = simulate(costs, { gateways, joinsPerSec, ...rest });
  const atUsable = [
    perSec(joinsPerSec),
    percent(redisShare),
    placesPerCall.toFixed(1),
    p50Ms.toFixed(0),
    p99Ms.toFixed(0),
  ];
  console.log(`| ${[gateways, least(isAt(0.6)), least(isAt(0.95)), ...atUsable, least(isSlow)].join(" | ")} |`);
}

function table(title: string, counts: readonly number[], rest?: Rest): void {
  console.log(
    `\n${title}\n| gateways | Redis at 60 % | at 95 % | gateways at 60 % | Redis then | places/call | p50 ms | p99 ms | p99 > 100 ms |`,
  );
  for (const gateways of counts) row(gateways, rest);
}

table("Joins alone", [1, 4, 11, 16, 64, 256]);
table(`With ${loginsPerSec} logins a second`, [4, 16, 64], { otherShare });
table("Without a pause between calls", [4, 11, 16, 64], { paceMs: 0 });
