import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError, type Fault, formatFault } from "../../../../src/config/checks/faults.ts";
import { type LoadOptions, loadConfig } from "../../../support/load-config.ts";

async function faultsOf(options: LoadOptions): Promise<{ faults: readonly Fault[]; message: string }> {
  const outcome = await loadConfig(options).catch((error: unknown) => error);
  if (!(outcome instanceof ConfigError)) {
    throw new Error("no fault was found");
  }
  return { faults: outcome.faults, message: outcome.message };
}

const EVERYTHING_WRONG = `
isuer: https://typo.example
issuer: https://queue.example.com/
listen: { host: 0.0.0.0, port: "3000", trusted_proxies: [10.0.0.0/33, proxy.example] }
store: { type: redis, url: "redis://:redis-password@host/path" }
log_level: verbose
rooms:
  - { id: Tickets, titel: x }
  - id: a
    inlet: { type: periodic }
    admission: { duration: 20, claim_within: 0s, logins_per_admission: 1.5 }
  - id: a
    title: 7
    inlet: { type: perodic }
  - { id: b, inlet: { type: manual, outflow_per_minute: 0 } }
clients:
  - client_id: shop
    client_secret: { from: env, name: SHOP_SECRET }
    redirect_uris: [https://*.example.com/cb, "https://shop.example.com/#x", "http://shop.example.com/"]
    rooms: [a, b, a, c]
    profile: ngnix
    token_endpoint_auth_method: tls_client_auth
    initiate_login_uri: https://shop.example.com/{page}
    initiate_login_uris: { b: "https://shop.example.com/?iss=x", d: "https://shop.example.com/{target_link_uri}" }
    target_link_uris: [https://shop.example.com/*/x, "https://shop.example.com/a?b=c", https://shop.example.com/a//b]
    third_party_login: true
    remembered_logins: several
    claims: [email_verified, phone]
  - client_id: shop
    client_secret: { from: vault, id: x }
    redirect_uris: []
    room: ab
  - client_id: pub
    token_endpoint_auth_method: none
    client_secret: literal-client-secret
    require_pkce: false
    redirect_uris: [https://pub.example.com/]
    room: b
    rooms: [b]
  - client_id: forgetful
    client_secrets: literal-client-secret
    redirect_uris: [https://forgetful.example.com/]
admin:
  keys:
    - { id: env, key_sha256: not-a-hash-but-the-key, rooms: [nowhere] }
    - the-key-itself
keys:
  tickets: [too-short-key]
  signing: [no-pem-at-all]
  cookies: [{ from: file, path: /nonexistent/key }, { from: file }]
`;

