import { type Client, errors, type KoaContextWithOIDC } from "oidc-provider";
import type { ClientDirectory } from "../../registry/index.ts";
import type { WaitingRooms } from "../../room/index.ts";
import { isOfAdmission } from "./accounts.ts";
import { orTemporarilyUnavailable } from "./unavailable.ts";

interface OwnedToken {
  readonly kind: string;
  readonly clientId?: string | undefined;
  readonly accountId?: string;
}

/**
 * Whether a client learns of a token by introspection (RFC 7662): of its own tokens only, and of a refresh token only
 * while the admission that it needs lasts, in a room of the client (§4: all checks that its use would meet). An access
 * token is judged as userinfo judges it. For all others the answer is that the token is not active, and nothing else.
 */
export function createIntrospectionPolicy(rooms: WaitingRooms, clients: ClientDirectory) {
  return async (_ctx: KoaContextWithOIDC, client: Client, token: OwnedToken): Promise<boolean> => {
    if (token.clientId !== client.clientId) return false;
    if (token.kind !== "RefreshToken") return true;
    const sub = token.accountId ?? "";
    const room = rooms.ofVisitor(sub);
    if (room === undefined || clients.get(client.clientId)?.rooms.includes(room.id) !== true) return false;
    const admission = await orTemporarilyUnavailable(room.admissions.find(sub));
    return admission !== null && admission.ended === null && isOfAdmission(token, admission);
  };
}

/** A client revokes only its own tokens, and gets an error for others (RFC 7009 §2.1). */
export function mayRevoke(_ctx: KoaContextWithOIDC, client: Client, token: OwnedToken): boolean {
  if (token.clientId === client.clientId) return true;
  throw new errors.InvalidRequest("the token was issued to another client");
}
