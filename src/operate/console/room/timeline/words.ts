import type { Speech, TextKey } from "../../texts/texts.ts";
import { actInWords, changesInWords } from "./changes.ts";
import type { Entry, RoomEvent } from "./entries.ts";

export interface EntryWords {
  /** Who did it: a person, a key, or Usher itself. */
  readonly who: string;
  readonly what: string;
  /** What it changed. */
  readonly detail: string;
  /** Why it was refused; null where it was not. */
  readonly refusal: string | null;
}

export function entryInWords(entry: Entry, speech: Speech): EntryWords {
  if (entry.kind === "event") return { who: "Usher", ...eventInWords(entry.event, speech), refusal: null };
  const { row } = entry;
  return {
    who: row.principal?.name ?? row.principal?.id ?? speech.text("timeline.stranger"),
    what: actInWords(row, speech),
    detail: changesInWords(row.changes, speech),
    refusal: row.error === null ? null : refusalInWords(row.error, speech),
  };
}

/** What was asked about before it is done was not refused. */
const questions: Readonly<Record<string, TextKey>> = {
  confirmation_required: "timeline.asked",
  approval_required: "timeline.asked_second",
};

function refusalInWords(code: string, speech: Speech): string {
  const key = questions[code];
  return key === undefined ? speech.text("timeline.refused", { code }) : speech.text(key);
}

const simple: Readonly<Record<string, TextKey>> = {
  "usher.room.edition_began": "done.reset",
  "usher.room.sold_out": "event.sold_out",
  "usher.room.sold_out_ended": "event.sold_out_ended",
  "usher.room.full": "event.full",
  "usher.room.full_ended": "event.full_ended",
  "usher.room.joins_refused_ended": "event.joins_refused_ended",
};

const phases: Readonly<Record<string, TextKey>> = {
  idle: "phase.idle",
  prequeue: "phase.prequeue",
  open: "phase.open",
  paused: "phase.paused",
  ended: "phase.ended",
  passthrough: "phase.passthrough",
};

const reasons: Readonly<Record<string, TextKey>> = {
  sold_out: "reason.sold_out",
  operator: "reason.operator",
  alarm: "reason.alarm",
  unhealthy: "reason.unhealthy",
  recovered: "reason.recovered",
  signal: "event.reason.signal",
};

const stages: Readonly<Record<string, TextKey>> = {
  committed: "event.draw.committed",
  closing: "event.draw.closing",
  closed: "event.draw.closed",
  drawn: "event.draw.drawn",
  cancelled: "event.draw.cancelled",
};

/** Why a line is held; a reason of a later build by itself. */
export function reasonInWords(reason: unknown, speech: Speech): string {
  return named(reasons, reason, speech);
}

function named(table: Readonly<Record<string, TextKey>>, value: unknown, speech: Speech): string {
  const key = table[String(value)];
  return key === undefined ? String(value) : speech.text(key);
}

/** What happened; an event of a later build by its type. */
function eventInWords({ type, data }: RoomEvent, speech: Speech): Pick<EntryWords, "what" | "detail"> {
  const key = simple[type];
  if (key !== undefined) return { what: speech.text(key), detail: "" };
  switch (type) {
    case "usher.room.phase_changed": {
      const phase = named(phases, data.phase, speech);
      return { what: data.reason === null ? phase : `${phase}, ${reasonInWords(data.reason, speech)}`, detail: "" };
    }
    case "usher.room.hold_began":
      return { what: speech.text("event.hold_began", { why: reasonInWords(data.hold, speech) }), detail: "" };
    case "usher.room.hold_ended":
      return { what: speech.text("event.hold_ended", { why: reasonInWords(data.hold, speech) }), detail: "" };
    case "usher.room.settings_changed":
      return { what: speech.text("timeline.settings"), detail: changesInWords(changesOf(data.changes), speech) };
    case "usher.room.joins_refused": {
      const { rate = 0, entries = 0, network = 0 } = (data.refused ?? {}) as Readonly<Record<string, number>>;
      return {
        what: speech.text("event.joins_refused", { count: speech.number(rate + entries + network) }),
        detail: "",
      };
    }
    case "usher.room.draw_changed":
      return { what: named(stages, data.stage, speech), detail: "" };
    case "usher.room.recovered":
      return { what: speech.text("event.recovered"), detail: "" };
    default:
      return { what: type, detail: "" };
  }
}

/** By path, as events tell them. */
function changesOf(changes: unknown) {
  return Object.entries(changes ?? {}).map(
    ([member, change]: [string, { before?: unknown; after?: unknown } | null]) => ({
      member,
      from: change?.before,
      to: change?.after,
    }),
  );
}
