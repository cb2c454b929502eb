/**
 * What must hold between a room's settings. The configuration file and the admin API keep the same rules: the
 * file by its raw document, the API by the settings that would be in force.
 */

import { formatDuration } from "../schema/duration.ts";
import { ADAPTIVE_KEYS } from "../schema/room-settings.ts";
import type { RoomFault } from "./faults.ts";
import { hasInletTimes, inletDisorder, scheduleDisorder, TIME_PATHS, type TimeName } from "./room-times.ts";

/** A value, null for none, undefined where it can't be read: then it has its own fault, and no rule is judged by it. */
type Fact<T> = T | null | undefined;

export type RoomFacts = { readonly [Name in TimeName]: Fact<number> } & {
  readonly inletType: Fact<string>;
  readonly outflowPerMinute: Fact<number>;
  readonly sharedOutflow: Fact<string>;
  readonly weight: Fact<number>;
  readonly maxActive: Fact<number>;
  /** What is given of an adaptive inlet, by its keys. */
  readonly adaptive: AdaptiveFacts;
  readonly durationMs: Fact<number>;
  readonly maxDurationMs: Fact<number>;
};

/** A number for those that are one. */
export type AdaptiveFacts = { readonly [Key in (typeof ADAPTIVE_KEYS)[number]]?: unknown };

/** Every contradiction there is. @param nameOf what a time that another one contradicts is called; default: its path. */
export function roomContradictions(facts: RoomFacts, nameOf?: (time: TimeName) => string): RoomFault[] {
  return [
    ...missingInInlet(facts),
    ...foreignInInlet(facts),
    ...ratesOutOfOrder(facts),
    ...(facts.prequeueAtMs !== null && facts.opensAtMs === null
      ? [
          {
            path: TIME_PATHS.opensAtMs,
            message: "required where prequeue_at is given: when those who came early may enter",
          },
        ]
      : []),
    ...scheduleDisorder(facts, nameOf),
    ...(hasInletTimes(facts.inletType) ? inletDisorder(facts, nameOf) : []),
    ...(isNumber(facts.durationMs) && isNumber(facts.maxDurationMs) && facts.maxDurationMs <= facts.durationMs
      ? [
          {
            path: ["admission", "max_duration"],
            message: `expected more than duration (${formatDuration(facts.durationMs)}), which each login and refresh extends an admission by`,
          },
        ]
      : []),
  ];
}

function missingInInlet({ inletType, outflowPerMinute, sharedOutflow, weight, maxActive }: RoomFacts): RoomFault[] {
  const faults: RoomFault[] = [];
  if (inletType === "periodic" && outflowPerMinute === null && sharedOutflow === null) {
    faults.push({
      path: ["inlet", "outflow_per_minute"],
      message: "required: an inlet of type periodic needs outflow_per_minute or shared_outflow",
    });
  }
  if (inletType === "adaptive" && outflowPerMinute === null) {
    faults.push({
      path: ["inlet", "outflow_per_minute"],
      message: "required: an inlet of type adaptive needs it, the limit that its rate never exceeds",
    });
  }
  if (inletType === "max_active" && maxActive === null) {
    faults.push({
      path: ["inlet", "max_active"],
      message: "required: an inlet of type max_active needs it, how many may be in at the same time",
    });
  }
  if (weight !== null && sharedOutflow === null) {
    faults.push({
      path: ["inlet", "weight"],
      message: "only with shared_outflow, whose shares it weighs: name one, or leave weight out",
    });
  }
  return faults;
}

/** What belongs to another type of inlet. */
function foreignInInlet(facts: RoomFacts): RoomFault[] {
  const { inletType, maxActive } = facts;
  if (typeof inletType !== "string") {
    return [];
  }
  const faults: RoomFault[] = [];
  if (inletType !== "max_active" && isNumber(maxActive)) {
    faults.push({
      path: ["inlet", "max_active"],
      message: `only for type max_active, not for ${inletType}: leave it out, or change the type`,
    });
  }
  for (const key of inletType === "adaptive" ? [] : ADAPTIVE_KEYS) {
    if ((facts.adaptive[key] ?? null) === null) continue;
    const message = `only for type adaptive, not for ${inletType}: leave it out, or change the type`;
    faults.push({ path: ["inlet", key], message });
  }
  for (const name of ["inletStartsAtMs", "inletEndsAtMs"] as const) {
    if (!hasInletTimes(inletType) && isNumber(facts[name])) {
      const message = `only for type periodic or adaptive, not for ${inletType}; schedule opens and ends a room of any type: leave it out`;
      faults.push({ path: TIME_PATHS[name], message });
    }
  }
  return faults;
}

/** floor ≤ start ≤ limit, as far as they are given. */
function ratesOutOfOrder({ inletType, outflowPerMinute, adaptive }: RoomFacts): RoomFault[] {
  if (inletType !== "adaptive") return [];
  const { floor_per_minute: floor } = adaptive;
  return (["floor_per_minute", "start_per_minute"] as const).flatMap((key) => {
    const rate = adaptive[key];
    const path = ["inlet", key];
    if (typeof rate !== "number") return [];
    if (isNumber(outflowPerMinute) && rate > outflowPerMinute) {
      return [{ path, message: `expected at most outflow_per_minute (${outflowPerMinute})` }];
    }
    const isBelow = key === "start_per_minute" && typeof floor === "number" && rate < floor;
    return isBelow ? [{ path, message: `expected at least floor_per_minute (${floor})` }] : [];
  });
}

function isNumber(fact: Fact<number>): fact is number {
  return typeof fact === "number";
}
