/** `usher snippet`: what it prints is what the guide of the relying party shows, with the values of an installation. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { PARTIES, type Party } from "../../../src/cli/snippets/index.ts";
import { readGuide } from "../../support/guide.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { runUsher } from "../../support/usher-command.ts";

const LANGUAGES: Record<Party, string> = {
  alb: "hcl",
  cognito: "hcl",
  nginx: "nginx",
  apache: "apache",
  "oauth2-proxy": "toml",
};

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
  const client = readGuide(party).client();
  const example = { issuer: "https://queue.example.com", clients: [client] };

  test("is the guide's, after a line that names the guide", async () => {
    const { code, printed, failure } = await snippet(party, example);
    expect({ code, failure }).toEqual({ code: 0, failure: "" });
    const [head = "", ...lines] = printed.split("\n");
    expect(head).toMatch(/^# .*docs\/relying-parties\/[a-z0-9-]+\.md$/);
    expect(`${lines.join("\n")}\n`).toBe(readGuide(party).block(LANGUAGES[party]));
  });

  test("has the values of another installation, and none of the guide", async () => {
    const other = JSON.parse(
      JSON.stringify(client).replaceAll("shop.example.com", "tour.test").replaceAll(`shop-${party}`, "tour-7"),
    );
    const { printed } = await snippet(party, { issuer: "https://line.tour.test", clients: [other] });
    expect(printed).toContain("https://line.tour.test");
    expect(printed).toContain("tour-7");
    expect(printed).not.toMatch(/example\.com|shop-/);
  });
});

describe("what follows from the settings", () => {
  const clientOf = (party: Party, more: Record<string, unknown> = {}) => ({
    issuer: "https://line.tour.test",
    clients: [{ ...readGuide(party).client(), ...more }],
  });
  const rooms = [{ id: "tickets", admission: { duration: "90s" } }, { id: "checkout" }];

  test("is how long a session lasts", async () => {
    expect((await snippet("apache", { ...clientOf("apache"), rooms })).printed).toContain(
      "OIDCSessionMaxDuration 90\n",
    );
    expect((await snippet("nginx", { ...clientOf("nginx"), rooms })).printed).toContain("session_timeout 90s;");
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
    expect((await snippet("nginx", clientOf("nginx", at("http://localhost:8080")))).printed).toContain("listen 8080;");
    const other = at("https://shop.example.com:8443");
    expect((await snippet("nginx", clientOf("nginx", other))).printed).toContain("listen 8443 ssl;");
  });

  test("is whether oauth2-proxy uses refresh tokens", async () => {
    const { printed } = await snippet("oauth2-proxy", clientOf("oauth2-proxy", { refresh_tokens: false }));
    expect(printed).not.toContain("cookie_refresh");
  });

  test("is where nginx takes answers", async () => {
    const { printed } = await snippet("nginx", clientOf("nginx", { redirect_uris: ["https://shop.example.com/in"] }));
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

describe("is refused, with the way out", () => {
  const two = [
    { ...readGuide("nginx").client(), client_id: "one" },
    { ...readGuide("nginx").client(), client_id: "two" },
    readGuide("alb").client(),
  ];
  const document = { issuer: "https://line.tour.test", clients: two };

  test.each([
    ["an unknown relying party", "caddy", [], 2, /no snippet for caddy; .*alb, cognito.*README\.md/],
    ["a choice that is open", "nginx", [], 1, /2 clients have the profile nginx: choose with --client: one, two/],
    ["a client that is not there", "nginx", ["--client", "three"], 1, /no client of the file has the id three/],
    ["a client of another kind", "nginx", ["--client", "shop-alb"], 1, /shop-alb has the profile alb, and not nginx/],
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
    const refused = await snippet("nginx", { ...document, clients });
    expect(refused).toMatchObject({ code: 1, printed: "", failure: expect.stringContaining("by hand") });
  });

  test("a file with faults, as usher check does", async () => {
    const refused = await snippet("nginx", { ...document, nonsense: 1 });
    expect(refused).toMatchObject({ code: 1, printed: "", failure: expect.stringContaining("nonsense") });
  });
});

test("chooses among several clients by --client", async () => {
  const clients = ["one", "two"].map((client_id) => ({ ...readGuide("nginx").client(), client_id }));
  const { printed } = await snippet("nginx", { issuer: "https://line.tour.test", clients }, "--client", "two");
  expect(printed).toMatch(/client_id +two;/);
});
