/** GET /rooms/{room}/status, as far as pages and their scripts read it. */
export interface RoomStatus extends MessageJson {
  readonly title: string;
  readonly phase: string;
  readonly phase_reason: string | null;
  /** "ready", "recovering" or "away". */
  readonly availability: string;
  readonly serving: number;
  /** How many have a place or a number. */
  readonly waiting: number;
  /** The draw to come, under way, or last; null where there is none. */
  readonly draw: DrawJson | null;
  readonly gaps: readonly (readonly [from: number, to: number])[];
  /** Nobody is admitted until then, after a loss in the store. */
  readonly held_until: string | null;
  /** When entry numbers are given; null where no time is set. */
  readonly prequeue_at: string | null;
  /** When the doors open; null where no time is set. */
  readonly opens_at: string | null;
  readonly pace: PaceJson;
  /** What is left to sell, where the operator shows it. */
  readonly stock: StockJson | null;
  /** What visitors may read while they wait, by its name: "" for nothing, null where the page's theme decides. */
  readonly while_waiting?: string | null;
  readonly poll: PollGuidance;
  /** Of all pages, those that are asked to say once a minute that they are open. */
  readonly presence_share: number;
  readonly updated_at: string;
  readonly edition: number;
  /** Another one as soon as anything changes that …/pace does not tell. */
  readonly revision?: string;
}

export interface DrawJson {
  readonly id: number;
  readonly stage: string;
  /** How many take part: so far, as long as entries are taken; null before the first can be, and for one that was called off. */
  readonly entries: number | null;
  /** Grows whenever entries are voided or given back. */
  readonly voids: number;
  /** When the places are drawn at the earliest; null while nobody knows, and once it is over. */
  readonly due_at: string | null;
}

/** How fast the line moves: what a page needs to reckon how long its visitor waits yet. A gateway of 0.2.0 leaves out what may be missing. */
export interface PaceJson {
  /** What can be foreseen: seconds from now, and places that the line will have moved on by then, ascending. */
  readonly steps: readonly (readonly [sec: number, places: number])[];
  readonly places_per_minute: number | null;
  /** The share of `places_per_minute` that is left where everybody is there: the limit's. */
  readonly show_rate?: number;
  /** How much shorter the wait may be, as a fraction; and how much longer. */
  readonly spread: number;
  readonly spread_up?: number;
  /** Comes on top of any wait. */
  readonly extra_seconds: number;
  /** Visitors whose turn it is already and who may enter before, as far as `extra_seconds` does not count them. */
  readonly called?: number;
  readonly note: string | null;
}

export interface StockJson {
  /** Null: only whether it may be enough is shown. */
  readonly remaining: number | null;
  /** So many more visitors, by what one buys on average. */
  readonly enough_for: number;
}

/** How a page chooses its next poll: interval = clamp(floor, ceiling, expected wait / divisor), ± 30 %. */
export interface PollGuidance {
  readonly floor_ms: number;
  /** The ceiling for an expected wait of less than ten minutes. Without it the other holds. */
  readonly near_ceiling_ms?: number;
  readonly ceiling_ms: number;
  /** The ceiling while the short end of the expected wait is more than twenty minutes away. Without it the other holds. */
  readonly far_ceiling_ms?: number;
  readonly divisor: number;
  /** Milliseconds over which requests for the same moment are spread. */
  readonly spread_ms: number;
}

/** The operator's words. */
export interface MessageJson {
  /** For a reader of none of `messages`. */
  readonly message: string | null;
  /** "information", "warning", "sold_out"; null without a message. */
  readonly message_severity: string | null;
  /** By language tag; null where the message is of no language. */
  readonly messages: { readonly [language: string]: string } | null;
}

/** In the page's language, or in what that is a kind of, else the first: as src/room/operator/room-message.ts chooses. */
export function messageIn({ message, messages }: MessageJson, language: string): { text: string; language: string } {
  const texts = Object.entries(messages ?? {});
  for (let range = language.toLowerCase(); range !== ""; range = range.replace(/(^|-)[^-]*$/, "")) {
    for (const [tag, text] of texts) if (tag.toLowerCase() === range) return { text, language: tag };
  }
  return { text: message ?? "", language: texts[0]?.[0] ?? "" };
}

/**
 * Whether an answer is a room's status: portals, proxies and caches answer, too. Anything else is no news. What is only shown is looked at
 * where it is shown. Pure functions.
 */

/** @throws for anything but a status that pages can reckon by */
export function readStatus(answer: unknown): RoomStatus {
  const status = answer as RoomStatus;
  const { pace, poll } = status;
  // Whatever else pace and poll have, if they have it, are numbers, alone or in pairs. Only a text can be trimmed, and only a text or a list has more added.
  const figures = [
    ...[status.serving, status.waiting, status.edition, Date.parse(status.updated_at), pace.spread, pace.extra_seconds],
    ...[poll.floor_ms, poll.ceiling_ms, poll.divisor, poll.spread_ms],
    ...[status.title.trim().length, status.phase.trim().length, status.gaps.concat(pace.steps)],
    ...Object.values({ ...poll, ...pace, places_per_minute: pace.places_per_minute ?? 0, note: 0 }),
  ];
  if (figures.flat(2).every(Number.isFinite)) return status;
  throw answer;
}
