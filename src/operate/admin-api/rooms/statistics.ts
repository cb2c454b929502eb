/** The admin API's routes for how a room went, and how its line goes on. */
import { z } from "zod";
import { duration, formatTime, number, oneOf, readTime } from "../../../config/index.ts";
import {
  type Forecast,
  openPages,
  type StatisticsStep,
  statisticsRetentionMs,
  type WaitingRoom,
} from "../../../room/index.ts";
import { later, notSyncedYet } from "../../../web/visitor/status.ts";
import type { AdminRoute, RoutesAbout } from "../admin-router.ts";
import { badRequest, object, timeOrNone, timeText } from "../bodies.ts";

const tensMs = 10_000;
const minuteMs = 60_000;
const stepMsMax = 7 * 86_400_000;
/** Steps of one answer. */
const stepsMax = 1_500;
/** Where none is named: the shortest of these with which the answer has no more than so many. */
const usualSteps = 360;
const usualStepsMs = [tensMs, minuteMs, 5 * minuteMs, 15 * minuteMs, 60 * minuteMs, 360 * minuteMs, 1_440 * minuteMs];
const usualSpanMs = 60 * minuteMs;
/** The highest rate that may be asked about, per minute. */
const outflowMax = 1_000_000;

/** A plus sign of an offset in an address is read as a space. */
const queryTime = z.string({ error: "expected one time" }).transform((text, context) => {
  const reading = readTime(text.replace(/ (?=\d\d:\d\d$)/, "+"), null);
  if ("ms" in reading) return reading.ms;
  context.addIssue({ code: "custom", message: reading.fault });
  return z.NEVER;
});
const queryStep = duration(tensMs, stepMsMax).refine((ms) => ms % tensMs === 0, {
  error: "expected a multiple of ten seconds, such as 10s, 1m or 1h",
});

const statisticsQuery = object({
  from: queryTime.optional(),
  to: queryTime.optional(),
  step: queryStep.optional(),
  format: oneOf("format", ["json", "csv"]).optional(),
});

const count = z.int().nullable();
const stepAnswer = z
  .object({
    at: timeText,
    recorded_seconds: z.number(),
    complete: z.boolean(),
    loss: z.boolean(),
    arrivals: count,
    served: count,
    admitted: z.object({ queue: count, bypass: count, without_line: count }),
    ended: z.object({ completed: count, abandoned: count, logged_out: count, revoked: count, expired: count }),
    no_shows: count,
    left: count,
    refused: z.object({
      full: count,
      closed: count,
      too_many_from_address: count,
      unavailable: count,
      expired: count,
      left: count,
      ended: count,
      moved: count,
      void: count,
      exhausted: count,
      too_many_addresses: count,
      old_edition: count,
      too_many_entries: count,
      network_refused: count,
    }),
    waiting: count,
    held: count,
    absent: count,
    live: count,
    limit_per_minute: count,
    rate_per_minute: z.number().nullable(),
    site_latency_ms: count,
    site_error_rate: z.number().nullable(),
    phase: z.enum(["idle", "prequeue", "open", "paused", "ended", "passthrough"]).nullable(),
    pages_open: count,
    pages_open_margin: count,
  })
  .meta({ id: "StatisticsStep" });
const statisticsAnswer = z
  .object({ room: z.string(), from: timeText, to: timeText, step_seconds: z.int(), steps: z.array(stepAnswer) })
  .meta({ id: "Statistics" });
type StepJson = z.output<typeof stepAnswer>;

/** An end that is null is none in a week. */
export const lineEndsAnswer = z.object({ low: timeOrNone, high: timeOrNone }).nullable();
export type LineEnds = z.output<typeof lineEndsAnswer>;

/** When a line ends, as points in time. @param lineEnds in seconds from `nowMs` */
export function lineEndsAt(nowMs: number, lineEnds: Forecast["lineEnds"]): LineEnds {
  const at = (sec: number | null) => (sec === null ? null : formatTime(nowMs + sec * 1_000));
  return lineEnds && { low: at(lineEnds.low), high: at(lineEnds.high) };
}

