// Long: waits until Apache has forgotten a login.
/** Apache with mod_auth_openidc, started for the test: a wait that is longer than its memory. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Apache, apacheUris, startApache } from "../../support/apache.ts";
import { freePort } from "../../support/ports.ts";
import { clientId, clientSecret, memoryStore, startWorld, type World } from "../world.ts";

const STATE_TIMEOUT_SEC = 5;
const SERVED_AFTER_MS = 15_000;
const room = "forgetful";

describe("Apache with mod_auth_openidc", () => {
  let apache: Apache;
  let world: World;

  beforeAll(async () => {
    const port = await freePort();
    const { origin, redirectUri } = apacheUris(port);
    const client = {
      profile: "apache",
      redirect_uris: [redirectUri],
      initiate_login_uri: `${origin}/`,
      login_timeout: "4s",
    };
    world = await startWorld({ store: memoryStore, rooms: [{ id: room, client }] });
    const { issuer } = world;
    const own = { clientId: clientId(room), clientSecret: clientSecret(room) };
    apache = await startApache({ issuer, ...own, stateTimeoutSec: STATE_TIMEOUT_SEC, extraLines: [], port });
  });
  afterAll(async () => {
    await world?.stop();
    await apache?.stop();
  });

  test(`OIDCStateTimeout ${STATE_TIMEOUT_SEC}: a visitor who is served after 15 s gets in through the restart`, async () => {
    const { origin, errorLog } = apache;
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${origin}/?page=7`);
    const position = parked.position;
    await new Promise((resolve) => setTimeout(resolve, SERVED_AFTER_MS));
    await world.admin.increment(room, 1);

    const inside = await visitor.waitInLine(parked);
    expect([inside.status, inside.url.href], errorLog()).toEqual([200, `${origin}/`]);
    expect(inside.body).toContain(`OIDC_CLAIM_queue_position=${position}`);
    const places = inside.redirects.map(({ origin, pathname }) => `${origin}${pathname}`);
    // Usher → Apache's start page → Usher → callback, and never an answer to the login that Apache forgot.
    expect(places.filter((place) => place.endsWith("/oidc/callback"))).toHaveLength(1);
    expect(errorLog()).not.toContain("state has expired");
  });
});
