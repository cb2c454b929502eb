import { expect, test } from "vitest";
import type { ClientConfig } from "../../../src/config/config.ts";
import { readAuthorizationRequest } from "../../../src/oidc/authorization-request.ts";

const client: ClientConfig = {
  clientId: "shop",
  clientSecret: "s".repeat(32),
  redirectUris: ["https://shop.example/cb"],
  postLogoutRedirectUris: [],
  room: "tickets",
  profile: "generic",
  loginTimeoutMs: 300_000,
  initiateLoginUri: "https://shop.example/",
  requirePkce: false,
  refreshTokens: false,
};
const publicClient: ClientConfig = { ...client, clientId: "app", clientSecret: null, requirePkce: true };
const clients = new Map([client, publicClient].map((each) => [each.clientId, each]));
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
  expect(again).toMatchObject({ hash: first?.hash, address: `/authorize?${query}`, isFreshStart: true });
});
