/** The settings of docs/relying-parties/alb.md, at the double of the load balancer and at a real gateway. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Alb, type AlbRule, type AuthenticateOidcConfig, albUris, startAlb } from "../../support/alb.ts";
import { readGuide, terraformArguments, terraformList, terraformResources } from "../../support/guide.ts";
import { freePort } from "../../support/ports.ts";
import { useHttpsWorld } from "./https-world.ts";

const HOST = "shop.example.test";
const SECRET = "secret-of-the-documented-load-balancer";
const guide = readGuide("alb");

interface DocumentedRule {
  readonly name: string;
  readonly priority: number;
  readonly paths: readonly string[];
  /** By the names of Terraform; null: the rule forwards alone. */
  readonly authenticate: Record<string, unknown> | null;
}

/** The guide's rules as Terraform has them. */
const rules: DocumentedRule[] = [...terraformResources(guide.block("hcl"), "aws_lb_listener_rule")].map(
  ([name, resource]) => ({
    name,
    priority: Number(terraformArguments(resource, "aws_lb_listener_rule").priority),
    paths: terraformList(resource, "values"),
    authenticate: resource.includes("authenticate_oidc {") ? terraformArguments(resource, "authenticate_oidc") : null,
  }),
);

/** The guide's commands that make the rules, as name, priority, paths and `AuthenticateOidcConfig`. */
const commands = [
  ...guide.text.matchAll(
    /^# (\w+)\naws elbv2 create-rule --listener-arn "\$LISTENER" --priority (\d+) \\\n {2}--conditions '([\s\S]*?)' \\\n {2}--actions '([\s\S]*?)'\n(?=\n|```)/gm,
  ),
].map(([, name, priority, conditions = "", actions = ""]) => {
  const [condition] = JSON.parse(conditions) as { PathPatternConfig: { Values: string[] } }[];
  // A variable leaves the quotes of the shell: '"$NAME"'.
  const read = JSON.parse(actions.replace(/'"\$(\w+)"'/g, "$1")) as Record<string, unknown>[];
  expect(read.at(-1)).toMatchObject({ Type: "forward", TargetGroupArn: "SHOP_TARGETS" });
  const authenticate = read.find(({ Type }) => Type === "authenticate-oidc");
  return [name, Number(priority), condition?.PathPatternConfig.Values, authenticate?.AuthenticateOidcConfig ?? null];
});

/** Arguments of Terraform as the API calls them. */
function ofApi(authenticate: Record<string, unknown>): Record<string, unknown> {
  const named = Object.entries(authenticate).map(([name, value]) => [
    name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    name === "client_secret" ? "SHOP_CLIENT_SECRET" : value,
  ]);
  return Object.fromEntries(named) as Record<string, unknown>;
}

describe("the documented load balancer", () => {
  let port = 0;
  let alb: Alb;
  const started = useHttpsWorld([HOST], async () => {
    port = await freePort();
    const documented = guide.client({ "https://shop.example.com": albUris(HOST, port).origin });
    return [{ id: "tickets", client: { ...documented, client_secret: SECRET, room: undefined } }, { id: "checkout" }];
  });

  function actionOf({ authenticate }: DocumentedRule): AuthenticateOidcConfig | undefined {
    if (authenticate === null) return undefined;
    const written = authenticate as Record<string, string>;
    const at = (argument: string) =>
      (written[argument] ?? "").replace("https://queue.example.com", started().world.issuer);
    return {
      issuer: at("issuer"),
      authorizationEndpoint: at("authorization_endpoint"),
      tokenEndpoint: at("token_endpoint"),
      userInfoEndpoint: at("user_info_endpoint"),
      clientId: at("client_id"),
      clientSecret: SECRET,
      ...("on_unauthenticated_request" in written && {
        onUnauthenticatedRequest: written.on_unauthenticated_request as "deny",
      }),
      ...("session_cookie_name" in written && { sessionCookieName: at("session_cookie_name") }),
      ...("authentication_request_extra_params" in written && {
        authenticationRequestExtraParams: written.authentication_request_extra_params as never,
      }),
    };
  }

  beforeAll(async () => {
    const { world, tls } = started();
    const taken = [...rules]
      .sort((one, other) => one.priority - other.priority)
      .flatMap((rule): AlbRule[] => {
        const authenticate = actionOf(rule);
        return rule.paths.map((path) => ({
          pathPrefix: path.replace(/\*$/, ""),
          ...(authenticate && { authenticate }),
        }));
      });
    alb = await startAlb({ host: HOST, port, tls, http: world.http, rules: taken });
  });
  afterAll(() => alb?.stop());

  test("has four rules, the same in Terraform, in the AWS CLI's commands and in the table", () => {
    expect(rules.map(({ name }) => name)).toEqual(["never_queue", "api", "checkout", "site"]);
    const table = [...guide.text.matchAll(/^\| `(\w+)` \| (\d+) \| (.*?) \| (.*?) \|$/gm)].map(
      ([, name, priority, paths = "", actions = ""]) => [
        name,
        Number(priority),
        [...paths.matchAll(/`([^`]+)`/g)].map(([, path]) => path),
        actions.startsWith("authenticate"),
      ],
    );
    expect(table).toEqual(
      rules.map(({ name, priority, paths, authenticate }) => [name, priority, paths, authenticate !== null]),
    );
    expect(commands).toEqual(
      rules.map(({ name, priority, paths, authenticate }) => [
        name,
        priority,
        paths,
        authenticate && ofApi(authenticate),
      ]),
    );
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
