import type { Localized, Speech } from "../../frame/speech.ts";
import { texts as roomsTexts } from "../../rooms/texts.ts";
import { texts as roomTexts } from "../texts.ts";
import { actInWords, changesInWords } from "./changes.ts";
import type { Entry, RoomEvent } from "./entries.ts";
import { texts } from "./texts.ts";

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
    who: row.principal?.name ?? row.principal?.id ?? speech.text(texts.stranger),
    what: actInWords(row, speech),
    detail: isPlain(row.route) ? "" : changesInWords(row.changes, speech),
    refusal: row.error === null ? null : refusalInWords(row.error, speech),
  };
}

/** A step whose name says all that it changed. */
const isPlain = (route: string) =>
  /^\/rooms\/:room\/(pause|resume|open|prequeue|idle|end|passthrough|reset)$/.test(route);

/** What was asked about before it is done was not refused. */
const questions: Readonly<Record<string, Localized>> = {
  confirmation_required: texts.confirmationRequired,
  approval_required: texts.approvalRequired,
};

function refusalInWords(code: string, speech: Speech): string {
  const key = questions[code];
  return key === undefined ? speech.text(texts.refused, { code }) : speech.text(key);
}

const simple: Readonly<Record<string, Localized>> = {
  "usher.room.edition_began": roomTexts.done.reset,
  "usher.room.sold_out": texts.events.soldOut,
  "usher.room.sold_out_ended": texts.events.soldOutEnded,
  "usher.room.full": texts.events.full,
  "usher.room.full_ended": texts.events.fullEnded,
  "usher.room.joins_refused_ended": texts.events.joinsRefusedEnded,
};

const phases: Readonly<Record<string, Localized>> = {
  idle: roomsTexts.phases.idle,
  prequeue: roomsTexts.phases.prequeue,
  open: roomsTexts.phases.open,
  paused: roomsTexts.phases.paused,
  ended: roomsTexts.phases.ended,
  passthrough: roomsTexts.phases.passthrough,
};

const reasons: Readonly<Record<string, Localized>> = {
  sold_out: roomsTexts.reasons.sold_out,
  operator: roomsTexts.reasons.operator,
  alarm: roomsTexts.reasons.alarm,
  unhealthy: roomsTexts.reasons.unhealthy,
  recovered: roomsTexts.reasons.recovered,
  signal: texts.signal,
};

const stages: Readonly<Record<string, Localized>> = {
  committed: texts.drawStages.committed,
  closing: texts.drawStages.closing,
  closed: texts.drawStages.closed,
  drawn: texts.drawStages.drawn,
  cancelled: texts.drawStages.cancelled,
};

/** Why a line is held; a reason of a later build by itself. */
export function reasonInWords(reason: unknown, speech: Speech): string {
  return named(reasons, reason, speech);
}

function named(table: Readonly<Record<string, Localized>>, value: unknown, speech: Speech): string {
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
      return { what: speech.text(texts.events.holdBegan, { why: reasonInWords(data.hold, speech) }), detail: "" };
    case "usher.room.hold_ended":
      return { what: speech.text(texts.events.holdEnded, { why: reasonInWords(data.hold, speech) }), detail: "" };
    case "usher.room.settings_changed":
      return { what: speech.text(texts.settings), detail: changesInWords(changesOf(data.changes), speech) };
    case "usher.room.joins_refused": {
      const { rate = 0, entries = 0, network = 0 } = (data.refused ?? {}) as Readonly<Record<string, number>>;
      return {
        what: speech.text(texts.events.joinsRefused, { count: speech.number(rate + entries + network) }),
        detail: "",
      };
    }
    case "usher.room.draw_changed":
      return { what: named(stages, data.stage, speech), detail: "" };
    case "usher.room.recovered":
      return { what: speech.text(texts.events.recovered), detail: "" };
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
