/**
 * What must hold between a room's settings. The configuration file and the admin API keep the same rules: the
 * file by its raw document, the API by the settings that would be in force.
 */
import { formatDuration } from "./duration.ts";
import type { Path } from "./raw-document.ts";
import { TIME_PATHS, type TimeName } from "./room-times.ts";

/** What is wrong in one room, with the path in it. */
export interface RoomFault {
  readonly path: Path;
  readonly message: string;
}

/** A value, null for none, undefined where it can't be read: then it has its own fault, and no rule is judged by it. */
type Fact<T> = T | null | undefined;

export type RoomFacts = { readonly [Name in TimeName]: Fact<number> } & {
  readonly inletType: Fact<string>;
  readonly outflowPerMinute: Fact<number>;
  readonly sharedOutflow: Fact<string>;
  readonly weight: Fact<number>;
  readonly maxActive: Fact<number>;
  readonly durationMs: Fact<number>;
  readonly maxDurationMs: Fact<number>;
};

/** Every contradiction there is. */
export function roomContradictions(facts: RoomFacts): RoomFault[] {
  return [
    ...missingInInlet(facts),
    ...foreignInInlet(facts),
    ...(facts.prequeueAtMs !== null && facts.opensAtMs === null
      ? [{ path: TIME_PATHS.opensAtMs, message: "required where prequeue_at is given" }]
      : []),
    ...disorder(facts, ["prequeueAtMs", "opensAtMs", "endsAtMs"]),
    ...(facts.inletType === "periodic" ? disorder(facts, ["inletStartsAtMs", "inletEndsAtMs"]) : []),
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
  if (inletType === "max_active" && maxActive === null) {
    faults.push({ path: ["inlet", "max_active"], message: "required: an inlet of type max_active needs it" });
  }
  if (weight !== null && sharedOutflow === null) {
    faults.push({ path: ["inlet", "weight"], message: "only with shared_outflow, whose shares it weighs" });
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
    faults.push({ path: ["inlet", "max_active"], message: `only for type max_active, not for ${inletType}` });
  }
  for (const name of ["inletStartsAtMs", "inletEndsAtMs"] as const) {
    if (inletType !== "periodic" && isNumber(facts[name])) {
      const message = `only for type periodic, not for ${inletType}; schedule opens and ends a room of any type`;
      faults.push({ path: TIME_PATHS[name], message });
    }
  }
  return faults;
}

/** Times that are not after the last one before them that is given. */
function disorder(facts: RoomFacts, names: readonly TimeName[]): RoomFault[] {
  const given = names.filter((name) => isNumber(facts[name]));
  return given.flatMap((name, index) => {
    const before = given[index - 1];
    const isInOrder = before === undefined || (facts[before] ?? 0) < (facts[name] ?? 0);
    return isInOrder
      ? []
      : [{ path: TIME_PATHS[name], message: `expected a time after ${TIME_PATHS[before].join(".")}` }];
  });
}

function isNumber(fact: Fact<number>): fact is number {
  return typeof fact === "number";
}