describe("faults", () => {
  it("name what is around a value of the environment, and show none", async () => {
    const text = `issuer: https://queue.example.com
rooms: [{ id: tickets, title: Tickets }]
clients:
  - { client_id: shop, client_secret: { from: env, name: SHOP }, redirect_uris: [https://shop.example.com/cb], room: tickets }
`;
    const quoted = `"${"5ecret".repeat(6)}"`;
    const env = { SHOP: quoted, USHER_ADMIN_API_KEY: quoted, USHER_REDIS_URL: "'redis://localhost'", PORT: "3000\n" };
    const { faults } = await faultsOf({ text, env });
    expect(faults.map(({ path, message }) => [path, message])).toEqual([
      ["USHER_REDIS_URL", expect.stringContaining("is in quotes")],
      ["USHER_ADMIN_API_KEY", expect.stringContaining("is in quotes")],
    ]);
    expect(JSON.stringify(faults)).not.toContain("5ecret");
    const { warnings, config } = await loadConfig({ text, env: { SHOP: `${quoted}\n`, PORT: "3001\n" } });
    expect(warnings).toContainEqual(expect.stringMatching(/^clients\[0\]\.client_secret: the secret is in quotes/));
    expect(warnings.join()).not.toContain("5ecret");
    expect(config.listen.port).toBe(3001);
    const bom = await faultsOf({ text, env: { SHOP: `\ufeff${"5ecret".repeat(6)}` } });
    expect(bom.faults[0]).toMatchObject({ path: "clients[0].client_secret", value: null });
    expect(bom.message).toContain("begins with a byte order mark");
    expect(bom.message).not.toContain("5ecret");
  });

  it("are reported all at once, each with path, value and what is allowed", async () => {
    const env = { PORT: "70000", USHER_LOG_LEVEL: "loud", USHER_ADMIN_API_KEY: "short-key", USHER_DEMO_PORT: "x" };
    const { faults, message } = await faultsOf({ text: EVERYTHING_WRONG, env });
    const found = Object.fromEntries(faults.map((fault) => [fault.path, `${fault.value} | ${fault.message}`]));
    const expected: Record<string, string | RegExp> = {
      PORT: /^"70000" \| expected a port/,
      USHER_LOG_LEVEL: /^"loud" \| unknown log level; allowed: fatal, error/,
      USHER_ADMIN_API_KEY: /^\(hidden\) \| expected at least 16/,
      USHER_DEMO_PORT: /^"x" \| expected a port/,
      isuer: /^"https:\/\/typo.example" \| unknown key, did you mean issuer\?/,
      issuer: /expected a bare origin .*: https:\/\/queue.example.com$/,
      "listen.port": /^"3000" \| expected a whole number from 0 to 65535 \(without quotes\)/,
      "listen.trusted_proxies[0]": /^"10.0.0.0\/33" \| expected an IP address or CIDR range/,
      "listen.trusted_proxies[1]": /^"proxy.example" \| expected an IP address or CIDR range/,
      "store.url": /^"redis:\/\/\*\*\*@host\/path" \| expected redis:/,
      log_level: /^"verbose" \| unknown log level/,
      "rooms[0].id": /^"Tickets" \| expected a room id/,
      "rooms[0].titel": /^"x" \| unknown key, did you mean title\?/,
      "rooms[1].inlet.outflow_per_minute":
        /^missing \| required: an inlet of type periodic needs outflow_per_minute or shared_outflow/,
      "rooms[1].admission.duration": /^20 \| a unit is missing \(did you mean 20s or 20m\?\)/,
      "rooms[1].admission.claim_within": /^"0s" \| expected a duration from 1s to 1d/,
      "rooms[1].admission.logins_per_admission": /^1.5 \| expected a whole number from 1 to 1000/,
      "rooms[2].id": /^"a" \| another room has the same id: rooms\[1\]/,
      "rooms[2].title": /^7 \| expected text: .*quotes/,
      "rooms[2].inlet.type":
        /^"perodic" \| unknown inlet, did you mean periodic\?; allowed: manual, periodic, max_active, adaptive$/,
      "rooms[3].inlet.outflow_per_minute": /^0 \| expected a whole number from 1/,
      "clients[0].client_secret": /^null \| the environment variable SHOP_SECRET is not set/,
      "clients[0].redirect_uris[0]": /wildcards are not allowed/,
      "clients[0].redirect_uris[1]": /a fragment/,
      "clients[0].redirect_uris[2]": /http for localhost/,
      "clients[0].rooms[2]": /^"a" \| is named twice/,
      "clients[0].rooms[3]": /^"c" \| no such room, .*rooms: Tickets, a, a, b$/,
      "clients[0].profile":
        /^"ngnix" \| unknown profile, did you mean nginx\?; allowed: generic, alb, cognito, apache, oauth2-proxy, envoy, nginx, wordpress, keycloak, auth0, cloudflare-access$/,
      "clients[0].token_endpoint_auth_method":
        /^"tls_client_auth" \| unknown method; allowed: none, client_secret_basic, client_secret_post, private_key_jwt$/,
      "clients[0].initiate_login_uri": /the only name in braces is \{target_link_uri\}$/,
      "clients[0].initiate_login_uris.b": /third_party_login adds iss and target_link_uri: leave them out$/,
      "clients[0].initiate_login_uris.d": /leave them out|may only be a whole value in the query|unknown room of this/,
      "clients[0].target_link_uris[0]": /a star is allowed at the end only/,
      "clients[0].target_link_uris[1]": /a query or fragment is not compared/,
      "clients[0].target_link_uris[2]": /expected a path without dots, double slashes/,
      "clients[0].remembered_logins": /^"several" \| unknown number of logins; allowed: one, many$/,
      "clients[0].claims": /^a list of 2 \| email_verified says nothing without email/,
      "clients[0].claims[1]": /^"phone" \| unknown claim; allowed: email, email_verified$/,
      "clients[1].client_id": /^"shop" \| another client has the same client_id: clients\[0\]/,
      "clients[1].client_secret": /^null \| from: unknown source; allowed: env, file, aws_secrets_manager$/,
      "clients[1].redirect_uris": /^a list of 0 \| expected a list of 1 to 50 items/,
      "clients[1].room": /^"ab" \| no such room, did you mean a\?; rooms: Tickets, a, a, b$/,
      "clients[2].client_secret": /^\(hidden\) \| a public client/,
      "clients[2].require_pkce": /^false \| a public client always needs PKCE/,
      "clients[2].rooms": /^a list of 1 \| room is given too/,
      "clients[3].client_secrets": /^\(hidden\) \| unknown key, did you mean client_secret\?/,
      "clients[3].client_secret": /^missing \| required; a public client is declared with/,
      "clients[3].room": /^missing \| required: the id of a room/,
      "admin.keys[0].id": /^"env" \| is the name of the key in USHER_ADMIN_API_KEY/,
      "admin.keys[0].key_sha256": /^\(hidden\) \| expected the SHA-256 of the key, .*printf %s "\$KEY" \| sha256sum/,
      "admin.keys[0].rooms[0]": /^"nowhere" \| no such room/,
      "admin.keys[1]": /^\(hidden\) \| expected a mapping/,
      "keys.tickets[0]": /^\(hidden\) \| expected at least 32 characters/,
      "keys.signing[0]": /^\(hidden\) \| expected an RSA, P-256 or Ed25519 private key/,
      "keys.cookies[0]": /^null \| the file \/nonexistent\/key can't be read \(ENOENT\)/,
      "keys.cookies[1]": /^null \| \{ from: file \} needs path, as text/,
    };
    for (const [path, pattern] of Object.entries(expected)) {
      expect(found[path], path).toMatch(pattern);
    }
    expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort());
    // Three things are wrong with the start address of a room that is none of the client's.
    expect(faults).toHaveLength(Object.keys(expected).length + 2);
    const named = message.split("\n").filter((line) => !/^ {4}/.test(line));
    expect(named).toHaveLength(faults.length + 1);
    expect(message).toMatch(/\n {2}the configuration:11:\d+: rooms\[1\]\.admission\.duration: 20: a unit is missing/);
    for (const secret of [
      "short-key",
      "redis-password",
      "literal-client",
      "not-a-hash",
      "key-itself",
      "too-short",
      "no-pem",
    ]) {
      expect(message).not.toContain(secret);
      expect(JSON.stringify(faults)).not.toContain(secret);
    }
  });

  it.each([
    ["", "the document", "expected a mapping"],
    ["- a", "the document", "expected a mapping"],
    ["just text", "the document", "expected a mapping"],
  ])("tell what a document is: %j", async (text, where, what) => {
    const { message } = await faultsOf({ text, env: {} });
    expect(message).toContain(where);
    expect(message).toContain(what);
  });

  it("name what is missing from an empty mapping", async () => {
    const { faults } = await faultsOf({ text: "{}", env: {} });
    expect(faults.map(({ path, value }) => [path, value])).toEqual([
      ["rooms", "missing"],
      ["issuer", "missing"],
    ]);
  });

  it("tell of an algorithm that the relying party cannot verify", async () => {
    const of = async (profile: string, alg: string) => {
      const client = `client_id: pool, client_secret: ${"s".repeat(32)}, redirect_uris: [https://pool.example.com/cb], room: tickets`;
      const own = `profile: ${profile}, id_token_signed_response_alg: ${alg}, initiate_login_uri: https://shop.example.com/`;
      const text = `issuer: https://queue.example.com
rooms: [{ id: tickets, title: Tickets }]
clients: [{ ${client}, ${own} }]
`;
      return (await faultsOf({ text, env: {} })).faults;
    };
    const path = "clients[0].id_token_signed_response_alg";
    const message = "this relying party (profile cognito) verifies RS256 alone: leave it out";
    expect(await of("cognito", "EdDSA")).toMatchObject([{ path, value: "(hidden)", message }]);
  });

  it("name the file that is not there", async () => {
    const { faults } = await faultsOf({ file: "/nonexistent/usher.yaml", env: {} });
    const message = "there is no such file: give the path of a YAML file with --config";
    expect(faults).toEqual([{ path: "/nonexistent/usher.yaml", value: null, message }]);
    const folder = await faultsOf({ file: "/", env: {} });
    expect(folder.message).toMatch(/\/: is a folder: give the path of a YAML file/);
  });

  it("name a file in another encoding, whose words would be shown wrong", async () => {
    const folder = await mkdtemp(join(tmpdir(), "usher-encoding-"));
    const file = join(folder, "usher.yaml");
    await writeFile(file, Buffer.from("issuer: https://q.example\nrooms: [{ id: a, title: Café }]", "latin1"));
    const { faults } = await faultsOf({ file, env: {} });
    await rm(folder, { recursive: true });
    expect(faults).toEqual([{ path: file, value: null, message: "is not UTF-8: save it in that encoding" }]);
  });

  it("are not looked for in a list that is too long", async () => {
    const rooms = Array.from({ length: 1_001 }, (_, i) => ({ id: `r${i}`, titel: "x" }));
    const { faults } = await faultsOf({ document: { issuer: "https://q.example", rooms }, env: {} });
    expect(faults).toEqual([{ path: "rooms", value: "a list of 1001", message: "expected a list of 1 to 1000 items" }]);
  });

  it("bound lists and texts", async () => {
    const document = {
      issuer: "https://queue.example.com",
      rooms: [{ id: "r1", title: "t".repeat(201) }],
      clients: [
        {
          client_id: "c".repeat(129),
          client_secret: "s".repeat(20_000),
          redirect_uris: Array.from({ length: 51 }, (_, i) => `https://a.example/${i}`),
          room: "r1",
        },
      ],
    };
    const { faults } = await faultsOf({ document, env: {} });
    expect(faults.map((fault) => fault.path).sort()).toEqual([
      "clients[0].client_id",
      "clients[0].client_secret",
      "clients[0].redirect_uris",
      "rooms[0].title",
    ]);
    expect(faults.every((fault) => (fault.value ?? "").length <= 80)).toBe(true);
  });

  it("are told once for one cause", async () => {
    const document = { issuer: "", rooms: [{ id: "" }] };
    const { faults } = await faultsOf({ document, env: {} });
    expect(faults.map((fault) => fault.path)).toEqual(["issuer", "rooms[0].id"]);
  });

  it("tell of listeners that would have one port", async () => {
    const faultOf = async (listen: object, own: object, env = {}) => {
      const document = { issuer: "https://q.example", rooms: [{ id: "a" }], listen, admin: { listen: own } };
      return loadConfig({ document, env }).then(
        () => null,
        (error: ConfigError) => error.faults.map(({ path, message }) => `${path}: ${message}`).join("\n"),
      );
    };
    const taken = (by: string) => `admin.listen.port: is taken: the public listener has it (${by})`;
    expect(await faultOf({}, { port: 3000 })).toBe(taken("listen.port"));
    expect(await faultOf({ host: "10.0.0.1" }, { host: "::", port: 3000 })).toBe(taken("listen.port"));
    expect(await faultOf({ host: "127.0.0.1", port: 4000 }, { port: 4000 })).toBe(taken("listen.port"));
    expect(await faultOf({ port: 4000 }, { port: 5000 }, { PORT: "5000" })).toBe(taken("PORT"));
    expect(await faultOf({ port: 4000 }, { port: 4000 }, { PORT: "5000" })).toBeNull();
    expect(await faultOf({ host: "10.0.0.1" }, { port: 3000 })).toBeNull();
    expect(await faultOf({ port: 0 }, { port: 0 })).toBeNull();
    expect(await faultOf({}, { host: "127.0.0.1" })).toMatch(/^admin\.listen\.port: /);
  });

  it("tell of several workers that could share nothing, among all others", async () => {
    const faultsWith = async (parts: object, env = {}) => {
      const document = { issuer: "https://q.example", rooms: [{ id: "a" }], ...parts };
      return loadConfig({ document, env }).then(
        () => [],
        (error: ConfigError) => error.faults.map(({ path, value, message }) => `${path}: ${value}: ${message}`),
      );
    };
    const redis = { type: "redis", url: "redis://r.example" };
    const needsRedis = "several workers need a store that they share: { type: redis, url: … }";
    expect(await faultsWith({ workers: 2, log_level: "loud" })).toEqual([
      expect.stringMatching(/^log_level: /),
      `workers: 2: ${needsRedis}`,
    ]);
    expect(await faultsWith({ workers: 2, store: { type: "memory" } })).toEqual([`workers: 2: ${needsRedis}`]);
    expect(await faultsWith({ workers: 2, store: redis })).toEqual([]);
    expect(await faultsWith({ workers: 2 }, { USHER_REDIS_URL: "redis://r.example" })).toEqual([]);
    expect(await faultsWith({ workers: 1 })).toEqual([]);
    expect(await faultsWith({ workers: "auto" })).toEqual([]);
    for (const workers of [0, 129, 1.5, "2", "many"]) {
      expect(await faultsWith({ workers, store: redis })).toEqual([
        `workers: ${JSON.stringify(workers)}: expected auto, or a whole number from 1 to 128`,
      ]);
    }
  });

  it("refuse a title with control characters, on one line", async () => {
    const document = { issuer: "https://q.example", rooms: [{ id: "a", title: "a\nb\u001b[31m" }] };
    const { message } = await faultsOf({ document, env: {} });
    expect(message.split("\n")).toHaveLength(2);
    expect(message).not.toContain("\u001b");
  });

  it("are ids that an object read from JSON would lose, and not those that it would keep", async () => {
    const withId = (id: string) => ({
      issuer: "https://q.example",
      rooms: [{ id: "a" }],
      clients: [
        { client_id: id, room: "a", token_endpoint_auth_method: "none", redirect_uris: ["https://s.example/cb"] },
      ],
      admin: { keys: [{ id, key_sha256: "a".repeat(64) }] },
    });
    const { faults } = await faultsOf({ document: withId("__proto__"), env: {} });
    const message = "is a name that JavaScript keeps for itself: choose another id";
    const places = ["admin.keys[0].id", "clients[0].client_id"];
    expect(faults.map(({ path }) => path).sort()).toEqual(places);
    expect(faults.map((fault) => [fault.value, fault.message])).toEqual(Array(2).fill(['"__proto__"', message]));
    for (const id of ["constructor", "prototype", "__proto"]) {
      const { config } = await loadConfig({ document: withId(id), env: {} });
      const client = config.issuers[0]?.clients[0]?.clientId;
      expect([client, config.admin.keys[0]?.id]).toEqual([id, id]);
    }
  });

  it("hide what stands under a key that is none, since it may be a secret under a misspelt name", async () => {
    const document = {
      issuer: "https://q.example",
      rooms: [{ id: "a" }],
      clients: [{ client_id: "shop", client_scrt: "misspelt-of-a-client-0123456789", redirect_uris: [], room: "a" }],
      store: { type: "redis", ulr: "redis://localhost?password=misspelt" },
      admin: { paswort: "misspelt", sign_in: { clientsecrt: "misspelt" } },
    };
    const { faults } = await faultsOf({ document, env: {} });
    const lines = faults.map(formatFault);
    expect(lines).toContainEqual(
      expect.stringMatching(/^clients\[0\]\.client_scrt: \(hidden\): unknown key, did you mean client_secret\?/),
    );
    expect(lines.filter((line) => line.includes("unknown key"))).toHaveLength(4);
    expect(lines.filter((line) => line.replace(/^\S+/, "").includes("misspelt"))).toEqual([]);
  });

  it("are not fooled by names that every object has", async () => {
    const text = "issuer: https://q.example\nrooms: [{ id: a }]\n__proto__: { x: 1 }\nconstructor: 1\n";
    const { faults } = await faultsOf({ text, env: {} });
    expect(faults.map((fault) => fault.path)).toContain("constructor");
    for (const name of ["constructor", "__proto__", "toString"]) {
      const client = { client_id: "a", room: "a", profile: name, id_token_signed_response_alg: "EdDSA" };
      const document = { issuer: "https://q.example", rooms: [{ id: "a" }], clients: [client] };
      const paths = (await faultsOf({ document, env: {} })).faults.map((fault) => fault.path);
      expect(paths, name).toContain("clients[0].profile");
    }
  });
});

