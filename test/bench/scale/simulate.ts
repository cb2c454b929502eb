/**
 * Goal: how many joins of one room so many gateways and one Redis bear. Method: a simulation in steps of 20 µs, with seeded arrivals. A gateway
 * is one thread: a turn of its event loop takes all requests that have come, and what Redis has answered. Its joins go to the store together,
 * one call at a time (src/room/visitor/joins.ts). Redis is one thread, too, and answers in the order of asking.
 */
import { joinPaceMs } from "../../../src/lib/join-pace.ts";
import { type Chance, createChance } from "../../fault/simulation/chance.ts";

/** In microseconds. */
export interface Costs {
  /** Of a gateway: for a turn of its event loop, for a join before the store is asked, and after. */
  readonly turn: number;
  readonly before: number;
  readonly after: number;
  /** Of Redis: for a call, and for each place in it. */
  readonly call: number;
  readonly place: number;
  /** From a gateway to Redis and back. */
  readonly network: number;
}

export interface Installation {
  readonly gateways: number;
  readonly joinsPerSec: number;
  /** Of Redis: what else it does, such as logins, in commands that cost as much as a call. */
  readonly otherShare?: number;
  /** At least so long from one call of a gateway with several joins to the next, in milliseconds. Default: as gateways do. */
  readonly paceMs?: number;
  /** Joins come at whole multiples of it, as from a generator whose timers are no finer, in microseconds. */
  readonly grainUs?: number;
}

export interface Outcome {
  /** Of one core. */
  readonly redisShare: number;
  readonly gatewayShare: number;
  readonly placesPerCall: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Gateway {
  nextJoinUs: number;
  busyUntilUs: number;
  /** When those joins came that wait for the next call, and those of the call under way; when that is answered. */
  queue: number[];
  underWay: number[];
  answerUs: number;
  calledUs: number;
  calledWith: number;
}

const stepUs = 20;
const warmUpUs = 200_000;
const untilUs = 1_000_000;

export function simulate(costs: Costs, installation: Installation, chance: Chance = createChance("scale")): Outcome {
  const { gateways: count, joinsPerSec, otherShare = 0, paceMs = joinPaceMs, grainUs = stepUs } = installation;
  const meanUs = (1e6 * count) / joinsPerSec;
  const otherMeanUs = otherShare > 0 ? costs.call / otherShare : Infinity;
  const redis = { freeUs: 0, busyUs: 0, calls: 0, places: 0 };
  const latencies: number[] = [];
  const gateways = Array.from({ length: count }, (): Gateway => {
    const idle = { busyUntilUs: 0, queue: [], underWay: [], answerUs: Infinity, calledUs: -Infinity, calledWith: 0 };
    return { ...idle, nextJoinUs: chance.wait(meanUs) };
  });
  const isHere = (joinUs: number, nowUs: number) => Math.ceil(joinUs / grainUs) * grainUs <= nowUs;
  let nextOtherUs = otherShare > 0 ? chance.wait(otherMeanUs) : Infinity;
  let gatewaysBusyUs = 0;

  /** The way there is as long for all: so they are served in the order of asking. */
  function serve(places: number, nowUs: number): number {
    const costUs = costs.call + costs.place * places;
    redis.freeUs = Math.max(redis.freeUs, nowUs + costs.network / 2) + costUs;
    if (nowUs > warmUpUs && redis.freeUs <= untilUs) redis.busyUs += costUs;
    return redis.freeUs + costs.network / 2;
  }

  function call(gateway: Gateway, nowUs: number): void {
    if (gateway.underWay.length > 0 || gateway.queue.length === 0) return;
    if (gateway.calledWith > 1 && nowUs < gateway.calledUs + paceMs * 1e3) return;
    gateway.underWay = gateway.queue;
    gateway.queue = [];
    gateway.calledUs = nowUs;
    gateway.calledWith = gateway.underWay.length;
    gateway.answerUs = serve(gateway.underWay.length, nowUs);
    redis.calls++;
    redis.places += gateway.underWay.length;
  }

  function turn(gateway: Gateway, nowUs: number): void {
    let endUs = nowUs + costs.turn;
    if (gateway.answerUs <= nowUs) {
      const answered = gateway.underWay;
      gateway.underWay = [];
      gateway.answerUs = Infinity;
      call(gateway, nowUs);
      for (const cameUs of answered) {
        endUs += costs.after;
        if (cameUs > warmUpUs) latencies.push((endUs - cameUs) / 1e3);
      }
    }
    for (; isHere(gateway.nextJoinUs, nowUs); gateway.nextJoinUs += chance.wait(meanUs)) {
      endUs += costs.before;
      gateway.queue.push(gateway.nextJoinUs);
    }
    gateway.busyUntilUs = endUs;
    if (nowUs > warmUpUs) gatewaysBusyUs += endUs - nowUs;
  }

  for (let nowUs = 0; nowUs < untilUs; nowUs += stepUs) {
    for (; nextOtherUs <= nowUs; nextOtherUs += chance.wait(otherMeanUs)) serve(0, nowUs);
    for (const gateway of gateways) {
      if (nowUs < gateway.busyUntilUs) continue;
      call(gateway, nowUs);
      if (gateway.answerUs <= nowUs || isHere(gateway.nextJoinUs, nowUs)) turn(gateway, nowUs);
    }
  }
  // Those who have no answer yet have waited so long at least.
  for (const { queue, underWay } of gateways) {
    for (const cameUs of [...queue, ...underWay]) if (cameUs > warmUpUs) latencies.push((untilUs - cameUs) / 1e3);
  }
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    redisShare: redis.busyUs / (untilUs - warmUpUs),
    gatewayShare: Math.min(1, gatewaysBusyUs / count / (untilUs - warmUpUs)),
    placesPerCall: redis.places / redis.calls,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}
