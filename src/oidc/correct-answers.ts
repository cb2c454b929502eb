import type { Middleware } from "koa";
import type { KoaContextWithOIDC } from "oidc-provider";

/** By oidc-provider's names of its routes. */
const corrections: Readonly<Record<string, (ctx: KoaContextWithOIDC) => void>> = {
  introspection: refusePublicClients,
  token: nameRefusedGrant,
};

/**
 * Where an answer of oidc-provider is not what the specifications ask for, it is put right here. Goes around its
 * endpoints: what they know of a request, its client above all, they know once they have answered.
 */
export const correctAnswers: Middleware = async (outer, next) => {
  await next();
  const ctx = outer as unknown as KoaContextWithOIDC;
  // Set by oidc-provider, for its own routes only.
  const oidc: KoaContextWithOIDC["oidc"] | undefined = ctx.oidc;
  if (oidc !== undefined) corrections[oidc.route]?.(ctx);
};

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
