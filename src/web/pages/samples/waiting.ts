import { paceJson, type RoomMessage, waitAtPace } from "../../../room/index.ts";
import type { DrawJson, PollGuidance, RoomStatus } from "../../../room/public-status/status.ts";
import { revisionOf, statusMessage } from "../render/status-json.ts";
import type { VisitorFigures, WaitingState, WaitingView } from "../types.ts";
import { sampleEntries } from "./draws.ts";
import {
  isoTime,
  type SampleRoom,
  sampleOnward,
  sampleStatus,
  soldOutWords,
  usualPace,
  usualServing,
  type WaitingSample,
} from "./sample.ts";

/** What a sample has otherwise than a visitor in the middle of a line that moves. The rest follows from that. */
interface Variant extends Partial<Omit<WaitingView, "state" | "room">> {
  readonly id: string;
  readonly title: string;
  readonly roomTitle?: string;
  readonly position?: number;
  readonly entry?: number;
  /** Where others are ready to enter before the visitor. */
  readonly ahead?: number;
  readonly status?: Partial<RoomStatus>;
  readonly becomes?: string;
}

const usualPosition = 5_000;
/** At the top of what one number can be. */
const longTitle = "Weltmeisterschaftsqualifikationsspiel – Karten für Mitglieder";
/** For pages that wait for the status to be what they are. */
const atOnce: PollGuidance = { floor_ms: 300, ceiling_ms: 300, divisor: 10, spread_ms: 10_000 };
const dayMs = 86_400_000;

export function waitingSamples(nowMs: number, room: SampleRoom): WaitingSample[] {
  return Object.entries(variants(nowMs, `/rooms/${room.id}`)).flatMap(([state, ofState]) =>
    ofState.map((variant) => toSample(state as WaitingState, variant, nowMs, room)),
  );
}

function toSample(state: WaitingState, variant: Variant, nowMs: number, room: SampleRoom): WaitingSample {
  const {
    id,
    title,
    becomes,
    position = usualPosition,
    entry = null,
    roomTitle,
    status,
    ahead: behind,
    ...overrides
  } = variant;
  const path = `/rooms/${room.id}`;
  const reading = room.whileWaiting ?? (id === "waiting_reading" ? somethingToRead : null);
  const hasStatus = overrides.serving !== null;
  const view: WaitingView = {
    state,
    room: { id: room.id, title: roomTitle ?? room.title },
    pausedReason: null,
    serving: state === "held" ? position : state === "entered" || state === "drawing" ? 0 : usualServing,
    message: room.message,
    updatedAtMs: hasStatus ? nowMs : null,
    poll: becomes === undefined ? room.poll : atOnce,
    pace: hasStatus ? usualPace : null,
    opensAtMs: null,
    timeZone: room.timeZone,
    heldBy: state === "held" ? "limit" : null,
    isBehind: behind !== undefined,
    draw: null,
    ...(overrides.draw === "undrawn" &&
      hasStatus && { drawToCome: drawToCome(state, overrides.opensAtMs ?? null, nowMs) }),
    drawUrl: `${path}/draw`,
    statusUrl: `${path}/status`,
    leaveUrl: `${path}/leave`,
    claimUrl: `${path}/tickets/me/claim`,
    ...(hasStatus && { claimWithinMs: room.claimWithinMs }),
    ...(reading !== null && { whileWaiting: offerOf(reading, path) }),
    ...overrides,
  };
  const isUndrawn = view.draw === "undrawn" && hasStatus;
  const ahead = isUndrawn ? 0 : (behind ?? Math.max(0, position - (view.serving ?? 0) - 1));
  const hasEstimate = state === "waiting" || state === "recovering";
  const wait = hasEstimate && view.pace !== null ? waitAtPace(view.pace, ahead) : null;
  const visitor: VisitorFigures = {
    position,
    entry: isUndrawn ? position : entry,
    entries: entry === null ? null : sampleEntries,
    ahead,
    estimate: wait && { lowSec: wait.low, highSec: wait.high },
    retryMs: state === "held" ? 60_000 : null,
    edition: 1,
  };
  return { id, title, kind: "waiting", view, visitor, status: { ...statusOf(view, nowMs, room), ...status }, becomes };
}

