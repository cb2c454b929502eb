/**
 * The way into rooms in which each person has one place: who has proven a key in this request, or in one before it, of which the visitor's
 * cookie is the proof.
 */
import type { Context } from "koa";
import type { RoomConfig } from "../../config/index.ts";
import type { Clock } from "../../lib/clock.ts";
import type { RoomDirectory } from "../../registry/index.ts";
import { nameInVisitorId, type VisitorKey, type VisitorKeys, type WaitingRoom } from "../../room/index.ts";
import { createInvitationVerifier, type InvitationRefusal, type VerifyInvitation } from "./invitation-verifier.ts";
import type { VisitorCookies } from "./visitor-cookies.ts";

/** `names`: of the visitor's key. `uninvited`: none was proven. `early`: its class may not join yet. */
export type KeyedEntry =
  | { readonly result: "names"; readonly names: readonly string[] }
  | { readonly result: "uninvited" }
  | { readonly result: "early"; readonly opensAtMs: number };

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
    return visitorKeys.read(room.id, cookies.key(room.id).read(ctx.req), room.nowMs);
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
    keep(ctx: Context, room: WaitingRoom): boolean {
      const key = keyOf(ctx, room);
      if (key === undefined) return false;
      const maxAgeSec = Math.max(1, Math.ceil((key.expiresMs - room.nowMs) / 1_000));
      cookies.key(room.id).set(ctx.res, visitorKeys.encode(room.id, key), maxAgeSec);
      const ticket = cookies.ticket(room.id);
      const presented = room.read(ticket.read(ctx.req));
      if (presented.kind !== "ticket" || presented.ticket.position === 0) return false;
      const isTheirs = visitorKeys.namesOf(key).includes(nameInVisitorId(presented.ticket.sub));
      if (!isTheirs) ticket.clear(ctx.res);
      return !isTheirs;
    },

    /** How the visitor of this request may join the room; null where no key is needed. */
    of(ctx: Context, room: WaitingRoom): KeyedEntry | null {
      if (!room.isByKey) return null;
      const key = keyOf(ctx, room);
      if (key === undefined) return { result: "uninvited" };
      const classes = directory.get(room.id)?.invitations?.classes ?? [];
      const opensAtMs = classes.find(({ id }) => id === key.classId)?.opensAtMs ?? 0;
      if (opensAtMs > room.nowMs) return { result: "early", opensAtMs };
      return { result: "names", names: visitorKeys.namesOf(key) };
    },
  };
}
