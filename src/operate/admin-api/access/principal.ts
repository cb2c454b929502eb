import { hash } from "node:crypto";
import type { Context } from "koa";
import { ROLES, type Role } from "../../../config/index.ts";
import type { FailedAttempts } from "../../../lib/address-buckets.ts";
import { UsherError } from "../../../lib/errors.ts";
import { bearerTokenOf } from "../../../lib/request.ts";
import {
  type AdminKeys,
  type AdminSessions,
  type KeyGrant,
  refreshAll,
  type SessionGrant,
  type Somebody,
} from "../../../registry/index.ts";
import { requireSameOrigin } from "../../../web/middleware/cross-origin.ts";
import { isCsrfToken, type SignInCookies } from "../sign-in/cookies.ts";

/**
 * @param identify is called with the principal as soon as it is known, though the request may still be refused
 * @throws UsherError `unauthorized`, `forbidden`, `too_many_from_address`
 */
export type PrincipalCheck = (ctx: Context, identify: (principal: Principal) => void) => Promise<Principal>;

/** By which operators' browsers are known. */
export interface BrowserSessions {
  readonly sessions: Pick<AdminSessions, "registry" | "find" | "isInForce">;
  readonly cookies: SignInCookies;
  /** The operators' own, at which browsers send cookies; null where it is not known. */
  readonly address: string | null;
}

/** What was granted to a key or a person. */
interface Grant extends KeyGrant {
  readonly kind: "key" | "person";
  /** Of a person. */
  readonly name?: string;
}

/** The key or person that calls the admin API. Only a check creates one, so code that has one need not check again. */
export class Principal implements KeyGrant {
  readonly kind: "key" | "person";
  /** Names it in logs. A person's begins with `person:`, so it is no key's. */
  readonly id: string;
  /** Of a person, for people to read. */
  readonly name: string | null;
  readonly role: Role;
  /** Those it is for; null for all, and for what is of no room. */
  readonly rooms: readonly string[] | null;
  /** As a private member also what keeps all else from having the shape of this class. */
  readonly #isInForce: () => boolean;

  private constructor({ kind, id, name, role, rooms }: Grant, isInForce: () => boolean) {
    this.#isInForce = isInForce;
    this.kind = kind;
    this.id = id;
    this.name = kind === "person" ? (name ?? null) : null;
    this.role = role;
    this.rooms = rooms;
  }

  /** Asks for `Authorization: Bearer KEY` with one of these, as they are at the time. */
  static createKeyCheck(keys: Pick<AdminKeys, "find">, failures: FailedAttempts): PrincipalCheck {
    return async (ctx, identify) => {
      const presented = bearerTokenOf(ctx.headers) ?? "";
      const { grant, sha256 } = findKey(keys, presented);
      if (grant !== null) {
        const principal = new Principal({ kind: "key", ...grant }, () => keys.find(sha256) !== null);
        identify(principal);
        return principal;
      }
      if (presented !== "") countFailure(ctx, failures);
      ctx.set("WWW-Authenticate", "Bearer");
      throw new UsherError("unauthorized", "send a valid admin key as Authorization: Bearer");
    };
  }

  /**
   * Asks for a key, or for the cookie of a session: where a key is sent, that alone counts. What a browser changes
   * must come from our own pages, with the session's token in `X-CSRF-Token`.
   */
  static createCheck(ofKey: PrincipalCheck, browsers: BrowserSessions, failures: FailedAttempts): PrincipalCheck {
    return async (ctx, identify) => {
      const id = bearerTokenOf(ctx.headers) === undefined ? browsers.cookies.session(ctx) : null;
      if (id === null) return ofKey(ctx, identify);
      const grant = await findSession(browsers, id, ctx, failures);
      if (grant === null) {
        throw new UsherError("unauthorized", "this session has ended: sign in again, at /admin/sign-in");
      }
      const principal = new Principal(grant, () => browsers.sessions.isInForce(id));
      identify(principal);
      if (ctx.method !== "GET" && ctx.method !== "HEAD")
        requireConsolePage(ctx, browsers.address, id, ctx.get("X-CSRF-Token"));
      return principal;
    };
  }

