import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ClientConfig } from "../../../../src/config/config.ts";
import { PROFILE_NAMES } from "../../../../src/config/schema/choices.ts";
import { type ClientPlace, readClientDocument } from "../../../../src/config/schema/entry-documents.ts";
import { loadConfig } from "../../../support/load-config.ts";

const publicKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });

const issuer = "https://queue.example.com";
const rooms = [{ id: "a" }, { id: "b", admission_token: { audience: "app-of-b" } }];
const minimal = { client_id: "shop", redirect_uris: ["https://shop.example.com/cb"], room: "a" };

/** As the configuration file has them. */
async function load(clients: object[]): Promise<{ place: ClientPlace; clients: readonly ClientConfig[] }> {
  const { config } = await loadConfig({ document: { issuer, rooms, clients }, env: {} });
  const [place] = config.issuers;
  if (place === undefined) throw new Error("no issuer");
  return { place, clients: place.clients };
}

const { place } = await load([]);
const elsewhere: ClientPlace = {
  issuer: "https://other.example.com",
  rooms: place.rooms.map((room) => ({ ...room, id: `other-${room.id}` })),
};
const linesOf = (document: unknown, places = [place]) => {
  const reading = readClientDocument(document, places);
  return "faults" in reading ? reading.faults.map(({ path, message }) => `${path}: ${message}`) : [];
};

describe("a client of the admin API", () => {
  it.each(PROFILE_NAMES)("of the profile %s is the same as one of the file", async (profile) => {
    const document = { ...minimal, profile, target_link_uris: ["https://shop.example.com/*"], rooms: ["a", "b"] };
    const { room: _, ...written } = document;
    const [ofFile] = (await load([{ ...written, client_secret: "0123456789abcdef0" }])).clients;
    expect(readClientDocument(written, [place])).toMatchObject({ issuer, client: { ...ofFile, clientSecret: null } });
  });

  it("hears of every room that there is not, and for ten of them which was meant", () => {
    const named = Array.from({ length: 30 }, (_, index) => `a-${index}`);
    const lines = linesOf({ ...minimal, room: undefined, rooms: named });
    expect(lines).toHaveLength(30);
    expect(lines[9]).toMatch(/^rooms\[9\]: no such room, did you mean a\?; rooms: a, b$/);
    expect(lines.slice(10)).toEqual(named.slice(10).map((_, index) => `rooms[${index + 10}]: no such room`));
  });

  it("is told what works and may surprise, as in the file", () => {
    const reading = readClientDocument({ ...minimal, profile: "cognito" }, [place]);
    expect(reading).toMatchObject({ warnings: [expect.stringMatching(/^initiate_login_uri: not given/)] });
  });

  it("belongs to the issuer that has its rooms", () => {
    expect(readClientDocument({ ...minimal, room: "other-b" }, [place, elsewhere])).toMatchObject({
      issuer: "https://other.example.com",
    });
    const mixed = { ...minimal, room: undefined, rooms: ["a", "other-a"] };
    expect(linesOf(mixed, [place, elsewhere])).toEqual([
      "rooms: are of several issuers (https://queue.example.com, https://other.example.com): a client has one, so make one for each",
    ]);
  });

  it("has all its faults told at once", () => {
    const document = {
      client_id: "the shop",
      room: "c",
      redirect_uris: ["http://shop.example.com/cb", "https://shop.example.com/#x"],
      require_pkce: false,
      token_endpoint_auth_method: "none",
      colour: "red",
    };
    expect(linesOf(document)).toEqual([
      expect.stringMatching(/^client_id: expected a client id of printable ASCII/),
      expect.stringMatching(/^redirect_uris\[0\]: expected https, or http for localhost/),
      expect.stringMatching(/^redirect_uris\[1\]: a fragment/),
      expect.stringMatching(/^colour: unknown key/),
      "room: no such room, did you mean a?; rooms: a, b",
      "require_pkce: a public client always needs PKCE: leave it out, or write true",
    ]);
  });
});

