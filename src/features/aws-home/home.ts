import type { MacKey } from "../../config/index.ts";
import type { Random } from "../../lib/clock-and-random.ts";
import {
  type Admission,
  type ReportedPlace,
  reportedPlace,
  type Ticket,
  ticketWithoutPlace,
  type WaitingRoom,
  type WaitingRooms,
} from "../../room/index.ts";
import { createRequestIds, type RequestIds } from "./request-id.ts";
import type { AwsHomeSettings } from "./settings.ts";

/** An event with its room. */
export interface HomeEvent {
  /** Its id in the interface. */
  readonly id: string;
  readonly room: WaitingRoom;
  readonly ids: RequestIds;
}

/** The place that a request id holds. */
export interface Holder {
  readonly requestId: string;
  readonly ticket: Ticket;
  readonly place: ReportedPlace;
}

export interface HomeParts {
  readonly issuer: string;
  readonly settings: AwsHomeSettings;
  readonly rooms: Pick<WaitingRooms, "get">;
  /** Ticket keys of the issuer. */
  readonly keys: () => readonly MacKey[];
  readonly lineOf: (room: string) => string | undefined;
  readonly random: Random;
}

export type Home = ReturnType<typeof createHome>;

/** The events of one issuer's home. */
export function createHome({ issuer, settings, rooms, keys, lineOf, random }: HomeParts) {
  const idsOf = new Map<string, RequestIds>();
  return {
    /** Undefined for an event that there is not. */
    event(id: string | undefined): HomeEvent | undefined {
      const roomId = id === undefined ? undefined : settings.events.get(id);
      const room = roomId === undefined ? undefined : rooms.get(roomId);
      if (id === undefined || room === undefined) return undefined;
      return { id, room, ids: requestIds(room.id) };
    },
  };

  function requestIds(room: string): RequestIds {
    // A room that was made at run time has its line once the registry is known.
    const line = lineOf(room) ?? "";
    const name = `${room} ${line}`;
    const made = idsOf.get(name) ?? createRequestIds({ issuer, room, line, keys, random });
    idsOf.set(name, made);
    return made;
  }
}

/** Who holds a request id, by what this process knows; null where nobody does, as far as it knows. Asks no store. */
export function findHolder({ room, ids }: HomeEvent, requestId: string): Holder | null {
  const { state } = room;
  const found = state === null ? null : ids.decode(requestId, state);
  if (found === null) return null;
  const { sub, edition, number, joinedMs } = found;
  const visitor = ticketWithoutPlace(room.id, sub);
  const ticket = number === 0 ? visitor : room.place({ ...visitor, edition, position: number, joinedMs });
  return { requestId, ticket, place: reportedPlace(room, ticket) };
}

/** So long after a look at the store an unknown id is no reason for another one. */
const lookAgainMs = 1_000;

/** The same, for what must not fail since this process is behind: an id of an edition that began just now. */
export async function findHolderNow(event: HomeEvent, requestId: string, nowMs: number): Promise<Holder | null> {
  const { room } = event;
  const holder = findHolder(event, requestId);
  if (holder !== null) {
    if (!room.isNews(holder.ticket)) return holder;
    // It proves a position that this process, or after a loss the store, does not know.
    await room.verifyAhead(holder.ticket);
    return findHolder(event, requestId);
  }
  if (Math.abs(nowMs - room.refreshedMs) < lookAgainMs) return null;
  await room.catchUp();
  return findHolder(event, requestId);
}

/** Whether the place is an entry that is not drawn, so that it has no number yet. */
export function isUndrawn(room: WaitingRoom, { state, entry, mayBeDrawn = false }: ReportedPlace): boolean {
  if (mayBeDrawn) return true;
  return state === "entered" && (entry !== null || room.settings.draw?.order === "random");
}

/** How tokens of an admission are made, beside what is usual; kept with it, so that all processes make the same. */
export interface TokenTerms {
  /** `iss`; null: the home's. */
  readonly issuer: string | null;
  /** Seconds; null: as long as the admission lasts. */
  readonly validitySec: number | null;
}

export const usualTerms: TokenTerms = { issuer: null, validitySec: null };

const prefix = "aws.";

/**
 * The login under which an admission is claimed. It names the request id, by which `expired_tokens` and events tell of it, and the terms of the
 * tokens. It has no colon: no client is notified of its end.
 */
export function writeLogin(requestId: string, { issuer, validitySec }: TokenTerms): string {
  const terms = issuer === null && validitySec === null ? [] : [String(validitySec ?? ""), base64url(issuer ?? "")];
  return prefix + [requestId, ...terms].join(".");
}

/** What the first such login of an admission says; null for an admission that came another way. */
export function readLogin({ logins }: Pick<Admission, "logins">): { requestId: string; terms: TokenTerms } | null {
  const login = logins.find((candidate) => candidate.startsWith(prefix));
  if (login === undefined) return null;
  const [requestId = "", validity = "", issuer = ""] = login.slice(prefix.length).split(".");
  return {
    requestId,
    terms: {
      issuer: issuer === "" ? null : Buffer.from(issuer, "base64url").toString(),
      validitySec: validity === "" ? null : Number(validity),
    },
  };
}

function base64url(text: string): string {
  return Buffer.from(text).toString("base64url");
}
