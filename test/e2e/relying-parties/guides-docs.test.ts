/** Each guide of docs/relying-parties: its client is a good one, and it says what an operator needs. */
import { expect, test } from "vitest";
import { PROFILE_NAMES } from "../../../src/config/schema/choices.ts";
import { readGuide, terraformArguments, terraformResources } from "../../support/guide.ts";
import { loadConfig } from "../../support/load-config.ts";

/** By the guides' file names. */
const GUIDES = {
  alb: "alb",
  cognito: "cognito",
  nginx: "nginx",
  "oauth2-proxy": "oauth2-proxy",
  envoy: "envoy",
  wordpress: "wordpress",
  keycloak: "keycloak",
  auth0: "auth0",
  "cloudflare-access": "cloudflare-access",
  node: "generic",
  browser: "generic",
  python: "generic",
  django: "generic",
  spring: "generic",
  go: "generic",
  authjs: "generic",
  ruby: "generic",
  "lemonldap-ng": "generic",
} as const;

/** They set the party to remember a login for an hour, and say that Usher warns: it knows the party's default only. */
const LONGER_LOGINS = ["oauth2-proxy", "envoy", "wordpress"];

test("every profile has a guide", () => {
  expect(new Set([...Object.values(GUIDES), "apache"])).toEqual(new Set(PROFILE_NAMES));
});

test.each(Object.entries(GUIDES))(
  "the client of %s.md is taken, and warned of only where the guide says so",
  async (name, profile) => {
    const guide = readGuide(name);
    const client = guide.client();
    const { config, warnings } = await loadConfig({
      document: {
        issuer: "https://queue.example.com",
        rooms: [{ id: "tickets" }, { id: "checkout" }],
        clients: [client],
        admin: { keys: [{ id: "ops", key_sha256: "ab".repeat(32) }] },
      },
      env: { SHOP_CLIENT_SECRET: "s".repeat(32) },
    });
    const expected = LONGER_LOGINS.includes(name)
      ? [expect.stringMatching(/^clients\[0\]\.login_timeout: by default /)]
      : [];
    expect(warnings).toEqual(expected);
    expect(/; Usher warns that the default is shorter$/m.test(guide.block("yaml"))).toBe(expected.length > 0);
    expect(client.profile).toBe(profile);
    expect(config.issuers[0]?.clients[0]?.clientId).toBe(client.client_id);
    // The same client stands in the party's own settings.
    expect(guide.text.split(String(client.client_id)).length).toBeGreaterThan(2);
  },
);

/** With steps for Terraform, the AWS CLI and the console, and what is around the party. */
const STEP_BY_STEP = ["alb", "cognito"];

test.each(Object.keys(GUIDES))("%s.md tells what never queues, what is seen, and the ways out", (name) => {
  const { text } = readGuide(name);
  // What has to be read, programs and settings aside.
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "");
  expect(prose.trimEnd().split("\n").length).toBeLessThanOrEqual(STEP_BY_STEP.includes(name) ? 90 : 55);
  for (const said of [
    /never queues?/i,
    /\*\*The visitor sees\*\*/,
    /\*\*Timeouts\*\*/,
    /\bemail\b/i,
    /Two rooms/,
    /\*\*Taking the waiting room out, now\*\*/,
    /passthrough/,
    /^(\*\*|## )Verify\b/m,
    /^Sources: /m,
  ]) {
    expect(text, `${said}`).toMatch(said);
  }
});

