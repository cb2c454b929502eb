/**
 * Who visitors are, in rooms where they sign in at the organisation's OpenID Connect provider before they join (`rooms[].identity`).
 * Two cookies say so afterwards: the key (gate/keyed-entry.ts), by which each person has one place, and an encrypted one with the claims
 * that go on to the room's sites. A code's grant carries the latter, since a token request has no cookies.
 */
import type { Context } from "koa";
import type { RoomConfig } from "../../config/index.ts";
import { AddressBuckets, usualRate } from "../../lib/address-buckets.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import { type Claims, createProviderLogin, type ProviderLogin } from "../../lib/openid/login.ts";
import type { RoomDirectory } from "../../registry/index.ts";
import { createLimitsOfRanges, type WaitingRoom } from "../../room/index.ts";
import type { LoginAttempt, Refusal } from "../gate/contract.ts";
import type { CookieBound } from "../gate/cookie-bound.ts";
import { type KeyedEntries, signInFirst } from "../gate/keyed-entry.ts";
import { identityMaxAgeSec, type VisitorCookies } from "../gate/visitor-cookies.ts";
import { createSealing, type SealingParts } from "../sealing.ts";
import { type Attempt, createAttempts } from "./attempts.ts";
import { hasAll, pickClaims } from "./claims.ts";

const signedInMs = identityMaxAgeSec * 1_000;
/** Characters. With 2 kB of claims the sealed cookie has about 2,950. */
const sealedMax = 3_400;
/** OpenID Connect Core 1.0, section 2: `sub` has at most 255 ASCII characters. */
const subMax = 255;
/** Address blocks whose exchanges are counted. */
const blocksMax = 50_000;
/** Codes that are exchanged at a time, at this process. */
const underWayMax = 64;
/** A crowd meets a provider that is away, or says too much of everybody: the log hears of each so often. */
const reportEveryMs = 10_000;

/** What the cookie has. */
interface SignedIn {
  readonly room: string;
  /** Of the key that the visitor has proven. */
  readonly digest: string;
  readonly claims: Claims;
}

type SigningRoom = Pick<WaitingRoom, "id" | "isByKey" | "name" | "settings" | "emit">;

export type Identities = ReturnType<typeof createIdentities>;

interface Parts extends SealingParts {
  readonly directory: Pick<RoomDirectory, "get">;
  readonly cookies: VisitorCookies;
  readonly cookieBound: CookieBound;
  readonly keyedEntries: Pick<KeyedEntries, "proveIdentity" | "digestFor">;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "warn">;
}

