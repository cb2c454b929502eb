/**
 * oidc-provider as it comes, with its own memory adapter: what a login takes of it, without a waiting room and without a store. Whoever comes is
 * logged in, as an account that is made up, within the authorization request.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import Provider, { interactionPolicy } from "oidc-provider";

export const client = {
  client_id: "site",
  client_secret: "x".repeat(32),
  redirect_uris: ["https://site.example.test/cb"],
};

const server = createServer();
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
const { privateKey } = await generateKeyPair("RS256", { extractable: true });
const { Check, Prompt } = interactionPolicy;
let visitors = 0;
const logIn = new Check("logged_in", "never asks", async (ctx) => {
  const { session, client: asking, provider: own } = ctx.oidc;
  if (session === undefined || asking === undefined) throw new TypeError("there is no session");
  const accountId = `visitor-${visitors++}`;
  session.loginAccount({ accountId });
  ctx.oidc.entity("Account", { accountId, claims: () => ({ sub: accountId }) });
  const grant = new own.Grant({ accountId, clientId: asking.clientId });
  grant.addOIDCScope("openid");
  session.ensureClientContainer(asking.clientId);
  session.grantIdFor(asking.clientId, await grant.save());
  ctx.oidc.entity("Grant", grant);
  return Check.NO_NEED_TO_PROMPT;
});
const provider = new Provider(`http://localhost:${port}`, {
  clients: [client],
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig" }] },
  cookies: { keys: ["k".repeat(32)] },
  features: { devInteractions: { enabled: false } },
  interactions: {
    policy: [new Prompt({ name: "visitor", requestable: false }, logIn)] as interactionPolicy.DefaultPolicy,
  },
  loadExistingGrant: async () => undefined,
  pkce: { required: () => false },
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
});
server.on("request", provider.callback());

process.send?.({ port });
