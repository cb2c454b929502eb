import { type RoomMessage, waitAtPace } from "../../room/index.ts";
import type { PollGuidance, WaitingState, WaitingView } from "../types.ts";
import type { SampleRoom } from "./room.ts";
import type { SampleStatus, WaitingSample } from "./sample.ts";
import { usualPace } from "./status.ts";

type Severity = RoomMessage["severity"];

/** What a sample has otherwise than a visitor in the middle of a line that moves. The rest follows from that. */
interface Variant {
  readonly id: string;
  readonly title: string;
  readonly view?: Partial<WaitingView>;
  readonly position?: number;
  readonly entry?: number;
  /** Where others are ready to enter before the visitor. */
  readonly ahead?: number;
  readonly status?: Partial<SampleStatus>;
  readonly becomes?: string;
}

const position = 5_000;
const serving = 4_588;
/** At the top of what one number can be. */
const longTitle = "Weltmeisterschaftsqualifikationsspiel – Karten für Mitglieder";
const dayMs = 86_400_000;

export function waitingSamples(nowMs: number, room: SampleRoom): WaitingSample[] {
  return Object.entries(variants(nowMs)).flatMap(([state, ofState]) =>
    ofState.map((variant) => toSample(state as WaitingState, variant, nowMs, room)),
  );
}

function toSample(state: WaitingState, variant: Variant, nowMs: number, room: SampleRoom): WaitingSample {
  const { id, title, becomes, ...own } = variant;
  const path = `/rooms/${room.id}`;
  const view: WaitingView = {
    state,
    pausedReason: null,
    serving: state === "held" ? position : state === "entered" || state === "drawing" ? 0 : serving,
    message: room.message,
    updatedAtMs: nowMs,
    poll: becomes === undefined ? room.poll : atOnce,
    pace: usualPace,
    opensAtMs: null,
    timeZone: room.timeZone,
    heldBy: state === "held" ? "limit" : null,
    isBehind: own.ahead !== undefined,
    draw: null,
    drawUrl: `${path}/draw`,
    statusUrl: `${path}/status`,
    leaveUrl: `${path}/leave`,
    claimUrl: `${path}/tickets/me/claim`,
    // A process that knows the visitor's ticket and nothing of the line.
    ...(own.view?.serving === null ? { updatedAtMs: null, pace: null } : { claimWithinMs: room.claimWithinMs }),
    ...own.view,
    room: { title: room.title, ...own.view?.room, id: room.id },
  };
  const place = own.position ?? position;
  const isUndrawn = view.draw === "undrawn" && view.serving !== null;
  const ahead = isUndrawn ? 0 : (own.ahead ?? Math.max(0, place - (view.serving ?? 0) - 1));
  const hasEstimate = ["waiting", "store_away", "recovering"].includes(state) && view.pace !== null;
  const wait = hasEstimate ? waitAtPace(view.pace ?? usualPace, ahead) : null;
  const visitor = {
    position: place,
    entry: isUndrawn ? place : (own.entry ?? null),
    ahead,
    estimate: wait && { lowSec: wait.low, highSec: wait.high },
    retryMs: state === "held" ? 60_000 : null,
    edition: 1,
  };
  return { id, title, kind: "waiting", view, visitor, status: statusOf(view, own), ...(becomes && { becomes }) };
}

/** What the public status says while a page stands. */
function statusOf({ state, draw, serving: shown }: WaitingView, { status }: Pick<Variant, "status">): SampleStatus {
  const drawStage = draw === "drawn" ? "drawn" : state === "drawing" ? "closing" : "committed";
  return {
    phase: state === "entered" ? "prequeue" : state === "paused" ? "paused" : "open",
    availability: state === "store_away" ? "away" : state === "recovering" ? "recovering" : "ready",
    serving: shown ?? serving,
    heldForMs: state === "recovering" ? 40_000 : null,
    ...(draw !== null && shown !== null && { drawStage }),
    ...status,
  };
}

/** For pages that wait for the status to be what they are. */
const atOnce: PollGuidance = { floor_ms: 300, ceiling_ms: 300, divisor: 10 };

