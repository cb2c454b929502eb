import type { RoomMessage } from "../../room/index.ts";
import type { PollGuidance, VisitorFigures, WaitingState, WaitingView } from "../types.ts";
import type { SampleRoom } from "./room.ts";
import type { SampleStatus, WaitingSample } from "./sample.ts";
import { usualPace } from "./status.ts";

type Severity = RoomMessage["severity"];

/** What a sample has otherwise than a visitor in the middle of a line that moves. */
interface Variant {
  readonly id: string;
  readonly title: string;
  readonly view?: Partial<WaitingView>;
  readonly visitor?: Partial<VisitorFigures>;
  readonly status?: Partial<SampleStatus>;
  readonly becomes?: string;
}

const position = 5_000;
const serving = 4_588;
/** At the top of what one number can be. */
const longTitle = "Weltmeisterschaftsqualifikationsspiel – Karten für Mitglieder";

export function waitingSamples(nowMs: number, room: SampleRoom): WaitingSample[] {
  return Object.values(variants(nowMs)).flat().map(toSample);

  function toSample({ id, title, becomes, ...changes }: Variant): WaitingSample {
    const view: WaitingView = {
      room: { id: room.id, title: room.title },
      state: "waiting",
      pausedReason: null,
      serving,
      message: room.message,
      updatedAtMs: nowMs,
      poll: becomes === undefined ? room.poll : atOnce,
      pace: usualPace,
      opensAtMs: null,
      timeZone: room.timeZone,
      heldBy: null,
      isBehind: false,
      draw: null,
      drawUrl: `/rooms/${room.id}/draw`,
      statusUrl: `/rooms/${room.id}/status`,
      leaveUrl: `/rooms/${room.id}/leave`,
      claimUrl: `/rooms/${room.id}/tickets/me/claim`,
      ...(changes.view?.serving === null ? nothingKnown : { claimWithinMs: room.claimWithinMs }),
      ...changes.view,
      ...(changes.view?.room !== undefined && { room: { ...changes.view.room, id: room.id } }),
    };
    const estimate = { lowSec: 180, highSec: 300 };
    const visitor = {
      position,
      entry: null,
      ahead: position - serving - 1,
      estimate,
      retryMs: null,
      edition: 1,
      ...changes.visitor,
    };
    const status: SampleStatus = {
      phase: phases[view.state],
      availability: "ready",
      serving: view.serving ?? serving,
      heldForMs: null,
      ...changes.status,
    };
    return { id, title, kind: "waiting", view, visitor, status, ...(becomes !== undefined && { becomes }) };
  }
}

const phases: Record<WaitingState, SampleStatus["phase"]> = {
  entered: "prequeue",
  drawing: "open",
  waiting: "open",
  held: "open",
  paused: "paused",
  store_away: "open",
  recovering: "open",
};

/** Where a process knows the visitor's ticket and nothing of the line. */
const nothingKnown = { updatedAtMs: null, pace: null } as const;

/** For pages that wait for the status to be what they are. */
const atOnce: PollGuidance = { floor_ms: 300, ceiling_ms: 300, divisor: 10 };

const dayMs = 86_400_000;

function variants(nowMs: number): Record<WaitingState, readonly Variant[]> {
  return { waiting, ...withDoors(nowMs), ...atTheDoor, ...withTrouble(nowMs) };
}

const waiting: readonly Variant[] = [
  { id: "waiting", title: "In line" },
  {
    id: "waiting_drawn",
    title: "In line, at a place that was drawn",
    view: { draw: "drawn" },
    visitor: { entry: 31_415 },
    status: { drawStage: "drawn" },
  },
  { id: "waiting_one_ahead", title: "In line, one person ahead", ...near(1) },
  { id: "waiting_next", title: "Next in line", ...near(0) },
  { id: "waiting_hours", title: "In line for hours", ...paced(2, { lowSec: 11_000, highSec: 13_600 }) },
  { id: "waiting_days", title: "In line for more than a day", ...paced(0.2, { lowSec: 111_000, highSec: 136_000 }) },
  { id: "waiting_no_estimate", title: "In line, too early to estimate", ...paced(null, null) },
  {
    id: "waiting_slower",
    title: "In line that moves more slowly than planned",
    view: { pace: { ...usualPace, placesPerMinute: 60, spread: 0.35, note: "slower" } },
    visitor: { estimate: { lowSec: 240, highSec: 600 } },
  },
  {
    id: "waiting_new_pace",
    title: "In line whose pace was just changed",
    view: { pace: { ...usualPace, note: "limit_changed" } },
  },
  {
    id: "waiting_long",
    title: "Eight digits and a long title",
    view: { room: { id: "", title: longTitle } },
    visitor: { position: 12_345_678, ahead: 12_341_089, estimate: { lowSec: 86_400, highSec: 90_000 } },
  },
  {
    id: "waiting_right_to_left",
    title: "A title from right to left",
    view: { room: { id: "", title: "تذاكر جولة الخريف 2030 (extra)" } },
  },
  ...messages({
    information: "Doors open at 20:00.\nThere are still tickets in all categories.",
    warning: "Payment is down. We go on at about 11:30.",
    sold_out: "That was the last ticket. Thank you for waiting.",
  }),
  {
    id: "message_long",
    title: "The organiser's words at their longest",
    view: {
      message: words(`${"Doors open at 20:00, and there is more to say. ".repeat(10)}That was all for now.`, "warning"),
    },
  },
  // What follows is made by the page's own script, of what the public status says.
  {
    id: "turn",
    title: "It is your turn",
    status: { serving: position },
    becomes: 'main[data-state="turn"]',
  },
  {
    id: "closing",
    title: "Not open any more, before the next page",
    status: { phase: "idle" },
    becomes: 'main[data-state="idle"]',
  },
  {
    id: "ending",
    title: "Closed, before the next page",
    status: { phase: "ended" },
    becomes: 'main[data-state="ended"]',
  },
];

