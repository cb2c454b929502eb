/** The admin API's route for `usher rehearse`, which plays a crowd in a room that is marked for it. */
import { z } from "zod";
import { formatTime, wholeNumber } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import type { ClientDirectory } from "../../../registry/index.ts";
import type { RehearsalPasses, WaitingRoom } from "../../../room/index.ts";
import type { RoomSitesOf } from "../../room-sites.ts";
import { later, nothingKnown } from "../../visitor/status.ts";
import type { AdminRequest, AdminRoute, RoutesAbout } from "../admin-router.ts";
import { object, timeText } from "../bodies.ts";

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

export interface RehearsalParts {
  /** Of the issuer that a room is of. */
  readonly issuerOf: (room: string) => {
    readonly issuer: string;
    readonly clients: Pick<ClientDirectory, "all">;
    readonly rehearsalPasses: RehearsalPasses;
    readonly sitesOf: RoomSitesOf;
  };
}

export function rehearsalRoutes(route: RoutesAbout<WaitingRoom>, { issuerOf }: RehearsalParts): AdminRoute[] {
  return [
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
  if (room.state === null || nowMs === null) throw later(nothingKnown);
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
