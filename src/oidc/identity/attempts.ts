/**
 * Sign-ins that a browser has begun at a room's provider. Each is a cookie of its own, so that tabs do not disturb each other, and ends
 * with the sign-in: a page about one that failed can be reloaded. It is encrypted: what stands in an authorization request is the relying party's.
 */
import type { Context } from "koa";
import type { Clock } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import type { Transaction } from "../../lib/openid/login.ts";
import type { WaitingRoom } from "../../room/index.ts";
import type { CookieBound } from "../gate/cookie-bound.ts";
import { attemptMaxAgeSec, type VisitorCookies } from "../gate/visitor-cookies.ts";
import { createSealing, type SealingParts } from "../sealing.ts";

export const attemptMs = attemptMaxAgeSec * 1_000;
/** Characters of one. With the arrival stamp, it is less than a browser keeps of all rooms. */
const attemptMax = 3_600;

export interface Attempt extends Transaction {
  readonly room: string;
  /** Where the visitor goes on, path and query. */
  readonly returnTo: string;
  readonly expiresMs: number;
}

interface Parts extends SealingParts {
  readonly cookies: Pick<VisitorCookies, "attempt">;
  readonly cookieBound: CookieBound;
  readonly clock: Clock;
}

export function createAttempts({ cookies, cookieBound, clock, ...parts }: Parts) {
  const sealing = createSealing<Attempt>(parts, "usher sign-in of a visitor", attemptMax);

  return {
    /**
     * Where there are too many, the oldest are forgotten.
     *
     * @returns null; or the rooms of the places beside which the browser can keep none
     * @throws UsherError `request_too_long`
     */
    async keep(
      ctx: Context,
      room: string,
      transaction: Transaction,
      returnTo: string,
    ): Promise<readonly WaitingRoom[] | null> {
      const value = await sealing.seal({ ...transaction, room, returnTo, expiresMs: clock.now() + attemptMs });
      if (value.length > attemptMax) {
        throw new UsherError("request_too_long", "the address to return to after the sign-in is too long to be kept");
      }
      const cookie = cookies.attempt(room, nameOf(transaction.state));
      const places = cookieBound(ctx, room, cookie.with(value));
      if (places === null) cookie.set(ctx.res, value);
      return places;
    },

    /** The one of this state. Null: the browser began none in the last minutes, or has finished it. */
    async find(ctx: Context, room: string, state: string): Promise<Attempt | null> {
      const attempt = await sealing.open(cookies.attempt(room, nameOf(state)).read(ctx.req) ?? "");
      const isIt = attempt?.room === room && attempt.state === state && clock.now() < attempt.expiresMs;
      return isIt ? attempt : null;
    },

    /** It is finished. */
    forget(ctx: Context, { room, state }: Pick<Attempt, "room" | "state">): void {
      cookies.attempt(room, nameOf(state)).clear(ctx.res);
    },
  };
}

/** States are of base64url; what is none has no cookie. */
function nameOf(state: string): string {
  return /^[\w-]{8}/.exec(state)?.[0] ?? "-";
}
