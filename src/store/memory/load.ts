import type { LoadReport } from "../contract/room-store.ts";
import type { AdaptiveData } from "./adaptive-data.ts";
import type { RoomData } from "./data.ts";
import { setHold } from "./phases.ts";
import { adaptiveSettings, isAdaptive, ratePerMinute } from "./rate.ts";
import { followBaseline, followLatency, median } from "./site-latency.ts";

/** A decrease is no deeper than to this part. */
export const deepestCut = 0.7;
/** Probes count the less the older they are, by this each interval; fewer than two failures are chance. */
const probeDecay = 0.9;
const fewestFailures = 1.5;
/** Without data for so many intervals, and so long, what was heard is stale. */
const staleIntervals = 12;
const staleAfterMs = 120_000;
/** So long at the floor, the site's latency is none of the line's making. */
const floorMs = 60_000;
/** Of each kind in an interval; more say no more. */
const maxSamples = 100;

/** What one process probed, or the site reported: samples of the interval, and the signal's hold. */
export function reportLoad(room: RoomData, report: LoadReport): void {
  if (!isAdaptive(room)) return;
  const { adaptive } = room;
  adaptive.heard++;
  if (report.source === "probe") {
    adaptive.probedMs = room.flowMs;
    adaptive.tried++;
    if (report.latencyMs === null) adaptive.failed++;
    else addSample(adaptive.probes, report.latencyMs);
    return;
  }
  if (report.latencyMs !== null) addSample(adaptive.reports, report.latencyMs);
  if (report.errorRate !== null) {
    adaptive.errorSum += report.errorRate;
    adaptive.errorCount++;
  }
  if (report.signal !== null) takeSignal(room, report.signal === "off");
}

function addSample(samples: number[], ms: number): void {
  if (samples.length < maxSamples) samples.push(ms);
}

/** `off` holds the line, and when it comes anew, the rate is cut: the site could not bear it. */
function takeSignal(room: RoomData, isOff: boolean): void {
  const isNew = isOff && !room.holds.includes("signal");
  setHold(room, "signal", isOff);
  if (!isNew) return;
  decrease(room, deepestCut);
  note(room, "decrease", "signal_off");
}

export function decrease(room: RoomData, factor: number): void {
  const { adaptive } = room;
  const { floor } = adaptiveSettings(room.settings.effective.inlet);
  const rate = ratePerMinute(room) ?? floor;
  // Cuts without an increase between them are one: the rate before the first is what was too much, if anybody came in by it.
  const isFirst = adaptive.raisedMs >= adaptive.decreasedMs;
  if (isFirst && adaptive.admitted + adaptive.admittedNow > 0) adaptive.strainedRate = rate;
  adaptive.rate = Math.max(floor, Math.floor(rate * factor));
  adaptive.decreasedMs = room.flowMs;
  // What failed before is answered by this.
  adaptive.tried = 0;
  adaptive.failed = 0;
}

export function note(room: RoomData, decision: AdaptiveData["decision"], reason: AdaptiveData["reason"]): void {
  Object.assign(room.adaptive, { decision, reason, decidedMs: room.atMs });
}

/** What an interval told. */
export type Heard = "latency" | "others" | "nothing";

/** Takes in what was heard in the interval, and begins the next one. */
export function takeSamples(room: RoomData, spanMs: number): Heard {
  const { adaptive } = room;
  if (adaptive.heard === 0) return "nothing";
  // Where a probe and the site itself tell, the worse of both counts.
  const medians = [adaptive.probes, adaptive.reports].filter((samples) => samples.length > 0).map(median);
  if (medians.length > 0) takeLatency(room, Math.max(...medians), spanMs);
  else if (isStale(room, adaptive.measuredMs)) adaptive.latencyMs = null;
  adaptive.errorRate = errorsOf(adaptive);
  adaptive.tried *= probeDecay;
  adaptive.failed *= probeDecay;
  adaptive.probes = [];
  adaptive.reports = [];
  adaptive.errorSum = 0;
  adaptive.errorCount = 0;
  adaptive.heard = 0;
  adaptive.dataMs = room.flowMs;
  return medians.length > 0 ? "latency" : "others";
}

function takeLatency(room: RoomData, latencyMs: number, spanMs: number): void {
  const { adaptive, flowMs } = room;
  const { floor } = adaptiveSettings(room.settings.effective.inlet);
  followLatency(adaptive, latencyMs, isStale(room, adaptive.measuredMs));
  adaptive.measuredMs = flowMs;
  const isQuiet = adaptive.admitted * 60_000 <= floor * adaptive.spanMs;
  const isLongAtFloor = adaptive.floorMs > 0 && flowMs - adaptive.floorMs >= floorMs;
  followBaseline(adaptive, latencyMs, spanMs, isQuiet || isLongAtFloor);
}

/** Whether what was heard at this time of the flow clock counts no more. */
export function isStale({ flowMs, settings }: RoomData, heardMs: number): boolean {
  const { everyMs } = adaptiveSettings(settings.effective.inlet);
  return flowMs - heardMs > Math.max(staleAfterMs, staleIntervals * everyMs);
}

/** The worse of what was probed lately and what was reported; null for neither. */
function errorsOf({ tried, failed, errorSum, errorCount }: AdaptiveData): number | null {
  const probed = failed < fewestFailures ? 0 : failed / tried;
  const reported = errorCount === 0 ? 0 : errorSum / errorCount;
  return tried === 0 && errorCount === 0 ? null : Math.max(probed, reported);
}
