/** What was found out about a visitor: on the wire, and in sentences for the people who answer. */
import { z } from "zod";
import { formatTime } from "../../../config/index.ts";
import { type Finding, type Reason, type ReasonCode, visitorStates, type WaitingRoom } from "../../../room/index.ts";
import { placeAnswer } from "../../../web/visitor/answers.ts";
import { placeStatusJson } from "../../../web/visitor/place-status-json.ts";
import { snakeCase, timeOrNone, timeOrNull, timeText } from "../bodies.ts";
import { admission, admissionJson } from "../rooms/admissions.ts";
import { availability } from "../rooms/room-json.ts";

const state = z.enum(visitorStates);

export const visitorAnswer = z
  .object({
    room: z.string(),
    /** Of the room, as of `updated_at`. */
    edition: z.int(),
    state,
    may_also_be: z.array(state),
    why: z.object({
      code: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
      text: z.string(),
    }),
    sub: z.string().nullable(),
    place: placeAnswer.nullable(),
    place_edition: z.int().nullable(),
    admission: admission.nullable(),
    history: z.array(
      z.object({
        event: z.enum(["arrived", "joined", "served", "expired", "moved", "admitted", "ended"]),
        at: timeOrNone,
        is_exact: z.boolean(),
        detail: z.string().nullable(),
      }),
    ),
    availability,
    updated_at: timeText,
    age_seconds: z.int(),
  })
  .meta({ id: "Visitor" });

/** @param room of which a state is known */
export function findingJson(room: WaitingRoom, finding: Finding): z.output<typeof visitorAnswer> {
  const { reason, place, history } = finding;
  return {
    room: room.id,
    edition: room.state?.edition ?? 0,
    state: finding.state,
    may_also_be: [...finding.mayAlsoBe],
    why: { code: reason.code, values: valuesOf(reason), text: sentenceOf(reason) },
    sub: finding.sub,
    place: place && placeStatusJson(place),
    place_edition: finding.edition,
    admission: finding.admission && admissionJson(finding.admission),
    history: history.map(({ event, atMs, isExact, detail }) => ({
      event,
      at: timeOrNull(atMs),
      is_exact: isExact,
      detail,
    })),
    availability: room.availability,
    updated_at: formatTime(room.refreshedMs),
    age_seconds: Math.max(0, Math.floor((room.clock.now() - room.refreshedMs) / 1_000)),
  };
}

function valuesOf({ code: _, ...values }: Reason): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (name.endsWith("Ms")) return [snakeCase(name.slice(0, -2)), timeOrNull(Number(value ?? 0) || null)];
      return [snakeCase(name.replace(/Sec$/, "Seconds")), value];
    }),
  );
}

type Sentences = { readonly [Code in ReasonCode]: (reason: Reason & { code: Code }) => string };

const ways = {
  queue: "through the queue",
  bypass: "by a bypass link",
  passthrough: "while everybody was let in",
  idle: "before the line began",
  ended: "after the end",
} as const;

const ends = {
  expired: "its time was over",
  logout: "the visitor logged out or left",
  completed: "the site reported the visit as completed",
  abandoned: "the site reported the visit as abandoned",
  revoked: "an operator revoked it",
} as const;

const holders = {
  recovered: "because the store lost the room and nobody remembers it: an operator has to resume it",
  sold_out: "because everything is sold",
  operator: "by an operator",
  alarm: "by an alarm",
  unhealthy: "because the site's health check fails",
  signal: "because the site says that it has too much to do",
} as const;

