import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { Context } from "koa";
import type { z } from "zod";
import { type ErrorCode, UsherError } from "../../lib/errors.ts";
import type { DeepReadonly } from "../../lib/json.ts";
import { acceptsGzip } from "../../lib/request.ts";
import { roomIdShape } from "../../lib/room-id.ts";
import type { BasePhase, RoomState, WaitingRoom, WaitingRooms } from "../../room/index.ts";
import { paceJson, paceOf, peopleWaiting, phasesBefore, pollGuidanceOf, redirectOf } from "../../room/index.ts";
import { fixedPart, writePaceAnswer } from "../../room/public-status/pace.ts";
import type { RoomStatus } from "../../room/public-status/status.ts";
import { answerHeadersOf, robotsTag } from "../middleware/answer-headers.ts";
import { revisionOf } from "../pages/index.ts";
import { drawJson, statusMessage, stockJson } from "../pages/render/status-json.ts";
import { paceAnswer, statusAnswer } from "./answers.ts";
import type { RoomRoutes } from "./room-routes.ts";

const cacheControl = "public, max-age=1";

/** The public status, but for what names it. */
type RoomFigures = RoomStatus & DeepReadonly<Omit<z.output<typeof statusAnswer>, "revision">>;

/** The status as it is and compressed, and what moves of it. */
interface StatusBodies {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly pace: Buffer;
}

const bodiesByState = new WeakMap<RoomState, { bodies: StatusBodies; availability: WaitingRoom["availability"] }>();

/**
 * The public status of a room as JSON, made once for each synced state, and again when the availability of the store
 * changes. Null before the first sync.
 */
export function statusBodies(room: WaitingRoom): StatusBodies | null {
  const { reportedState: state } = room;
  if (state === null) return null;
  const availability = room.reportedAvailability;
  const cached = bodiesByState.get(state);
  if (cached?.availability === availability) return cached.bodies;
  const bodies = bodiesOf(statusJson(room, state));
  bodiesByState.set(state, { bodies, availability });
  return bodies;
}

function bodiesOf(figures: RoomFigures): StatusBodies {
  // A change in a thousand million is taken for none: until the next, pages show what was.
  const hash = createHash("sha256").update(JSON.stringify(fixedPart(figures)));
  const revision = hash.digest("base64url").slice(0, 5);
  const plain = Buffer.from(JSON.stringify({ ...figures, revision }));
  let gzip: Buffer | undefined;
  return {
    plain,
    pace: Buffer.from(JSON.stringify(writePaceAnswer(figures, revision))),
    get gzip() {
      gzip ??= gzipSync(plain);
      return gzip;
    },
  };
}

/** Until when nobody is admitted after a recovery; null when admissions go on. */
export function recoveryEndsAt({ holdUntilMs }: Pick<WaitingRoom, "holdUntilMs">): string | null {
  return holdUntilMs === null ? null : new Date(holdUntilMs).toISOString();
}

function statusJson(room: WaitingRoom, state: RoomState): RoomFigures {
  const { title, inlet } = state.settings.effective;
  const { adaptive } = state;
  const draw = state.draws.at(-1) ?? null;
  return {
    room: room.id,
    title,
    // Whether its pages say that nothing is sold here.
    rehearsal: state.settings.effective.rehearsal === true,
    phase: state.phase,
    phase_reason: state.phaseReason,
    // Whether positions can be given and claims be made: "ready", "recovering", or the store is "away".
    availability: room.reportedAvailability,
    edition: state.edition,
    serving: state.serving,
    queued: state.queued,
    waiting: peopleWaiting(state),
    gaps: state.gaps.map(({ from, to }) => [from, to]),
    outflow_limit: inlet.outflowPerMinute,
    outflow_per_minute: measuredOutflow(state),
    // How the site is doing is its operator's business.
    ...(adaptive && {
      adaptive: { rate_per_minute: adaptive.ratePerMinute, decision: adaptive.decision, reason: adaptive.reason },
    }),
    // To come, under way, or last; …/draw has the details.
    draw: draw && drawJson(state, draw),
    pace: paceJson(paceOf(state)),
    held_until: recoveryEndsAt(room),
    ...scheduleJson(state),
    stock: stockJson(state),
    ...statusMessage(room.message),
    // Where visitors are sent instead of a page, in a phase without a line.
    redirect: redirectOf(state),
    // Pages that are open load another text when this changes.
    while_waiting: revisionOf(state.settings.effective.whileWaiting),
    poll: pollGuidanceOf(state.settings.effective),
    // Pages whose place ranks below it say once a minute that they are open.
    presence_share: 2 ** -state.presence.shift,
    updated_at: new Date(room.refreshedMs).toISOString(),
  };
}

/** When the room enters its phases. */
export function scheduleJson(state: RoomState) {
  const { prequeueAtMs, opensAtMs, endsAtMs } = state.settings.effective.schedule;
  return {
    prequeue_at: reportedTime(state, prequeueAtMs, phasesBefore.prequeueAtMs),
    opens_at: reportedTime(state, opensAtMs, phasesBefore.opensAtMs),
    ends_at: reportedTime(state, endsAtMs, phasesBefore.endsAtMs),
  };
}

