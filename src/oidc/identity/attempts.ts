/**
 * Sign-ins that a browser has begun at a room's provider. Each is a cookie of its own, so that tabs do not disturb each other, and ends
 * with the sign-in: a page about one that failed can be reloaded. It is encrypted: what stands in an authorization request is the relying party's.
 */
import type { Context } from "koa";
import type { Clock } from "../../lib/clock.ts";
import { UsherError } from "../../lib/errors.ts";
import type { Transaction } from "../../lib/openid/login.ts";
import { attemptMaxAgeSec, type VisitorCookies } from "../gate/visitor-cookies.ts";
import { createSealing, type SealingParts } from "../sealing.ts";

export const attemptMs = attemptMaxAgeSec * 1_000;
/** Characters of one, which is less than browsers keep; and of all of a browser, in whatever rooms, which have to fit into a request beside other cookies. */
const attemptMax = 3_800;
const allMax = 6_000;

export interface Attempt extends Transaction {
  readonly room: string;
  /** Where the visitor goes on, path and query. */
  readonly returnTo: string;
  readonly expiresMs: number;
}

interface Parts extends SealingParts {
  readonly cookies: Pick<VisitorCookies, "attempt" | "attemptsIn">;
  readonly clock: Clock;
}

export function createAttempts({ cookies, clock, ...parts }: Parts) {
  const sealing = createSealing<Attempt>(parts, "usher sign-in of a visitor", attemptMax);

  return {
    /** Where there are too many, the oldest are forgotten. @throws UsherError `request_too_long` */
    async keep(ctx: Context, room: string, transaction: Transaction, returnTo: string): Promise<void> {
      const value = await sealing.seal({ ...transaction, room, returnTo, expiresMs: clock.now() + attemptMs });
      if (value.length > attemptMax) {
        throw new UsherError("request_too_long", "the address to return to after the sign-in is too long to be kept");
      }
      let length = value.length;
      for (const other of cookies.attemptsIn(ctx.req).toReversed()) {
        length += other.length;
        if (length > allMax) cookies.attempt(other.room, other.name).clear(ctx.res);
      }
      cookies.attempt(room, nameOf(transaction.state)).set(ctx.res, value);
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
