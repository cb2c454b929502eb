/** A provider that is slow, endless or broken costs little, and is told from one that refuses somebody. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Clock, systemClock } from "../../../../src/lib/clock-and-random.ts";
import { createSignInProvider } from "../../../../src/operate/admin-api/sign-in/provider.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";
import { nextRsaKey } from "../../../support/rsa-keys.ts";

type Answer = (response: ServerResponse) => void;

const asked: string[] = [];
const answers: Record<string, Answer> = {};
const written: Record<string, number> = {};
const server = createServer((request, response) => {
  const path = String(request.url);
  asked.push(path);
  (answers[path] ?? json({}, 404))(response);
});
let issuer = "";

const json =
  (body: object, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const never: Answer = () => undefined;
/** Goes on until the other side breaks it off. */
const endless =
  (name: string): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = () => {
      while (!response.destroyed) {
        written[name] = (written[name] ?? 0) + 65_536;
        if (!response.write(" ".repeat(65_536))) return void response.once("drain", more);
      }
    };
    more();
  };
const document = (more: object = {}) =>
  json({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    ...more,
  });
const discovery = "/.well-known/openid-configuration";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked.length = 0;
  for (const path of Object.keys(answers)) delete answers[path];
  answers[discovery] = document();
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const make = (clock: Clock = systemClock) =>
  createSignInProvider(
    {
      issuer,
      clientId: "usher",
      clientSecret: "secret-0123456789",
      tokenEndpointAuthMethod: "client_secret_basic",
      scopes: ["openid"],
      rules: [],
    },
    `${issuer}/admin/sign-in/callback`,
    clock,
    1,
  );
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    (error: { code?: string }) => error.code,
  );
const finish = async (provider: ReturnType<typeof make>) => {
  const { transaction } = await provider.begin();
  return codeOf(provider.finish(`?code=x&state=${transaction.state}`, transaction));
};

it("many sign-ins at a time ask for the provider's document once, and a failure is forgotten at once", async () => {
  const provider = make();
  answers[discovery] = json({}, 500);
  expect(await codeOf(provider.begin())).toBe("provider_unavailable");
  answers[discovery] = document();
  asked.length = 0;
  await Promise.all(Array.from({ length: 50 }, () => provider.begin()));
  expect(asked).toEqual([discovery]);
});

it("no browser is sent to a provider that went away after it was discovered", async () => {
  const clock = createMovedClock();
  const provider = make(clock);
  const goneAway: Answer[] = [json({}, 503), never, (response) => response.destroy()];
  for (const away of goneAway) {
    answers[discovery] = document({ end_session_endpoint: `${issuer}/logout` });
    await provider.begin();
    expect(await provider.endSessionUrl(issuer)).toContain("/logout?");
    answers[discovery] = away;
    clock.advance(10_000);
    expect(await codeOf(provider.begin())).toBe("provider_unavailable");
    expect(await provider.endSessionUrl(issuer)).toBeNull();
  }
  answers[discovery] = document();
  await provider.begin();
  // A clock that was set back makes nothing younger.
  clock.advance(-86_400_000);
  answers[discovery] = json({}, 503);
  expect(await codeOf(provider.begin())).toBe("provider_unavailable");
});

it("visitors who come back are signed in by what was discovered within the hour, and many who go cost a request in ten seconds", async () => {
  const clock = createMovedClock();
  const provider = make(clock);
  const { transaction } = await provider.begin();
  asked.length = 0;
  for (let sec = 0; sec < 60; sec++) {
    await Promise.all([provider.begin(), provider.begin()]);
    clock.advance(1_000);
  }
  expect(asked.length).toBeLessThanOrEqual(6);
  answers["/token"] = json({ error: "invalid_grant" }, 400);
  clock.advance(3_500_000);
  asked.length = 0;
  expect(await codeOf(provider.finish(`?code=x&state=${transaction.state}`, transaction))).toBe("sign_in_failed");
  expect(asked).toEqual(["/token"]);
});

it("a provider that does not answer is given up, wherever it is asked", async () => {
  answers["/token"] = never;
  expect(await finish(make())).toBe("provider_unavailable");
  answers[discovery] = never;
  expect(await codeOf(make().begin())).toBe("provider_unavailable");
});

it("an answer without end is broken off after little", async () => {
  answers["/token"] = endless("token");
  expect(await finish(make())).not.toBe("no error");
  answers[discovery] = endless("discovery");
  expect(await codeOf(make().begin())).toBe("provider_unavailable");
  // Some of it stands in buffers of both sides.
  for (const name of ["token", "discovery"]) expect(written[name], name).toBeLessThan(16_777_216);
});

it("keys that do not come are the provider's fault, a token of another key is the sender's", async () => {
  const token = await new SignJWT({ events: {}, jti: "1" })
    .setProtectedHeader({ alg: "RS256", kid: "x" })
    .sign(nextRsaKey());
  for (const bad of [never, json({}, 500), endless("keys")]) {
    answers["/jwks"] = bad;
    expect(await codeOf(make().readLogoutToken(token))).toBe("provider_unavailable");
  }
  answers["/jwks"] = json({ keys: [] });
  expect(await codeOf(make().readLogoutToken(token))).toBe("bad_request");
});

it("what the provider refuses is told as a refusal", async () => {
  answers["/token"] = json({ error: "invalid_grant" }, 400);
  expect(await finish(make())).toBe("sign_in_failed");
});

it("the reason of a failure is kept for the log, and has nothing of what was sent", async () => {
  const reasons: (string | undefined)[] = [];
  const reasonOf = (work: Promise<unknown>) =>
    work.catch((error: { reason?: string }) => void reasons.push(error.reason));
  const begun = async (search: (state: string) => string) => {
    const provider = make();
    const { transaction } = await provider.begin();
    await reasonOf(provider.finish(search(transaction.state), transaction));
    return transaction;
  };
  const description = "the secret secret-0123456789 is wrong for the code code-of-the-test";
  answers["/token"] = json({ error: "invalid_client", error_description: description }, 401);
  const { state, nonce, verifier } = await begun((given) => `?code=code-of-the-test&state=${given}`);
  await begun((given) => `?error=access_denied&error_description=${encodeURIComponent(description)}&state=${given}`);
  await begun(() => "?code=code-of-the-test&state=another-state");
  answers["/token"] = json({ access_token: "token-of", token_type: "bearer", id_token: "a.b.c" });
  await begun((given) => `?code=code-of-the-test&state=${given}`);
  answers["/token"] = (response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("token-of-the-test");
  await begun((given) => `?code=code-of-the-test&state=${given}`);
  answers[discovery] = json({ issuer: "https://elsewhere.example.com" });
  await reasonOf(make().begin());
  answers[discovery] = (response) => response.destroy();
  await reasonOf(make().begin());
  expect(reasons).toEqual([
    expect.stringMatching(/\(invalid_client\)/),
    expect.stringMatching(/\(access_denied\)/),
    expect.stringContaining("state"),
    expect.any(String),
    expect.stringContaining("SyntaxError"),
    expect.stringContaining("issuer"),
    expect.stringMatching(/^fetch failed: ./),
  ]);
  const secrets = [
    "secret-0123456789",
    "code-of-the-test",
    "token-of-the-test",
    "another-state",
    state,
    nonce,
    verifier,
  ];
  for (const secret of secrets) expect(reasons.join()).not.toContain(secret);
});