  /** For an answer that goes on: a key may be revoked, or end, meanwhile. */
  isInForce(): boolean {
    return this.#isInForce();
  }

  isFor(room: string): boolean {
    return this.rooms === null || this.rooms.includes(room);
  }

  hasRole(role: Role): boolean {
    return ROLES.indexOf(this.role) >= ROLES.indexOf(role);
  }

  /** @throws UsherError `forbidden` for one that has less than this role */
  requireRole(role: Role): void {
    if (this.hasRole(role)) return;
    throw new UsherError("forbidden", `this takes the role ${role}; ${this.#name} has the role ${this.role}`);
  }

  /** @throws UsherError `forbidden`, whether there are such rooms or not */
  requireRooms(rooms: readonly string[]): void {
    if (!rooms.every((room) => this.isFor(room))) throw this.notFor("this room");
  }

  /** @throws UsherError `forbidden` for one that is for some rooms only */
  requireAllRooms(): void {
    if (this.rooms === null) return;
    throw new UsherError("forbidden", `this is of no single room; ${this.#name} is for some rooms only`);
  }

  /** What one that is for some rooms only gets for what is not theirs. */
  notFor(what: string): UsherError {
    const roomNames = (this.rooms ?? []).join(", ");
    return new UsherError("forbidden", `${this.#name} is not for ${what}; it may see: ${roomNames}`);
  }

  get #name(): string {
    return this.kind === "key" ? "this admin key" : "this person";
  }
}

/** What a key was granted, with its hash. Null for one that is not in force. */
export function findKey(keys: Pick<AdminKeys, "find">, presented: string) {
  const sha256 = hash("sha256", presented, "buffer");
  return { sha256, grant: presented === "" ? null : keys.find(sha256) };
}

/**
 * What a session is worth. One that this process does not know may have been made at another just now: the store is asked, as
 * often as an address may try keys.
 */
export async function findSession(
  { sessions }: Pick<BrowserSessions, "sessions">,
  id: string,
  ctx: Context,
  failures: FailedAttempts,
): Promise<SessionGrant | null> {
  const grant = sessions.find(id);
  if (grant !== null || failures.count("session", ctx.state.clientAddress()) > 0) return grant;
  await refreshAll([sessions]);
  return sessions.find(id);
}

/** @throws UsherError `forbidden` for a change that no page of ours sends */
export function requireConsolePage(ctx: Context, address: string | null, session: string, token: string): void {
  requireSameOrigin(ctx, address ?? "");
  if (isCsrfToken(session, token)) return;
  throw new UsherError("forbidden", "send the csrf_token that GET /admin/session tells as X-CSRF-Token");
}

/** @throws UsherError `too_many_from_address` where there were many before it */
export function countFailure(ctx: Context, failures: FailedAttempts): void {
  const message = "so many keys that are none have come from this address that it must wait; a valid one passes";
  countAttempt(ctx, failures, "admin", message);
}

/**
 * Asks the store for a link, which takes an attempt that a good one gives back: who reads the page of one for hours is not counted.
 *
 * @throws UsherError `too_many_from_address` before it asks, where there were many that are none; and what `ask` throws
 */
export async function askForLink<Found>(
  ctx: Context,
  failures: FailedAttempts,
  ask: () => Promise<Found>,
  isGood: (found: Found) => boolean,
): Promise<Found> {
  const what = "link";
  countAttempt(ctx, failures, what, "so many links that are none have come from this address that it must wait");
  let isFailure = false;
  try {
    const found = await ask();
    isFailure = !isGood(found);
    return found;
  } finally {
    if (!isFailure) failures.refund(what, ctx.state.clientAddress());
  }
}

/** @throws UsherError `too_many_from_address` where there were many of this kind before it */
export function countAttempt(ctx: Context, failures: FailedAttempts, what: string, message: string): void {
  const retryAfterSec = failures.count(what, ctx.state.clientAddress());
  if (retryAfterSec > 0) throw new UsherError("too_many_from_address", message, { retryAfterSec });
}

/** As it is recorded who did something. */
export function somebodyOf({ kind, id, name }: Principal): Somebody {
  return { kind, id, name };
}