/** What the public status says while a page stands. */
function statusOf(view: WaitingView, nowMs: number, room: SampleRoom) {
  const { state, draw, serving } = view;
  return sampleStatus(room, nowMs, {
    title: view.room.title,
    phase: state === "entered" ? "prequeue" : state === "paused" || state === "sold_out" ? "paused" : "open",
    phase_reason: state === "sold_out" ? state : view.pausedReason,
    stock: view.stock ?? null,
    availability: state === "store_away" ? "away" : state === "recovering" ? "recovering" : "ready",
    serving: serving ?? usualServing,
    pace: paceJson(view.pace ?? usualPace),
    draw: draw === null || serving === null ? null : (view.drawToCome ?? drawn),
    held_until: state === "recovering" ? isoTime(nowMs + 40_000) : null,
    opens_at: isoTime(view.opensAtMs),
    ...statusMessage(view.message),
    updated_at: new Date(view.updatedAtMs ?? nowMs).toISOString(),
  });
}

const drawn: DrawJson = { id: 1, stage: "drawn", entries: sampleEntries, voids: 0, due_at: null };

/** It is held eight seconds after the opening. */
function drawToCome(state: WaitingState, opensAtMs: number | null, nowMs: number): DrawJson {
  const isClosing = state === "drawing";
  const dueMs = isClosing ? nowMs + 8_000 : opensAtMs && opensAtMs + 8_000;
  return {
    id: 1,
    stage: isClosing ? "closing" : "committed",
    entries: sampleEntries,
    voids: 0,
    due_at: isoTime(dueMs),
  };
}

/** @param path of the room */
function variants(nowMs: number, path: string): Record<WaitingState, readonly Variant[]> {
  const opensAtMs = nowMs + 3 * dayMs + 3_600_000;
  return {
    waiting,
    entered: [
      { id: "entered", title: "Before the doors open", opensAtMs },
      { id: "entered_soon", title: "Minutes before the doors open", opensAtMs: nowMs + 270_000 },
      { id: "entered_unset", title: "Before the doors open, no time set" },
      { id: "entered_draw", title: "Before the doors open and places are drawn", opensAtMs, draw: "undrawn" },
    ],
    drawing: [{ id: "drawing", title: "The doors are open, and places are being drawn", draw: "undrawn" }],
    held: [
      { id: "held", title: "Ready to enter, one moment" },
      { id: "held_full", title: "Ready to enter, the site is full", heldBy: "capacity" },
      { id: "held_behind", title: "Ready to enter, behind others", ahead: 12 },
    ],
    paused: [
      paused("operator", "Paused by the organiser"),
      paused("alarm", "Paused by an alarm"),
      paused("unhealthy", "Paused, the site does not answer"),
      paused("recovered", "Paused after a loss"),
      paused("own_words", "Paused, for another reason", "The stage is being rebuilt until about 14:00."),
      { id: "paused_unset", title: "Paused, no reason given" },
      { id: "paused_draw", title: "Paused before the draw", pausedReason: "operator", draw: "undrawn", serving: 0 },
    ],
    sold_out: [
      { id: "sold_out_returns", title: "Sold out, something may be returned" },
      {
        id: "sold_out_words",
        title: "Sold out, with the organiser's words",
        message: soldOutWords,
      },
      {
        id: "sold_out_next",
        title: "Sold out for now, with what comes next",
        onward: sampleOnward(nowMs, path),
      },
      { id: "sold_out_draw", title: "Sold out before the draw", draw: "undrawn", serving: 0 },
    ],
    store_away: [
      { id: "store_away", title: "The store is away", updatedAtMs: nowMs - 45_000 },
      { id: "store_away_unknown", title: "The store is away, nothing is known", serving: null },
      {
        id: "store_away_entry",
        title: "The store is away, and the number may be that of an entry",
        serving: null,
        draw: "undrawn",
      },
    ],
    recovering: [{ id: "recovering", title: "After a loss in the store", recoveryLeftMs: 40_000 }],
  };
}