const wait = z.object({ low: z.int().nullable(), high: z.int().nullable() }).nullable();
const forecastAnswer = z
  .object({
    room: z.string(),
    at: timeText,
    phase: z.enum(["idle", "prequeue", "open", "paused", "ended", "passthrough"]),
    waiting: z.int(),
    arrivals_per_minute: z.number(),
    admissions_per_minute: z.number().nullable(),
    wait_of_last_seconds: wait,
    line_ends_in_seconds: wait,
    line_ends_at: lineEndsAnswer,
    note: z.enum(["limit_changed", "slower"]).nullable(),
    pages_open: z.object({ visitors: z.int(), margin: z.int(), at: timeText }).nullable(),
  })
  .meta({ id: "Forecast" });
const forecastBody = object({ outflow_per_minute: number(0.1, outflowMax) });
const tag = "Statistics";

export function statisticsRoutes(route: RoutesAbout<WaitingRoom>): AdminRoute[] {
  return [
    route(
      "GET",
      "/statistics",
      {
        summary: "Tells how the room went, in steps of time, as JSON or CSV.",
        tag,
        role: "viewer",
        query: statisticsQuery,
        answers: statisticsAnswer,
        csv: statisticsCsv,
      },
      ({ subject: room, query }) => answerStatistics(room, query),
    ),
    route(
      "GET",
      "/forecast",
      { summary: "Tells when the line ends as it moves now.", tag, role: "viewer", answers: forecastAnswer },
      ({ subject: room }) => answerForecast(room, null),
    ),
    route(
      "POST",
      "/forecast",
      {
        summary: "Tells when the line would end at another outflow. Changes nothing.",
        tag,
        role: "viewer",
        body: forecastBody,
        answers: forecastAnswer,
      },
      ({ subject: room, body }) => answerForecast(room, body.outflow_per_minute),
    ),
  ];
}

/** @throws UsherError `bad_request`, `store_unavailable` */
async function answerStatistics(room: WaitingRoom, query: z.output<typeof statisticsQuery>) {
  const nowMs = await nowOf(room);
  const toMs = Math.min(query.to ?? nowMs, nowMs);
  const fromMs = query.from ?? toMs - usualSpanMs;
  if (fromMs >= toMs) throw wrong("from", `expected a time before ${formatTime(toMs)}, where the answer ends`);
  if (fromMs < nowMs - statisticsRetentionMs.minutes) throw wrong("from", "figures are kept for 90 days");
  const hasTens = fromMs >= nowMs - statisticsRetentionMs.tens;
  const stepMs = query.step ?? usualStep(toMs - fromMs, hasTens);
  if (stepMs % minuteMs !== 0 && !hasTens) {
    throw wrong("step", "figures of ten seconds are kept for 48 hours; before that take whole minutes, such as 1m");
  }
  const from = Math.floor(fromMs / stepMs) * stepMs;
  const to = Math.ceil(toMs / stepMs) * stepMs;
  const steps = (to - from) / stepMs;
  if (steps > stepsMax) {
    throw wrong(
      "step",
      `${steps} steps are more than the ${stepsMax} of one answer; take longer ones, or a shorter time`,
    );
  }
  const statistics = await room.statistics({ fromMs: from, toMs: to, stepMs });
  const range = { from: formatTime(from), to: formatTime(to), step_seconds: stepMs / 1_000 };
  return { room: room.id, ...range, steps: statistics.map(stepJson) };
}

function usualStep(spanMs: number, hasTens: boolean): number {
  const fits = (stepMs: number) => spanMs / stepMs <= usualSteps && (hasTens || stepMs >= minuteMs);
  return usualStepsMs.find(fits) ?? usualStepsMs.at(-1) ?? minuteMs;
}

function wrong(parameter: string, message: string) {
  return badRequest([{ path: [parameter], message }]);
}

/** @throws UsherError `store_unavailable` */
async function nowOf(room: WaitingRoom): Promise<number> {
  if (room.state === null) await room.refresh();
  if (room.storeNowMs === null) throw later(notSyncedYet);
  return room.storeNowMs;
}