/** What is laid over a client that is right, and what is said of it. */
const refused: [name: string, changes: object, line: RegExp][] = [
  ["http of another host", { redirect_uris: ["http://shop.example.com/cb"] }, /^redirect_uris\[0\]: expected https/],
  [
    "a host that only looks local",
    { redirect_uris: ["http://localhost.example.com/"] },
    /^redirect_uris\[0\]: expected https/,
  ],
  ["http of a loopback address in disguise", { redirect_uris: ["http://127.0.0.1@evil.example/"] }, /user name/],
  [
    "a user name",
    { redirect_uris: ["https://me@shop.example.com/cb"] },
    /^redirect_uris\[0\]: a user name or password/,
  ],
  ["a fragment", { redirect_uris: ["https://shop.example.com/cb#x"] }, /^redirect_uris\[0\]: a fragment/],
  ["an empty fragment", { redirect_uris: ["https://shop.example.com/cb#"] }, /^redirect_uris\[0\]: a fragment/],
  ["a wildcard", { redirect_uris: ["https://*.example.com/cb"] }, /^redirect_uris\[0\]: wildcards/],
  ["a script", { redirect_uris: ["javascript:alert(1)"] }, /^redirect_uris\[0\]: expected an absolute URL/],
  ["data", { redirect_uris: ["data:text/html,x"] }, /^redirect_uris\[0\]: expected an absolute URL/],
  ["a scheme of an app", { redirect_uris: ["com.example.app:/cb"] }, /^redirect_uris\[0\]: expected an absolute URL/],
  ["a relative address", { redirect_uris: ["/cb"] }, /^redirect_uris\[0\]: expected an absolute URL/],
  ["an address without a scheme", { redirect_uris: ["//shop.example.com/cb"] }, /^redirect_uris\[0\]: expected an/],
  ["a line break", { redirect_uris: ["https://shop.example.com/\r\nX: y"] }, /^redirect_uris\[0\]: expected/],
  ["a backslash", { redirect_uris: ["https://shop.example.com\\@evil.example/"] }, /^redirect_uris\[0\]: expected/],
  [
    "too long an address",
    { redirect_uris: [`https://a.example/${"x".repeat(2_048)}`] },
    /^redirect_uris\[0\]: expected/,
  ],
  [
    "too many addresses",
    { redirect_uris: Array.from({ length: 51 }, (_, i) => `https://a.example/${i}`) },
    /1 to 50 items/,
  ],
  ["no address", { redirect_uris: [] }, /^redirect_uris: expected a list of 1 to 50/],
  ["one address in place of a list", { redirect_uris: "https://a.example/" }, /^redirect_uris: a?.*list of 1 to 50/],
  [
    "an address twice",
    { redirect_uris: ["https://a.example/", "https://a.example/"] },
    /^redirect_uris\[1\]: is named twice/,
  ],
  [
    "a return address twice",
    { post_logout_redirect_uris: ["https://a.example/", "https://a.example/"] },
    /\[1\]: is named twice/,
  ],
  [
    "a target twice",
    { target_link_uris: ["https://a.example/*", "https://a.example/*"] },
    /^target_link_uris\[1\]: is named twice/,
  ],
  ["a claim twice", { claims: ["email", "email"] }, /^claims\[1\]: is named twice/],
  [
    "an unsafe return address",
    { post_logout_redirect_uris: ["javascript:alert(1)"] },
    /^post_logout_redirect_uris\[0\]: expected/,
  ],
  [
    "an unsafe address for logouts",
    { backchannel_logout_uri: "http://shop.example.com/" },
    /^backchannel_logout_uri: expected https, or http for localhost/,
  ],
  [
    "an address for logouts with a fragment",
    { backchannel_logout_uri: "https://a.example/#x" },
    /^backchannel_logout_uri: a fragment/,
  ],
  [
    "a session id for logouts that nobody is told of",
    { backchannel_logout_session_required: true },
    /^backchannel_logout_uri: required beside backchannel_logout_session_required/,
  ],
  [
    "a key and no word that it counts",
    { jwks_uri: "https://a.example/jwks" },
    /^jwks_uri: only with token_endpoint_auth_method: private_key_jwt/,
  ],
  [
    "pushed requests of a client that proves nothing",
    { token_endpoint_auth_method: "none", require_pushed_authorization_requests: true },
    /^require_pushed_authorization_requests: a public client cannot push/,
  ],
  [
    "authentication by a key that is not given",
    { token_endpoint_auth_method: "private_key_jwt" },
    /^jwks: required: the client's public keys, or jwks_uri/,
  ],
  [
    "keys in two places",
    { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [publicKey] }, jwks_uri: "https://a.example/jwks" },
    /^jwks_uri: jwks is given too/,
  ],
  [
    "no keys",
    { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [] } },
    /^jwks: expected \{ keys: \[ … \] \}/,
  ],
  [
    "what is no key",
    { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [{ kty: "EC" }] } },
    /^jwks: expected .*RSA of 2048 bits or more, EC or OKP/,
  ],
  [
    "a private key",
    { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [{ ...publicKey, d: "x" }] } },
    /^jwks: a private key is among them/,
  ],
  ["a response mode twice", { response_modes: ["query", "query"] }, /^response_modes\[1\]: is named twice/],
  ["an unknown response mode", { response_modes: ["web_message"] }, /^response_modes\[0\]: unknown response mode/],
  ["an unsafe start", { initiate_login_uri: "http://shop.example.com/" }, /^initiate_login_uri: expected https/],
  [
    "an unsafe target",
    { target_link_uris: ["https://a.example/../*"] },
    /^target_link_uris\[0\]: expected a path without dots/,
  ],
  ["room and rooms", { rooms: ["a"] }, /^rooms: room is given too/],
  ["an unknown room", { room: "tickets" }, /^room: no such room; rooms: a, b/],
  ["a room that is no text", { room: 7 }, /^room: expected text/],
  ["no room", { room: undefined }, /^room: required: the id of a room; rooms: a, b/],
  [
    "a start of another room",
    { initiate_login_uris: { b: "https://a.example/" } },
    /^initiate_login_uris.b: unknown room/,
  ],
  ["a secret", { client_secret: "x" }, /^client_secret: secrets are made by Usher/],
  [
    "a secret of a public client",
    { client_secret: "x", token_endpoint_auth_method: "none" },
    /^client_secret: secrets are/,
  ],
  ["an older secret", { previous_client_secret: "x" }, /^previous_client_secret: secrets are made by Usher/],
  [
    "a public client without PKCE",
    { token_endpoint_auth_method: "none", require_pkce: false },
    /^require_pkce: a public/,
  ],
  ["a theme", { theme: { color: "#123456" } }, /^theme: only the configuration file can set this/],
  [
    "an unknown key",
    { redirect_uri: "https://a.example/" },
    /^redirect_uri: unknown key, did you mean redirect_uris\?/,
  ],
  ["a key that is none", JSON.parse('{"__proto__": {"require_pkce": false}}'), /^__proto__: unknown key/],
  ["an unknown profile", { profile: "apachee" }, /^profile: unknown profile, did you mean apache\?/],
  [
    "an unknown method",
    { token_endpoint_auth_method: "client_secret_jwt" },
    /^token_endpoint_auth_method: unknown method/,
  ],
  ["a number for a duration", { login_timeout: 300 }, /^login_timeout: a unit is missing/],
  ["text for a flag", { require_pkce: "no" }, /^require_pkce: expected true or false/],
  ["an id with a space", { client_id: "a b" }, /^client_id: expected a client id/],
  ["too long an id", { client_id: "x".repeat(129) }, /^client_id: expected a client id/],
  ["an id that addresses swallow", { client_id: ".." }, /^client_id: cannot stand in an address/],
  ["an id of JavaScript's own", { client_id: "__proto__" }, /^client_id: is a name that JavaScript keeps for itself/],
  [
    "the audience of a room's tokens",
    { client_id: "app-of-b", room: "b" },
    /^client_id: is the audience of the tokens of/,
  ],
  [
    "a room's usual audience",
    { client_id: `${issuer}/rooms/a` },
    /^client_id: is the audience of the tokens of the room a/,
  ],
  ["email_verified alone", { claims: ["email_verified"] }, /^claims: email_verified says nothing/],
];

