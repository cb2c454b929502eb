/**
 * GET /rooms/{room}/pace: what moves in a room's public status from second to second, in as few bytes as say it. Who knows a status brings it
 * up to date with such an answer, and asks for another status only where something else has changed. The same for the server, pages, and the
 * visitors that `usher rehearse` plays.
 */
import type { Chance } from "./pacing.ts";
import { type RoomStatus, readStatus } from "./status.ts";

/** Empty values at the end are left out. */
export type PaceAnswer = readonly [
  /** Of the status that it completes. */
  revision: string,
  /** `updated_at`, in milliseconds since 1970. */
  updatedMs: number,
  serving: number,
  placesPerMinute: number | null,
  showRate: number,
  spread: number,
  spreadUp: number,
  extraSec: number,
  called: number,
  /**
   * Seconds from then to `held_until`, rounded up; 0: null. The hold ends by the store's clock, so that each process's time of it is another with
   * each sync.
   */
  heldSec?: number,
  /** Null while the line moves by its order of joining: no page shows it then. */
  waiting?: number | null,
  /** Of the draw. */
  entries?: number | null,
  /** Null for none. */
  steps?: RoomStatus["pace"]["steps"] | null,
  /** Of the stock. */
  remaining?: number | null,
  enoughFor?: number | null,
];

/** What moves of a status. @param revision names its `fixedPart` */
export function writePaceAnswer(status: RoomStatus, revision: string): PaceAnswer {
  const { updated_at, phase, serving, waiting, pace, draw, stock, held_until } = status;
  const { places_per_minute, show_rate = 1, spread, spread_up = spread, extra_seconds, called = 0, steps } = pace;
  const isCounted = phase !== "open" || (draw !== null && draw.stage !== "drawn");
  const figures = [serving, places_per_minute, show_rate, spread, spread_up, extra_seconds, called] as const;
  const updatedMs = Date.parse(updated_at);
  const heldSec = held_until === null ? 0 : Math.max(1, Math.ceil((Date.parse(held_until) - updatedMs) / 1_000));
  const rest: unknown[] = [isCounted ? waiting : null, draw?.entries ?? null, steps.length > 0 ? steps : null];
  rest.push(stock?.remaining ?? null, stock?.enough_for ?? null);
  while (rest.length > 0 && rest[rest.length - 1] === null) rest.pop();
  const withHeld = heldSec > 0 || rest.length > 0 ? [heldSec, ...rest] : [];
  return [revision, updatedMs, ...figures, ...withHeld] as unknown as PaceAnswer;
}

/** Somebody on the way may let nothing pass but what they know: after so many pace answers in a row that were none, only every so many questions are for one. */
const vainMost = 3;
const triesEvery = 20;
/** A cache may keep for a second what is no more, and another process may be a second behind. */
const behindMs = 1_000;

export type StatusReader = ReturnType<typeof createStatusReader>;

/**
 * Asks for a status, and from then on for what has moved in it where that will do.
 *
 * @param url of the status
 * @param pause waits
 */
export function createStatusReader(url: string, pause: (ms: number) => Promise<unknown>, chance: Chance) {
  const paceUrl = url.replace(/status$/, "pace");
  let known: RoomStatus | null = null;
  let inVain = 0;

  /**
   * @param ask gives the JSON of an answer
   * @throws what `ask` does; and for answers of another kind
   */
  return async (ask: (url: string) => Promise<unknown>): Promise<RoomStatus> => {
    const before = known;
    known = null;
    let pace: PaceAnswer | undefined;
    const isTried = inVain < vainMost || inVain % triesEvery === 0;
    if (before?.revision) inVain++;
    if (before?.revision && isTried) {
      pace = (await ask(paceUrl)) as PaceAnswer;
      known = applyPace(before, pace);
      inVain = 0;
      if (known !== null) return known;
    }
    known = readStatus(await ask(url));
    if (pace && isBehind(known, pace)) {
      await pause(behindMs * (1 + chance()));
      known = readStatus(await ask(url));
    }
    return known;
  };
}

/** Whether a status that was asked for because of a pace answer is older than that. */
function isBehind({ revision, updated_at }: RoomStatus, [announced, updatedMs]: PaceAnswer): boolean {
  return revision !== announced && Date.parse(updated_at) < updatedMs;
}

/**
 * The status as it is now; null where something else in it has changed, so that it is to be asked for.
 *
 * @throws for what is no pace answer
 */
export function applyPace(status: RoomStatus, answer: unknown): RoomStatus | null {
  const [
    revision,
    updatedMs,
    serving,
    places_per_minute,
    show_rate,
    spread,
    spread_up,
    extra_seconds,
    called,
    ...rest
  ] = answer as PaceAnswer;
  if (!(updatedMs > 0)) throw answer;
  if (revision !== status.revision) return null;
  const { draw, stock } = status;
  const [heldSec, waiting, entries, steps, remaining, enough_for] = rest;
  return readStatus({
    ...status,
    updated_at: new Date(updatedMs).toISOString(),
    serving,
    waiting: waiting ?? status.waiting,
    pace: {
      ...status.pace,
      places_per_minute,
      show_rate,
      spread,
      spread_up,
      extra_seconds,
      called,
      steps: steps ?? [],
    },
    held_until: heldSec ? new Date(updatedMs + heldSec * 1_000).toISOString() : null,
    draw: draw && { ...draw, entries: entries ?? null },
    stock: stock && { remaining: remaining ?? null, enough_for: enough_for ?? 0 },
  });
}

/** What a pace answer leaves out of a status, in an order of its own: two statuses that differ in nothing else have the same. */
export function fixedPart(status: RoomStatus): unknown {
  const { title, phase, phase_reason, availability, edition, gaps, held_until, prequeue_at, opens_at } = status;
  const { message, message_severity, messages, while_waiting, poll, presence_share, pace, draw, stock } = status;
  return [
    ...[title, phase, phase_reason, availability, edition, gaps, held_until !== null, prequeue_at, opens_at],
    ...[message, message_severity, messages, while_waiting, poll, presence_share, pace.note],
    draw && { ...draw, entries: null },
    stock && (stock.remaining === null ? "shown" : "counted"),
  ];
}
