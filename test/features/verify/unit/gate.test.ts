import { createLocalJWKSet, importJWK, SignJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RsaSigningJwk } from "../../../../src/config/index.ts";
import {
  type AdmissionGate,
  type AdmissionGateOptions,
  createAdmissionGate,
} from "../../../../src/features/verify/package/index.ts";
import { makeSigningJwk } from "../../../support/signing-jwk.ts";

const issuer = "https://queue.example.com";
const site = "https://shop.example.com";
const secret = "a-secret-of-the-site-of-32-chars";
const page = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

describe("the gate of usher/verify", () => {
  let jwk: RsaSigningJwk;
  let gate: AdmissionGate;
  let names: number;
  beforeAll(async () => {
    jwk = makeSigningJwk();
  }, 30_000);
  beforeEach(() => {
    gate = makeGate();
    names = 0;
  });

  function makeGate(changes: Partial<AdmissionGateOptions> = {}): AdmissionGate {
    const { kty, n, e, kid, alg, use } = jwk;
    const keys = createLocalJWKSet({ keys: [{ kty, n, e, kid, alg, use }] });
    const exempt = (path: string) => path.startsWith("/assets/");
    return createAdmissionGate({ issuer, room: "tickets", site, secret, keys, exempt, ...changes });
  }

  async function token(changes: object = {}): Promise<string> {
    const nowSec = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: issuer,
      aud: `${issuer}/rooms/tickets`,
      sub: "tickets.a",
      room: "tickets",
      queue_position: 7,
    };
    const times = { admitted_at: nowSec, admitted_until: nowSec + 600, iat: nowSec, exp: nowSec + 60 };
    return new SignJWT({ ...claims, admitted_via: "queue", ...times, jti: `name-${++names}`, ...changes })
      .setProtectedHeader({ alg: "RS256", kid: jwk.kid, typ: "admission+jwt" })
      .sign(await importJWK({ ...jwk }, "RS256"));
  }

  const ask = (url: string, headers: Record<string, string> = page, method = "GET", by = gate) =>
    by({ method, url, header: (name) => headers[name] });

  async function begin(): Promise<string> {
    const outcome = await ask(`/?usher_token=${await token()}`);
    if (outcome.passes) throw new Error("a page is sent to its clean address");
    return outcome.headers["Set-Cookie"]?.split(";")[0] ?? "";
  }

  it("begins a session by a token in the address, which it takes away; then lets the session pass", async () => {
    const outcome = await ask(`/a%20b?x=%2F&usher_token=${await token()}&y`);
    expect(outcome).toMatchObject({
      passes: false,
      status: 303,
      headers: {
        Location: `${site}/a%20b?x=%2F&y`,
        "Referrer-Policy": "no-referrer",
        "Set-Cookie": expect.stringMatching(
          /^__Host-usher-tickets\.session=[\w.-]+; Expires=\w{3}, [\w :]+ GMT; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
        ),
      },
    });
    const cookie = await begin();
    const admission = { sub: "tickets.a", room: "tickets", queue_position: 7, admitted_via: "queue" };
    const kept = await ask("/a", { ...page, cookie: `a=b; ${cookie}` });
    expect(kept).toMatchObject({ passes: true, admission });
    // No part of a token that could be used elsewhere.
    expect(kept).not.toHaveProperty("admission.jti");
    // Whatever link is followed: nobody becomes somebody else.
    const other = `/a?usher_token=${await token({ sub: "tickets.b" })}`;
    const cleaned = await ask(other, { ...page, cookie });
    expect(cleaned).toMatchObject({ status: 303, headers: { Location: `${site}/a` } });
    expect(cleaned).not.toHaveProperty("headers.Set-Cookie");
    expect(await ask(other, { cookie }, "POST")).toMatchObject({ passes: true, admission });
  });

  it("lets a script's request with a token pass as it is, with the cookie", async () => {
    const outcome = await ask(`/api/session?usher_token=${await token()}`, { accept: "*/*", "sec-fetch-mode": "cors" });
    expect(outcome).toMatchObject({ passes: true, setCookie: expect.stringContaining("usher-tickets.session=") });
  });

  it("takes a token once, of its own kind, and not while names cannot be kept", async () => {
    const url = `/?usher_token=${await token()}`;
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => ask(url)));
    const locations = outcomes.map((outcome) => (outcome.passes ? "" : outcome.headers.Location));
    expect(locations.filter((location) => location === `${site}/`)).toHaveLength(1);
    expect(locations.filter((location) => location?.startsWith(`${issuer}/rooms/tickets/enter?`))).toHaveLength(4);
    for (const changes of [{ jti: undefined }, { room: "other" }, { exp: 1 }]) {
      const refused = await ask(`/?usher_token=${await token(changes)}`);
      expect(refused).toMatchObject({
        headers: { Location: `${issuer}/rooms/tickets/enter?target=${encodeURIComponent(`${site}/`)}` },
      });
    }
    const asked: unknown[] = [];
    const elsewhere = makeGate({ takeOnce: async (...name) => asked.push(name) < 0 });
    expect(await ask(url, page, "GET", elsewhere)).toMatchObject({
      headers: { Location: expect.stringContaining("/enter?") },
    });
    expect(asked).toEqual([["name-1", expect.any(Number)]]);
    const failing = makeGate({ takeOnce: () => Promise.reject(new Error("the store is away")) });
    await expect(ask(url, page, "GET", failing)).rejects.toThrow("the store is away");
  });

  describe("with rules", () => {
    const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    const rules = [
      { name: "crawlers", when: "verified_crawler", action: "bypass" },
      { name: "office", when: "ip.src in {192.0.2.0/24}", action: "bypass" },
      { name: "checkout", when: 'starts_with(http.request.uri.path, "/checkout")', action: "queue" },
      { name: "rest", when: 'http.host eq "shop.example.com"', action: "ignore" },
    ] as const;
    const passed = { passes: true, admission: null };
    const from = (address: string, url: string, headers: Record<string, string> = page) =>
      gate({ method: "GET", url, address, header: (name) => headers[name] });

    it("lets pass what they let pass, however the rest is spelled, and reads a session where they bypass the line", async () => {
      gate = makeGate({ rules });
      expect(await ask("/products")).toEqual(passed);
      for (const url of ["/checkout", "/%63heckout", "//checkout", "/x/../checkout", "/Checkout"])
        expect([url, await ask(url)]).toMatchObject([url, { passes: false, status: 303 }]);
      expect(await from("192.0.2.7", "/checkout")).toEqual(passed);
      expect(await from("192.0.3.7", "/checkout")).toMatchObject({ passes: false, status: 303 });
      const outcome = await ask(`/checkout?usher_token=${await token()}`);
      const cookie = outcome.passes ? "" : (outcome.headers["Set-Cookie"]?.split(";")[0] ?? "");
      expect(await from("192.0.2.7", "/checkout", { ...page, cookie })).toMatchObject({
        admission: { sub: "tickets.a" },
      });
      expect(await ask("/products", { ...page, cookie })).toEqual(passed);
    });

    it("lets a crawler pass that is confirmed, has one wait that is looked up, and believes none without a check", async () => {
      const asked: string[] = [];
      let answer: boolean | "pending" = "pending";
      gate = makeGate({
        rules,
        crawlers(address, agent) {
          asked.push(`${address} ${agent}`);
          return answer;
        },
      });
      const headers = { ...page, "user-agent": googlebot };
      expect(await from("66.249.66.1", "/checkout", headers)).toMatchObject({
        status: 429,
        headers: { "Retry-After": "10", "Cache-Control": "no-store" },
        body: expect.stringContaining('"error":"crawler_unconfirmed"'),
      });
      answer = true;
      expect(await from("66.249.66.1", "/checkout", headers)).toEqual(passed);
      answer = false;
      expect(await from("66.249.66.1", "/checkout", headers)).toMatchObject({ passes: false });
      expect(asked).toEqual(Array.from({ length: 3 }, () => `66.249.66.1 ${googlebot}`));
      gate = makeGate({ rules });
      expect(await from("66.249.66.1", "/checkout", headers)).toMatchObject({ passes: false });
    });

    it("names all their faults at the start", () => {
      const faulty = [
        { name: "a", action: "queue", when: 'http.host ~ "x"' },
        { name: "b", action: "let" },
      ] as unknown as typeof rules;
      expect(() => makeGate({ rules: faulty })).toThrow(
        /^rules\[0\]\["when"\]: column 11: ~ has no equal here: .*\nrules\[1\]\["action"\]: expected one of queue, bypass, ignore$/,
      );
    });
  });

  it("believes no session that it did not sign for this room and site", async () => {
    const cookie = await begin();
    const refused = { passes: false, status: 401 };
    for (const changes of [
      { secret: "another-secret-that-is-long-enough" },
      { site: "https://other.example.com" },
      { issuer: "https://other.example" },
    ]) {
      expect(await ask("/", { cookie }, "POST", makeGate(changes))).toMatchObject(refused);
    }
    const room = { cookie: cookie.replace("usher-tickets", "usher-other") };
    expect(await ask("/", room, "POST", makeGate({ room: "other" }))).toMatchObject(refused);
    const name = cookie.split("=")[0];
    for (const value of ["", "x", "a.b.c", "x".repeat(5_000), await token(), `${cookie.split("=")[1]}x`]) {
      expect(await ask("/", { cookie: `${name}=${value}` }, "POST")).toMatchObject(refused);
    }
  });

  it("ends a session with the admission", async () => {
    const nowSec = Math.floor(Date.now() / 1_000);
    const outcome = await ask(`/?usher_token=${await token({ admitted_until: nowSec - 1 })}`);
    if (outcome.passes) throw new Error("a page is sent to its clean address");
    const cookie = outcome.headers["Set-Cookie"]?.split(";")[0] ?? "";
    expect(await ask("/", { cookie }, "POST")).toMatchObject({ status: 401 });
  });

  it("tells a script where the room is, and sends nobody who did not open a page", async () => {
    const enter = `${issuer}/rooms/tickets/enter?target=${encodeURIComponent(`${site}/a?b=c`)}`;
    for (const [method, headers] of [
      ["POST", page],
      ["HEAD", page],
      ["GET", { accept: "application/json" }],
      ["GET", { ...page, "sec-fetch-mode": "cors" }],
      ["GET", { ...page, "sec-fetch-dest": "iframe" }],
      ["GET", { ...page, "sec-purpose": "prefetch;prerender" }],
      ["GET", { accept: "text/html", "x-requested-with": "xmlhttprequest" }],
    ] as const) {
      const outcome = await ask("/a?b=c", headers, method);
      if (outcome.passes) throw new Error("nobody is admitted");
      expect([outcome.status, outcome.headers["WWW-Authenticate"], JSON.parse(outcome.body)]).toEqual([
        401,
        'Bearer realm="tickets"',
        { error: "admission_required", error_description: expect.any(String), enter },
      ]);
    }
    expect(await ask("/a?b=c")).toMatchObject({ status: 303, headers: { Location: enter } });
    for (const headers of [
      { accept: "text/html" },
      // An app's own browser, and the site's service worker.
      { ...page, "x-requested-with": "com.example.social" },
      { ...page, "x-requested-with": "XMLHttpRequest" },
      { ...page, "sec-fetch-dest": "empty" },
    ]) {
      expect(await ask("/a?b=c", headers)).toMatchObject({ status: 303, headers: { Location: enter } });
    }
  });

  it("leads to no other host, and reads no address that is too long", async () => {
    for (const path of ["//evil.example/", "///evil.example", "/\\evil.example", "/@evil.example", "//"]) {
      const outcome = await ask(`${path}?usher_token=${await token()}`);
      if (outcome.passes) throw new Error("a page is sent to its clean address");
      expect(new URL(outcome.headers.Location ?? "").origin).toBe(site);
    }
    for (const url of ["http://evil.example/", "*", "", "evil.example:443"]) {
      expect(await ask(url)).toMatchObject({ status: 400 });
    }
    expect(await ask(`/${"x".repeat(16_384)}`)).toMatchObject({ status: 414 });
    expect(await ask(`/${"x".repeat(5_000)}`)).toMatchObject({
      headers: { Location: `${issuer}/rooms/tickets/enter` },
    });
  });

  it("takes Authorization of apps, and lets exempt paths pass", async () => {
    const authorization = `Bearer ${await token({ jti: undefined })}`;
    expect(await ask("/api", { authorization })).toMatchObject({ passes: true, admission: { sub: "tickets.a" } });
    expect(await ask("/api", { authorization: `${authorization}x` })).toMatchObject({ status: 401 });
    expect(await ask("/assets/a.css", {}, "POST")).toEqual({ passes: true, admission: null });
    expect(await ask("/a?/assets/", {}, "POST")).toMatchObject({ status: 401 });
  });

  it("says that keys cannot be had, and takes no faulty options", async () => {
    const away = makeGate({ keys: () => Promise.reject(new Error("away")) });
    for (const [url, headers] of [
      [`/?usher_token=${await token()}`, page],
      ["/", { authorization: `Bearer ${await token()}` }],
    ] as const) {
      expect(await ask(url, headers, "GET", away)).toMatchObject({ status: 503, headers: { "Retry-After": "2" } });
    }
    expect(() => makeGate({ secret: "short" })).toThrow("secret: expected at least 32 characters");
    expect(() => makeGate({ site: `${site}/` })).toThrow("site: expected a bare origin");
  });
});
