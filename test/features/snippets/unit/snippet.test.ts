/** `usher snippet`: what it prints is what the guide of the relying party shows, with the values of an installation. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { FORWARD_AUTH_PROXIES } from "../../../../src/features/snippets/forward-auth.ts";
import { FORWARD_AUTH_TEXTS } from "../../../../src/features/snippets/guide-texts.ts";
import { guideOf, isGuided, PARTIES, type Party, profileOf } from "../../../../src/features/snippets/render.ts";
import { type Guide, readGuide } from "../../../support/guide.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";
import { runUsher } from "../../../support/usher-command.ts";

/** Of the first block of the guide; null where what is set is a table. */
const LANGUAGES: Record<Party, string | null> = {
  alb: "hcl",
  cognito: "hcl",
  "nginx-plus": "nginx",
  apache: "apache",
  "oauth2-proxy": "toml",
  auth0: null,
  authjs: "js",
  browser: "js",
  "cloudflare-access": null,
  django: "python",
  envoy: "yaml",
  go: "go",
  keycloak: null,
  "lemonldap-ng": "json",
  node: "js",
  python: "python",
  ruby: "ruby",
  spring: "properties",
  wordpress: "php",
};

const guideFor = (party: Party): Guide => readGuide(guideOf(party).replace(/^.*\/|\.md$/g, ""));