test("oauth2-proxy.md logs out at Usher, by an address that the client has and a host that oauth2-proxy follows", () => {
  const guide = readGuide("oauth2-proxy");
  const [link = ""] = /\/oauth2\/sign_out\?rd=[^`]+/.exec(guide.text) ?? [];
  const to = new URL(new URL(link, "https://shop.example.com").searchParams.get("rd") ?? "");
  expect(`${to.origin}${to.pathname}`).toBe("https://queue.example.com/logout");
  expect(to.searchParams.get("id_token_hint")).toBe("{id_token}");
  const { post_logout_redirect_uris: registered } = guide.client();
  const goodbye = to.searchParams.get("post_logout_redirect_uri") ?? "";
  expect(registered).toEqual([goodbye]);
  const toml = guide.block("toml");
  expect(toml).toMatch(/^whitelist_domains = .*"queue\.example\.com"/m);
  expect(toml).toMatch(new RegExp(`^skip_auth_routes = .*"\\^${new URL(goodbye).pathname}\\$"`, "m"));
});

test("keycloak.md takes away all that a new realm asks visitors for", () => {
  const { text } = readGuide("keycloak");
  // What keycloak-default-user-profile.json requires of users.
  expect(text).toMatch(
    /^\| Realm settings, User profile \| `email`, `firstName` and `lastName`: "Required field" off/m,
  );
  const [, flow = ""] =
    /^\| Authentication, Create flow \| name `(\w+)`.*"Create User If Unique", Required \|$/m.exec(text) ?? [];
  expect(text).toContain(`| First login flow | \`${flow}\` |`);
});

/** The argument reference of `aws_lb_listener_rule` in the Terraform provider's documentation, "Authenticate OIDC Blocks". */
const AUTHENTICATE_OIDC = [
  "authentication_request_extra_params",
  "authorization_endpoint",
  "client_id",
  "client_secret",
  "issuer",
  "on_unauthenticated_request",
  "scope",
  "session_cookie_name",
  "session_timeout",
  "token_endpoint",
  "user_info_endpoint",
];
const AUTHENTICATE_OIDC_REQUIRED = [
  "authorization_endpoint",
  "client_id",
  "client_secret",
  "issuer",
  "token_endpoint",
  "user_info_endpoint",
];
/** The same of `aws_cognito_identity_provider`. */
const IDENTITY_PROVIDER = [
  "attribute_mapping",
  "idp_identifiers",
  "provider_details",
  "provider_name",
  "provider_type",
  "user_pool_id",
];
/** AWS's API reference, CreateIdentityProvider, `ProviderDetails` of an OIDC provider, with discovery. */
const PROVIDER_DETAILS = ["attributes_request_method", "authorize_scopes", "client_id", "client_secret", "oidc_issuer"];

test("the load balancer's rules have only arguments that the Terraform provider documents, and those that it requires", () => {
  const rules = terraformResources(readGuide("alb").block("hcl"), "aws_lb_listener_rule");
  expect(rules.size).toBe(4);
  for (const [name, rule] of rules) {
    expect(Object.keys(terraformArguments(rule, "aws_lb_listener_rule")), name).toEqual(["listener_arn", "priority"]);
    if (name === "never_queue") continue;
    const names = Object.keys(terraformArguments(rule, "authenticate_oidc"));
    expect(names.filter((each) => !AUTHENTICATE_OIDC.includes(each))).toEqual([]);
    expect(AUTHENTICATE_OIDC_REQUIRED.filter((each) => !names.includes(each))).toEqual([]);
  }
});

test("the user pool's provider is the same in Terraform and in the AWS CLI's command", () => {
  const { text, block } = readGuide("cognito");
  const [, details = "", mapping = ""] =
    /--provider-details '([\s\S]*?)' \\\n {2}--attribute-mapping '([\s\S]*?)'\n/.exec(text) ?? [];
  const terraform = block("hcl");
  expect(JSON.parse(details.replace(/'"\$SHOP_CLIENT_SECRET"'/, "var.usher_client_secret"))).toEqual(
    terraformArguments(terraform, "provider_details"),
  );
  expect(JSON.parse(mapping)).toEqual(terraformArguments(terraform, "attribute_mapping"));
});

test("the user pool's provider has only arguments that are documented", () => {
  const provider = readGuide("cognito").block("hcl");
  const names = Object.keys(terraformArguments(provider, "aws_cognito_identity_provider"));
  expect(names.filter((name) => !IDENTITY_PROVIDER.includes(name))).toEqual([]);
  expect(Object.keys(terraformArguments(provider, "provider_details")).sort()).toEqual(PROVIDER_DETAILS);
});
