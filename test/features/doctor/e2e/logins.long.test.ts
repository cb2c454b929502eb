// Long: tries each way in which a login can be spoilt; doctor.test.ts has a whole login, and one that a proxy spoils.
/** Goal: the doctor's logins, begun and whole, go well, leave nothing behind, and find what a proxy or a CDN does to logins. */
import type { IncomingHttpHeaders } from "node:http";
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Finding } from "../../../../src/lib/finding.ts";
import {
  clientId,
  clientSecret,
  loggedOutUri,
  memoryStore,
  redirectUri,
  startWorld,
  type World,
} from "../../../e2e/world.ts";
import { ADMIN_KEY } from "../../../support/gateway.ts";
import { CLIENT, type PeopleProvider, startPeopleProvider } from "../../../support/people-provider.ts";
import { freePort } from "../../../support/ports.ts";
import { answer, header, type Spoil, useFront } from "./front.ts";

const { at, behind, client, doctor } = useFront();

describe("a login that is begun at each redirect URI", () => {
  const loginOf = ({ findings }: { findings: readonly Finding[] }) => findings.filter(({ about }) => about === "login");
  const replaced = (from: string | RegExp, to: string): Spoil => {
    return (asked, { headers }) => {
      const { location } = headers;
      if (asked.startsWith("/authorize?") && typeof location === "string")
        headers.location = location.replace(from, to);
    };
  };

  test("comes back, and takes no place", async () => {
    const queued = async () => {
      const answer = await at.world.http.request(`${at.issuer}/rooms/sale/status`);
      return (answer.json() as { queued: number }).queued;
    };
    const before = await queued();
    const [found, ...others] = loginOf(await doctor());
    expect([found?.status, others]).toEqual(["ok", []]);
    expect(found?.text).toContain(redirectUri("sale"));
    expect(typeof before).toBe("number");
    expect(await queued()).toBe(before);
  });

  test("of a redirect URI that the gateway does not know is refused", async () => {
    const other = "https://elsewhere.example.test/callback";
    const told = await doctor(client({ redirect_uris: [redirectUri("sale"), other] }));
    expect(told.code).toBe(1);
    expect(loginOf(told).map(({ status }) => status)).toEqual(["ok", "fault"]);
    expect(loginOf(told)[1]?.text).toContain(`register exactly ${other}`);
  });

  test("is refused where the proxy drops the query", async () => {
    const told = await behind({ targetOf: (target) => target.split("?")[0] ?? "" }, doctor);
    expect(told.code).toBe(1);
    expect(loginOf(told)[0]).toMatchObject({ status: "fault", text: expect.stringContaining("send the query on") });
  });

  test.each([
    ["Location is rewritten", replaced(/^[^?]*/, "http://localhost:1/cb"), "proxy_redirect off"],
    ["Location is no address", replaced(/^.*$/, "/"), "proxy_redirect off"],
    ["the answer is another visitor's", replaced(/state=[^&]*/, "state=of-another"), "cache nothing"],
    ["an error of the request comes back", replaced("login_required", "invalid_scope"), "compare the client"],
    ["too much is asked", answer("/authorize?", 429, ""), "try again"],
  ])("tells the way out where %s", async (_, wrongly, wayOut) => {
    const [found] = loginOf(await doctor({}, wrongly));
    expect(found?.status).toBe(wayOut === "try again" ? "warning" : "fault");
    expect(found?.text).toContain(wayOut);
  });
});

