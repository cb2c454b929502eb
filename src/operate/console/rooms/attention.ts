import type { History, LiveRoom, Point } from "../frame/live.ts";
import type { Localized, Values } from "../frame/speech.ts";
import { texts } from "./texts.ts";

/** What a person should know of a room: `act` cannot wait. */
export interface Attention {
  readonly level: "act" | "look";
  readonly text: Localized;
  readonly values?: Values;
  /** Put into `values` as `time`. */
  readonly atMs?: number;
}

/** A line that is shorter than so long ago does not grow, whatever the forecast's three minutes say. */
const growthMs = 60_000;

/** @param past recent numbers of waiting visitors, the latest last; without them the forecast alone counts */
export function attentionOf({ availability, figures, approvals }: LiveRoom, past: readonly Point[] = []): Attention[] {
  const found: Attention[] = [];
  if (availability === "away") found.push({ level: "act", text: texts.attention.away });
  if (availability === "recovering") found.push({ level: "act", text: texts.attention.recovering });
  if (figures === null) {
    if (found.length === 0) found.push({ level: "look", text: texts.attention.unknown });
    return found;
  }
  const { phase, phase_reason: reason, held_until, line_ends_at: ends, waiting, warnings } = figures;
  if (phase === "paused" && reason !== null) {
    found.push({
      level: reason === "operator" || reason === "sold_out" ? "look" : "act",
      text: texts.attention.paused[reason],
    });
  }
  if (held_until !== null) found.push({ level: "look", text: texts.attention.held, atMs: Date.parse(held_until) });
  if (phase === "open" && waiting > 0 && ends !== null && ends.low === null && !isShorter(waiting, past)) {
    found.push({ level: "look", text: texts.attention.never });
  }
  for (const step of approvals) found.push({ level: "act", text: texts.attention.approval[step] });
  for (const text of warnings) found.push({ level: "look", text: texts.attention.warning, values: { text } });
  return found;
}

function isShorter(waiting: number, past: readonly Point[]): boolean {
  const last = past[past.length - 1];
  if (last === undefined) return false;
  const before = past.filter(({ atMs }) => atMs <= last.atMs - growthMs).pop();
  return before !== undefined && waiting < before.waiting;
}

const phases = ["open", "paused", "prequeue", "idle", "passthrough", "ended"];

/** What needs a person comes first, then what goes on now. */
export function inOrder(rooms: readonly LiveRoom[], { of }: Pick<History, "of">): LiveRoom[] {
  const urgency = (room: LiveRoom) => {
    const found = attentionOf(room, of(room.room));
    return found.some(({ level }) => level === "act") ? 0 : found.length > 0 ? 1 : 2;
  };
  const phaseOf = ({ figures }: LiveRoom) => phases.indexOf(figures?.phase ?? "ended");
  return [...rooms].sort(
    (a, b) =>
      urgency(a) - urgency(b) || phaseOf(a) - phaseOf(b) || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0),
  );
}
