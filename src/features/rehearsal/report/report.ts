import type { Room } from "../../../operate/commands/rooms/room.ts";
import type { CrowdOptions } from "../crowd-plan.ts";
import type { Sample } from "../observer.ts";
import type { Way } from "../visitor/ways.ts";
import type { Latencies, Tally } from "./tally.ts";

/** What a report is made of. */
export interface Played {
  readonly room: string;
  readonly issuer: string;
  readonly way: Pick<Way, "kind" | "name">;
  readonly crowd: CrowdOptions & { readonly seed: number; readonly connections: number };
  readonly beganAt: string;
  readonly tookMs: number;
  readonly isStopped: boolean;
  readonly tally: Tally;
  readonly waiting: number;
  /** Places that could not be given up at the end. */
  readonly ghosts: number;
  readonly samples: readonly Sample[];
  readonly unansweredLooks: number;
  readonly before: Room;
  /** Null where no gateway said how the room was in the end. */
  readonly after: Room | null;
  readonly refusals: Readonly<Record<string, number>> | null;
  readonly commandDelays: { readonly queuedMs: number; readonly loopMs: number };
}

const minuteMs = 60_000;

export type Report = ReturnType<typeof reportOf>;

/** All figures of a rehearsal, as `--json` prints them. Times of requests are milliseconds, and about one percent exact. */
export function reportOf(played: Played) {
  const { tally, crowd, samples, before, after, commandDelays } = played;
  const round = (value: number) => Math.round(value * 10) / 10;
  return {
    room: played.room,
    issuer: played.issuer,
    way: played.way.kind,
    way_in_words: played.way.name,
    asked: {
      visitors: crowd.visitors,
      minutes: crowd.minutes,
      reloads_percent: crowd.reloads,
      tabs_percent: crowd.tabs,
      absent_percent: crowd.noShows,
      connections: crowd.connections,
      seed: crowd.seed,
    },
    began_at: played.beganAt,
    seconds: round(played.tookMs / 1_000),
    stopped: played.isStopped,
    visitors: {
      arrived: tally.arrived,
      joined: tally.joinedMs.length,
      admitted: tally.admittedMs.length,
      logins: tally.logins,
      no_shows: tally.noShows,
      waiting: played.waiting,
      gave_up: tally.gaveUp,
      reloads: tally.reloads,
      second_tabs: tally.tabs,
      lost_places: tally.lostPlaces,
      left_at_the_end: tally.left,
      ghosts: played.ghosts,
    },
    joins_per_second: joinsPerSecond(tally.joinedMs),
    requests: Object.fromEntries([...tally.requests].map(([kind, latencies]) => [kind, latencyOf(latencies)])),
    outflow: {
      limit_per_minute: limitOf(samples),
      most_in_a_minute: mostWithin(tally.admittedMs, minuteMs),
      busy: busyOf(samples),
      minutes: minutesOf(tally, samples, played.tookMs),
    },
    refused: Object.fromEntries(tally.refused),
    errors: Object.fromEntries(tally.errors),
    gateways: gatewaysOf(tally, before, after, played.refusals),
    room_was: phasesOf(samples, played.tookMs),
    unanswered_looks: played.unansweredLooks,
    own_delays_ms: { queued_p99: round(commandDelays.queuedMs), loop_p99: round(commandDelays.loopMs) },
  };
}

function latencyOf(latencies: Latencies) {
  const round = (ms: number) => Math.round(ms * 10) / 10;
  const { count, max } = latencies;
  return {
    count,
    p50_ms: round(latencies.percentile(0.5)),
    p99_ms: round(latencies.percentile(0.99)),
    max_ms: round(max),
  };
}

/** `peak`: within any whole second. */
function joinsPerSecond(joinedMs: readonly number[]) {
  const [first = 0, last = 0] = [joinedMs[0], joinedMs.at(-1)];
  const seconds = Math.max(1, (last - first) / 1_000);
  return { mean: Math.round((joinedMs.length / seconds) * 10) / 10, peak: mostWithin(joinedMs, 1_000) };
}