/** What the guide has under its own heading, before the remarks: its blocks, or the rows of its table. */
function guideText(party: Party): string {
  const language = LANGUAGES[party];
  const [, section = ""] = /\n## Usher\n[\s\S]*?\n## .*\n([\s\S]*?)(?:\n- \*\*|$)/.exec(guideFor(party).text) ?? [];
  if (language === null) {
    const rows = section.split("\n").filter((line) => /^\| /.test(line) && !line.startsWith("| setting"));
    return rows.map((row) => `${row.slice(2, -2).replace(" | ", ": ").replaceAll("`", "")}\n`).join("");
  }
  if (!isGuided(party)) return guideFor(party).block(language);
  return [...section.matchAll(/```(?!sh\n)\w+\n([\s\S]*?)```/g)].map(([, text]) => text).join("\n");
}

let folder: TempDir;
beforeAll(async () => {
  folder = await makeTempDir("snippet-command");
});
afterAll(() => folder.remove());

async function snippet(party: string, document: Record<string, unknown>, ...more: string[]) {
  const file = join(folder.path, "usher.yaml");
  await writeFile(file, stringify({ rooms: [{ id: "tickets" }, { id: "checkout" }], ...document }));
  return runUsher(["snippet", party, "--config", file, ...more]);
}

describe.each(PARTIES)("the snippet of %s", (party) => {
  const client = guideFor(party).client();
  const example = { issuer: "https://queue.example.com", clients: [client] };

  test("is the guide's, after a line that names the guide", async () => {
    const { code, printed, failure } = await snippet(party, example);
    expect({ code, failure }).toEqual({ code: 0, failure: "" });
    const text = LANGUAGES[party] === "json" ? `\n${printed}` : printed;
    const [head = "", ...lines] = text.split("\n");
    expect(head).toMatch(LANGUAGES[party] === "json" ? /^$/ : /^(#|\/\/) .*docs\/relying-parties\/[a-z0-9-]+\.md$/);
    expect(`${lines.join("\n")}\n`).toBe(guideText(party));
  });

  test("is for clients of the guide's profile", () => {
    expect(profileOf(party)).toBe(client.profile);
  });

  test("has the values of another installation, and none of the guide", async () => {
    const other = JSON.parse(
      JSON.stringify(client).replaceAll("shop.example.com", "tour.test").replaceAll(String(client.client_id), "tour-7"),
    );
    const { printed } = await snippet(party, { issuer: "https://line.tour.test", clients: [other] });
    // The portal of LemonLDAP::NG gets it by a command.
    if (party !== "lemonldap-ng") expect(printed).toContain("line.tour.test");
    expect(printed).toContain("tour-7");
    expect(printed).not.toMatch(/example\.com|shop-/);
  });
});

describe("what follows from the settings", () => {
  const clientOf = (party: Party, more: Record<string, unknown> = {}) => ({
    issuer: "https://line.tour.test",
    clients: [{ ...guideFor(party).client(), ...more }],
  });
  const rooms = [{ id: "tickets", admission: { duration: "90s" } }, { id: "checkout" }];

  test("is how long a session lasts", async () => {
    expect((await snippet("apache", { ...clientOf("apache"), rooms })).printed).toContain(
      "OIDCSessionMaxDuration 90\n",
    );
    expect((await snippet("nginx-plus", { ...clientOf("nginx-plus"), rooms })).printed).toContain(
      "session_timeout 90s;",
    );
    expect((await snippet("oauth2-proxy", { ...clientOf("oauth2-proxy"), rooms })).printed).toContain(
      'cookie_expire = "90s"',
    );
  });

  test("is where the site listens, and whether by https", async () => {
    const at = (site: string) => ({ redirect_uris: [`${site}/oidc/callback`], initiate_login_uri: `${site}/` });
    const here = { ...at("http://localhost:8080"), post_logout_redirect_uris: [], backchannel_logout_uri: undefined };
    const apache = (await snippet("apache", clientOf("apache", here))).printed;
    expect(apache).toContain("Listen 8080\n<VirtualHost *:8080>\n  ServerName localhost\n");
    expect(apache).not.toContain("SSL");
    expect((await snippet("nginx-plus", clientOf("nginx-plus", at("http://localhost:8080")))).printed).toContain(
      "listen 8080;",
    );
    const other = at("https://shop.example.com:8443");
    expect((await snippet("nginx-plus", clientOf("nginx-plus", other))).printed).toContain("listen 8443 ssl;");
  });

  test("is whether oauth2-proxy uses refresh tokens", async () => {
    const { printed } = await snippet("oauth2-proxy", clientOf("oauth2-proxy", { refresh_tokens: false }));
    expect(printed).not.toContain("cookie_refresh");
  });

  test("is where nginx takes answers", async () => {
    const { printed } = await snippet(
      "nginx-plus",
      clientOf("nginx-plus", { redirect_uris: ["https://shop.example.com/in"] }),
    );
    expect(printed).toContain("  redirect_uri    /in;\n");
  });

  test("are the load balancer's rules, one for each further room, each with a name and a cookie of its own", async () => {
    const client = { rooms: ["tickets", "api", "2nd-sale"], initiate_login_uris: {} };
    const { printed } = await snippet("alb", {
      ...clientOf("alb", client),
      rooms: [{ id: "tickets" }, { id: "api" }, { id: "2nd-sale" }],
    });
    expect([...printed.matchAll(/listener_rule" "(.*)"/g)].map(([, name]) => name)).toEqual([
      "never_queue",
      "api",
      "room_api",
      "room_2nd-sale",
      "site",
    ]);
    expect([...printed.matchAll(/priority += (\d+)/g)].map(([, priority]) => priority)).toEqual([
      "10",
      "20",
      "30",
      "40",
      "50",
    ]);
    expect([...printed.matchAll(/session_cookie_name += (.*)/g)].map(([, name]) => name)).toEqual([
      '"ApiAuth"',
      '"2ndSaleAuth"',
    ]);
  });
});

test("the load balancer's cookie of each room is another, whatever its hyphens", async () => {
  const ids = ["tickets", "a-b", "a--b", "ab", "a-1", "a1", "a-", "a", "b-auth", "b"];
  const client = { ...guideFor("alb").client(), rooms: ids, initiate_login_uris: {} };
  const rooms = ids.map((id) => ({ id }));
  const { printed } = await snippet("alb", { issuer: "https://line.tour.test", clients: [client], rooms });
  const cookies = [...printed.matchAll(/session_cookie_name += "(\w+)"/g)].map(([, name]) => name);
  expect(cookies.slice(0, 3)).toEqual(["ABAuth", "A_BAuth", "AbAuth"]);
  expect(new Set(cookies).size).toBe(ids.length - 1);
});

describe("--with-secret", () => {
  const secret = "s3cret.of-the_tour/0123456789+abcdef=";
  const withSecretOf = (party: Party, more: Record<string, unknown> = {}) =>
    snippet(
      party,
      { issuer: "https://line.tour.test", clients: [{ ...guideFor(party).client(), client_secret: secret, ...more }] },
      "--with-secret",
    );

  /** A public client has none. */
  const withSecrets = PARTIES.filter((party) => party !== "browser");

  test.each(withSecrets)("puts it into the snippet of %s, where else it is only named", async (party) => {
    const { printed, code } = await withSecretOf(party);
    expect([code, printed.includes(secret)]).toEqual([0, true]);
    const named =
      /SHOP_CLIENT_SECRET|usher_client_secret|the client's secret"|the secret of the client|client_secret_file|, the secret$/m;
    expect(printed).not.toMatch(named);
    const without = {
      issuer: "https://line.tour.test",
      clients: [{ ...guideFor(party).client(), client_secret: secret }],
    };
    expect((await snippet(party, without)).printed).not.toContain(secret);
  });

  test.each(["with a blank 0123456789012345", 'quote"0123456789012345', "dollar$0123456789012345678"])(
    "refuses one that files would read as something else, and does not repeat it: %s",
    async (client_secret) => {
      const refused = await withSecretOf("nginx-plus", { client_secret });
      expect(refused).toMatchObject({ code: 1, printed: "", failure: expect.stringContaining("by hand") });
      expect(refused.failure).not.toContain(client_secret);
    },
  );

  test("says so where there is none, and that a gateway does not show one again", async () => {
    const keyed = {
      client_secret: undefined,
      token_endpoint_auth_method: "private_key_jwt",
      jwks_uri: "https://a.test/jwks",
    };
    expect(await withSecretOf("nginx-plus", keyed)).toMatchObject({
      code: 1,
      printed: "",
      failure: expect.stringContaining("has no secret (private_key_jwt)"),
    });
    expect(await withSecretOf("browser", { client_secret: undefined })).toMatchObject({
      code: 1,
      printed: "",
      failure: expect.stringContaining("has no secret (none)"),
    });
    expect(await runUsher(["snippet", "nginx-plus", "--with-secret"])).toMatchObject({
      code: 2,
      failure: expect.stringMatching(/once, when it is made, and not again.*--config.*\/secret makes another/),
    });
  });
});

describe("a guide's text", () => {
  const at = (party: Party, redirect_uri: string, more: Record<string, unknown> = {}) =>
    snippet(party, {
      issuer: "https://line.tour.test",
      clients: [{ ...guideFor(party).client(), redirect_uris: [redirect_uri], ...more }],
    });

  test("takes answers where the client has them", async () => {
    const python = (await at("python", "https://shop.example.com/in/back")).printed;
    expect(python).toContain('@app.get("/in/back")');
    expect(python).toContain('f"{SITE}/in/back"');
    expect(python).not.toContain('"/callback"');
    expect((await at("envoy", "https://shop.example.com/in")).printed).toContain("{ path: { exact: /in } }");
  });

  test("is refused where the software takes them elsewhere", async () => {
    expect(await at("spring", "https://shop.example.com/in")).toMatchObject({
      code: 1,
      printed: "",
      failure: expect.stringMatching(/takes answers at \/login\/oauth2\/code\/usher, .*register/),
    });
  });

  test("is refused where the client's id would be a number or a list", async () => {
    for (const client_id of ["123", "[a]", "!a", "&a"]) {
      const refused = await at("envoy", "https://shop.example.com/oauth2/callback", { client_id });
      expect(refused).toMatchObject({ code: 1, printed: "", failure: expect.stringContaining("in quotes") });
    }
  });

  test("has the room's duration, and no value that is replaced twice", async () => {
    const client = { ...readGuide("node").client(), client_id: "1200-shop-node-https://shop.example.com" };
    const rooms = [{ id: "tickets", admission: { duration: "90s" } }, { id: "checkout" }];
    const { printed } = await snippet("node", { issuer: "https://line.tour.test", clients: [client], rooms });
    expect(printed).toContain("absoluteDuration: 90,");
    expect(printed).toContain('clientID: "1200-shop-node-https://shop.example.com"');
  });
});

describe("is refused, with the way out", () => {
  const two = [
    { ...readGuide("nginx").client(), client_id: "one" },
    { ...readGuide("nginx").client(), client_id: "two" },
    guideFor("alb").client(),
  ];
  const document = { issuer: "https://line.tour.test", clients: two };

  test.each([
    ["an unknown relying party", "haproxy", [], 2, /no snippet for haproxy; .*alb, cognito.*README\.md/],
    ["a choice that is open", "nginx-plus", [], 1, /2 clients have the profile nginx: choose with --client: one, two/],
    ["a client that is not there", "nginx-plus", ["--client", "three"], 1, /no client of the file has the id three/],
    [
      "a client of another kind",
      "nginx-plus",
      ["--client", "shop-alb"],
      1,
      /shop-alb has the profile alb, and not nginx/,
    ],
    ["a kind that is not there", "apache", [], 1, /profile apache: add one, as in docs\/relying-parties\/apache\.md/],
  ])("%s", async (_, party, more, code, failure) => {
    expect(await snippet(party, document, ...more)).toMatchObject({
      code,
      printed: "",
      failure: expect.stringMatching(failure),
    });
  });

  test.each(['a"b', "a;b", "a$b", "a#b"])("a client id that is syntax elsewhere: %s", async (client_id) => {
    const clients = [{ ...readGuide("nginx").client(), client_id }];
    const refused = await snippet("nginx-plus", { ...document, clients });
    expect(refused).toMatchObject({ code: 1, printed: "", failure: expect.stringContaining("by hand") });
  });

  test("a file with faults, as usher check does", async () => {
    const refused = await snippet("nginx-plus", { ...document, nonsense: 1 });
    expect(refused).toMatchObject({ code: 1, printed: "", failure: expect.stringContaining("nonsense") });
  });
});

test("chooses among several clients by --client", async () => {
  const clients = ["one", "two"].map((client_id) => ({ ...readGuide("nginx").client(), client_id }));
  const { printed } = await snippet("nginx-plus", { issuer: "https://line.tour.test", clients }, "--client", "two");
  expect(printed).toMatch(/client_id +two;/);
});

describe("a proxy that asks for each request", () => {
  const rooms = [
    { id: "tickets", targets: ["https://shop.example.com/*", "https://shop.example.com/"] },
    { id: "checkout" },
  ];
  const document = { issuer: "https://queue.example.com", listen: { port: 3010 }, rooms };

  test.each(FORWARD_AUTH_PROXIES)("%s gets what its guide has, for the room with targets", async (proxy) => {
    const { code, printed } = await snippet(proxy, document);
    expect(code).toBe(0);
    expect(printed).toMatch(new RegExp(`^# .*docs/forward-auth\\.md#${proxy}\n`));
    const same = FORWARD_AUTH_TEXTS[proxy].filter((line) => !/usher:|http:|shop[.:]/.test(line));
    for (const line of same) expect(printed).toContain(line.trim());
    expect(printed).toMatch(/127\.0\.0\.1:3010[\s\S]*127\.0\.0\.1:8080/);
    expect(printed).toContain("shop.example.com");
    expect(printed).not.toMatch(/http:\/\/(shop|usher)|(shop|usher):\d/);
  });

  test.each([
    ["another room", document, ["--room", "checkout"], 1, /the room checkout has no targets: docs\/forward-auth\.md/],
    ["no such room", document, ["--room", "bar"], 1, /has no room bar/],
    ["a room without targets", { ...document, rooms: [{ id: "a" }] }, [], 1, /no room of .* has targets/],
    [
      "a choice that is open",
      { ...document, rooms: rooms.map((room) => ({ ...room, targets: ["https://shop.example.com/"] })) },
      [],
      1,
      /choose with --room: tickets, checkout/,
    ],
    ["a client", document, ["--client", "shop"], 2, /has no client: give --config and --room alone/],
    ["a secret", document, ["--with-secret"], 2, /has no client/],
  ] as const)("says so where it is asked for %s", async (_, asked, args, code, failure) => {
    expect(await snippet("nginx", asked, ...args)).toMatchObject({
      code,
      printed: "",
      failure: expect.stringMatching(failure),
    });
  });
});
