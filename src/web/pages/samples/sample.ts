import type { WordsInLanguage } from "../../../config/index.ts";
import type { DrawDocument } from "../../../room/draw-recipe/index.ts";
import { paceJson, type RoomMessage } from "../../../room/index.ts";
import type { PollGuidance, RoomStatus } from "../../../room/public-status/status.ts";
import { statusMessage } from "../render/status-json.ts";
import type { Notice, VisitorFigures, WaitingView } from "../types.ts";

interface SampleStatus extends RoomStatus {
  readonly room: string;
}

interface Common {
  /** Unique; letters, digits and underscores. */
  readonly id: string;
  /** Short, English, for a list. */
  readonly title: string;
  /** What the room's public status says while this page stands: under it, the page stays what it is. */
  readonly status: SampleStatus;
  /** CSS selector of what is there once the page's script has processed that. Absent where the page does not change. */
  readonly becomes?: string | undefined;
}

export interface WaitingSample extends Common {
  readonly kind: "waiting";
  readonly view: WaitingView;
  readonly visitor: VisitorFigures;
}

export interface NoticeSample extends Common {
  readonly kind: "notice";
  readonly notice: Notice;
  /** What `GET …/draw` answers to the page of a draw. */
  readonly record?: DrawDocument;
}

export type Sample = WaitingSample | NoticeSample;

/** What the samples take from the room that they are of. */
export interface SampleRoom {
  readonly id: string;
  readonly title: string;
  readonly timeZone?: string | undefined;
  /** The operator's words; samples that show some themselves have those. */
  readonly message: RoomMessage | null;
  /** What visitors may read while they wait, in force. Absent or null: one sample has words of its own. */
  readonly whileWaiting?: readonly WordsInLanguage[] | null;
  /** How long a turn is held, in milliseconds. */
  readonly claimWithinMs: number;
  readonly poll: PollGuidance;
}

export const sampleRoom: SampleRoom = {
  id: "tickets",
  title: "Autumn tour tickets",
  message: null,
  claimWithinMs: 900_000,
  poll: { floor_ms: 2_000, near_ceiling_ms: 11_500, ceiling_ms: 40_000, divisor: 10, spread_ms: 10_000 },
};

/** The site of the room. */
export const site = "https://shop.example.com/";

/** What the organiser offers besides. @param path of the room */
export function sampleOnward(nowMs: number, path: string) {
  const links = [
    {
      label: [
        { language: "en", text: "Other cities" },
        { language: "de", text: "Andere Städte" },
        { language: "ar", text: "مدن أخرى" },
      ],
      url: `${site}cities`,
    },
    { label: [{ language: null, text: "Newsletter" }], url: `${site}newsletter` },
  ];
  const title = [
    { language: "en", text: "Extra concert" },
    { language: "de", text: "Zusatzkonzert" },
  ];
  const nextSale = { title, startsAtMs: nowMs + 7 * 86_400_000, url: `${site}extra` };
  return { links, nextSale, calendarUrl: `${path}/calendar.ics?of=next_sale` };
}

/** The operator's words at the end of a sale. */
export const soldOutWords: RoomMessage = {
  severity: "sold_out",
  texts: [{ language: null, text: "That was the last ticket. Thank you for waiting." }],
};

/** Where the visitor came from: the way back into the room. */
export const wayIn = "/authorize?client_id=shop&response_type=code&scope=openid";

/** Everybody comes who is called, and nobody is called in advance. */
const noCrowd = { showRate: 1, spreadUp: 0.1, called: 0 };
export const usualPace = { steps: [], placesPerMinute: 100, spread: 0.1, ...noCrowd, extraSec: 0, note: null };
export const usualServing = 4_588;

/** The status of a room with a line that moves, but for what is its own. */
export function sampleStatus(room: SampleRoom, nowMs: number, overrides: Partial<RoomStatus>): SampleStatus {
  return {
    room: room.id,
    title: room.title,
    phase: "open",
    phase_reason: null,
    availability: "ready",
    edition: 1,
    serving: usualServing,
    waiting: 1_412,
    gaps: [],
    draw: null,
    pace: paceJson(usualPace),
    held_until: null,
    prequeue_at: null,
    opens_at: null,
    stock: null,
    ...statusMessage(room.message),
    poll: room.poll,
    presence_share: 0,
    updated_at: new Date(nowMs).toISOString(),
    ...overrides,
  };
}

export function isoTime(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