/** The most of them within any span so long. @param timesMs ascending */
export function mostWithin(timesMs: readonly number[], spanMs: number): number {
  let [most, first] = [0, 0];
  for (const [index, timeMs] of timesMs.entries()) {
    while ((timesMs[first] ?? 0) <= timeMs - spanMs) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** The highest and the lowest that were in force; null: none was. */
function limitOf(samples: readonly Sample[]) {
  const limits = samples.flatMap(({ limit }) => limit ?? []);
  if (limits.length === 0) return null;
  return {
    least: Math.min(...limits),
    most: samples.every(({ limit }) => limit !== null) ? Math.max(...limits) : null,
  };
}

/**
 * How the line moved while people waited in an open room, by what the gateways counted: seconds of it, admissions a minute, and what the
 * limit would have let in. Null where nobody waited for long enough.
 */
function busyOf(samples: readonly Sample[]) {
  let [ms, admitted, allowed, isLimited] = [0, 0, 0, true];
  for (const [index, sample] of samples.entries()) {
    const next = samples[index + 1];
    if (next === undefined) break;
    const isBusy = [sample, next].every(
      ({ phase, availability, waiting, limit }) =>
        phase === "open" && availability === "ready" && waiting > Math.max(5, (limit ?? 0) / 6),
    );
    if (!isBusy) continue;
    const spanMs = next.atMs - sample.atMs;
    ms += spanMs;
    admitted += next.entered - sample.entered;
    allowed += ((sample.limit ?? 0) * spanMs) / minuteMs;
    isLimited &&= sample.limit !== null;
  }
  if (ms === 0) return null;
  const perMinute = (count: number) => Math.round((count * minuteMs * 10) / ms) / 10;
  return {
    seconds: Math.round(ms / 1_000),
    admitted_per_minute: perMinute(admitted),
    limit_per_minute: isLimited ? perMinute(allowed) : null,
  };
}

/** Minute by minute. */
function minutesOf({ joinedMs, admittedMs }: Tally, samples: readonly Sample[], tookMs: number) {
  const within = (timesMs: readonly number[], index: number) =>
    timesMs.filter((ms) => ms >= index * minuteMs && ms < (index + 1) * minuteMs).length;
  return Array.from({ length: Math.ceil(tookMs / minuteMs) }, (_, index) => {
    const seen = samples.filter(({ atMs }) => atMs < (index + 1) * minuteMs);
    const { limit = null, waiting = null, phase = null } = seen.at(-1) ?? {};
    return {
      minute: index + 1,
      joined: within(joinedMs, index),
      admitted: within(admittedMs, index),
      limit_per_minute: limit,
      waiting,
      phase,
    };
  });
}

/** What the gateways counted from the beginning to the end, and how far the visitors saw something else. */
function gatewaysOf(tally: Tally, before: Room, after: Room | null, refused: Played["refusals"]) {
  if (after === null) return null;
  const counted = (name: string) => (after.counts[name] ?? 0) - (before.counts[name] ?? 0);
  const joined = counted("joined");
  const admitted = counted("entered") + counted("passed");
  return {
    joined,
    admitted,
    bypassed: counted("bypassed"),
    no_shows: counted("no_shows"),
    left: counted("left"),
    refused,
    differences: { joined: joined - tally.joinedMs.length, admitted: admitted - tally.admittedMs.length },
    unanswered_joins: tally.unansweredJoins,
  };
}

/** Seconds in each phase, and those in which the store was away or a recovery went on. */
function phasesOf(samples: readonly Sample[], tookMs: number): Record<string, number> {
  const seconds: Record<string, number> = {};
  for (const [index, { atMs, phase, availability }] of samples.entries()) {
    const name = availability === "ready" ? phase : availability;
    const spanMs = Math.max(0, (samples[index + 1]?.atMs ?? tookMs) - atMs);
    seconds[name] = (seconds[name] ?? 0) + spanMs / 1_000;
  }
  return Object.fromEntries(Object.entries(seconds).map(([name, sec]) => [name, Math.round(sec)]));
}
