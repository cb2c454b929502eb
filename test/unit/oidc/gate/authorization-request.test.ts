import { expect, test } from "vitest";
import type { ClientConfig } from "../../../../src/config/config.ts";
import { knowClients, readAuthorizationRequest } from "../../../../src/oidc/gate/authorization-request.ts";
import { targetTricks } from "../../../support/target-tricks.ts";

const client: ClientConfig = {
  clientId: "shop",
  clientSecret: "s".repeat(32),
  redirectUris: ["https://shop.example/cb"],
  postLogoutRedirectUris: [],
  rooms: ["tickets"],
  profile: "generic",
  loginTimeoutMs: 300_000,
  tokenEndpointAuthMethod: "client_secret_basic",
  initiateLoginUri: "https://shop.example/",
  initiateLoginUris: {},
  targetLinkUris: [],
  thirdPartyLogin: false,
  rememberedLogins: "many",
  requirePkce: false,
  refreshTokens: false,
  claims: [],
};
const publicClient: ClientConfig = { ...client, clientId: "app", clientSecret: null, requirePkce: true };
const clients = knowClients([client, publicClient], "https://queue.example");
const base = {
  client_id: "shop",
  redirect_uri: "https://shop.example/cb",
  response_type: "code",
  scope: "openid",
  state: "x",
};
const read = (parameters: Record<string, string>) =>
  readAuthorizationRequest(new URLSearchParams(parameters).toString(), clients);
const challenge = { code_challenge: "a".repeat(43), code_challenge_method: "S256" };

test("an ordinary request is the waiting room's business", () => {
  expect(read(base)).toMatchObject({ client, isFreshStart: false, isSilent: false });
  expect(read({ ...base, ...challenge })).not.toBeNull();
  expect(read({ ...base, client_id: "app", ...challenge })).not.toBeNull();
});

test.each([
  ["the response mode fragment", { response_mode: "fragment" }],
  ["the response mode form_post", { response_mode: "form_post" }],
  ["more scopes", { scope: "openid email offline_access" }],
  ["a max_age of many digits", { max_age: "99999999999" }],
  ["prompt=select_account", { prompt: "select_account" }],
  ["several prompts", { prompt: "login consent" }],
  ["parameters without a value", { registration: "", id_token_hint: "", prompt: "" }],
])("%s is its business too", (_name, parameters) => {
  expect(read({ ...base, ...parameters })).not.toBeNull();
});

test("parameters that the provider does not know may come as they like", () => {
  const query = `${new URLSearchParams(base)}&claims=1&claims=2&utm=a&utm=b`;
  expect(readAuthorizationRequest(query, clients)).not.toBeNull();
});

test.each([
  ["an unknown client", { ...base, client_id: "nobody" }],
  ["a redirect URI that extends a registered one", { ...base, redirect_uri: "https://shop.example/cb/more" }],
  ["a redirect URI that a registered one extends", { ...base, redirect_uri: "https://shop.example/c" }],
  ["another response type", { ...base, response_type: "token" }],
  ["a request object", { ...base, request: "e30.e30." }],
  ["a request URI", { ...base, request_uri: "https://shop.example/r" }],
  ["an unknown response mode", { ...base, response_mode: "smoke" }],
  ["a registration", { ...base, registration: "{}" }],
  ["no scope", { ...base, scope: "" }],
  ["a scope without openid", { ...base, scope: "email" }],
  ["a scope that only contains the word", { ...base, scope: "openid2 email" }],
  ["a scope with two spaces", { ...base, scope: "openid  email" }],
  ["an unknown prompt", { ...base, prompt: "login dance" }],
  ["prompt none with another", { ...base, prompt: "none login" }],
  ["a plain code challenge", { ...base, code_challenge: "a".repeat(43), code_challenge_method: "plain" }],
  ["a short code challenge", { ...base, code_challenge: "a", code_challenge_method: "S256" }],
  ["a public client without PKCE", { ...base, client_id: "app" }],
  ["a negative max_age", { ...base, max_age: "-1" }],
  ["a max_age that is no number", { ...base, max_age: "soon" }],
  ["a max_age beyond all numbers", { ...base, max_age: "99999999999999999999" }],
])("%s is left to the provider, which answers as the specification says", (_name, parameters) => {
  expect(read(parameters)).toBeNull();
});