describe("a whole login, with an admin key at hand", () => {
  interface Admitted {
    admissions: { status: string; admitted_via: string }[];
  }
  const withKey = { USHER_ADMIN_API_KEY: ADMIN_KEY };
  const live = async () => {
    const answer = await at.world.admin.request("GET", "/rooms/sale/admissions?status=live");
    return (answer.json() as Admitted).admissions;
  };
  const ended = async () => {
    const answer = await at.world.admin.request("GET", "/rooms/sale/admissions?status=logout");
    return (answer.json() as Admitted).admissions;
  };
  const wholeOf = (findings: readonly Finding[]) => findings.filter(({ about }) => about === "whole login");
  async function tried(wrongly: Spoil = () => {}) {
    const { findings } = await doctor({}, wrongly, withKey);
    const [found, ...others] = wholeOf(findings);
    expect(others).toEqual([]);
    expect(JSON.stringify(findings)).not.toMatch(new RegExp(`${clientSecret("sale")}|${ADMIN_KEY}|link=`));
    return found;
  }

  test("goes well; its admission is ended, and nobody's place was taken", async () => {
    const before = await ended();
    const queued = async () =>
      ((await at.world.http.request(`${at.issuer}/rooms/sale/status`)).json() as { queued: number }).queued;
    const places = await queued();
    expect(await tried()).toMatchObject({ status: "ok", text: expect.stringContaining("goes well") });
    expect([await live(), await queued()]).toEqual([[], places]);
    const after = await ended();
    expect(after.length).toBe(before.length + 1);
    expect(after.every(({ admitted_via }) => admitted_via === "bypass")).toBe(true);
  });

  test("goes well in a room that is paused, and is not tried without a key", async () => {
    await at.world.admin.step("sale", "pause");
    const found = await tried();
    await at.world.admin.step("sale", "resume");
    expect(found).toMatchObject({ status: "ok" });
    expect(wholeOf((await doctor()).findings)).toMatchObject([
      { status: "warning", text: expect.stringContaining("USHER_ADMIN_API_KEY") },
    ]);
  });

  test.each([
    ["with client_secret_post", "ok", { token_endpoint_auth_method: "client_secret_post" }],
    [
      "not of a client whose key the site alone has",
      "warning",
      {
        token_endpoint_auth_method: "private_key_jwt",
        client_secret: undefined,
        jwks_uri: "https://sale.example.test/jwks",
      },
    ],
  ])("is played %s", async (_, status, changes) => {
    const { findings } = await doctor(client(changes), () => {}, withKey);
    expect(wholeOf(findings)).toMatchObject([{ status }]);
    expect(await live()).toEqual([]);
  });

  test("says that a room whose limit is reached lets nobody in now", async () => {
    await at.world.admin.change("sale", { inlet: { outflow_per_minute: 1 } });
    await tried();
    const found = await tried();
    await at.world.admin.change("sale", { inlet: { outflow_per_minute: null } });
    expect(found).toMatchObject({ status: "warning", text: expect.stringMatching(/lets nobody in now \(503\)/) });
    expect(await live()).toEqual([]);
  });

  /** A proxy that answers for the provider, with keys of its own. */
  test.each([
    ["a clock that is ahead", { iat: 120, exp: 3_600 }, /NTP/],
    ["a token that is over", { iat: -10, exp: -5 }, /NTP/],
    ["a token of long ago", { iat: -600, exp: 3_600 }, /NTP/],
    ["another issuer", { iss: "https://other.example" }, /USHER_ISSUER/],
    ["another client", { aud: "site-of-another" }, /cache nothing of \/token/],
    ["another login", { nonce: "of-another" }, /another nonce/],
  ])("finds an ID token of %s, and leaves no admission", async (_, changes, words) => {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const jwk = { ...(await exportJWK(publicKey)), kid: "own", alg: "ES256", use: "sig" };
    const nowSec = Math.floor(Date.now() / 1_000);
    const own: Spoil = async (asked, told) => {
      if (asked === "/.well-known/jwks.json") told.body = JSON.stringify({ keys: [jwk] });
      if (asked !== "/token" || told.status !== 200) return;
      const tokens = JSON.parse(String(told.body)) as { id_token: string };
      const { iat = 0, exp = 300, ...others } = changes as { iat?: number; exp?: number };
      const claims = { ...decodeJwt(tokens.id_token), ...others, iat: nowSec + iat, exp: nowSec + exp };
      const id_token = await new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "own" }).sign(privateKey);
      told.body = JSON.stringify({ ...tokens, id_token });
    };
    expect(await tried(own)).toMatchObject({ status: "fault", text: expect.stringMatching(words) });
    expect(await live()).toEqual([]);
  });

  test("says that it could not be tried with a key that the gateway does not know", async () => {
    const { code, findings } = await doctor({}, () => {}, {
      USHER_ADMIN_API_KEY: "of-nobody-0123456789abcdef0123456789",
    });
    expect([code, wholeOf(findings)]).toEqual([
      0,
      [{ about: "whole login", status: "warning", text: expect.stringContaining("could not be tried: unauthorized") }],
    ]);
  });

  const json = (path: string, change: (body: Record<string, unknown>) => unknown): Spoil => {
    return (asked, told) => {
      if (asked.startsWith(path) && told.status === 200)
        told.body = JSON.stringify(change(JSON.parse(String(told.body))));
    };
  };
  const code = (path: string, from: RegExp, to: string): Spoil => {
    return (asked, { headers }) => {
      const { location } = headers;
      if (asked.startsWith(path) && typeof location === "string" && location.includes("code=")) {
        headers.location = location.replace(from, to);
      }
    };
  };
  const logoutOf = (findings: readonly Finding[]) => findings.filter(({ about }) => about === "logout");
  const location = (from: RegExp, to: string): Spoil => {
    return (asked, { headers }) => {
      if (asked.startsWith("/logout") && headers.location)
        headers.location = String(headers.location).replace(from, to);
    };
  };

  test.each<[string, object, Spoil, Finding["status"], RegExp]>([
    ["leads to the client's address", {}, () => {}, "ok", /leads to https:\/\/sale\.example\.test\/goodbye\.$/],
    ["leads to a page of Usher", { post_logout_redirect_uris: [] }, () => {}, "ok", /leads to a page of Usher/],
    [
      "does not know the address of the file",
      { post_logout_redirect_uris: ["https://sale.example.test/elsewhere"] },
      () => {},
      "fault",
      /answered 400 .*register exactly https:\/\/sale\.example\.test\/elsewhere/,
    ],
    ["is answered by another server", {}, answer("/logout", 404, "none"), "fault", /answered 404 .*lead \/logout/],
    [
      "is too long for the proxy",
      {},
      answer("/logout", 414, ""),
      "fault",
      /answered 414 .*large_client_header_buffers/,
    ],
    ["is rewritten", {}, location(/^[^?]*/, "http://localhost:1/"), "fault", /proxy_redirect off/],
    ["loses its state", {}, location(/state=.*/, ""), "fault", /another state or none/],
    [
      "is answered by a cache",
      {},
      (asked, told) => {
        const state = new URL(asked, at.issuer).searchParams.get("state");
        const to = `https://sale.example.test/goodbye?state=${state}`;
        if (asked.startsWith("/logout")) Object.assign(told, { status: 303, headers: { location: to }, body: "" });
      },
      "fault",
      /does not end the visitor's admission/,
    ],
  ])("a logout that %s", async (name, changes, wrongly, status, words) => {
    const registered = { post_logout_redirect_uris: [loggedOutUri("sale")], ...changes };
    // The gateway has ended the admission before the proxy spoils the answer; here it never gets the request.
    const kept = { targetOf: (target: string) => (target.startsWith("/logout") ? "/healthz" : target) };
    const changed = name === "is answered by a cache" ? kept : {};
    const { findings } = await behind(changed, () => doctor(client(registered), wrongly, withKey));
    expect(logoutOf(findings)).toEqual([{ about: "logout", status, text: expect.stringMatching(words) }]);
    expect(await live()).toEqual([]);
  });

  const html: Spoil = (asked, told) => {
    if (asked === "/token" && told.status === 200) {
      Object.assign(told, { body: "<h1>One moment</h1>", headers: { "content-type": "text/html" } });
    }
  };
  test.each<[string, Spoil, RegExp]>([
    ["strips Set-Cookie", header("/rooms/sale/bypass", "set-cookie", undefined), /without its ticket in Set-Cookie/],
    ["answers for /rooms itself", answer("/rooms/sale/bypass", 404, "none"), /bypass link answered 404/],
    ["rewrites the redirect", code("/", /^https:[^?]*/, "http://localhost:1/cb"), /proxy_redirect off/],
    ["names another issuer", code("/", /iss=[^&]*/, "iss=https://other.example"), /one of https:\/\/other\.example/],
    ["mixes up the callbacks of visitors", code("/", /state=[^&]*/, "state=of-another"), /another state/],
    ["answers /token with a page", html, /\/token answered 200 and not as Usher does/],
    [
      "keeps another's tokens",
      json("/token", (body) => ({ ...body, id_token: "e30.e30.e30" })),
      /ID token .* is not valid/,
    ],
    [
      "keeps old keys",
      json("/.well-known/jwks.json", () => ({ keys: [{ kty: "RSA", kid: "old" }] })),
      /same signing keys/,
    ],
    [
      "keeps another's claims",
      json("/userinfo", (body) => ({ ...body, sub: "sale.another" })),
      /\/userinfo answered 200/,
    ],
    ["refuses /userinfo", answer("/userinfo", 401, "{}"), /header Authorization on/],
  ])("finds a proxy that %s, and leaves no admission", async (_, wrongly, words) => {
    expect(await tried(wrongly)).toMatchObject({ status: "fault", text: expect.stringMatching(words) });
    expect(await live()).toEqual([]);
  });

  test.each([
    ["Cookie everywhere", "cookie", "/", /header Cookie on/],
    ["Cookie on the way to /authorize", "cookie", "/authorize", /stays at a page of Usher/],
    ["Origin", "origin", "/rooms", /headers Origin and Cookie on/],
    ["Authorization on the way to /userinfo", "authorization", "/userinfo", /header Authorization on/],
  ])("finds a proxy that strips %s, and leaves no admission", async (_, name, path, words) => {
    const headersOf = (target: string, { [name]: stripped, ...rest }: IncomingHttpHeaders) =>
      target.startsWith(path) ? rest : { ...rest, ...(stripped !== undefined && { [name]: stripped }) };
    const found = await behind({ headersOf }, tried);
    expect(found).toMatchObject({ status: "fault", text: expect.stringMatching(words) });
    expect(await live()).toEqual([]);
  });
});

