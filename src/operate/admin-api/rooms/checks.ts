/** The admin API's routes for the checks of a room before its sale: what `usher doctor` finds from outside, run by a gateway. */
import { z } from "zod";
import { type ClientConfig, formatTime, type UsherConfig } from "../../../config/index.ts";
import { checkClients, checkProxies, checkPublic, type Insider, Untried } from "../../../doctor/index.ts";
import type { Clock } from "../../../lib/clock.ts";
import { UsherError } from "../../../lib/errors.ts";
import { type Finding, warning } from "../../../lib/finding.ts";
import { type ClientDirectory, somebody } from "../../../registry/index.ts";
import type { BypassLinks, WaitingRoom, WaitingRooms } from "../../../room/index.ts";
import { type Principal, somebodyOf } from "../access/principal.ts";
import type { AdminRoute, RoutesAbout } from "../admin-router.ts";
import { emptyBody, findingAnswer, timeText } from "../bodies.ts";
import { newBypassLink } from "./bypass-link.ts";
import { type ChecksRecord, checksLongestMs, type RecordedChecks } from "./checks-record.ts";

/** Checks end so long before others may begin. */
const marginMs = 10_000;

const checksAnswer = z
  .object({
    room: z.string(),
    running: z.object({ by: somebody, began_at: timeText }).nullable(),
    last: z
      .object({ by: somebody, began_at: timeText, ended_at: timeText, findings: z.array(findingAnswer) })
      .nullable(),
  })
  .meta({ id: "Checks" });

export interface ChecksParts {
  readonly rooms: WaitingRooms;
  readonly checksRecord: ChecksRecord;
  readonly issuerOf: (room: string) => {
    readonly issuer: string;
    readonly clients: Pick<ClientDirectory, "all">;
    readonly bypassLinks: BypassLinks;
  };
  readonly listen: UsherConfig["listen"];
  readonly clock: Clock;
}

export function checksRoutes(route: RoutesAbout<WaitingRoom>, parts: ChecksParts): AdminRoute[] {
  const { checksRecord } = parts;
  const tag = "Rooms";
  return [
    route(
      "GET",
      "/checks",
      {
        summary: "Tells what the last checks of the room found, and whether others go on.",
        tag,
        role: "viewer",
        answers: checksAnswer,
      },
      async ({ subject: room }) => checksJson(room.id, await checksRecord.read(room.id)),
    ),
    route(
      "POST",
      "/checks",
      {
        summary:
          "Begins checks of the room from outside: name, certificate, proxy, clients, a login that is played and ended. One at a time.",
        tag,
        role: "operator",
        body: emptyBody,
        status: 201,
        answers: checksAnswer,
        errors: ["conflict"],
      },
      async ({ subject: room, principal }) => {
        const { id, now } = await checksRecord.begin(room.id, somebodyOf(principal));
        // Its end is in the store, for whoever looks. If the store is away then, the run counts as broken off.
        void check(room, principal, parts)
          .then((findings) => checksRecord.end(room.id, id, findings))
          .catch(() => undefined);
        return checksJson(room.id, now);
      },
    ),
  ];
}

function checksJson(room: string, { running, checks }: RecordedChecks) {
  return {
    room,
    running: running && { by: running.by, began_at: formatTime(running.began_ms) },
    last: checks && {
      by: checks.by,
      began_at: formatTime(checks.began_ms),
      ended_at: formatTime(checks.ended_ms),
      findings: checks.findings,
    },
  };
}

/** Asks no other host than the issuer's. What takes too long is told, and what was found until then. */
async function check(room: WaitingRoom, { id: admin }: Principal, parts: ChecksParts): Promise<readonly Finding[]> {
  const { issuerOf, listen, rooms, clock } = parts;
  const { issuer, clients, bypassLinks } = issuerOf(room.id);
  const findings: Finding[] = [...checkProxies(listen, [issuer])];
  const nowMs = () => clock.now();
  const run = async () => {
    const publicFindings = await checkPublic(issuer, [room.id], nowMs);
    findings.push(...publicFindings.findings);
    if (!publicFindings.isUsher) return;
    const ofRoom: ClientConfig[] = clients.all
      .filter((client) => client.rooms.includes(room.id))
      .map((client) => ({ ...client, rooms: [room.id] }));
    if (ofRoom.length === 0) findings.push(warning("client", "No client is of this room, so no login is tried."));
    const insider = insiderOf(room, { issuer, bypassLinks, rooms, admin });
    findings.push(...(await checkClients(issuer, ofRoom, insider, new Map())));
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      findings.push(warning("checks", "The checks took too long, and were cut off: run usher doctor, which waits."));
      resolve();
    }, checksLongestMs - marginMs);
  });
  try {
    await Promise.race([run(), late]);
    return findings.slice();
  } finally {
    clearTimeout(timer);
  }
}

interface InsiderParts extends Pick<ChecksParts, "rooms"> {
  readonly issuer: string;
  readonly bypassLinks: BypassLinks;
  readonly admin: string;
}

/** The gateway itself. */
function insiderOf(room: WaitingRoom, { rooms, admin, ...links }: InsiderParts): Insider {
  return {
    name: "this gateway",
    makeLink: () =>
      tried(async () => {
        const { url, link, expires_at } = newBypassLink(room, links, null);
        rooms.events.emit("bypass.created", { room: room.id, link, admin, note: "checks", expires_at });
        return url;
      }),
    async visitorOf(_, ticket) {
      const presented = room.read(ticket);
      return presented.kind === "ticket" ? presented.ticket.sub : null;
    },
    isLive: (_, sub) => tried(async () => (await room.admissions.find(sub))?.ended === null),
    endAdmission: (_, sub) => tried(async () => void (await room.admissions.end(sub, "completed"))),
  };
}

/** @throws Untried */
async function tried<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof UsherError ? new Untried(error.message, { cause: error }) : error;
  }
}
