import type { Middleware } from "koa";
import type { KoaContextWithOIDC } from "oidc-provider";
import type { ClientDirectory } from "../../registry/index.ts";

/** By oidc-provider's names of its routes. */
const corrections: Readonly<Record<string, (ctx: KoaContextWithOIDC, clients: ClientDirectory) => void>> = {
  discovery: offerPushedRequests,
  introspection: refusePublicClients,
  token: nameRefusedGrant,
};

/**
 * Where an answer of oidc-provider is not what the specifications ask for, it is put right here. Goes around its
 * endpoints: what they know of a request, its client above all, they know once they have answered.
 */
export function correctAnswers(clients: ClientDirectory): Middleware {
  return async (outer, next) => {
    await next();
    const ctx = outer as unknown as KoaContextWithOIDC;
    // Set by oidc-provider, for its own routes only.
    const oidc: KoaContextWithOIDC["oidc"] | undefined = ctx.oidc;
    if (oidc !== undefined) corrections[oidc.route]?.(ctx, clients);
  };
}

/**
 * Some relying parties push their requests wherever that is offered, and a pushed request does not outlive a minute in line. So it is
 * offered where a client is held to it.
 */
function offerPushedRequests({ body }: KoaContextWithOIDC, { all }: ClientDirectory): void {
  if (all.some(({ requirePushedRequests }) => requirePushedRequests)) return;
  delete (body as { pushed_authorization_request_endpoint?: string }).pushed_authorization_request_endpoint;
}

/** Introspection is for a client that proves who it is (RFC 7662 §2.1), which a public client cannot. */
function refusePublicClients(ctx: KoaContextWithOIDC): void {
  if (ctx.oidc.client?.clientAuthMethod !== "none") return;
  ctx.status = 401;
  ctx.body = { error: "invalid_client", error_description: "a public client may not introspect tokens" };
}

/** RFC 6749 §5.1 and §5.2: the headers of every answer, and the code for a grant that this client may not use. */
function nameRefusedGrant(ctx: KoaContextWithOIDC): void {
  ctx.set("Pragma", "no-cache");
  const { client, params } = ctx.oidc;
  const answer = ctx.body as { error?: string } | undefined;
  if (answer?.error !== "invalid_request" || typeof params?.grant_type !== "string") return;
  if (client?.grantTypeAllowed(params.grant_type) === false) answer.error = "unauthorized_client";
}
