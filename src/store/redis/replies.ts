import type {
  Admission,
  AdmissionEnd,
  Gap,
  Outcome,
  Phase,
  RoomSettings,
  RoomSettingsPatch,
  RoomState,
} from "../room-store.ts";

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

/** Reads the refusals that every operation on a room may answer, and `read`s the rest. */
export function readOutcome<T>(reply: Reply, read: (reply: Reply) => T): Outcome<T> {
  const result = reply.text(0);
  if (result === "recover") return { result };
  if (result === "recovering") return { result, remainingMs: reply.number(1) };
  return { result: "ok", value: read(reply) };
}

interface StoredAdmission extends Omit<Admission, "ended" | "logins"> {
  ended?: AdmissionEnd;
  // Lua cannot tell an empty list from an empty object.
  logins: string[] | Record<string, never>;
}

/** A record as it was stored; one past its end is reported as `expired`. */
export function readAdmission(json: string, nowMs: number): Admission {
  const stored = JSON.parse(json) as StoredAdmission;
  const { sub, edition, position, admittedMs, expiresMs } = stored;
  const ended = stored.ended ?? (expiresMs <= nowMs ? "expired" : null);
  const logins = Array.isArray(stored.logins) ? stored.logins : [];
  return { sub, edition, position, admittedMs, expiresMs, ended, logins };
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
    life: text("life"),
    lifeStartedMs: number("life_started_ms"),
    edition: number("edition"),
    phase: text("phase") as Phase,
    phaseReason: text("phase_reason") === "" ? null : (text("phase_reason") as "operator" | "recovered"),
    version: number("version"),
    settings: {
      effective: JSON.parse(text("effective")) as RoomSettings,
      file: JSON.parse(text("file")) as RoomSettings,
      live: JSON.parse(text("live")) as RoomSettingsPatch,
    },
    queued: number("queued"),
    serving,
    gaps: readGaps(text("gaps")).filter((gap) => gap.to > serving),
    expiredThrough: number("expired_through"),
    liveAdmissions: number("live_admissions"),
    outflowPerMinute: number("outflow_per_minute"),
    joinsPerSecondPeak: number("joins_per_second_peak"),
    flowMs: number("flow_ms"),
    claimMs: number("claim_ms"),
    nowMs: number("now_ms"),
    holdRemainingMs: number("hold_remaining_ms"),
  };
}

function readGaps(text: string): Gap[] {
  return text
    .split(",")
    .filter((gap) => gap !== "")
    .map((gap) => {
      const [from, to] = gap.split(":").map(Number);
      return { from: from ?? 0, to: to ?? 0 };
    });
}
