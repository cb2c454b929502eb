/**
 * The way into rooms in which each person has one place: who has proven a key in this request, or in one before it, of which the visitor's
 * cookie is the proof.
 * An invitation stands in the address of a visit: of a link in a mailing, or as the parameter `invitation` of an authorization request.
 */
import { hash } from "node:crypto";
import type { Context } from "koa";
import type { RoomConfig } from "../../config/index.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import type { RoomDirectory } from "../../registry/index.ts";
import { nameInVisitorId, type Ticket, type VisitorKey, type VisitorKeys, type WaitingRoom } from "../../room/index.ts";
import { freshStart } from "./authorization-request.ts";
import type { Arrival, GateResponder, GateSteps, JoinAttempt, Refusal } from "./contract.ts";
import { createInvitationVerifier, type InvitationRefusal, type VerifyInvitation } from "./invitation-verifier.ts";
import { seeOther } from "./navigation.ts";
import { readTicket, type VisitorCookies } from "./visitor-cookies.ts";

type IdentityConfig = NonNullable<RoomConfig["identity"]>;

export type KeyedEntries = ReturnType<typeof createKeyedEntries>;

interface Parts {
  readonly issuer: string;
  readonly directory: RoomDirectory;
  readonly cookies: VisitorCookies;
  readonly visitorKeys: VisitorKeys;
  readonly clock: Clock;
}

export function createKeyedEntries({ issuer, directory, cookies, visitorKeys, clock }: Parts) {
  const verifiers = new WeakMap<RoomConfig, VerifyInvitation>();
  /** Keys that were proven by the request itself, of whatever room. */
  const proven = new WeakMap<Context, { readonly room: string; readonly key: VisitorKey }>();

  function verifierOf(config: RoomConfig, invitations: NonNullable<RoomConfig["invitations"]>): VerifyInvitation {
    const cached = verifiers.get(config);
    if (cached !== undefined) return cached;
    const verify = createInvitationVerifier({ room: config.id, audience: issuer }, invitations, clock);
    verifiers.set(config, verify);
    return verify;
  }

  function keyOf(ctx: Context, room: WaitingRoom): VisitorKey | undefined {
    const presented = proven.get(ctx);
    if (presented?.room === room.id) return presented.key;
    const key = visitorKeys.read(room.id, cookies.key(room.id).read(ctx.req), room.nowMs);
    return key !== undefined && isOfKind(key, directory.get(room.id)?.identity) ? key : undefined;
  }

  function keep(ctx: Context, room: WaitingRoom): boolean {
    const key = keyOf(ctx, room);
    if (key === undefined) return false;
    const maxAgeSec = Math.max(1, Math.ceil((key.expiresMs - room.nowMs) / 1_000));
    cookies.key(room.id).set(ctx.res, visitorKeys.encode(room.id, key), maxAgeSec);
    const ticket = cookies.ticket(room.id);
    const presented = room.read(ticket.read(ctx.req));
    if (presented.kind !== "ticket") return false;
    const { position, sub } = presented.ticket;
    const isAnybodys = position === 0 && directory.get(room.id)?.identity == null;
    const isTheirs = isAnybodys || visitorKeys.namesOf(key).includes(nameInVisitorId(sub));
    if (!isTheirs) ticket.clear(ctx.res);
    return !isTheirs;
  }

  return {
    /** Takes an invitation that the request shows. Null: it is good, and counts for this request. */
    async show(ctx: Context, room: WaitingRoom, token: string): Promise<InvitationRefusal | null> {
      const config = directory.get(room.id);
      if (config?.invitations == null) return "invalid";
      const answer = await verifierOf(config, config.invitations)(token);
      if (typeof answer === "string") return answer;
      const { key, classId, expiresMs } = answer;
      const digest = visitorKeys.digest(room.id, "invitation", key);
      proven.set(ctx, { room: room.id, key: { digest, classId, expiresMs } });
      return null;
    },

    /**
     * Keeps the key that the request has shown in the browser. A place there of another key is left to that person, who gets it again by
     * their own invitation: answers whether there is one.
     */
    keep,

    /** Takes whom the room's provider has signed in, and keeps the key as `keep` does. Answers the hash of the key. */
    proveIdentity(
      ctx: Context,
      room: WaitingRoom,
      { iss, sub }: { readonly iss: string; readonly sub: string },
      expiresMs: number,
    ): string {
      const identity = directory.get(room.id)?.identity;
      if (identity == null) throw new TypeError(`nobody signs in for ${room.id}`);
      const digest = visitorKeys.digest(room.id, "identity", JSON.stringify([iss, sub]));
      proven.set(ctx, { room: room.id, key: { digest, classId: classOf(identity), expiresMs } });
      keep(ctx, room);
      return digest;
    },

    /** Hash of the key that the visitor has proven, if it is that of this `sub`; else null. */
    digestFor(ctx: Context, room: WaitingRoom, sub: string): string | null {
      const key = keyOf(ctx, room);
      return key !== undefined && visitorKeys.namesOf(key).includes(nameInVisitorId(sub)) ? key.digest : null;
    },

    /** Identifies a visitor who needs no place: the person who has signed in, or a new visitor. */
    identify(ctx: Context, room: WaitingRoom): ReturnType<GateSteps["identify"]> {
      if (directory.get(room.id)?.identity == null) return { name: undefined };
      const key = keyOf(ctx, room);
      if (key === undefined && room.isByKey) return signInFirst(issuer, room, null);
      return { name: key && visitorKeys.namesOf(key)[0] };
    },

    /** Where each person has one place, a visitor joins by a proven key alone, and no further step or limit counts. */
    beforeJoin(join: JoinAttempt): Refusal | "enough" | null {
      const { ctx, room } = join;
      if (!room.isByKey || room.entrance !== "line") return null;
      const config = directory.get(room.id);
      const key = keyOf(ctx, room);
      if (key === undefined) return config?.identity == null ? uninvited : signInFirst(issuer, room, null);
      const classes = config?.invitations?.classes ?? [];
      const opensAtMs = classes.find(({ id }) => id === key.classId)?.opensAtMs ?? 0;
      if (opensAtMs > room.nowMs) return invitationEarly(room, opensAtMs);
      join.names = visitorKeys.namesOf(key);
      return "enough";
    },
  };
}

