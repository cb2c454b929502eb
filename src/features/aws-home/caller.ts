import type { Context } from "koa";
import { ROLES, type Role } from "../../config/index.ts";
import { FailedAttempts } from "../../lib/address-buckets.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import { bearerTokenOf } from "../../lib/request.ts";
import { findKey } from "../../operate/admin-api/access/principal.ts";
import type { AdminKeys } from "../../registry/index.ts";
import type { ForwardedOrigin } from "../../web/middleware/incoming.ts";
import { readBytes } from "../../web/middleware/read-body.ts";
import type { AccessKey } from "./settings.ts";
import { createVerifySignature, dateOf, isOfNow, readSignedHeader } from "./sigv4.ts";
import { GatewayError, gatewayErrors } from "./wire.ts";

/** Who calls the private API. Only the check makes one. */
export interface Caller {
  /** Names it in events and logs. */
  readonly id: string;
  readonly role: Role;
  /** Null for all. */
  readonly rooms: readonly string[] | null;
}

/** A request whose signature or key holds, with its body. */
export interface Called {
  readonly caller: Caller;
  readonly body: Buffer;
}

/** Bytes: an id or two. */
const bodyMax = 16_384;

/** Whether a request shows a key or a signature, whatever it is worth. */
export function showsCredentials({ headers }: Context): boolean {
  return headers.authorization !== undefined;
}

export type CheckCaller = ReturnType<typeof createCheckCaller>;

/**
 * Who may call the private API: an access key of the home by its signature, or an admin key as a bearer token, which an API Gateway in front sends
 * once IAM has let the request pass.
 */
export function createCheckCaller({
  host,
  keys,
  adminKeys,
  clock,
}: {
  /** Of the issuer: a proxy may ask by another name than the client signed. */
  readonly host: string;
  /** As they are now. */
  readonly keys: () => readonly AccessKey[];
  readonly adminKeys: Pick<AdminKeys, "find">;
  readonly clock: Clock;
}) {
  const verify = createVerifySignature();
  const failures = new FailedAttempts(clock);

  /** @throws GatewayError */
  return async (ctx: Context): Promise<Called> => {
    const bearer = bearerTokenOf(ctx.headers);
    if (typeof bearer === "string" && bearer !== "") {
      const { grant } = findKey(adminKeys, bearer);
      if (grant === null) throw refuse(ctx, "The admin key is not valid");
      return { caller: { id: grant.id, role: grant.role, rooms: grant.rooms }, body: await bodyOf(ctx) };
    }
    return ofSignature(ctx);
  };

  async function ofSignature(ctx: Context): Promise<Called> {
    const { headers } = ctx.req;
    if (headers.authorization === undefined) throw gatewayErrors.noToken();
    const signed = readSignedHeader(headers.authorization);
    if (signed === null)
      throw refuse(ctx, "The Authorization header is no complete Signature Version 4 of execute-api");
    const key = keys().find(({ accessKeyId }) => accessKeyId === signed.accessKeyId);
    const isTemporary = headers["x-amz-security-token"] !== undefined;
    if (key === undefined || isTemporary) throw refuse(ctx, "The security token included in the request is invalid.");
    const date = dateOf(headers);
    if (date === null || !isOfNow(date, signed.day, clock.now())) {
      throw refuse(ctx, "Signature expired: the date of the request is not within 5 minutes of the server's");
    }
    const body = await bodyOf(ctx);
    const { host: asSent } = ctx.state.forwarded as ForwardedOrigin;
    const request = {
      method: ctx.method,
      target: ctx.originalUrl,
      headers,
      hosts: [asSent ?? host, host],
      body,
    };
    if (!verify(signed, date.text, request, key.secrets)) {
      throw refuse(
        ctx,
        "The request signature we calculated does not match the signature you provided. Check your secret access key and signing method.",
      );
    }
    return { caller: { id: `aws:${key.accessKeyId}`, role: key.role, rooms: key.rooms }, body };
  }

  function refuse(ctx: Context, message: string): GatewayError {
    const waitSec = failures.count("aws home", ctx.state.clientAddress());
    return waitSec > 0 ? gatewayErrors.tooMany(waitSec * 1_000) : new GatewayError(403, message);
  }
}

async function bodyOf(ctx: Context): Promise<Buffer> {
  return ctx.method === "POST" ? readBytes(ctx, bodyMax) : Buffer.alloc(0);
}

/** @throws GatewayError where the caller may not do that to the room */
export function requireRole(caller: Caller, least: Role, room: string): void {
  const mayDo = ROLES.indexOf(caller.role) >= ROLES.indexOf(least);
  if (!mayDo || (caller.rooms !== null && !caller.rooms.includes(room))) {
    throw new GatewayError(403, `User: ${caller.id} is not authorized to access this resource`);
  }
}
