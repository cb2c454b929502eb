/** oidc-provider as it comes, with its own memory adapter: what `/token` and `/userinfo` of a login take of it, without a waiting room. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";

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
const provider = new Provider(`http://localhost:${port}`, {
  clients: [client],
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig" }] },
  cookies: { keys: ["k".repeat(32)] },
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => false },
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
});
server.on("request", provider.callback());

/** Codes as the gate would have had them issued; making them is not measured. */
async function makeCodes(count: number): Promise<string[]> {
  const found = await provider.Client.find(client.client_id);
  if (found === undefined) throw new Error("the client is missing");
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const accountId = `visitor-${index}`;
      const grant = new provider.Grant({ accountId, clientId: client.client_id });
      grant.addOIDCScope("openid");
      const code = new provider.AuthorizationCode({
        accountId,
        client: found,
        grantId: await grant.save(),
        scope: "openid",
        redirectUri: client.redirect_uris[0],
        gty: "authorization_code",
        authTime: Math.floor(Date.now() / 1_000),
      } as unknown as ConstructorParameters<typeof provider.AuthorizationCode>[0]);
      return code.save();
    }),
  );
}

process.on("message", async (count: number) => process.send?.({ codes: await makeCodes(count) }));
process.send?.({ port });