/** Where a visitor begins to sign in, and comes back to `returnTo` (path and query). */
export function signInAddress(room: string, returnTo: string): string {
  return `/rooms/${room}/identity/start?return=${encodeURIComponent(returnTo)}`;
}

/**
 * The visitor signs in at the room's provider first, and comes back to what they came for. A visitor with a place keeps it.
 *
 * @param ticket null where none was given
 */
export function signInFirst(issuer: string, { id }: WaitingRoom, ticket: Ticket | null): Refusal {
  const hasPlace = ticket !== null && (ticket.position > 0 || ticket.claim !== null);
  return {
    page: (address) => ({
      redirect: signInAddress(id, address),
      stampsArrival: !hasPlace,
      withholdsTicket: !hasPlace,
    }),
    error: () =>
      new UsherError("sign_in_required", "visitors of this room sign in first: open the address sign_in in a browser", {
        members: { sign_in: `${issuer}/rooms/${id}/identity/start` },
      }),
  };
}

const uninvited: Refusal = {
  page: (address) => ({ status: 403, code: "uninvited", returnTo: freshStart(address) }),
  error: () => new UsherError("uninvited", "visitors join this room by invitation: send it as the member invitation"),
};

/** The time of the visitor's class has not come. */
function invitationEarly(room: WaitingRoom, opensAtMs: number): Refusal {
  return {
    // The page comes back by itself, and shows then that the browser keeps cookies.
    page: (address) => ({
      status: 403,
      code: "invitation_early",
      opensAtMs,
      returnTo: freshStart(address),
      stampsArrival: true,
    }),
    error: () =>
      new UsherError("invitation_early", "invitations of this class may join later", {
        retryAfterSec: Math.ceil((opensAtMs - room.nowMs) / 1_000),
        members: { opens_at: new Date(opensAtMs).toISOString() },
      }),
  };
}

/** Of keys that are proven by signing in at this provider, as this client. No class of invitations is called so. */
function classOf({ issuer, clientId }: IdentityConfig): string {
  return `@${hash("sha256", JSON.stringify([issuer, clientId]), "base64url").slice(0, 11)}`;
}

/** False for a key from before the room's way of entry was changed. */
function isOfKind({ classId }: VisitorKey, identity: IdentityConfig | null | undefined): boolean {
  return identity == null ? !classId.startsWith("@") : classId === classOf(identity);
}

/** Until the keys that invitations are signed with can be fetched again. */
const awayRetryMs = 5_000;

export type InvitationLinks = ReturnType<typeof createInvitationLinks>;

export function createInvitationLinks({
  keyedEntries,
  cookies,
  responder,
}: {
  readonly keyedEntries: KeyedEntries;
  readonly cookies: VisitorCookies;
  readonly responder: GateResponder;
}) {
  return {
    /** Takes the invitation of a visit. One in an address is taken out of it, and the visitor comes again by the rest. */
    beforeVisit({ ctx, room, parameter }: Arrival): Promise<"answered" | undefined> | undefined {
      const invitation = room.isByKey ? parameter("invitation") : null;
      return invitation === null ? undefined : take(ctx, room, invitation.value, invitation.plain);
    },
  };

  async function take(
    ctx: Context,
    room: WaitingRoom,
    token: string,
    plain: string | null,
  ): Promise<"answered" | undefined> {
    const refusal = await keyedEntries.show(ctx, room, token);
    if (refusal !== null && !hasPlace(ctx, room)) {
      if (refusal === "away") responder.notice(ctx, { status: 503, code: "hold_on", room, retryMs: awayRetryMs });
      else responder.notice(ctx, { status: 403, code: "invalid_invitation", room });
      return "answered";
    }
    const isOthersPlace = refusal === null && keyedEntries.keep(ctx, room);
    // The request still carries the other person's ticket: the visitor comes again without it.
    const again = isOthersPlace ? `${ctx.path}?${ctx.querystring}` : null;
    const next = plain ?? again;
    if (next === null) return undefined;
    ctx.set("Referrer-Policy", "no-referrer");
    seeOther(ctx, next);
    return "answered";
  }

  /** Who has a place needs no invitation any more. */
  function hasPlace(ctx: Context, room: WaitingRoom): boolean {
    const presented = readTicket(cookies, room, ctx.req);
    return presented.kind === "ticket" && presented.ticket.position > 0;
  }
}
