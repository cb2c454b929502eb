import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, Middleware } from "koa";
import type { AdminKey } from "../../config/config.ts";
import { UsherError } from "../../lib/errors.ts";

/** Lets requests with a known key pass: `Authorization: Bearer KEY`. Keys are compared by their hashes, in constant time. */
export function requireAdminKey(keys: readonly AdminKey[]): Middleware {
  const known = keys.map((key) => ({ key, hash: Buffer.from(key.sha256, "hex") }));
  return (ctx, next) => {
    const presented = /^Bearer (\S+)$/i.exec(ctx.get("Authorization"))?.[1];
    const hash = createHash("sha256")
      .update(presented ?? "")
      .digest();
    let match: AdminKey | undefined;
    // All keys are compared, so that the time does not tell which one came close.
    for (const { key, hash: expected } of known) {
      if (timingSafeEqual(hash, expected)) match = key;
    }
    if (presented === undefined || match === undefined) {
      ctx.set("WWW-Authenticate", "Bearer");
      throw new UsherError("unauthorized", "send a valid admin key as Authorization: Bearer", { status: 401 });
    }
    ctx.state.adminKey = match;
    return next();
  };
}

/** @throws UsherError `forbidden` when the key is not for this room */
export function requireScope(ctx: Context, room: string): void {
  const { rooms } = adminKeyOf(ctx);
  if (rooms !== null && !rooms.includes(room)) {
    throw new UsherError("forbidden", `this admin key is not for this room; it may see: ${rooms.join(", ")}`, {
      status: 403,
    });
  }
}

export function adminKeyOf(ctx: Context): AdminKey {
  return ctx.state.adminKey as AdminKey;
}
