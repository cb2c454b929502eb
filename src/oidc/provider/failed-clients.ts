import type { KoaContextWithOIDC } from "oidc-provider";
import type { FailedAttempts } from "../../lib/failed-attempts.ts";

/** oidc-provider's events of the endpoints at which clients authenticate. */
export const clientErrorEvents = [
  "grant.error",
  "introspection.error",
  "revocation.error",
  "pushed_authorization_request.error",
] as const;

/**
 * Handles a refused client before its answer is sent. A client that fails to authenticate too often from one address gets an
 * answer that asks it to wait; a client with the right secret never does.
 *
 * @returns whether it was too often
 */
export function slowFailedClient(
  ctx: KoaContextWithOIDC,
  { error }: { readonly error?: string },
  failures: FailedAttempts,
  address: string,
): boolean {
  if (error !== "invalid_client") return false;
  // Those that nobody knows are counted together: their names are anybody's to choose.
  const retryAfterSec = failures.count(`client ${ctx.oidc.client?.clientId ?? ""}`, address);
  if (retryAfterSec === 0) return false;
  ctx.status = 429;
  ctx.set("Retry-After", String(retryAfterSec));
  ctx.body = {
    error: "invalid_client",
    error_description: "this client failed to authenticate too often from this address: wait, or send the right secret",
  };
  return true;
}
