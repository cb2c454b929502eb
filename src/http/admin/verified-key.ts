import { hash, timingSafeEqual } from "node:crypto";
import type { Context } from "koa";
import type { AdminKey } from "../../config/resolve/config.ts";
import type { FailedAttempts } from "../../lib/address-buckets.ts";
import { UsherError } from "../../lib/errors.ts";

/** @throws UsherError `unauthorized`, `too_many_from_address` */
export type KeyCheck = (ctx: Context) => VerifiedKey;

/** The admin key of a request. Only the check creates one, so code that has one need not check again. */
export class VerifiedKey {
  /** Names it in logs. */
  readonly id: string;
  /** Those it is for; null for all, and all other rights. */
  readonly rooms: readonly string[] | null;
  /** Nothing else has the shape of this class. */
  readonly #isVerified = true;

  private constructor({ id, rooms }: AdminKey) {
    this.id = id;
    this.rooms = rooms ?? null;
  }

  /** Asks for `Authorization: Bearer KEY` with one of these. Keys are compared by their hashes, in constant time. */
  static createCheck(keys: readonly AdminKey[], failures: FailedAttempts): KeyCheck {
    const known = keys.map((key) => ({ key, digest: Buffer.from(key.keySha256, "hex") }));
    return (ctx) => {
      const [, presented = ""] = /^Bearer (\S+)$/i.exec(ctx.get("Authorization")) ?? [];
      const digest = hash("sha256", presented, "buffer");
      // All are compared, so that the time does not reveal which one was close.
      const match = known.filter((each) => timingSafeEqual(digest, each.digest)).at(-1);
      if (presented !== "" && match !== undefined) return new VerifiedKey(match.key);
      const retryAfterSec = presented === "" ? 0 : failures.count("admin", ctx.state.clientAddress());
      if (retryAfterSec > 0) {
        const message = "so many keys that are none have come from this address that it must wait; a valid one passes";
        throw new UsherError("too_many_from_address", message, { retryAfterSec });
      }
      ctx.set("WWW-Authenticate", "Bearer");
      throw new UsherError("unauthorized", "send a valid admin key as Authorization: Bearer");
    };
  }

  isFor(room: string): boolean {
    return this.#isVerified && (this.rooms === null || this.rooms.includes(room));
  }

  /** @throws UsherError `forbidden`, whether there are such rooms or not */
  requireRooms(rooms: readonly string[]): void {
    if (!rooms.every((room) => this.isFor(room))) throw this.notFor("this room");
  }

  /** @throws UsherError `forbidden` when the key is for some rooms only */
  requireAllRights(what: string): void {
    if (this.rooms === null) return;
    throw new UsherError("forbidden", `this admin key is for some rooms only; ${what} take one with all rights`);
  }

  /** What a key that is for some rooms only gets for what is not theirs. */
  notFor(what: string): UsherError {
    const known = (this.rooms ?? []).join(", ");
    return new UsherError("forbidden", `this admin key is not for ${what}; it may see: ${known}`);
  }
}
