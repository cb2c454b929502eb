/** An organisation's own OpenID Connect provider, for tests: oidc-provider, where whoever comes is the person that the test says. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import Provider from "oidc-provider";

export const CLIENT = { id: "usher", secret: "secret-of-usher-at-the-provider-0123456789" };

export interface PeopleProvider {
  readonly issuer: string;
  /** Who signs in next, and what is said of them. */
  person: { sub: string; claims: Record<string, unknown> };
  /** What the next ones are answered in place of a sign-in; null for nothing. */
  refusal: string | null;
  /** Sessions of the provider that were named in ID tokens. */
  logoutToken(claims: Record<string, unknown>): Promise<string>;
  stop(): Promise<void>;
}

/**
 * @param admins origins at which operators sign in
 * @param visitors addresses that visitors of rooms return to
 * @param port default: a free one
 */
export async function startPeopleProvider(
  admins: readonly string[],
  visitors: readonly string[] = [],
  port = 0,
): Promise<PeopleProvider> {
  const server = createServer().listen(port, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: "of-the-provider", alg: "RS256", use: "sig" };
  const own: PeopleProvider = {
    issuer,
    person: { sub: "nobody", claims: {} },
    refusal: null,
    logoutToken: (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "RS256", kid: key.kid, typ: "logout+jwt" })
        .setIssuedAt()
        .setExpirationTime("2m")
        .setIssuer(issuer)
        .setAudience(CLIENT.id)
        .sign(privateKey),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [...admins.map((admin) => `${admin}/admin/sign-in/callback`), ...visitors],
        post_logout_redirect_uris: admins.map((admin) => `${admin}/admin/sign-in`),
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ["cookie-key-of-the-test"] },
    claims: { openid: ["sub", "sid"], profile: ["name", "realm_access", "groups"], email: ["email", "email_verified"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ sub, ...own.person.claims }) }),
  });
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith("/interaction/")) return next();
    const grant = new provider.Grant({ accountId: own.person.sub, clientId: CLIENT.id });
    grant.addOIDCScope("openid profile email");
    const { refusal } = own;
    const refused = { error: String(refusal), error_description: "words of the provider" };
    const login = { login: { accountId: own.person.sub }, consent: { grantId: await grant.save() } };
    const result = refusal === null ? login : refused;
    await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
    ctx.respond = false;
  });
  server.on("request", provider.callback());
  return own;
}