export function createIdentities({
  issuer,
  keys,
  directory,
  cookies,
  cookieBound,
  keyedEntries,
  clock,
  logger,
}: Parts) {
  const attempts = createAttempts({ issuer, keys, cookies, cookieBound, clock });
  const sealing = createSealing<SignedIn>({ issuer, keys }, "usher visitor who has signed in", sealedMax);
  const logins = new WeakMap<RoomConfig, ProviderLogin>();
  const reportedMs = new Map<string, number>();
  const limitOfRange = createLimitsOfRanges();
  const exchanges = new AddressBuckets(clock, blocksMax);
  let underWay = 0;

  const identityOf = ({ id, isByKey }: SigningRoom) => (isByKey ? (directory.get(id)?.identity ?? null) : null);

  /** @throws UsherError `not_found` */
  function signInOf(room: SigningRoom) {
    const config = directory.get(room.id);
    const identity = identityOf(room);
    if (config === undefined || identity === null) {
      throw new UsherError("not_found", "nobody signs in for this room: rooms[].identity is not configured");
    }
    const cached = logins.get(config);
    const login = cached ?? createProviderLogin(identity, `${issuer}/rooms/${room.id}/identity/callback`, clock);
    if (cached === undefined) logins.set(config, login);
    return { identity, login };
  }

  function warn(
    room: SigningRoom,
    event: "identity.unavailable" | "identity.claims_dropped",
    more: object,
    message: string,
  ) {
    const [what, nowMs] = [`${event} ${room.id}`, clock.now()];
    const sinceMs = nowMs - (reportedMs.get(what) ?? Number.NEGATIVE_INFINITY);
    // Less than nothing: the clock was set back.
    if (sinceMs >= 0 && sinceMs < reportEveryMs) return;
    reportedMs.set(what, nowMs);
    logger.warn({ event, room: room.id, ...more }, message);
  }

  /** Whether so many codes were exchanged from this address just now that one more has to wait. */
  function isTooOften(room: SigningRoom, address: string | null): boolean {
    const limit = room.settings.joinsPerAddress;
    const range = limit === null || address === null ? undefined : limitOfRange(limit, address);
    if (address === null || range?.limit === null) return false;
    return exchanges.of(room.name, { ...(limit ?? usualRate), ...range?.limit }).take(address) > 0;
  }

  /** Tells the log what keeps visitors from signing in. */
  async function reported<T>(room: SigningRoom, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const isAway = error instanceof UsherError && error.code === "provider_unavailable";
      room.emit("visitor.sign_in", { outcome: isAway ? "provider_away" : "failed" });
      if (isAway) warn(room, "identity.unavailable", { reason: error.reason }, error.message);
      throw error;
    }
  }

  /** The visitor's cookie, if it is of the person whose `sub` this is, and what is in it. */
  async function signedIn(ctx: Context, room: WaitingRoom, sub: string) {
    const digest = keyedEntries.digestFor(ctx, room, sub);
    const sealed = digest === null ? undefined : cookies.identity(room.id).read(ctx.req);
    const content = sealed === undefined ? null : await sealing.open(sealed);
    return content !== null && content.room === room.id && content.digest === digest ? sealed : undefined;
  }

  async function requireSignIn({ ctx, room, ticket, grant }: LoginAttempt): Promise<Refusal | null> {
    const sealed = await signedIn(ctx, room, ticket.sub);
    if (sealed === undefined) return signInFirst(issuer, room, ticket);
    grant.identity = sealed;
    return null;
  }

  return {
    isOf: (room: SigningRoom): boolean => identityOf(room) !== null,

    /**
     * Where the browser is sent to sign in, and back here; or the rooms of the places beside which it can keep no sign-in.
     *
     * @throws UsherError `not_found`, `provider_unavailable`, `request_too_long`
     */
    async begin(ctx: Context, room: WaitingRoom, returnTo: string): Promise<string | readonly WaitingRoom[]> {
      const { url, transaction } = await reported(room, signInOf(room).login.begin());
      const places = await attempts.keep(ctx, room.id, transaction, returnTo);
      if (places !== null) return places;
      room.emit("visitor.sign_in", { outcome: "begun" });
      return url;
    },

    /** What the browser began with this state, and has not finished; null for nothing. */
    findAttempt: (ctx: Context, room: WaitingRoom, state: string) => attempts.find(ctx, room.id, state),

    /**
     * Ends a sign-in: from then on the browser has the person's key and claims. From an address, no more codes are exchanged than may join
     * from there, so that nobody keeps the provider busy.
     *
     * @param search of the address that the browser came back to
     * @param address see `addressBlock`; null where it is not counted
     * @returns null; or the rooms of the places beside which the browser can keep no claims
     * @throws UsherError `not_found`, `sign_in_failed`, `provider_unavailable`
     */
    async finish(
      ctx: Context,
      room: WaitingRoom,
      search: string,
      attempt: Attempt,
      address: string | null,
    ): Promise<readonly WaitingRoom[] | null> {
      const { identity, login } = signInOf(room);
      if (isTooOften(room, address) || underWay >= underWayMax) {
        room.emit("visitor.sign_in", { outcome: "busy" });
        throw new UsherError("provider_unavailable", "many sign in just now; try again in a moment", {
          retryAfterSec: 5,
        });
      }
      underWay++;
      const exchanged = login.finish(search, attempt, (claims) => hasAll(claims, identity.claims)).then(whoHasSignedIn);
      const signedIn = await reported(room, exchanged).finally(() => {
        underWay--;
      });
      const { iss, sub } = signedIn;
      const { claims, dropped } = pickClaims(signedIn, identity.claims);
      if (dropped.length > 0) {
        const message = "claims of a visitor are larger or deeper than they may be, and do not go on";
        warn(room, "identity.claims_dropped", { claims: dropped }, message);
      }
      const digest = keyedEntries.proveIdentity(ctx, room, { iss, sub }, room.nowMs + signedInMs);
      const sealed = await sealing.seal({ room: room.id, digest, claims });
      const cookie = cookies.identity(room.id);
      attempts.forget(ctx, attempt);
      room.emit("visitor.sign_in", { outcome: "signed_in" });
      const places = cookieBound(ctx, room.id, cookie.with(sealed));
      if (places === null) cookie.set(ctx.res, sealed);
      return places;
    },

    /** A visitor signs in before a login, whose grant carries who they are, encrypted. */
    beforeLogin(login: LoginAttempt): Promise<Refusal | null> | null {
      return identityOf(login.room) === null ? null : requireSignIn(login);
    },

    /** What goes on to a site of the room, by the configuration as it is now. */
    async claimsOf(room: SigningRoom, sealed: string | undefined): Promise<Claims> {
      const identity = identityOf(room);
      const content = identity === null || sealed === undefined ? null : await sealing.open(sealed);
      if (identity === null || content === null || content.room !== room.id) return {};
      return pickClaims(content.claims, identity.claims).claims;
    },
  };
}

/** The claims of somebody who can be told from others. @throws UsherError `sign_in_failed` */
function whoHasSignedIn(claims: Claims): Claims & { readonly iss: string; readonly sub: string } {
  const { iss, sub } = claims;
  if (typeof iss === "string" && typeof sub === "string" && sub !== "" && sub.length <= subMax)
    return { ...claims, iss, sub };
  throw new UsherError("sign_in_failed", "the provider does not say who you are as it should");
}