describe("a room whose visitors sign in first", () => {
  let provider: PeopleProvider;
  let world: World;
  const ports = [] as number[];
  beforeAll(async () => {
    ports.push(await freePort());
    provider = await startPeopleProvider([], [`http://localhost:${ports[0]}/rooms/people/identity/callback`]);
    const identity = { issuer: provider.issuer, client_id: CLIENT.id, client_secret: CLIENT.secret, claims: [] };
    world = await startWorld({ store: memoryStore, ports, rooms: [{ id: "people", settings: { identity } }] });
  });
  afterAll(async () => {
    await world?.stop();
    await provider?.stop();
  });

  test("has nothing wrong: they get to the provider, and the rest is for a person to try", async () => {
    const { findings } = await doctor(
      {
        issuer: world.issuer,
        admin: undefined,
        rooms: [{ id: "people", title: "People", inlet: { type: "manual" } }],
        clients: [
          {
            client_id: clientId("people"),
            client_secret: clientSecret("people"),
            redirect_uris: [redirectUri("people")],
            room: "people",
          },
        ],
      },
      undefined,
      { USHER_ADMIN_API_KEY: ADMIN_KEY, PORT: String(ports[0]) },
    );
    const [whole, ...others] = findings.filter(({ about }) => about === "whole login");
    expect([whole?.status, others]).toEqual(["warning", []]);
    expect(whole?.text).toContain(`sign in at ${provider.issuer} first, and get there`);
    expect(findings.filter(({ about, status }) => about === "login" && status !== "ok")).toEqual([]);
  });
});