test.each(["state", "display", "login_hint", "claims_locales"])("%s twice is left to the provider", (name) => {
  const query = `${new URLSearchParams({ ...base, [name]: "x" })}&${name}=y`;
  expect(readAuthorizationRequest(query, clients)).toBeNull();
});

test("our own mark changes neither the request's name nor its address", () => {
  const query = new URLSearchParams(base).toString();
  const first = readAuthorizationRequest(query, clients);
  const again = readAuthorizationRequest(`${query}&usher_join=1`, clients);
  expect(again).toMatchObject({
    hash: first !== null && "hash" in first ? first.hash : "none",
    address: `/authorize?${query}`,
    isFreshStart: true,
  });
});

const lister: ClientConfig = {
  ...client,
  clientId: "lister",
  rooms: ["tickets", "checkout"],
  initiateLoginUri: "https://shop.example/start?to={target_link_uri}",
  targetLinkUris: ["https://shop.example/checkout", "https://shop.example/products/*"],
  rememberedLogins: "one",
};
const listers = knowClients([lister, client], "https://queue.example");
const readOfLister = (query: string) =>
  readAuthorizationRequest(`${new URLSearchParams({ ...base, client_id: "lister" })}${query}`, listers);

test.each([
  ["", "tickets"],
  ["&room=", "tickets"],
  ["&room=tickets", "tickets"],
  ["&room=checkout", "checkout"],
  ["&room=checkout&usher_join=1", "checkout"],
  // Another parameter, which means nothing.
  ["&room[]=checkout", "tickets"],
])("the parameter room picks one of the client's rooms: %j", (query, roomId) => {
  expect(readOfLister(query)).toMatchObject({ roomId });
});

test.each([
  "&room=vip",
  "&room=Tickets",
  "&room=tickets%20",
  "&room=tickets,checkout",
  "&room=tickets%00",
  "&room=tickets%0d%0aSet-Cookie:%20a=b",
  "&room=..%2ftickets",
  "&room=__proto__",
  "&room=constructor",
  "&room=0",
  "&room=tickets&room=tickets",
  "&room=checkout&room=tickets",
  "&room=&room=checkout",
  `&room=${"x".repeat(4_000)}`,
  "&room=vip&prompt=none",
])("a room that is none of the client's is refused: %j", (query) => {
  expect(readOfLister(query)).toEqual({ refusal: "unknown_room" });
});

test("a client of one room takes no other, though another client has it", () => {
  const query = `${new URLSearchParams(base)}&room=checkout`;
  expect(readAuthorizationRequest(query, listers)).toEqual({ refusal: "unknown_room" });
});

test("a target that is listed is where a restart leads", () => {
  const target = encodeURIComponent("https://shop.example/products/7?a=b");
  expect(readOfLister(`&target_link_uri=${target}`)).toMatchObject({
    restartUri: `https://shop.example/start?to=${target}`,
  });
  expect(readOfLister("&target_link_uri=")).toMatchObject({
    restartUri: "https://shop.example/start?to=https%3A%2F%2Fshop.example%2Fcheckout",
  });
});

test.each(targetTricks("https://shop.example"))("a target that is not listed is refused: %j", (target) => {
  expect(readOfLister(`&target_link_uri=${encodeURIComponent(target)}`)).toEqual({ refusal: "unknown_target" });
});

test("two targets are none", () => {
  const one = `&target_link_uri=${encodeURIComponent("https://shop.example/checkout")}`;
  expect(readOfLister(one + one)).toEqual({ refusal: "unknown_target" });
});

test("what the provider would refuse is left to it, whatever room and target it names", () => {
  expect(readOfLister("&room=vip&request=e30.e30.")).toBeNull();
  expect(readOfLister("&target_link_uri=https://evil.example/&request=e30.e30.")).toBeNull();
});

test("requests of a client that remembers one login belong together", () => {
  const first = readOfLister("&nonce=1");
  expect(first).toMatchObject({ series: expect.stringMatching(/^[\w-]{2}$/) });
  expect(readOfLister("&nonce=2&room=checkout")).toMatchObject({
    series: first !== null && "series" in first ? first.series : "",
  });
  expect(readAuthorizationRequest(`${new URLSearchParams(base)}`, listers)).not.toHaveProperty("series");
});
