/**
 * `npx tsx test/bench/scale/run.ts`: joins of one room past one machine, by the simulation beside it and the bench's figures. Prints tables.
 * What a call costs Redis is measured by join-costs.ts; how far the simulation is off, by against-one.ts.
 */
import { benchFigures } from "../../../src/cli/plan/bench-figures.ts";
import { type Costs, type Installation, type Outcome, simulate } from "./simulate.ts";

const { cpuUs, store } = benchFigures;
/** A page's join; a smaller part of it comes before the store is asked. */
const costs: Costs = { turn: 20, before: 0.4 * cpuUs.join, after: 0.6 * cpuUs.join, call: 140, place: 0, network: 300 };
const loginsPerSec = 100;
const otherShare = (loginsPerSec * store.loginCpuUs) / 1e6;
const latencyMsMost = 100;

type Rest = Omit<Installation, "gateways" | "joinsPerSec">;

/** The least joins a second, to 2 %, at which it is so; null: never before gateways are overrun. */
function least(gateways: number, isSo: (outcome: Outcome) => boolean, rest: Rest = {}): number | null {
  const most = (gateways * 1e6) / cpuUs.join;
  let [low, high] = [1, 1.1 * most];
  if (!isSo(simulate(costs, { gateways, joinsPerSec: high, ...rest }))) return null;
  while (high > 1.02 * low) {
    const middle = Math.sqrt(low * high);
    if (isSo(simulate(costs, { gateways, joinsPerSec: middle, ...rest }))) high = middle;
    else low = middle;
  }
  return high;
}

const perSec = (joins: number | null) => (joins === null ? "never" : Number(joins.toPrecision(2)).toLocaleString("en"));
const percent = (share: number) => `${Math.round(100 * share)} %`;
const isAt = (share: number) => (outcome: Outcome) => outcome.redisShare >= share;
const isSlow = ({ p99Ms }: Outcome) => p99Ms > latencyMsMost;

function row(gateways: number, rest: Rest = {}): void {
  const joinsPerSec = (gateways * 0.6 * 1e6) / cpuUs.join;
  const { redisShare, placesPerCall, p50Ms, p99Ms } = simulate(costs, { gateways, joinsPerSec, ...rest });
  const cells = [
    gateways,
    perSec(least(gateways, isAt(0.6), rest)),
    perSec(least(gateways, isAt(0.98), rest)),
    perSec(joinsPerSec),
    percent(redisShare),
    placesPerCall.toFixed(1),
    p50Ms.toFixed(0),
    p99Ms.toFixed(0),
    perSec(least(gateways, isSlow, rest)),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

function table(title: string, counts: readonly number[], rest?: Rest): void {
  console.log(
    `\n${title}\n| gateways | Redis at 60 % | at 100 % | gateways at 60 % | Redis then | places/call | p50 ms | p99 ms | p99 > 100 ms |`,
  );
  for (const gateways of counts) row(gateways, rest);
}

table("Joins alone", [1, 4, 16, 64, 256]);
table(`With ${loginsPerSec} logins a second`, [4, 16, 64], { otherShare });
for (const collectMs of [5, 20]) table(`A call every ${collectMs} ms at most`, [4, 16, 64, 256], { collectMs });
