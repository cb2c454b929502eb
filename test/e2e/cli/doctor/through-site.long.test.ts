// Long: two real kinds of sites, right or set up wrongly; through-site.test.ts has what the doctor finds.
/**
 * Goal: with `--through-site` the doctor logs in at the protected site itself, and finds what is wrong there. Method: sites on
 * express-openid-connect, which uses PKCE, and Passport, which does not; each right or set up wrongly in one way.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePorts } from "../../../support/ports.ts";
import { startExpressOpenidConnectSite } from "../../../support/sites/express-openid-connect.ts";
import { startPassportSite } from "../../../support/sites/passport.ts";
import { type Site, type SiteOptions, siteUris } from "../../../support/sites/site.ts";
import { clientId, clientSecret, memoryStore, startWorld, type World } from "../../world.ts";
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