function stepJson({ counts, refused, gauges, openPages: open, ...step }: StatisticsStep): StepJson {
  const counted = (name: keyof NonNullable<typeof counts>) => counts?.[name] ?? null;
  const refusedFor = (reason: keyof NonNullable<typeof refused>) => refused?.[reason] ?? null;
  return {
    at: formatTime(step.atMs),
    recorded_seconds: step.recordedMs / 1_000,
    complete: step.isComplete,
    loss: step.hasLoss,
    arrivals: counted("joined"),
    served: counted("served"),
    admitted: { queue: counted("entered"), bypass: counted("bypassed"), without_line: counted("passed") },
    ended: {
      completed: counted("completed"),
      abandoned: counted("abandoned"),
      logged_out: counted("loggedOut"),
      revoked: counted("revoked"),
      expired: counted("expired"),
    },
    no_shows: counted("noShows"),
    left: counted("left"),
    refused: {
      full: refusedFor("full"),
      closed: refusedFor("closed"),
      too_many_from_address: refusedFor("too_many_from_address"),
      unavailable: refusedFor("unavailable"),
      expired: refusedFor("expired"),
      left: refusedFor("left"),
      ended: refusedFor("ended"),
      moved: refusedFor("moved"),
      void: refusedFor("void"),
      exhausted: refusedFor("exhausted"),
      too_many_addresses: refusedFor("too_many_addresses"),
      old_edition: refusedFor("old_edition"),
      too_many_entries: refusedFor("too_many_entries"),
      network_refused: refusedFor("network_refused"),
    },
    waiting: gauges?.waiting ?? null,
    held: gauges?.pendingClaims ?? null,
    absent: gauges?.absent ?? null,
    live: gauges?.live ?? null,
    limit_per_minute: gauges?.limit ?? null,
    rate_per_minute: gauges?.rate ?? null,
    site_latency_ms: gauges?.latencyMs ?? null,
    site_error_rate: gauges?.errorRate ?? null,
    phase: gauges?.phase ?? null,
    pages_open: open?.visitors ?? null,
    pages_open_margin: open?.margin ?? null,
  };
}

/** A line for each step, under the names of its members; what is not known is empty. All values are times, numbers or words. */
function statisticsCsv({ steps }: z.output<typeof statisticsAnswer>): string {
  const cells = (step: StepJson) =>
    Object.entries(step).flatMap(([name, value]) =>
      typeof value === "object" && value !== null
        ? Object.entries(value).map(([inner, member]) => [`${name}_${inner}`, member] as const)
        : [[name, value] as const],
    );
  const head = Object.keys(Object.fromEntries(cells(stepJson(noStep)))).join(",");
  return `${[
    head,
    ...steps.map((step) =>
      cells(step)
        .map(([, value]) => value ?? "")
        .join(","),
    ),
  ].join("\r\n")}\r\n`;
}

const noStep: StatisticsStep = {
  atMs: 0,
  recordedMs: 0,
  isComplete: false,
  hasLoss: false,
  counts: null,
  refused: null,
  gauges: null,
  openPages: null,
};

/** @throws UsherError `store_unavailable` */
async function answerForecast(room: WaitingRoom, outflowPerMinute: number | null) {
  const nowMs = await nowOf(room);
  const forecast = await room.forecast(outflowPerMinute);
  const { state } = room;
  if (forecast === null || state === null) throw later(notSyncedYet);
  const { lineEnds, waitOfLast } = forecast;
  const { counted } = state.presence;
  return {
    room: room.id,
    at: formatTime(nowMs),
    phase: state.phase,
    waiting: forecast.waiting,
    arrivals_per_minute: rounded(forecast.arrivalsPerMinute),
    admissions_per_minute: forecast.admissionsPerMinute === null ? null : rounded(forecast.admissionsPerMinute),
    wait_of_last_seconds: waitOfLast,
    line_ends_in_seconds: lineEnds,
    line_ends_at: lineEndsAt(nowMs, lineEnds),
    note: forecast.note,
    pages_open: counted && { ...openPages(counted), at: formatTime(counted.atMs) },
  };
}

function rounded(perMinute: number): number {
  return Math.round(perMinute * 10) / 10;
}
