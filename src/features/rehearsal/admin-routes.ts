/** The admin API's routes for `usher rehearse`, which plays a crowd in a room that is marked for it: its pass, and its result. */
import { z } from "zod";
import { flag, formatTime, number, oneOf, text, wholeNumber, writeRoomSettings } from "../../config/index.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import { somebodyOf } from "../../operate/admin-api/access/principal.ts";
import { type AdminRequest, type AdminRoute, routesAbout } from "../../operate/admin-api/admin-router.ts";
import { exactTime, findingAnswer, object, timeText } from "../../operate/admin-api/bodies.ts";
import { createRoomFinder } from "../../operate/admin-api/rooms/rooms.ts";
import { changesBetween } from "../../operate/audit/index.ts";
import type { Gateway, RunningFeature } from "../../operate/feature.ts";
import { createPreparations, somebody } from "../../registry/index.ts";
import type { WaitingRoom } from "../../room/index.ts";
import { later, notSyncedYet } from "../../web/visitor/status.ts";

const minuteMs = 60_000;
/** The longest rehearsal, and an hour to spare. */
const minutesMax = 180;
const visitorsMax = 100_000;

const rehearsalBody = object({
  visitors: wholeNumber(1, visitorsMax),
  minutes: wholeNumber(1, minutesMax),
});
const wayIn = z
  .object({
    client_id: z.string(),
    redirect_uris: z.array(z.string()),
    token_endpoint_auth_method: z.enum(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]),
    require_pushed_authorization_requests: z.boolean(),
    is_first_room: z.boolean(),
    is_only_room: z.boolean(),
  })
  .meta({ id: "RehearsalClient" });
const rehearsalAnswer = z
  .object({
    room: z.string(),
    issuer: z.string(),
    pass: z.string(),
    visitors: z.int(),
    expires_at: timeText,
    clients: z.array(wayIn),
    has_link: z.boolean(),
  })
  .meta({ id: "Rehearsal" });

const count = wholeNumber(0, 10_000_000);
const perMinute = number(0, 10_000_000);
const mendMax = 50;
const textMax = 1_000;
/** Bytes of a result with as much to mend as there may be. */
const resultLengthMax = 131_072;

const resultShape = {
  seconds: number(0, minutesMax * 60),
  stopped: flag(),
  way: oneOf("way", ["link", "login", "site"]),
  visitors: count,
  arrived: count,
  joined: count,
  admitted: count,
  no_shows: count,
  waiting: count,
  lost_places: count,
  ghosts: count,
  most_in_a_minute: count,
  limit_per_minute: perMinute.nullable(),
  /** How many more the gateways counted than the visitors saw. */
  differences: object({
    joined: wholeNumber(-visitorsMax, visitorsMax),
    admitted: wholeNumber(-visitorsMax, visitorsMax),
  }).nullable(),
  mend: z
    .array(
      object({
        about: text("a word", 40),
        status: oneOf("status", ["warning", "fault"]),
        text: text("a sentence", textMax),
      }),
    )
    .max(mendMax, { error: `at most ${mendMax}` }),
};
const resultBody = object({ pass: text("the pass of the rehearsal", 256), began_at: exactTime, ...resultShape });
const storedResult = z.object({ began_at: timeText, ...resultShape });
const lastAnswer = z
  .object({
    room: z.string(),
    last: z
      .object({
        by: somebody,
        at: timeText,
        ...storedResult.shape,
        mend: z.array(findingAnswer),
        changed_since: z.array(z.string()),
      })
      .nullable(),
  })
  .meta({ id: "RehearsalResult" });

/** What differs between a rehearsal and its sale without making it another one. */
const ofTheDay: ReadonlySet<string> = new Set(["rehearsal", "schedule", "message", "title", "note"]);

/** Of the document about a room: its last rehearsal. */
const recorded = z.object({
  rehearsal: z
    .object({
      by: somebody,
      at_ms: z.number(),
      /** As the command told it. */
      result: z.record(z.string(), z.unknown()),
      /** The room's, as they were written when it ended. */
      settings: z.record(z.string(), z.unknown()),
    })
    .nullable(),
});

type Preparations = ReturnType<typeof createPreparations<z.output<typeof recorded>>>;
export interface RehearsalParts extends RunningFeature, Pick<Gateway, "rooms" | "issuers" | "issuerOf"> {
  readonly preparations: Preparations;
  /** The store's. */
  readonly clock: Clock;
}

export function rehearsalParts({ rooms, issuers, issuerOf, store }: Gateway): RehearsalParts {
  const preparations = createPreparations(store.documents, recorded, { rehearsal: null });
  return { rooms, issuers, issuerOf, preparations, clock: store.clock };
}