const somethingToRead = [
  { language: null, text: "## On stage tonight\n\n- **The Gulls**, at eight\n- Slow Harbour, at nine" },
];

function offerOf(words: NonNullable<SampleRoom["whileWaiting"]>, path: string): WaitingView["whileWaiting"] {
  return { words, revisions: { room: revisionOf(words), theme: "" }, url: `${path}/while-waiting` };
}

const waiting: readonly Variant[] = [
  { id: "waiting", title: "In line" },
  { id: "waiting_rehearsal", title: "In line, at a rehearsal", isRehearsal: true },
  { id: "waiting_drawn", title: "In line, at a place that was drawn", draw: "drawn", entry: 31_415 },
  { id: "waiting_one_ahead", title: "In line, one person ahead", serving: usualPosition - 2 },
  { id: "waiting_next", title: "Next in line", serving: usualPosition - 1 },
  paced("hours", "In line for hours", { placesPerMinute: 2 }),
  paced("days", "In line for more than a day", { placesPerMinute: 0.2 }),
  paced("no_estimate", "In line, too early to estimate", { placesPerMinute: null }),
  paced("slower", "In line that moves more slowly than planned", { placesPerMinute: 60, spread: 0.35, note: "slower" }),
  paced("new_pace", "In line whose pace was just changed", { note: "limit_changed" }),
  {
    id: "waiting_long",
    title: "Eight digits and a long title",
    roomTitle: longTitle,
    position: 12_345_678,
    hasPush: true,
  },
  {
    id: "waiting_right_to_left",
    title: "A title from right to left",
    roomTitle: "تذاكر جولة الخريف 2030 (extra)",
  },
  message("information", "Doors open at 20:00.\nThere are still tickets in all categories."),
  message("warning", "Payment is down. We go on at about 11:30."),
  {
    id: "waiting_stock",
    title: "In line, with the number that is left",
    stock: { remaining: 9_120, enough_for: 4_560 },
  },
  { id: "waiting_reading", title: "In line, with something to read below" },
  { id: "waiting_short", title: "In line, and it may not last", stock: { remaining: 120, enough_for: 60 } },
  { id: "waiting_warned", title: "In line, warned without a number", stock: { remaining: null, enough_for: 60 } },
  {
    id: "message_long",
    title: "The organiser's words at their longest",
    message: words(`${"Doors open at 20:00, and there is more to say. ".repeat(10)}That was all for now.`, "warning"),
  },
  // What follows is made by the page's own script, of what the public status says.
  becoming("turn", "turn", "It is your turn", { serving: usualPosition }),
  becoming("closing", "idle", "Not open any more, before the next page", { phase: "idle" }),
  becoming("ending", "ended", "Closed, before the next page", { phase: "ended" }),
];

function paused(name: string, title: string, pausedReason = name): Variant {
  return { id: `paused_${name}`, title, pausedReason };
}

function paced(name: string, title: string, pace: Partial<NonNullable<WaitingView["pace"]>>): Variant {
  return { id: `waiting_${name}`, title, pace: { ...usualPace, ...pace } };
}

function message(severity: RoomMessage["severity"], text: string): Variant {
  const title = `The organiser's words: ${severity.replace("_", " ")}`;
  return { id: `message_${severity}`, title, message: words(text, severity) };
}

/** In one language for all. */
function words(text: string, severity: RoomMessage["severity"]): RoomMessage {
  return { severity, texts: [{ language: null, text }] };
}

function becoming(id: string, state: string, title: string, status: Partial<RoomStatus>): Variant {
  return { id, title, status, becomes: `main[data-state="${state}"]` };
}
