import { createHmac, hash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { importJWK, SignJWT } from "jose";
import type { Adapter, AdapterPayload, KoaContextWithOIDC } from "oidc-provider";
import { afterEach, expect, test } from "vitest";
import type { ClientConfig, SigningJwk } from "../../../../src/config/config.ts";
import { makeSigningKey, readSigningKey } from "../../../../src/config/secrets/keys.ts";
import { FailedAttempts } from "../../../../src/lib/address-buckets.ts";
import { systemRandom } from "../../../../src/lib/clock-and-random.ts";
import { createOidcProvider, createVisitorCookies, type ProviderPages } from "../../../../src/oidc/index.ts";
import { createClientDirectory, createIssuerKeys, entryOfFile } from "../../../../src/registry/index.ts";
import type { WaitingRoom, WaitingRooms } from "../../../../src/room/index.ts";
import { createKeyRing } from "../../../../src/room/tickets/ticket.ts";
import { nextRsaKey } from "../../../support/rsa-keys.ts";
import { openRooms } from "../open-rooms.ts";

const issuer = "http://localhost:3000";
const cookieKey = "k".repeat(32);
const sub = `tickets.${"A".repeat(22)}`;

let server: Server | undefined;
afterEach(() => server?.close());

/** The provider on a store that keeps nothing but what it is given, and notes what it is told. */
async function startProvider(sessions: Record<string, AdapterPayload> = {}, clients: readonly ClientConfig[] = []) {
  // As records.ts has them.
  const kept = new Map(Object.entries(sessions).map(([id, session]) => [hash("sha256", id, "base64url"), session]));
  const told: string[] = [];
  const adapter = (model: string): Adapter => ({
    upsert: async (_id, _payload, expiresIn) => void told.push(`keep ${model} ${expiresIn}`),
    find: async (id) => (model === "Session" ? kept.get(id) : undefined),
    destroy: async () => void told.push(`destroy ${model}`),
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    consume: async () => undefined,
    revokeByGrantId: async () => undefined,
  });
  const say = (words: string) => (ctx: KoaContextWithOIDC) => {
    ctx.body = words;
  };
  const pages: ProviderPages = { error: say("error"), confirmLogout: say("confirm"), loggedOut: say("logged out") };
  const privateKey = nextRsaKey();
  const signingKey = { ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid: "k" } as SigningJwk;
  const material = { signing: [signingKey], cookies: [cookieKey], tickets: [], draw: [] };
  const keys = createIssuerKeys(material);
  const room = {
    id: "tickets",
    read: () => ({ kind: "none" }),
    admissions: { end: async (whose: string) => void told.push(`end ${whose}`) },
  } as unknown as WaitingRoom;
  const clock = { now: () => Date.now() };
  const provider = createOidcProvider({
    ...openRooms(issuer, clock, createKeyRing([{ kid: "a", secret: Buffer.alloc(32, 1) }])),
    issuer,
    clients: createClientDirectory(clients.map(entryOfFile), Date.now),
    keys,
    adapter,
    rooms: { ofVisitor: () => room } as unknown as WaitingRooms,
    verdicts: new WeakMap(),
    cookies: createVisitorCookies(false),
    responder: pages,
    languages: ["en"],
    failures: new FailedAttempts(clock),
    clock,
  });
  server = createServer((request, response) => void provider.handle(request, response, () => ""));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    told,
    get: (path: string, cookie = "", redirect: "follow" | "manual" = "follow") =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie }, redirect }),
    post: (path: string, body: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body: new URLSearchParams(body) }),
    /** An ID token that has expired. */
    idTokenOf: async (whose: string) =>
      new SignJWT({ exp: Math.floor(Date.now() / 1_000) - 3_600 })
        .setProtectedHeader({ alg: "RS256", kid: "k" })
        .setIssuer(issuer)
        .setAudience("site")
        .setSubject(whose)
        .setIssuedAt(Math.floor(Date.now() / 1_000) - 7_200)
        .sign(await importJWK(signingKey, "RS256")),
    addSigningKey: (key: SigningJwk) => keys.replace({ ...material, signing: [signingKey, key] }),
  };
}

function sessionCookie(id: string): string {
  const signature = createHmac("sha256", cookieKey).update(`usher.session=${id}`).digest("base64url");
  return `usher.session=${id}; usher.session.sig=${signature}`;
}

