/**
 * The way into rooms in which each person has one place: who has proven a key in this request, or in one before it, of which the visitor's
 * cookie is the proof.
 */
import { hash } from "node:crypto";
import type { Context } from "koa";
import type { RoomConfig } from "../../config/index.ts";
import type { Clock } from "../../lib/clock.ts";
import type { RoomDirectory } from "../../registry/index.ts";
import { nameInVisitorId, type Ticket, type VisitorKey, type VisitorKeys, type WaitingRoom } from "../../room/index.ts";
import { createInvitationVerifier, type InvitationRefusal, type VerifyInvitation } from "./invitation-verifier.ts";
import type { VisitorCookies } from "./visitor-cookies.ts";

/**
 * `names`: of the visitor's key. `uninvited`, `unidentified`: none was proven, by an invitation or by signing in. `early`: its class may
 * not join yet.
 */
export type KeyedEntry =
  | { readonly result: "names"; readonly names: readonly string[] }
  | { readonly result: "uninvited" }
  | { readonly result: "unidentified" }
  | { readonly result: "early"; readonly opensAtMs: number };

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
    const known = verifiers.get(config);
    if (known !== undefined) return known;
    const verify = createInvitationVerifier({ room: config.id, audience: issuer }, invitations, clock);
    verifiers.set(config, verify);
    return verify;
  }

  function keyOf(ctx: Context, room: WaitingRoom): VisitorKey | undefined {
    const shown = proven.get(ctx);
    if (shown?.room === room.id) return shown.key;
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

    /** A visitor where no place is needed: the person who has signed in, else somebody new. */
    visitorWithoutPlace(ctx: Context, room: WaitingRoom): Ticket {
      const key = directory.get(room.id)?.identity == null ? undefined : keyOf(ctx, room);
      return room.visitorWithoutPlace(key === undefined ? undefined : visitorKeys.namesOf(key)[0]);
    },

    /** How the visitor of this request may join the room; null where no key is needed. */
    of(ctx: Context, room: WaitingRoom): KeyedEntry | null {
      if (!room.isByKey) return null;
      const config = directory.get(room.id);
      const key = keyOf(ctx, room);
      if (key === undefined) return { result: config?.identity == null ? "uninvited" : "unidentified" };
      const classes = config?.invitations?.classes ?? [];
      const opensAtMs = classes.find(({ id }) => id === key.classId)?.opensAtMs ?? 0;
      if (opensAtMs > room.nowMs) return { result: "early", opensAtMs };
      return { result: "names", names: visitorKeys.namesOf(key) };
    },
  };
}

/** Of keys that are proven by signing in at this provider, as this client. No class of invitations is called so. */
function classOf({ issuer, clientId }: IdentityConfig): string {
  return `@${hash("sha256", JSON.stringify([issuer, clientId]), "base64url").slice(0, 11)}`;
}

/** A room may have been entered in another way until lately. */
function isOfKind({ classId }: VisitorKey, identity: IdentityConfig | null | undefined): boolean {
  return identity == null ? !classId.startsWith("@") : classId === classOf(identity);
}