export function rehearsalRoutes(parts: RehearsalParts): AdminRoute[] {
  const { issuerOf, preparations } = parts;
  const route = routesAbout("/rooms/:room", createRoomFinder(parts));
  return [
    route(
      "GET",
      "/rehearsal",
      {
        summary: "Tells what the last rehearsal came to, and which settings have changed since.",
        tag: "Line",
        role: "viewer",
        answers: lastAnswer,
      },
      async ({ subject: room }) => tellLast(room, preparations),
    ),
    route(
      "PUT",
      "/rehearsal",
      {
        summary: "Keeps what a rehearsal came to, with the pass that it was begun with.",
        tag: "Line",
        role: "operator",
        body: resultBody,
        bodyMax: resultLengthMax,
        answers: lastAnswer,
        errors: ["conflict"],
      },
      (request) => keepResult(request, parts),
    ),
    route(
      "POST",
      "/rehearsal",
      {
        summary:
          "Makes a pass by which so many visitors of a rehearsal may join from one address, and tells the ways into the room.",
        tag: "Line",
        role: "operator",
        body: rehearsalBody,
        status: 201,
        answers: rehearsalAnswer,
        errors: ["conflict"],
      },
      (request) => beginRehearsal(request, issuerOf),
    ),
  ];
}

/** @throws UsherError `conflict` where the room is not marked: its visitors are people */
async function beginRehearsal(
  { subject: room, body, notes }: AdminRequest<WaitingRoom, unknown, z.infer<typeof rehearsalBody>>,
  issuerOf: RehearsalParts["issuerOf"],
) {
  if (room.state === null) await room.refresh();
  const nowMs = room.storeNowMs;
  if (room.state === null || nowMs === null) throw later(notSyncedYet);
  if (room.settings.rehearsal !== true) {
    const wayOut = "mark it with rehearsal: true before its visitors come, if nothing is sold in it";
    throw new UsherError("conflict", `this room is not marked for rehearsals: ${wayOut}`);
  }
  const { issuer, clients, rehearsalPasses, sitesOf } = issuerOf(room.id);
  const pass = rehearsalPasses.make(room.id, nowMs, body.visitors, body.minutes * minuteMs);
  notes.subject = { pass: pass.id, visitors: String(body.visitors), minutes: String(body.minutes) };
  return {
    room: room.id,
    issuer,
    pass: rehearsalPasses.encode(pass),
    visitors: pass.visitors,
    expires_at: formatTime(pass.expiresMs),
    clients: clients.all
      .filter(({ rooms }) => rooms.includes(room.id))
      .map((client) => ({
        client_id: client.clientId,
        redirect_uris: client.redirectUris,
        token_endpoint_auth_method: client.tokenEndpointAuthMethod,
        require_pushed_authorization_requests: client.requirePushedAuthorizationRequests === true,
        is_first_room: client.rooms[0] === room.id,
        is_only_room: client.rooms.length === 1,
      })),
    has_link: sitesOf(room.id).usualTarget !== null,
  };
}

/** @throws UsherError `conflict` for a pass of another room, or one that is over */
async function keepResult(
  {
    subject: room,
    body: { pass, began_at, ...report },
    principal,
    notes,
  }: AdminRequest<WaitingRoom, unknown, z.output<typeof resultBody>>,
  { issuerOf, preparations, clock }: RehearsalParts,
) {
  if (room.state === null) await room.refresh();
  const nowMs = room.storeNowMs;
  if (room.state === null || nowMs === null) throw later(notSyncedYet);
  const reading = issuerOf(room.id).rehearsalPasses.read(room.id, pass, nowMs);
  if (reading === null) throw new UsherError("conflict", "this is no pass of a rehearsal of this room, or it is over");
  notes.subject = { pass: reading.id };
  const result = { began_at: formatTime(began_at), ...report };
  const at_ms = Math.floor(clock.now());
  const rehearsal = { by: somebodyOf(principal), at_ms, result, settings: settingsOf(room) };
  await preparations.update(room.id, () => ({ rehearsal }));
  return tellLast(room, preparations);
}

async function tellLast(room: WaitingRoom, preparations: Preparations) {
  const { rehearsal } = await preparations.read(room.id);
  const result = storedResult.safeParse(rehearsal?.result).data;
  // One of another version of Usher is none.
  if (rehearsal === null || result === undefined) return { room: room.id, last: null };
  const changed_since = changesBetween(rehearsal.settings, settingsOf(room)).map(({ member }) => member);
  return { room: room.id, last: { by: rehearsal.by, at: formatTime(rehearsal.at_ms), ...result, changed_since } };
}

function settingsOf({ settings }: WaitingRoom): Record<string, unknown> {
  const written = Object.entries(writeRoomSettings(settings, settings.timeZone ?? null));
  return Object.fromEntries(written.filter(([name]) => !ofTheDay.has(name)));
}
