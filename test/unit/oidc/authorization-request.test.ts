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
};
const publicClient: ClientConfig = { ...client, clientId: "app", clientSecret: null, requirePkce: true };
const clients = new Map([client, publicClient].map((each) => [each.clientId, each]));
const base = { client_id: "shop", redirect_uri: "https://shop.example/cb", response_type: "code", state: "x" };
const read = (parameters: Record<string, string>) =>
  readAuthorizationRequest(new URLSearchParams(parameters).toString(), clients);
const challenge = { code_challenge: "a".repeat(43), code_challenge_method: "S256" };

test("an ordinary request is the waiting room's business", () => {
  expect(read(base)).toMatchObject({ client, isFreshStart: false, isSilent: false });
  expect(read({ ...base, ...challenge })).not.toBeNull();
  expect(read({ ...base, client_id: "app", ...challenge })).not.toBeNull();
});

test.each([
  ["an unknown client", { ...base, client_id: "nobody" }],
  ["a redirect URI that extends a registered one", { ...base, redirect_uri: "https://shop.example/cb/more" }],
  ["a redirect URI that a registered one extends", { ...base, redirect_uri: "https://shop.example/c" }],
  ["another response type", { ...base, response_type: "token" }],
  ["a request object", { ...base, request: "e30.e30." }],
  ["a request URI", { ...base, request_uri: "https://shop.example/r" }],
  ["a fragment response", { ...base, response_mode: "fragment" }],
  ["prompt none with another", { ...base, prompt: "none login" }],
  ["a plain code challenge", { ...base, code_challenge: "a".repeat(43), code_challenge_method: "plain" }],
  ["a short code challenge", { ...base, code_challenge: "a", code_challenge_method: "S256" }],
  ["a public client without PKCE", { ...base, client_id: "app" }],
  ["a strange max_age", { ...base, max_age: "-1" }],
])("%s is left to the provider, which answers as the specification says", (_name, parameters) => {
  expect(read(parameters)).toBeNull();
});

test("a parameter that comes twice is left to the provider", () => {
  const query = `${new URLSearchParams(base)}&state=y`;
  expect(readAuthorizationRequest(query, clients)).toBeNull();
});

test("our own mark changes neither the request's name nor its query", () => {
  const query = new URLSearchParams(base).toString();
  const first = readAuthorizationRequest(query, clients);
  const again = readAuthorizationRequest(`${query}&usher_join=1`, clients);
  expect(again).toMatchObject({ hash: first?.hash, query, isFreshStart: true });
});
