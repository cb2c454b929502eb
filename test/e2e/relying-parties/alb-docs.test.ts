/** The settings of docs/relying-parties/alb.md, at the double of the load balancer and at a real gateway. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Alb, type AlbRule, type AuthenticateOidcConfig, albUris, startAlb } from "../../support/alb.ts";
import { readGuide, terraformArguments } from "../../support/guide.ts";
import { freePort } from "../../support/ports.ts";
import { useHttpsWorld } from "./https-world.ts";

const HOST = "shop.example.test";
const SECRET = "secret-of-the-documented-load-balancer";
const guide = readGuide("alb");

/** The guide's table of rules, in the order of their priorities. */
const rows = [...guide.text.matchAll(/^\| `(\w+)` \| (\d+) \| (.*?) \| .* \|$/gm)].map(([, name, priority, paths]) => ({
  name: name ?? "",
  priority: Number(priority),
  prefixes: (paths ?? "").split(", ").map((path) => path.replaceAll("`", "").replace(/\*$/, "")),
}));

describe("the documented load balancer", () => {
  let port = 0;
  let alb: Alb;
  const started = useHttpsWorld([HOST], async () => {
    port = await freePort();
    const documented = guide.client({ "https://shop.example.com": albUris(HOST, port).origin });
    return [{ id: "tickets", client: { ...documented, client_secret: SECRET, room: undefined } }, { id: "checkout" }];
  });

  /** The action of a rule, as the guide's table derives it from the one that is written out. */
  function actionOf(name: string): AuthenticateOidcConfig | undefined {
    if (name === "never_queue") return undefined;
    const written = terraformArguments(guide.block("hcl"), "authenticate_oidc") as Record<string, string>;
    const at = (argument: string) =>
      (written[argument] ?? "").replace("https://queue.example.com", started().world.issuer);
    return {
      issuer: at("issuer"),
      authorizationEndpoint: at("authorization_endpoint"),
      tokenEndpoint: at("token_endpoint"),
      userInfoEndpoint: at("user_info_endpoint"),
      clientId: at("client_id"),
      clientSecret: SECRET,
      ...(name === "api" && { onUnauthenticatedRequest: "deny" }),
      ...(name === "checkout" && {
        sessionCookieName: at("session_cookie_name"),
        authenticationRequestExtraParams: written.authentication_request_extra_params as never,
      }),
    };
  }

  beforeAll(async () => {
    const { world, tls } = started();
    const rules = [...rows]
      .sort((one, other) => one.priority - other.priority)
      .flatMap(({ name, prefixes }): AlbRule[] => {
        const authenticate = actionOf(name);
        return prefixes.map((pathPrefix) => ({ pathPrefix, ...(authenticate && { authenticate }) }));
      });
    alb = await startAlb({ host: HOST, port, tls, http: world.http, rules });
  });
  afterAll(() => alb?.stop());

  test("has four rules", () => {
    expect(rows.map(({ name }) => name)).toEqual(["never_queue", "api", "checkout", "site"]);
  });

  test("lets through what never queues, and refuses scripts without a session", async () => {
    const { world } = started();
    for (const path of ["/health", "/webhooks/payment", "/assets/a.css", "/goodbye"])
      expect([path, (await world.http.get(`${alb.origin}${path}`)).status]).toEqual([path, 200]);
    expect((await world.visitor().fetch(`${alb.origin}/api/cart`)).status).toBe(401);
  });

  test("leads a visitor through the line of the site, then through that of the checkout", async () => {
    const { world } = started();
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${alb.origin}/cart?item=7`);
    expect([parked.url.origin, parked.position]).toEqual([world.issuer, 1]);
    await world.admin.increment("tickets", 1);
    const inside = await visitor.waitInLine(parked);
    expect([inside.status, inside.url.href], alb.errorReasons.join()).toEqual([200, `${alb.origin}/cart?item=7`]);
    expect((await visitor.fetch(`${alb.origin}/api/cart`)).status).toBe(200);

    const paying = await visitor.navigate(`${alb.origin}/checkout/card`);
    expect([paying.url.searchParams.get("room"), paying.position]).toEqual(["checkout", 1]);
    await world.admin.increment("checkout", 1);
    const paid = await visitor.waitInLine(paying);
    expect([paid.status, paid.url.pathname], alb.errorReasons.join()).toEqual([200, "/checkout/card"]);
    expect((await visitor.navigate(`${alb.origin}/cart`)).redirects).toEqual([]);
  });
});