const client = {
  clientId: "site",
  rooms: ["tickets"],
  clientSecret: "s".repeat(32),
  redirectUris: ["https://site.example/cb"],
  postLogoutRedirectUris: [],
  refreshTokens: false,
  tokenEndpointAuthMethod: "client_secret_post",
  idTokenSignedResponseAlg: "ES256",
} as unknown as ClientConfig;

test("a logout without a session leaves nothing in the store", async () => {
  const { told, get } = await startProvider();
  expect(await (await get("/logout")).text()).toBe("logged out");
  expect(told).toEqual(["destroy Session"]);
});

test("the session of a visitor who is logged in lives for a day, and so does its cookie", async () => {
  const nowSec = Math.floor(Date.now() / 1_000);
  const session = { kind: "Session", jti: "abc", uid: "u", accountId: sub, loginTs: nowSec, exp: nowSec + 100 };
  const { told, get } = await startProvider({ abc: session });
  const question = await get("/logout", sessionCookie("abc"));
  expect(await question.text()).toBe("confirm");
  expect(told).toEqual(["keep Session 86400"]);
  const expires = /expires=([^;]+)/.exec(question.headers.getSetCookie()[0] ?? "")?.[1] ?? "";
  expect(Math.abs(Date.parse(expires) / 1_000 - nowSec - 86_400)).toBeLessThan(10);
});

test.each(["ES256", "EdDSA"] as const)(
  "a client that wants %s is answered before there is a key for it, and after",
  async (alg) => {
    const { get, post, addSigningKey } = await startProvider({}, [{ ...client, idTokenSignedResponseAlg: alg }]);
    const algs = async () =>
      ((await (await get("/.well-known/openid-configuration")).json()) as Record<string, unknown>)
        .id_token_signing_alg_values_supported;
    const redeem = async () => {
      const { clientId: client_id, clientSecret: client_secret } = client;
      const body = { client_id, client_secret: String(client_secret), redirect_uri: "https://site.example/cb" };
      return (await post("/token", { ...body, grant_type: "authorization_code", code: "unknown" })).json();
    };
    expect(await redeem()).toMatchObject({ error: "invalid_grant" });
    expect(await algs()).toEqual(["RS256"]);
    addSigningKey(readSigningKey(await makeSigningKey(alg, systemRandom)));
    expect(await redeem()).toMatchObject({ error: "invalid_grant" });
    expect(await algs()).toEqual(["RS256", alg]);
  },
);

test("the visitor's own ID token logs them out without a question, long expired as it may be; another's does not", async () => {
  const nowSec = Math.floor(Date.now() / 1_000);
  const session = { kind: "Session", jti: "abc", uid: "u", accountId: sub, loginTs: nowSec, exp: nowSec + 100 };
  const { told, get, idTokenOf } = await startProvider({ abc: session }, [client]);
  const logOut = async (whose: string) =>
    get(`/logout?id_token_hint=${await idTokenOf(whose)}`, sessionCookie("abc"), "manual");
  const asked = await logOut(`tickets.${"B".repeat(22)}`);
  expect([asked.status, await asked.text(), told]).toEqual([200, "confirm", ["keep Session 86400"]]);
  const done = await logOut(sub);
  expect([done.status, done.headers.get("location")]).toEqual([303, expect.stringMatching(/\/logout\/success$/)]);
  expect(told.slice(1)).toEqual(expect.arrayContaining([`end ${sub}`, "destroy Session"]));
});

test.each([
  ["a public client, which is anybody", { tokenEndpointAuthMethod: "none" }, "s", "unauthorized_client"],
  ["a client, longer than its address may be", {}, "s".repeat(16_384), "invalid_request"],
])("nothing is kept of a request that is pushed by %s", async (_, settings, state, error) => {
  const { told, post } = await startProvider({}, [{ ...client, ...settings } as ClientConfig]);
  const request = { response_type: "code", redirect_uri: "https://site.example/cb", scope: "openid" };
  const pkce = { code_challenge: "x".repeat(43), code_challenge_method: "S256" };
  const secret = "tokenEndpointAuthMethod" in settings ? {} : { client_secret: "s".repeat(32) };
  const push = (each: string) => post("/par", { client_id: "site", ...secret, ...request, ...pkce, state: each });
  expect(await (await push(state)).json()).toMatchObject({ error });
  expect(told).toEqual([]);
  expect((await push("short")).status).toBe(error === "invalid_request" ? 201 : 400);
});
