import { hash } from "node:crypto";
import type { Context } from "koa";
import { ROLES, type Role } from "../../../config/index.ts";
import type { FailedAttempts } from "../../../lib/address-buckets.ts";
import { UsherError } from "../../../lib/errors.ts";
import type { AdminKeys, KeyGrant } from "../../../registry/index.ts";

/** @throws UsherError `unauthorized`, `too_many_from_address` */
export type PrincipalCheck = (ctx: Context) => Principal;

/** What was granted to a key or a person. */
interface Grant extends KeyGrant {
  readonly kind: "key" | "person";
}

/** The key or person that calls the admin API. Only a check creates one, so code that has one need not check again. */
export class Principal implements Grant {
  readonly kind: "key" | "person";
  /** Names it in logs. */
  readonly id: string;
  readonly role: Role;
  /** Those it is for; null for all, and for what is of no room. */
  readonly rooms: readonly string[] | null;
  /** As a private member also what keeps all else from having the shape of this class. */
  readonly #isInForce: () => boolean;

  private constructor({ kind, id, role, rooms }: Grant, isInForce: () => boolean) {
    this.#isInForce = isInForce;
    this.kind = kind;
    this.id = id;
    this.role = role;
    this.rooms = rooms;
  }

  /** Asks for `Authorization: Bearer KEY` with one of these, as they are at the time. */
  static createKeyCheck(keys: Pick<AdminKeys, "find">, failures: FailedAttempts): PrincipalCheck {
    return (ctx) => {
      const [, presented = ""] = /^Bearer (\S+)$/i.exec(ctx.get("Authorization")) ?? [];
      const digest = hash("sha256", presented, "buffer");
      const grant = presented === "" ? null : keys.find(digest);
      if (grant !== null) return new Principal({ kind: "key", ...grant }, () => keys.find(digest) !== null);
      const retryAfterSec = presented === "" ? 0 : failures.count("admin", ctx.state.clientAddress());
      if (retryAfterSec > 0) {
        const message = "so many keys that are none have come from this address that it must wait; a valid one passes";
        throw new UsherError("too_many_from_address", message, { retryAfterSec });
      }
      ctx.set("WWW-Authenticate", "Bearer");
      throw new UsherError("unauthorized", "send a valid admin key as Authorization: Bearer");
    };
  }

  /** For an answer that goes on: a key may be revoked, or end, meanwhile. */
  isInForce(): boolean {
    return this.#isInForce();
  }

  isFor(room: string): boolean {
    return this.rooms === null || this.rooms.includes(room);
  }

  /** @throws UsherError `forbidden` for one that has less than this role */
  requireRole(role: Role): void {
    if (ROLES.indexOf(this.role) >= ROLES.indexOf(role)) return;
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
    const known = (this.rooms ?? []).join(", ");
    return new UsherError("forbidden", `${this.#name} is not for ${what}; it may see: ${known}`);
  }

  get #name(): string {
    return this.kind === "key" ? "this admin key" : "this person";
  }
}