function withDoors(nowMs: number) {
  const status = { serving: 0 };
  const entered: readonly Variant[] = [
    {
      id: "entered",
      title: "Before the doors open",
      view: { state: "entered", serving: 0, opensAtMs: nowMs + 3 * dayMs + 3_600_000 },
      visitor: { ahead: position - 1 },
      status,
    },
    {
      id: "entered_soon",
      title: "Minutes before the doors open",
      view: { state: "entered", serving: 0, opensAtMs: nowMs + 270_000 },
      visitor: { ahead: position - 1 },
      status,
    },
    {
      id: "entered_unset",
      title: "Before the doors open, no time set",
      view: { state: "entered", serving: 0 },
      visitor: { ahead: position - 1, estimate: null },
      status,
    },
  ];
  const undrawn = { visitor: { entry: position, ahead: 0, estimate: null } } as const;
  const drawn: readonly Variant[] = [
    {
      id: "entered_draw",
      title: "Before the doors open and places are drawn",
      ...undrawn,
      view: { state: "entered", draw: "undrawn", serving: 0, opensAtMs: nowMs + 3 * dayMs + 3_600_000 },
      status: { ...status, drawStage: "committed" },
    },
    {
      id: "paused_draw",
      title: "Paused before the draw",
      ...undrawn,
      view: { state: "paused", pausedReason: "operator", draw: "undrawn", serving: 0 },
      status: { ...status, drawStage: "committed" },
    },
  ];
  const drawing: readonly Variant[] = [
    {
      id: "drawing",
      title: "The doors are open, and places are being drawn",
      ...undrawn,
      view: { state: "drawing", draw: "undrawn", serving: 0 },
      status: { ...status, drawStage: "closing" },
    },
  ];
  return { entered: [...entered, ...drawn], drawing };
}

const served = { position, estimate: null, retryMs: 60_000 } as const;

const atTheDoor = {
  held: [
    {
      id: "held",
      title: "At the door, one moment",
      view: { state: "held", heldBy: "limit", serving: position },
      visitor: { ...served, ahead: 0 },
    },
    {
      id: "held_full",
      title: "At the door, the site is full",
      view: { state: "held", heldBy: "capacity", serving: position },
      visitor: { ...served, ahead: 0 },
    },
    {
      id: "held_behind",
      title: "At the door, behind others",
      view: { state: "held", heldBy: "limit", isBehind: true, serving: position },
      visitor: { ...served, ahead: 12 },
    },
  ],
} as const satisfies { held: readonly Variant[] };

/** Every word that the pages know as a reason, and one that they do not. */
const reasons = {
  operator: "Paused by the organiser",
  alarm: "Paused by an alarm",
  unhealthy: "Paused, the site does not answer",
  recovered: "Paused after a loss",
};

function withTrouble(nowMs: number) {
  const aMinuteAgo = { updatedAtMs: nowMs - 45_000 };
  return {
    paused: [
      ...Object.entries(reasons).map(([reason, title]) => paused(reason, reason, title)),
      paused("own_words", "The stage is being rebuilt until about 14:00.", "Paused, for another reason"),
      {
        id: "paused_unset",
        title: "Paused, no reason given",
        view: { state: "paused" },
        visitor: { estimate: null },
      },
    ],
    store_away: [
      {
        id: "store_away",
        title: "The store is away",
        view: { state: "store_away", ...aMinuteAgo },
        status: { availability: "away" },
      },
      {
        id: "store_away_unknown",
        title: "The store is away, nothing is known",
        view: { state: "store_away", serving: null },
        visitor: { ahead: position - 1, estimate: null },
        status: { availability: "away" },
      },
      {
        id: "store_away_entry",
        title: "The store is away, and the number may be that of an entry",
        view: { state: "store_away", serving: null, draw: "undrawn" },
        visitor: { ahead: position - 1, estimate: null },
        status: { availability: "away" },
      },
    ],
    recovering: [
      {
        id: "recovering",
        title: "After a loss in the store",
        view: { state: "recovering" },
        status: { availability: "recovering", heldForMs: 40_000 },
      },
    ],
  } satisfies Partial<Record<WaitingState, readonly Variant[]>>;
}

function paused(name: string, pausedReason: string, title: string): Variant {
  return { id: `paused_${name}`, title, view: { state: "paused", pausedReason }, visitor: { estimate: null } };
}

function near(ahead: number): Partial<Variant> {
  const now = position - 1 - ahead;
  return { view: { serving: now }, visitor: { ahead, estimate: { lowSec: 0, highSec: 5 } } };
}

function paced(placesPerMinute: number | null, estimate: VisitorFigures["estimate"]): Partial<Variant> {
  return { view: { pace: { ...usualPace, placesPerMinute } }, visitor: { estimate } };
}

function messages(texts: Record<Severity, string>): Variant[] {
  return Object.entries(texts).map(([severity, text]) => ({
    id: `message_${severity}`,
    title: `The organiser's words: ${severity.replace("_", " ")}`,
    view: { message: words(text, severity as Severity) },
  }));
}

/** In one language for all. */
function words(text: string, severity: Severity): RoomMessage {
  return { severity, texts: [{ language: null, text }] };
}