function variants(nowMs: number): Record<WaitingState, readonly Variant[]> {
  const inDays = { opensAtMs: nowMs + 3 * dayMs + 3_600_000 };
  const aMinuteAgo = { updatedAtMs: nowMs - 45_000 };
  return {
    waiting,
    entered: [
      { id: "entered", title: "Before the doors open", view: inDays },
      { id: "entered_soon", title: "Minutes before the doors open", view: { opensAtMs: nowMs + 270_000 } },
      { id: "entered_unset", title: "Before the doors open, no time set" },
      {
        id: "entered_draw",
        title: "Before the doors open and places are drawn",
        view: { ...inDays, draw: "undrawn" },
      },
    ],
    drawing: [{ id: "drawing", title: "The doors are open, and places are being drawn", view: { draw: "undrawn" } }],
    held: [
      { id: "held", title: "Ready to enter, one moment" },
      { id: "held_full", title: "Ready to enter, the site is full", view: { heldBy: "capacity" } },
      { id: "held_behind", title: "Ready to enter, behind others", ahead: 12 },
    ],
    paused: [
      paused("operator", "Paused by the organiser"),
      paused("alarm", "Paused by an alarm"),
      paused("unhealthy", "Paused, the site does not answer"),
      paused("recovered", "Paused after a loss"),
      paused("own_words", "Paused, for another reason", "The stage is being rebuilt until about 14:00."),
      { id: "paused_unset", title: "Paused, no reason given" },
      {
        id: "paused_draw",
        title: "Paused before the draw",
        view: { pausedReason: "operator", draw: "undrawn", serving: 0 },
      },
    ],
    store_away: [
      { id: "store_away", title: "The store is away", view: aMinuteAgo },
      { id: "store_away_unknown", title: "The store is away, nothing is known", view: { serving: null } },
      {
        id: "store_away_entry",
        title: "The store is away, and the number may be that of an entry",
        view: { serving: null, draw: "undrawn" },
      },
    ],
    recovering: [{ id: "recovering", title: "After a loss in the store" }],
  };
}

const waiting: readonly Variant[] = [
  { id: "waiting", title: "In line" },
  { id: "waiting_drawn", title: "In line, at a place that was drawn", view: { draw: "drawn" }, entry: 31_415 },
  { id: "waiting_one_ahead", title: "In line, one person ahead", view: { serving: position - 2 } },
  { id: "waiting_next", title: "Next in line", view: { serving: position - 1 } },
  paced("hours", "In line for hours", { placesPerMinute: 2 }),
  paced("days", "In line for more than a day", { placesPerMinute: 0.2 }),
  paced("no_estimate", "In line, too early to estimate", { placesPerMinute: null }),
  paced("slower", "In line that moves more slowly than planned", { placesPerMinute: 60, spread: 0.35, note: "slower" }),
  paced("new_pace", "In line whose pace was just changed", { note: "limit_changed" }),
  { id: "waiting_long", title: "Eight digits and a long title", ...titled(longTitle), position: 12_345_678 },
  {
    id: "waiting_right_to_left",
    title: "A title from right to left",
    ...titled("تذاكر جولة الخريف 2030 (extra)"),
  },
  message("information", "Doors open at 20:00.\nThere are still tickets in all categories."),
  message("warning", "Payment is down. We go on at about 11:30."),
  message("sold_out", "That was the last ticket. Thank you for waiting."),
  {
    id: "message_long",
    title: "The organiser's words at their longest",
    view: {
      message: words(`${"Doors open at 20:00, and there is more to say. ".repeat(10)}That was all for now.`, "warning"),
    },
  },
  // What follows is made by the page's own script, of what the public status says.
  becoming("turn", "turn", "It is your turn", { serving: position }),
  becoming("closing", "idle", "Not open any more, before the next page", { phase: "idle" }),
  becoming("ending", "ended", "Closed, before the next page", { phase: "ended" }),
];

function paused(name: string, title: string, pausedReason = name): Variant {
  return { id: `paused_${name}`, title, view: { pausedReason } };
}

function paced(name: string, title: string, pace: Partial<typeof usualPace>): Variant {
  return { id: `waiting_${name}`, title, view: { pace: { ...usualPace, ...pace } } };
}

function titled(title: string): Pick<Variant, "view"> {
  return { view: { room: { id: "", title } } };
}

function message(severity: Severity, text: string): Variant {
  const title = `The organiser's words: ${severity.replace("_", " ")}`;
  return { id: `message_${severity}`, title, view: { message: words(text, severity) } };
}

/** In one language for all. */
function words(text: string, severity: Severity): RoomMessage {
  return { severity, texts: [{ language: null, text }] };
}

function becoming(id: string, state: string, title: string, status: Partial<SampleStatus>): Variant {
  return { id, title, status, becomes: `main[data-state="${state}"]` };
}
