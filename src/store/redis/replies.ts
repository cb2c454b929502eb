import type {
  AdaptiveDecision,
  AdaptiveReason,
  Admission,
  AdmissionEnd,
  BasePhase,
  BeaconValue,
  Draw,
  DrawChain,
  EndedLogin,
  Gap,
  HoldReason,
  MovedPlace,
  Outcome,
  Phase,
  PhaseReason,
  RoomCounts,
  RoomSettings,
  RoomSettingsPatch,
  RoomState,
} from "../contract/room-store.ts";

/** A reply of a script: texts, numbers and lists. Reading one that is not as agreed is a programming error. */
export class Reply {
  readonly #parts: readonly unknown[];

  constructor(reply: unknown) {
    if (!Array.isArray(reply)) throw new TypeError(`a script answered ${typeof reply} where a list was agreed`);
    this.#parts = reply;
  }

  text(index: number): string {
    const part = this.#parts[index];
    if (typeof part !== "string" && typeof part !== "number") throw new TypeError(`no text at ${index} of a reply`);
    return String(part);
  }

  number(index: number): number {
    const number = Number(this.text(index));
    if (!Number.isFinite(number)) throw new TypeError(`no number at ${index} of a reply`);
    return number;
  }

  list(index: number): Reply {
    return new Reply(this.#parts[index]);
  }

  texts(): string[] {
    return this.#parts.map((_, index) => this.text(index));
  }
}

/**
 * An outcome; or nothing was done: `settle.lua` has to run first, or the keys given are not those of the shared outflow
 * `group` that is in force.
 */
export type ScriptOutcome<T> =
  | Outcome<T>
  | { readonly result: "settle" }
  | { readonly result: "regroup"; readonly group: string };

/** Reads the refusals that every operation on a room may answer, and `read`s the rest. */
export function readOutcome<T>(reply: Reply, read: (reply: Reply) => T): ScriptOutcome<T> {
  const result = reply.text(0);
  if (result === "regroup") return { result, group: reply.text(1) };
  if (result === "recover" || result === "settle") return { result };
  if (result === "recovering") return { result, remainingMs: reply.number(1) };
  return { result: "ok", value: read(reply) };
}

/** The times by which an admission is judged. */
export interface AdmissionTimes {
  readonly nowMs: number;
  readonly flowMs: number;
  readonly idleEndedMs: number;
}

/** Up to here the clocks agree, and what was told stays the same. */
const agreeMs = 1_000;

interface StoredAdmission extends Omit<Admission, "ended" | "logins"> {
  ended?: AdmissionEnd;
  // Lua cannot tell an empty list from an empty object.
  logins: string[] | Record<string, never>;
}

/** A record as it was stored; one past its end, or of an idle phase that is over, is reported as `expired`. */
export function readAdmission(json: string, { nowMs, flowMs, idleEndedMs }: AdmissionTimes): Admission {
  const stored = JSON.parse(json) as StoredAdmission;
  const { sub, edition, position, entry, usedPosition, via, admittedMs, expiresFlowMs } = stored;
  const wallMs = nowMs + (expiresFlowMs - flowMs);
  const isAsTold = typeof stored.ended === "string" || Math.abs(wallMs - stored.expiresMs) <= agreeMs;
  const expiresMs = isAsTold ? stored.expiresMs : wallMs;
  const hasLapsed = expiresFlowMs <= flowMs || (via === "idle" && admittedMs <= idleEndedMs);
  const ended = stored.ended ?? (hasLapsed ? "expired" : null);
  const logins = Array.isArray(stored.logins) ? stored.logins : [];
  const { taken, addresses } = stored;
  const uses = { logins, ...(taken && { taken }), ...(addresses && { addresses }) };
  const place = { position, ...(entry && { entry }) };
  return { sub, edition, ...place, usedPosition, via, admittedMs, expiresMs, expiresFlowMs, ended, ...uses };
}

/** Of each moved place number and holder, by turns. */
export function readMoves(reply: Reply): MovedPlace[] {
  const texts = reply.texts();
  return Array.from({ length: texts.length / 2 }, (_, index) => {
    const [movedMs = "", sub = ""] = (texts[2 * index + 1] ?? "").split(":");
    return { number: Number(texts[2 * index]), sub, movedMs: Number(movedMs) };
  });
}

/** Of each id and whether it comes again, by turns. */
export function readEndedLogins(reply: Reply): EndedLogin[] {
  const texts = reply.texts();
  return Array.from({ length: texts.length / 2 }, (_, index) => ({
    id: texts[2 * index] ?? "",
    isLast: texts[2 * index + 1] === "0",
  }));
}

export function readState(room: string, reply: Reply): RoomState {
  const texts = reply.texts();
  const fields = new Map<string, string>();
  for (let i = 0; i + 1 < texts.length; i += 2) fields.set(texts[i] ?? "", texts[i + 1] ?? "");
  const text = (name: string) => fields.get(name) ?? "";
  const number = (name: string) => Number(text(name));
  const serving = number("serving");
  return {
    room,
    incarnation: text("incarnation"),
    incarnationStartedMs: number("incarnation_started_ms"),
    edition: number("edition"),
    phase: text("phase") as Phase,
    phaseReason: text("phase_reason") === "" ? null : (text("phase_reason") as PhaseReason),
    basePhase: text("base_phase") as BasePhase,
    holds: readTexts(text("holds")) as HoldReason[],
    scheduleMarkMs: number("schedule_mark_ms"),
    idleEndedMs: number("idle_ended_ms"),
    version: number("version"),
    settings: {
      effective: JSON.parse(text("effective")) as RoomSettings,
      file: JSON.parse(text("file")) as RoomSettings,
      live: JSON.parse(text("live_changes")) as RoomSettingsPatch,
    },
    draws: readDraws(text("draws")),
    queued: number("queued"),
    serving,
    gaps: readGaps(text("gaps")).filter((gap) => gap.to > serving),
    expiredThrough: number("expired_through"),
    liveAdmissions: number("live_admissions"),
    liveLapses: readPairs(text("live_lapses")).map(([untilMs, count]) => ({ untilMs, count })),
    pending: number("pending"),
    readyToEnter: number("at_door"),
    enteringShare: number("entering_share"),
    absent: number("absent"),
    counts: readCounts(number),
    progress: {
      spanMs: number("progress_span_ms"),
      served: number("progress_served"),
      entered: number("progress_entered"),
      endedEarly: number("progress_ended_early"),
    },
    outflowPerMinute: number("outflow_per_minute"),
    ...readAdaptive(text),
    planLimitPerMinute: text("plan_limit_per_minute") === "" ? null : number("plan_limit_per_minute"),
    limitChangedMs: number("limit_changed_ms"),
    joinsPerSecondPeak: number("joins_per_second_peak"),
    healthReportedMs: number("health_reported_ms"),
    flowMs: number("flow_ms"),
    claimMs: number("claim_ms"),
    nowMs: number("at_ms"),
    holdRemainingMs: number("hold_remaining_ms"),
    log: {
      last: number("log_last"),
      sealed: { seq: number("log_sealed_seq"), hash: text("log_sealed_hash") },
    },
  };
}

/** Nothing of another inlet. */
function readAdaptive(text: (name: string) => string): Pick<RoomState, "adaptive"> {
  if (text("rate_per_minute") === "") return {};
  const optional = (name: string) => (text(name) === "" ? null : Number(text(name)));
  return {
    adaptive: {
      ratePerMinute: Number(text("rate_per_minute")),
      targetMs: optional("target_ms"),
      latencyMs: optional("load_latency_ms"),
      baselineMs: optional("load_baseline_ms"),
      errorRate: optional("load_error_rate"),
      decision: text("load_decision") as AdaptiveDecision,
      reason: text("load_reason") as AdaptiveReason,
      decidedMs: Number(text("load_decided_ms")),
      probedMs: Number(text("load_probed_ms")),
    },
  };
}

function readCounts(number: (name: string) => number): RoomCounts {
  return {
    joined: number("count_joined"),
    entered: number("count_entered"),
    passed: number("count_passed"),
    bypassed: number("count_bypassed"),
    completed: number("count_completed"),
    abandoned: number("count_abandoned"),
    loggedOut: number("count_logged_out"),
    revoked: number("count_revoked"),
    expired: number("count_expired"),
    noShows: number("count_no_shows"),
    left: number("count_left"),
  };
}

interface StoredDraw extends Omit<Draw, "gaps" | "beacon" | "chain"> {
  // Lua cannot tell an empty list from an empty object.
  gaps: [number, number][] | Record<string, never>;
  chain?: DrawChain;
  beacon?: BeaconValue;
  atFlowMs: number;
}

function readDraws(json: string): Draw[] {
  if (json === "") return [];
  return (JSON.parse(json) as StoredDraw[]).map(({ atFlowMs: _, gaps, chain = null, beacon = null, ...draw }) => {
    const told = Array.isArray(gaps) ? gaps.map(([from, to]) => ({ from, to })) : [];
    return { ...draw, gaps: told, chain, beacon };
  });
}

function readTexts(list: string): string[] {
  return list.split(",").filter((text) => text !== "");
}

function readPairs(list: string): [number, number][] {
  return readTexts(list).map((pair) => {
    const [first, second] = pair.split(":").map(Number);
    return [first ?? 0, second ?? 0];
  });
}

function readGaps(list: string): Gap[] {
  return readPairs(list).map(([from, to]) => ({ from, to }));
}