/** A time of the schedule, unless it is still to come and will change nothing: the room is not in a phase `before` it. */
function reportedTime(state: RoomState, atMs: number | null, before: readonly BasePhase[]): string | null {
  const isEffective = atMs !== null && (atMs <= state.nowMs || before.includes(state.basePhase));
  return isEffective ? new Date(atMs).toISOString() : null;
}

/** Said before the first sync of a room. */
export const notSyncedYet = "nothing is known of this room yet; try again in a moment";

/** What cannot be answered now. @param retryMs when to ask again */
export function later(message: string, retryMs = 2_000, code: ErrorCode = "store_unavailable"): UsherError {
  return new UsherError(code, message, { retryAfterSec: Math.ceil(retryMs / 1_000) });
}

/** `GET …/status`. */
export function tellStatus(ctx: Context, room: WaitingRoom): void {
  const bodies = statusBodies(room);
  if (bodies === null) throw later(notSyncedYet);
  const isShort = acceptsGzip(ctx.headers);
  ctx.set("Cache-Control", cacheControl);
  ctx.vary("Accept-Encoding");
  if (isShort) ctx.set("Content-Encoding", "gzip");
  ctx.type = "json";
  ctx.body = isShort ? bodies.gzip : bodies.plain;
}

/** `GET …/pace`, where a client asks as pages do not. */
export function tellPace(ctx: Context, room: WaitingRoom): void {
  const bodies = statusBodies(room);
  if (bodies === null) throw later(notSyncedYet);
  ctx.set("Cache-Control", paceCacheControl);
  ctx.type = "json";
  ctx.body = bodies.pace;
}

const answeredPath = new RegExp(`^/rooms/(${roomIdShape})/(status|pace)(?:\\?|$)`);
/** Of an answer whose headers are counted: without an `Authorization` this means "public", too. */
const paceCacheControl = "max-age=1";

/** Of JSON that scripts of any site may read and that is answered before any framework: by turns name and value. */
export const plainHeadersOf = (issuer: string, cacheControl: string): readonly string[] => [
  ...Object.entries(answerHeadersOf(issuer)).flat(),
  ...["Content-Type", "application/json; charset=utf-8"],
  ...["Cache-Control", cacheControl],
  ...["Access-Control-Allow-Origin", "*"],
  ...robotsTag,
];

/**
 * Answers the plain case of the public status, and of what moves in it, before any framework: all visitors poll it. Everything else (no such
 * room, no state yet, another method) is left to the routes.
 *
 * Of pages polls are what leaves Usher most, so a pace answer has only the headers that it cannot do without: `Content-Type`, by which no browser
 * takes it for anything else; `Cache-Control`, by which a CDN answers in Usher's place; `Content-Length`, by which a connection is used again;
 * and `Date`, by which a page knows how old the figures are. It is not compressed (most would grow), so nothing varies; nothing in it can be shown,
 * framed, run or listed by a search engine; pages of its own origin ask, so that it needs no leave for others; HTTP/1.1 keeps connections without being told.
 */
export function createStatusAnswer(rooms: WaitingRooms, issuer: string) {
  const plainHeaders = [...plainHeadersOf(issuer, cacheControl), "Vary", "Accept-Encoding"];
  const paceHeaders = ["Content-Type", "application/json", "Cache-Control", paceCacheControl];
  const gzipHeaders = [...plainHeaders, "Content-Encoding", "gzip"];
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== "GET") return false;
    const [, id = "", part] = answeredPath.exec(request.url ?? "") ?? [];
    const room = rooms.get(id);
    const bodies = room === undefined ? null : statusBodies(room);
    if (bodies === null) return false;
    if (part === "pace") {
      // Node adds two headers about it, unless one says that this is the last answer.
      if (request.httpVersionMinor > 0 && !response.hasHeader("Connection")) response.removeHeader("Connection");
      response.writeHead(200, [...paceHeaders, "Content-Length", String(bodies.pace.length)]);
      response.end(bodies.pace);
      return true;
    }
    const isShort = acceptsGzip(request.headers);
    const body = isShort ? bodies.gzip : bodies.plain;
    response.writeHead(200, [...(isShort ? gzipHeaders : plainHeaders), "Content-Length", String(body.length)]);
    response.end(body);
    return true;
  };
}

/** Admissions a minute, as exact as a measure of minutes is. */
export function measuredOutflow({ outflowPerMinute }: Pick<RoomState, "outflowPerMinute">): number {
  return Math.round(outflowPerMinute * 10) / 10;
}

export function addStatusRoute({ script }: RoomRoutes): void {
  script(
    "GET",
    "/status",
    () => ({
      summary: "Tells how the room is, for everybody.",
      answers: [{ status: 200, schema: statusAnswer, description: "Nothing personal; one second old at most." }],
      errors: ["store_unavailable"],
    }),
    tellStatus,
  );
}

export function addPaceRoute({ page }: RoomRoutes): void {
  page(
    "GET",
    "/pace",
    () => ({
      summary: "Tells what has moved since a status, in 200 bytes.",
      answers: [
        {
          status: 200,
          schema: paceAnswer,
          description: "Goes with the status of the same `revision`; with another one, ask for the status.",
        },
      ],
      errors: ["store_unavailable"],
    }),
    tellPace,
    "Public API",
  );
}
