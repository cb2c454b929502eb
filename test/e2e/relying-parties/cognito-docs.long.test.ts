// Long: an issuer by https behind nginx; guides-docs.test.ts compares the guide.
/** The settings of docs/relying-parties/cognito.md, at the double of a user pool and at a real gateway. */
import { afterAll, describe, expect, test } from "vitest";
import { startUserPool, userPoolUris } from "../../support/cognito.ts";
import { fetchBy } from "../../support/fetch-by.ts";
import { readGuide, terraformArguments } from "../../support/guide.ts";
import { freePorts } from "../../support/ports.ts";
import { startOpenidClientSite } from "../../support/sites/openid-client.ts";
import { siteUris } from "../../support/sites/site.ts";
import { useHttpsWorld } from "./https-world.ts";

const HOST = "login.shop.example.test";
const SECRET = "secret-of-the-documented-user-pool";
const APP = { clientId: "the-app", clientSecret: "secret-of-the-app" };
const guide = readGuide("cognito");

describe("the documented user pool", () => {
  let [poolPort, appPort] = [0, 0];
  const stopped: (() => Promise<unknown>)[] = [];
  const started = useHttpsWorld([HOST], async () => {
    [poolPort = 0, appPort = 0] = await freePorts(2);
    const documented = guide.client({
      "https://login.shop.example.com": userPoolUris(HOST, poolPort).origin,
      "https://shop.example.com": siteUris(appPort).origin,
    });
    return [{ id: "tickets", client: { ...documented, client_secret: SECRET } }];
  });
  afterAll(async () => {
    for (const stop of stopped.reverse()) await stop();
  });

  test("leads the visitors of an app through the line, and tells it the room", async () => {
    const { world, tls, port } = started();
    const terraform = guide.block("hcl");
    const text = (block: string, name: string) => String(terraformArguments(terraform, block)[name]);
    const provider = text("aws_cognito_identity_provider", "provider_name");
    const { username, ...mapped } = terraformArguments(terraform, "attribute_mapping") as Record<string, string>;
    expect(username).toBe("sub");
    const userPool = await startUserPool({
      host: HOST,
      port: poolPort,
      tls,
      http: world.http,
      providerPorts: [port],
      provider: {
        name: provider,
        issuer: text("provider_details", "oidc_issuer").replace("https://queue.example.com", world.issuer),
        clientId: text("provider_details", "client_id"),
        clientSecret: SECRET,
        scopes: text("provider_details", "authorize_scopes"),
        attributesRequestMethod: text("provider_details", "attributes_request_method") as "GET" | "POST",
        attributeMapping: mapped,
      },
      app: { ...APP, callbackUrls: [siteUris(appPort).redirectUri], logoutUrls: [] },
    });
    stopped.push(userPool.stop);
    const site = await startOpenidClientSite({
      ...APP,
      port: appPort,
      issuer: userPool.issuer,
      fetch: fetchBy(world.http),
      authorizationParameters: { identity_provider: provider },
    });
    stopped.push(site.stop);

    const visitor = world.visitor();
    const parked = await visitor.navigate(`${site.origin}/cart`);
    expect([parked.url.origin, parked.position]).toEqual([world.issuer, 1]);
    await world.admin.increment("tickets", 1);
    const inside = await visitor.waitInLine(parked);
    expect([inside.status, inside.url.href], inside.body.slice(0, 300)).toEqual([200, `${site.origin}/cart`]);
    expect(inside.json()).toMatchObject({ claims: { "custom:room": "tickets" } });
  });
});