describe("YAML syntax", () => {
  it("is reported with its line, every fault of it", async () => {
    const text = "issuer: https://q.example\nrooms:\n  - id: a\n    id: b\n\t- x\nclients: [a, b\n";
    const { faults, message } = await faultsOf({ text, file: "usher.yaml", env: {} });
    expect(faults.length).toBeGreaterThan(1);
    expect(message).toContain("usher.yaml is not valid YAML:");
    expect(message).toMatch(/^ {2}usher\.yaml:4:5: .*occurs twice/m);
  });

  it.each([
    'client_secret: "s3cret" tail',
    "client_secret: *s3cret",
    "client_secret: !s3cret x",
    "client_secret: @s3cret",
    "client_secret: {s3cret: [}",
    'client_secret: "s3cret\\q"',
    "client_secret: 's3cret",
    "%s3cret: x\n---\na: b",
    "a: b\n--- s3cret",
    "s3cret: a: b",
  ])("never repeats the text: %j", async (text) => {
    const { message } = await faultsOf({ text, file: "usher.yaml", env: {} });
    expect(message).not.toContain("s3cret");
    expect(message).toMatch(/usher\.yaml/);
  });

  it("says what a time with a zone needs in braces", async () => {
    const text = "rooms:\n  - { id: a, schedule: { opens_at: 2027-03-01T10:00[Europe/Berlin] } }\n";
    const { message } = await faultsOf({ text, file: "usher.yaml", env: {} });
    expect(message).toMatch(/usher\.yaml:2:52: .*inside \{ \} .* needs quotes/);
    // What stands behind it is read askew, and would be a fault at each line down to the end.
    const more = `${text}clients:\n  - client_id: a\n    room: a\n    redirect_uris: [https://a.example/]\n`;
    const { faults, message: told } = await faultsOf({ text: more, file: "usher.yaml", env: {} });
    expect(faults).toHaveLength(1);
    expect(told).toMatch(/needs quotes: write "2027-03-01T10:00\[Europe\/Berlin\]"$/);
  });

  it("refuses a bomb of aliases", async () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `l${i}: &l${i} [${Array(10).fill(i === 0 ? "x" : `*l${i - 1}`)}]`,
    );
    const { message } = await faultsOf({ text: levels.join("\n"), env: {} });
    expect(message).toContain("aliases");
  });
});