describe("refused:", () => {
  it.each(refused)("%s", (_, changes, line) => {
    const document = Object.fromEntries([...Object.entries(minimal), ...Object.entries(changes)]);
    expect(linesOf(document)).toContainEqual(expect.stringMatching(line));
  });

  it.each([null, [], "text", 7])("%j in place of a client", (document) => {
    expect(linesOf(document).length).toBeGreaterThan(0);
  });
});

describe("taken:", () => {
  it.each([
    "http://localhost/cb",
    "http://localhost:8080/cb",
    "http://127.0.0.1:8080/cb",
    "http://[::1]:8080/cb",
    "https://shop.example.com/cb?from=usher",
  ])("%s", (uri) => expect(linesOf({ ...minimal, redirect_uris: [uri] })).toEqual([]));
});

describe("the configuration file refuses, too:", () => {
  it.each([
    [
      "an address twice",
      { redirect_uris: ["https://a.example/", "https://a.example/"] },
      "clients[0].redirect_uris[1]",
    ],
    ["a room's usual audience", { client_id: `${issuer}/rooms/a` }, "clients[0].client_id"],
  ])("%s", async (_, changes, path) => {
    const client = { ...minimal, client_secret: "0123456789abcdef0", ...changes };
    await expect(load([client])).rejects.toMatchObject({ faults: [{ path }] });
  });
});