const sentences: Sentences = {
  admitted: (reason) =>
    `admitted ${wayIn(reason)}; ${logins(reason)}; the admission lasts until ${at(reason.expiresAtMs)}`,
  logins_used_up: (reason) =>
    `admitted ${wayIn(reason)}; ${logins(reason)}, so the site gets no further one until the admission ends at ${at(reason.expiresAtMs)}`,
  admission_ended: ({ end, expiresAtMs, ...reason }) => {
    const over =
      end === "expired" && expiresAtMs !== null ? `its time was over at ${at(expiresAtMs)}` : end && ends[end];
    return `admitted ${wayIn(reason)}; the admission is over${over === null ? "" : `: ${over}`}`;
  },
  in_line: ({ ahead, lowSec, highSec }) => {
    const people =
      ahead === 1 ? "1 person is" : `${ahead === 0 ? "nobody" : `${ahead} people`} ${ahead === 0 ? "is" : "are"}`;
    const wait =
      lowSec === null || highSec === null
        ? "how long that takes cannot be said now"
        : `about ${range(lowSec, highSec)} to go`;
    return `in line: ${people} ahead; ${wait}`;
  },
  turn: (reason) => `it is the visitor's turn: an open page that is in view enters by itself${reservation(reason)}`,
  held_by_limit: ({ ready, limitPerMinute, waitSec, ...reason }) =>
    `it is the visitor's turn, and held by the limit of ${round(limitPerMinute)} a minute, with ${ready} ready to enter: ` +
    `up to about ${duration(waitSec)} to go${reservation(reason)}`,
  held_by_capacity: ({ live, maxActive, ...reason }) =>
    `it is the visitor's turn, and the site is full: ${live} of at most ${maxActive} are in${reservation(reason)}`,
  held_after_loss: ({ waitSec }) =>
    `nobody is admitted for about ${duration(waitSec)} more, since the store lost the room; the place is kept`,
  paused: ({ by, sinceMs }) =>
    `paused ${holders[by]}${sinceMs === null ? "" : `, since ${at(sinceMs)}`}; the place is kept and paused time does not count`,
  recovering: () => "the store has lost the room, which recovers in a few seconds; the place is kept",
  store_away: () => "the store is away, so nobody enters; the place is kept",
  room_ended: () => "the room has ended, and nobody enters any more",
  everybody_passes: () => "everybody is let in without a line: opening the site again is enough",
  left: () => "the visitor has given up the place, or it was over and a new one was asked for",
  no_place: () => "this browser has no place in this room",
  no_admission: () =>
    "this visitor has no admission on record; of a place in line the visitor's browser alone knows: look up the number on the page, or the ticket",
  draw_to_come: ({ opensAtMs }) =>
    `the order is drawn when the room opens${opening(opensAtMs)}; until then there is no position`,
  not_open: ({ opensAtMs }) => `the room is not open yet${opening(opensAtMs)}; the place is kept`,
  claim_expired: ({ expiredAtMs, claimWithinSec }) =>
    `the place expired${expiredAtMs === null ? "" : ` at ${at(expiredAtMs)}`}: it was not claimed within ${duration(claimWithinSec)} of its turn`,
  entry_voided: ({ reference, because, voidedAtMs }) =>
    `the entry was voided at ${at(voidedAtMs)}, reference ${reference}: ${because}`,
  reset: ({ ticketEdition, edition }) =>
    `the ticket is of edition ${ticketEdition}, and the room was reset since: it is in edition ${edition}`,
  beyond_known: ({ ticketEdition, edition }) =>
    `the ticket is newer than what is known of the room (its edition ${ticketEdition}, known: ${edition}): try again in a moment; ` +
    "if that stays so, the store has lost something, which is mended when the visitor's page asks",
  moved: ({ movedAtMs }) =>
    `the place was moved to another browser${movedAtMs === null ? "" : ` at ${at(movedAtMs)}`}, and counts there alone`,
  not_handed_out: ({ last }) => `nobody has this number: the last one that was handed out is ${last}`,
  nobodys_place: () => "nobody has this number: it was skipped after a loss, and costs nobody time",
  not_drawn: () => "the order is not drawn yet: before that there are entry numbers, and no positions",
  not_an_entry: () => "this is no entry number of a draw of the present edition",
  passed_by: () =>
    "this place's turn has passed: its visitor was too late, has left, or was in before the rows that the log was asked for; the ticket says which",
  other_room: ({ otherRoom }) => `this is of another room: ${otherRoom}`,
  unknown_key: () =>
    "the ticket is signed with a key that this process does not have: see that all processes have the same keys, and that none was removed while its tickets are in use",
};

export function sentenceOf(reason: Reason): string {
  return (sentences[reason.code] as (reason: Reason) => string)(reason);
}

function wayIn({ via, admittedAtMs }: { via: keyof typeof ways; admittedAtMs: number }): string {
  return `${ways[via]} at ${at(admittedAtMs)}`;
}

function logins({ logins, loginsMax }: { logins: number | null; loginsMax: number }): string {
  return logins === null ? "its logins are not known now" : `${logins} of ${loginsMax} logins used`;
}

function reservation({ reservedForSec }: { reservedForSec: number | null }): string {
  return reservedForSec === null ? "" : `; the turn is kept for ${duration(reservedForSec)} more`;
}

function opening(opensAtMs: number | null): string {
  return opensAtMs === null ? "" : `, at ${at(opensAtMs)}`;
}

const at = formatTime;

function range(lowSec: number, highSec: number): string {
  return lowSec === highSec ? duration(highSec) : `${duration(lowSec)} to ${duration(highSec)}`;
}

/** In whole units, as one would say it. */
function duration(sec: number): string {
  if (sec < 120) return `${sec} s`;
  const minutes = Math.round(sec / 60);
  if (minutes < 120) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? "" : ` ${rest} min`}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
