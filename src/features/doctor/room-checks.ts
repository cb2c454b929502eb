/** A gateway looks at one of its rooms as visitors and sites meet it: what it asks of itself, and how long it may take. */
import { type ClientConfig, type PublicAnswer, publicAnswersOfParts, type UsherConfig } from "../../config/index.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import { type Finding, warning } from "../../lib/finding.ts";
import type { Principal } from "../../operate/admin-api/access/principal.ts";
import { newBypassLink } from "../../operate/admin-api/rooms/bypass-link.ts";
import type { Gateway, RunningFeature } from "../../operate/feature.ts";
import type { WaitingRoom } from "../../room/index.ts";
import { checkProxies } from "./address.ts";
import { type ChecksRecord, checksLongestMs, createChecksRecord } from "./checks-record.ts";
import { checkPublic } from "./from-outside.ts";
import { checkClients } from "./login/clients.ts";
import { type Insider, Untried } from "./login/trial.ts";
import { checkPublicAnswers } from "./public-answers.ts";

/** Checks end so long before others may begin. */
const marginMs = 10_000;

export interface DoctorInGateway extends RunningFeature, Pick<Gateway, "rooms" | "issuers" | "issuerOf"> {
  readonly checksRecord: ChecksRecord;
  readonly listen: UsherConfig["listen"];
  /** What parts of the configuration say that the issuer of a room answers for it. */
  readonly publicAnswersOf: (room: string) => readonly PublicAnswer[];
  /** The store's. */
  readonly clock: Clock;
}

export function startDoctor({ config, parts, rooms, issuers, issuerOf, store, random }: Gateway): DoctorInGateway {
  const { clock, documents } = store;
  const publicAnswers = config.issuers.flatMap((issuer) => publicAnswersOfParts(issuer, parts));
  return {
    rooms,
    issuers,
    issuerOf,
    checksRecord: createChecksRecord(documents, clock, random),
    listen: config.listen,
    publicAnswersOf: (room) => publicAnswers.filter((answer) => answer.rooms.includes(room)),
    clock,
  };
}

/** Asks no other host than the issuer's. What takes too long is told, and what was found until then. */
export async function check(
  room: WaitingRoom,
  { id: admin }: Principal,
  doctor: DoctorInGateway,
): Promise<readonly Finding[]> {
  const { issuerOf, listen, publicAnswersOf, clock } = doctor;
  const { issuer, clients } = issuerOf(room.id);
  const findings: Finding[] = [...checkProxies(listen, [issuer])];
  const nowMs = () => clock.now();
  const run = async () => {
    const publicFindings = await checkPublic(issuer, [room.id], nowMs);
    findings.push(...publicFindings.findings);
    if (!publicFindings.isUsher) return;
    findings.push(...(await checkPublicAnswers(issuer, publicAnswersOf(room.id))));
    const ofRoom: ClientConfig[] = clients.all
      .filter((client) => client.rooms.includes(room.id))
      .map((client) => ({ ...client, rooms: [room.id] }));
    if (ofRoom.length === 0) findings.push(warning("client", "No client is of this room, so no login is tried."));
    findings.push(...(await checkClients(issuer, ofRoom, insiderOf(room, doctor, admin), new Map())));
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

/** The gateway itself. @param admin in whose name */
function insiderOf(room: WaitingRoom, { rooms, issuerOf }: DoctorInGateway, admin: string): Insider {
  return {
    name: "this gateway",
    makeLink: () =>
      tried(async () => {
        const { url, link, expires_at } = newBypassLink(room, issuerOf(room.id), null);
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
