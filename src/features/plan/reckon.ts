/** What a sale needs, by what the bench has measured. */
import { joinPaceMs } from "../../lib/join-pace.ts";
import { pollPauseMs } from "../../room/public-status/pacing.ts";
import type { BenchFigures } from "./bench-figures.ts";

/** Amazon's list prices in US dollars, for what a plan needs. They change, and differ by region: a plan says of when they are. */
const prices = {
  of: "March 2026, US East (N. Virginia), on demand",
  /** Fargate, Linux on x86: a task of 1 vCPU and 2 GB, for an hour. */
  gatewayHour: 0.04048 + 2 * 0.004445,
  balancerHour: 0.0225,
  /** A capacity unit of the load balancer, for an hour: 1 GB, or 25 new connections a second. */
  balancerUnitHour: 0.008,
  /** Nodes of ElastiCache, the smallest first. */
  redis: [
    { name: "cache.t4g.small", gigabytes: 1.37, hour: 0.032 },
    { name: "cache.m7g.large", gigabytes: 6.38, hour: 0.158 },
    { name: "cache.r7g.xlarge", gigabytes: 26.32, hour: 0.437 },
  ],
  /** From a region to the internet, and from CloudFront. */
  egressGigabyte: 0.09,
  cdnGigabyte: 0.085,
  cdnRequest: 0.01 / 10_000,
} as const;

export interface Demand {
  readonly arrivals: number;
  /** They come evenly within so many. */
  readonly minutes: number;
  readonly outflowPerMinute: number;
  readonly page: "inline" | "linked";
  /** Whether a CDN in front keeps the status and the pages' files. */
  readonly hasCdn: boolean;
}

export type Plan = ReturnType<typeof reckonPlan>;

/** Of a core that is planned for; the rest is for what no plan knows. */
const usableShare = 0.6;
/** As `usher rehearse` plays visitors. */
const reloadsPerVisitor = 0.2;
/** Beside a linked page: script, stylesheet, icon. */
const filesOfPage = 3;
/** Of a CDN: each asks once a second. */
const edges = 20;
/** One that fails is not to be missed. */
const gatewaysMin = 2;
/** Before the first visitor comes. */
const readyHours = 1;
/** Of a new connection to the load balancer, one capacity unit takes so many in an hour. */
const connectionsPerUnitHour = 25 * 3_600;
/** A load balancer closes a connection on which nothing was asked for so long, mostly; CDNs keep it for longer. */
const connectionIdleMs = 60_000;
/** By so much the short end of an estimate is below the wait, as a fraction, once some hundreds have entered. */
const usualSpread = 0.12;
const positionsLookedAt = 1_000;
const momentsLookedAt = 300;

