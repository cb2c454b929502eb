// Long: real kinds of sites, right or set up wrongly in one way after the other; doctor.test.ts has whole logins.
/**
 * Goal: with `--through-site` the doctor logs in at the protected site itself, and finds what is wrong there. Method: sites on
 * express-openid-connect, which uses PKCE, and Passport, which does not; each right or set up wrongly in one way.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientId, clientSecret, memoryStore, startWorld, type World } from "../../../e2e/world.ts";
import { freePorts } from "../../../support/ports.ts";
import { startExpressOpenidConnectSite } from "../../../support/sites/express-openid-connect.ts";
import { startPassportSite } from "../../../support/sites/passport.ts";
import { type Site, type SiteOptions, siteUris } from "../../../support/sites/site.ts";
import { clientOf, useDoctor } from "./run-doctor.ts";

const doctor = useDoctor();
const software = [
  // PKCE binds the code to the site, so the doctor cannot try whether it was redeemed.
  [
    "express-openid-connect",
    startExpressOpenidConnectSite,
    /^fault: The site answers 400 .*: give the site the secret/,
  ],
  [
    "passport",
    startPassportSite,
    /^fault: The site answers 500 .*as it has the wrong secret .*: give the site the secret/,
  ],
] as const;

describe.each(software)("a site on %s", (_, start, wrongSecret) => {
  let ports: readonly number[];
  let world: World;
  const sites: Site[] = [];
  beforeAll(async () => {
    ports = await freePorts(2);
    world = await startWorld({ store: memoryStore, rooms: rooms().map(({ id, client }) => ({ id, client })) });
  });
  afterAll(async () => {
    await Promise.all(sites.map((site) => site.stop()));
    await world?.stop();
  });

  const rooms = () =>
    ["good", "bad"].map((id, index) => {
      const { redirectUri, startUri, loggedOutUri } = siteUris(ports[index] ?? 0);
      const client = {
        redirect_uris: [redirectUri],
        initiate_login_uri: startUri,
        post_logout_redirect_uris: [loggedOutUri],
      };
      return { id, client };
    });
  const file = () => ({
    issuer: world.issuer,
    rooms: rooms().map(({ id }) => ({ id })),
    clients: rooms().map(({ id, client }) => clientOf(id, client)),
  });
  const live = async (room: string) => {
    const answer = await world.admin.request("GET", `/rooms/${room}/admissions?status=live`);
    return (answer.json() as { admissions: unknown[] }).admissions;
  };

  async function tried(index: number, changes: Partial<SiteOptions> = {}, path = "/shop?seats=2") {
    const room = index === 0 ? "good" : "bad";
    const options = { issuer: world.issuer, clientId: clientId(room), clientSecret: clientSecret(room) };
    const site = await start({ ...options, port: ports[index] ?? 0, ...changes });
    try {
      const found = await doctor.run(file(), ["--url", world.issuer, "--through-site", `${site.origin}${path}`]);
      expect(JSON.stringify(found.findings)).not.toMatch(/secret-of-the-site|code=|link=/);
      expect(await live(room)).toEqual([]);
      return found;
    } finally {
      await site.stop();
    }
  }

  test("that is set up well lets the doctor in, and keeps no admission", async () => {
    const { about } = await tried(0);
    expect(about("site")).toEqual([
      expect.stringMatching(/^ok: A login through .*\/shop\?seats=2 goes well, as site-good/),
    ]);
  });

  test("with the wrong secret is a fault that names the secret", async () => {
    const { code, about } = await tried(1, { clientSecret: "another-secret-0123456789abcdef" });
    expect(about("site")).toEqual([expect.stringMatching(wrongSecret)]);
    // The file's own is right.
    expect(about("client")).toEqual(["ok: The secret of site-good is right.", "ok: The secret of site-bad is right."]);
    expect(code).toBe(1);
  });

  test("of another client is a fault, and so is a page without a login", async () => {
    const other = await tried(1, { clientId: "somebody" });
    expect(other.about("site")).toEqual([
      expect.stringMatching(/^fault: The site logs in as somebody: set .* site-bad/),
    ]);
    const open = await tried(1, {}, "/goodbye");
    expect(open.about("site")).toEqual([expect.stringMatching(/^fault: .*goodbye answers 200 without a login/)]);
  });

  test("that is not there is a fault", async () => {
    const { origin } = siteUris(ports[0] ?? 0);
    const { about } = await doctor.run(file(), ["--url", world.issuer, "--through-site", `${origin}/`]);
    expect(about("site")).toEqual([expect.stringMatching(/^fault: .* does not answer .*start the site/)]);
  });
});

describe("a site that", () => {
  let ports: readonly number[];
  let world: World;
  let site: Server;
  let elsewhere: Server;
  const asked: string[] = [];
  let redirect: () => string;
  /** Where the other host leads to; empty for nowhere. */
  let onward = "";
  const redirectUri = () => `http://localhost:${ports[0]}/callback`;
  const authorize = (changes: Record<string, string> = {}) => {
    const query = { client_id: "site-sale", redirect_uri: redirectUri(), response_type: "code", scope: "openid" };
    return `${world.issuer}/authorize?${new URLSearchParams({ ...query, state: "s", ...changes })}`;
  };
  beforeAll(async () => {
    ports = await freePorts(1);
    site = createServer((_, response) => response.writeHead(302, { location: redirect() }).end());
    elsewhere = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(onward === "" ? 200 : 301, { location: onward }).end();
    });
    await new Promise<void>((resolve) => site.listen(ports[0], resolve));
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const client = { redirect_uris: [redirectUri()], initiate_login_uri: `http://localhost:${ports[0]}/` };
    world = await startWorld({ store: memoryStore, rooms: [{ id: "sale", client }] });
  });
  afterAll(async () => {
    site.close();
    elsewhere.close();
    await world?.stop();
  });
  const elsewhereAt = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;

  test.each<[string, () => string, RegExp]>([
    ["sends visitors elsewhere", () => `${elsewhereAt()}/login`, /^fault: .* sends a visitor to .* and not to /],
    [
      "logs in with an unknown redirect URI",
      () => authorize({ redirect_uri: "https://other.test/cb" }),
      /^fault: .* register exactly that one/,
    ],
    ["logs in to an unknown room", () => authorize({ room: "gone" }), /^fault: .* the room gone: add it/],
    ["wants a form", () => authorize({ response_mode: "form_post" }), /^warning: .* is not tried/],
    [
      "asks for what Usher refuses",
      () => authorize({ response_type: "token" }),
      /^fault: Usher answers .* unsupported/,
    ],
    // Its callback sends back to Usher, too.
    [
      "begins another login instead of an answer",
      () => authorize(),
      /^fault: The site begins another login .* wrong secret/,
    ],
    ["goes round in circles", () => redirectUri(), /^fault: .*more than \d+ redirects.*in no circle/],
  ])("%s is a fault, and nothing else is asked", async (_, to, words) => {
    redirect = to;
    const config = {
      issuer: world.issuer,
      rooms: [{ id: "sale" }],
      clients: [
        clientOf("sale", { redirect_uris: [redirectUri()], initiate_login_uri: `http://localhost:${ports[0]}/` }),
      ],
    };
    const page = `http://localhost:${ports[0]}/`;
    const { about } = await doctor.run(config, ["--url", world.issuer, "--through-site", page]);
    expect(about("site")).toEqual([expect.stringMatching(words)]);
    expect(asked).toEqual([]);
  });

  test("is named by an address that leads to it is tried there; one that leads to nobody's site says where to", async () => {
    const initiate_login_uri = `http://localhost:${ports[0]}/`;
    const config = {
      issuer: world.issuer,
      rooms: [{ id: "sale" }],
      clients: [clientOf("sale", { redirect_uris: [redirectUri()], initiate_login_uri })],
    };
    const run = async (leadsTo: string) => {
      [onward, asked.length] = [leadsTo, 0];
      const page = `${elsewhereAt()}/tickets?a=1`;
      return (await doctor.run(config, ["--url", world.issuer, "--through-site", page])).about("site");
    };
    redirect = () => authorize({ room: "gone" });
    expect(await run(`${initiate_login_uri}tickets?a=1`)).toEqual([expect.stringMatching(/the room gone: add it/)]);
    expect(asked).toEqual(["/tickets?a=1"]);
    const nobodys = `fault: No client of the file is at ${elsewhereAt()}`;
    expect(await run("http://localhost:1/private")).toEqual([
      expect.stringContaining(`${nobodys}, which leads to http://localhost:1: name a page`),
    ]);
    // In circles: not for long.
    expect(await run(`${elsewhereAt()}/tickets?a=1`)).toEqual([expect.stringContaining(`${nobodys}: name a page`)]);
    expect(asked).toHaveLength(6);
    [onward, asked.length] = ["", 0];
  });

  test.each([
    ["at no client of the file", "https://other.example.test/", 1],
    ["with a password", "https://me:secret@shop.example.test/", 2],
    ["that is none", "shop", 2],
  ])("is named by an address %s is refused", async (_, page, code) => {
    const config = { issuer: world.issuer, rooms: [{ id: "sale" }], clients: [clientOf("sale")] };
    const run = await doctor.run(config, ["--url", world.issuer, "--through-site", page]);
    expect(run.code).toBe(code);
    if (code === 1) expect(run.about("site")).toEqual([expect.stringMatching(/^fault: No client of the file is at/)]);
    else expect(run.failure).toContain("--through-site: expected the address of a protected page");
  });

  test("cannot be tried without an admin key", async () => {
    const config = { issuer: world.issuer, rooms: [{ id: "sale" }], clients: [clientOf("sale")] };
    const args = ["--url", world.issuer, "--through-site", "https://sale.example.test/"];
    const run = await doctor.run(config, args, { USHER_ADMIN_API_KEY: "" });
    expect(run).toMatchObject({ code: 1, failure: expect.stringContaining("USHER_ADMIN_API_KEY") });
  });
});