export function reckonPlan(demand: Demand, figures: BenchFigures) {
  const { arrivals, minutes, outflowPerMinute, page, hasCdn } = demand;
  const { cpuUs, store, storeLogins, bytes, poll } = figures;
  const arrivalsPerMinute = arrivals / minutes;
  const longestLine = Math.max(0, arrivals - outflowPerMinute * minutes);
  const lastEntersMinutes = Math.max(minutes, arrivals / outflowPerMinute);

  /** How often the pages of a line ask in a second, and in what part of it on a connection that was closed meanwhile. */
  const askingOf = (line: number) => {
    const count = Math.min(positionsLookedAt, Math.ceil(line));
    let [polls, reopened] = [0, 0];
    for (let at = 0; at < count; at++) {
      const ahead = ((at + 0.5) / count) * line;
      const waitSec = (ahead / outflowPerMinute) * 60;
      // At the mean of the jitter.
      const pauseMs = pollPauseMs(poll, ahead, [waitSec * (1 - usualSpread), waitSec], () => 0.5);
      const share = (line / count) * (1_000 / pauseMs);
      polls += share;
      if (!hasCdn && pauseMs > connectionIdleMs) reopened += share;
    }
    return { polls, reopened };
  };
  const pollsPerSecond = (line: number) => askingOf(line).polls;
  const lineAt = (minute: number) =>
    Math.max(0, Math.min(arrivals, arrivalsPerMinute * minute) - outflowPerMinute * minute);
  let [polls, reopened] = [0, 0];
  for (let at = 0; at < momentsLookedAt; at++) {
    const minute = ((at + 0.5) / momentsLookedAt) * lastEntersMinutes;
    const asking = askingOf(lineAt(minute));
    polls += asking.polls * ((lastEntersMinutes * 60) / momentsLookedAt);
    reopened += asking.reopened * ((lastEntersMinutes * 60) / momentsLookedAt);
  }

  // The line is longest when the last of them joins: then both joins and polls are at their most.
  const atWorst = {
    joins: arrivalsPerMinute / 60,
    polls: pollsPerSecond(longestLine),
    logins: Math.min(outflowPerMinute, arrivalsPerMinute) / 60,
  };
  const pollsAtGateways = hasCdn ? Math.min(edges, atWorst.polls) : atWorst.polls;
  const filesPerJoin = page === "linked" && !hasCdn ? filesOfPage : 0;
  const gatewayCores =
    (atWorst.joins * (cpuUs.join + reloadsPerVisitor * cpuUs.reload + filesPerJoin * cpuUs.file) +
      pollsAtGateways * cpuUs.pace +
      atWorst.logins * cpuUs.login) /
    1e6;
  const gateways = Math.max(gatewaysMin, Math.ceil(gatewayCores / usableShare));
  // Joins share calls, and a call costs as much with many as with one.
  const joinCalls = Math.min(atWorst.joins, (gateways * 1_000) / joinPaceMs);
  const storeCores = (joinCalls * store.joinCallCpuUs + atWorst.logins * loginCpuUs(storeLogins, atWorst.logins)) / 1e6;
  const storeGigabytes = (arrivals * store.admissionBytes) / 1e9;
  const node = prices.redis.find(({ gigabytes }) => gigabytes * usableShare >= storeGigabytes) ?? null;

  const pagesGb = (arrivals * (1 + reloadsPerVisitor) * bytes[page]) / 1e9;
  const filesGb = page === "linked" ? (arrivals * bytes.files) / 1e9 : 0;
  // A page asks for the status once, and then for what moves in it.
  const pacePolls = Math.max(0, polls - arrivals);
  const pollsGb = (arrivals * bytes.status + pacePolls * bytes.pace + reopened * bytes.reopening) / 1e9;
  const loginsGb = (arrivals * bytes.login) / 1e9;
  const egressGb = pagesGb + filesGb + pollsGb + loginsGb;
  const throughBalancerGb = pagesGb + loginsGb + (hasCdn ? 0 : filesGb + pollsGb);

  const hours = readyHours + lastEntersMinutes / 60;
  const requests = arrivals * (1 + reloadsPerVisitor) + polls;
  const dollars = {
    gateways: gateways * prices.gatewayHour * hours,
    balancer:
      prices.balancerHour * hours +
      prices.balancerUnitHour * Math.max(throughBalancerGb, arrivals / connectionsPerUnitHour),
    redis: node === null ? null : 2 * node.hour * hours,
    egress: hasCdn ? egressGb * prices.cdnGigabyte + requests * prices.cdnRequest : egressGb * prices.egressGigabyte,
  };
  return {
    demand,
    line: { longest: longestLine, lastWaitsMinutes: longestLine / outflowPerMinute, lastEntersMinutes },
    perSecond: { ...atWorst, pollsAtGateways },
    gateways: { count: gateways, cores: gatewayCores, usableShare },
    redis: {
      cores: storeCores,
      gigabytes: storeGigabytes,
      node: node?.name ?? null,
      /** One room is in one store: with more than this of a core, its joins are the first limit. */
      isEnough: storeCores <= usableShare && node !== null,
    },
    egressGb: { pages: pagesGb, files: filesGb, polls: pollsGb, logins: loginsGb, all: egressGb },
    aws: {
      hours,
      dollars,
      all: Object.values(dollars).reduce<number>((sum, each) => sum + (each ?? 0), 0),
      prices: prices.of,
    },
    measured: { date: figures.date, machine: figures.machine },
  };
}

/**
 * CPU time of the store for one login, in microseconds, where there are so many in a second. Between two loads that were measured by a straight
 * line on logarithmic scales; with fewer, or more, than any of them as with the nearest.
 */
export function loginCpuUs(measured: BenchFigures["storeLogins"], perSecond: number): number {
  const after = measured.findIndex((each) => each.perSecond >= perSecond);
  const [less, more] = [measured[after - 1], measured[after]];
  if (less === undefined || more === undefined) return (more ?? measured.at(-1))?.cpuUs ?? Number.NaN;
  const share = Math.log(perSecond / less.perSecond) / Math.log(more.perSecond / less.perSecond);
  return less.cpuUs * (more.cpuUs / less.cpuUs) ** share;
}
