import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { StoreUnavailableError } from "../../../../src/lib/errors.ts";
import { createLogger } from "../../../../src/lib/logger.ts";
import { logEvents } from "../../../../src/operate/ops/log-events.ts";
import type { WaitingRooms } from "../../../../src/room/index.ts";

const secretOf = (sha256: string, expires_ms: number | null = null) => ({ sha256: sha256.repeat(8), expires_ms });
const clients = {
  secretsOf: (id: string) => (id === "shop" ? [secretOf("1a2b3c4d"), secretOf("5e6f7a8b", Date.UTC(2031, 0, 2))] : []),
};

function listen() {
  const lines: string[] = [];
  const [rooms, provider] = [new EventEmitter(), new EventEmitter()];
  const logger = createLogger("info", { write: (line: string) => void lines.push(line) });
  logEvents({ events: rooms } as unknown as WaitingRooms, [{ events: provider, clients }], logger);
  return { rooms, provider, told: () => lines.map((line) => JSON.parse(line)) };
}

test("a refused login names its request, its client and where it wanted to go, bounded and without a query", () => {
  const { provider, told } = listen();
  const params = { client_id: "shop\u001b[31m", redirect_uri: `https://shop.example.com/${"x".repeat(300)}?secret=1` };
  const ctx = { res: { getHeader: () => "req-7" }, oidc: { params } };
  const error = { error: "invalid_client", error_description: "client is invalid" };
  provider.emit("authorization.error", ctx, error);
  provider.emit("grant.error", { ...ctx, oidc: { client: { clientId: "shop" } } }, error);
  const common = { level: 40, request_id: "req-7", error: "invalid_client", description: "unknown client_id" };
  expect(told()[0]).toMatchObject({ ...common, event: "oidc.authorization_refused", client_id: "shop\ufffd[31m" });
  expect(told()[0].redirect_uri).toBe(params.redirect_uri.slice(0, 200));
  expect(told()[1]).toMatchObject({ ...common, event: "oidc.token_refused", client_id: "shop" });
});

test("a store that cannot be reached is told without a stack; a fault of its own with one", () => {
  const { rooms, told } = listen();
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  rooms.emit("store.away", { room: "tickets", error: new StoreUnavailableError(refused) });
  rooms.emit("store.away", { room: "tickets", error: new StoreUnavailableError(new Error("odd")) });
  expect(told()[0]).toMatchObject({ error: "connect ECONNREFUSED", code: "ECONNREFUSED" });
  expect(told()[0]).not.toHaveProperty("err");
  const closed = new StoreUnavailableError(new Error("Connection is closed."));
  rooms.emit("store.away", { room: "tickets", error: closed });
  expect(told()[2]).toMatchObject({ error: "Connection is closed." });
  expect(told()[2]).not.toHaveProperty("err");
  expect(told()[1]).toHaveProperty("err.stack");
});

test("joins that were limited are one line with their number, and no address", () => {
  const { rooms, told } = listen();
  rooms.emit("join.over_address_limit", { room: "tickets", why: "rate" });
  rooms.emit("joins.limited", { room: "tickets", count: 812, rate: 800, entries: 12 });
  expect(told()).toHaveLength(1);
  expect(told()[0]).toMatchObject({ level: 40, event: "joins.limited", room: "tickets", count: 812 });
});

test("a wrong secret: the line names the client, and which of its secrets it was none of", () => {
  const { provider, told } = listen();
  const error = { error: "invalid_client", error_description: "client authentication failed" };
  const ctx = { oidc: { client: { clientId: "shop" } } };
  provider.emit("grant.error", ctx, { ...error, error_detail: "invalid secret provided" });
  expect(told()[0]).toMatchObject({ level: 40, event: "oidc.token_refused", client_id: "shop" });
  expect(told()[0].message).toMatch(
    /neither the current one \(SHA-256 1a2b3c4d…\) nor the previous one \(SHA-256 5e6f7a8b…, accepted until 2031-01-02T/,
  );
  provider.emit("grant.error", ctx, { ...error, error_detail: "another fault" });
  expect(told()[1].message).toBe("another fault");
});

test.each([
  ["introspection.error", "oidc.token_refused"],
  ["revocation.error", "oidc.token_refused"],
  ["pushed_authorization_request.error", "oidc.authorization_refused"],
])("wherever else clients authenticate, a wrong secret is told as well: %s", (name, event) => {
  const { provider, told } = listen();
  const oidc = { client: { clientId: "shop", redirectUris: ["https://shop.example/callback"] } };
  const error = { error: "invalid_client", error_detail: "invalid secret provided" };
  const params = { redirect_uri: "https://shop.example/callback" };
  provider.emit(name, { oidc: { ...oidc, params } }, error);
  expect(told()).toMatchObject([{ level: 40, event, client_id: "shop", message: expect.stringContaining("1a2b3c4d") }]);
});

test("a pushed request with a redirect URI that is not registered: oidc-provider calls it invalid, the line says which is near", () => {
  const { provider, told } = listen();
  const client = { clientId: "shop", redirectUris: ["https://shop.example/callback"] };
  const ctx = { oidc: { client, params: { redirect_uri: "https://shop.example/callback/" } } };
  provider.emit("pushed_authorization_request.error", ctx, { error: "invalid_request" });
  expect(told()[0]).toMatchObject({
    event: "oidc.authorization_refused",
    nearest_registered: "https://shop.example/callback",
    message: expect.stringContaining("the path is /callback/, not /callback"),
  });
});

test.each([
  ["https://shop.example/callback/", "https://shop.example/callback", "the path is /callback/, not /callback"],
  ["http://shop.example/callback", "https://shop.example/callback", "the scheme is http:, not https:"],
  ["https://shop.example:8443/callback", "https://shop.example/callback", "the port is 8443, not none"],
  ["https://www.shop.example/other", "https://www.shop.example/callback", "the path is /other, not /callback"],
  ["https://shop.example/callback?code=secret", "https://shop.example/callback", "it has a query"],
  ["https://shop.example:443/callback", "https://shop.example/callback", "letter for letter"],
  ["callback", "https://www.shop.example/callback", "it is no absolute URL"],
])("a redirect URI that is not registered (%s): the nearest, and where they differ", (sent, nearest, difference) => {
  const { provider, told } = listen();
  const redirectUris = ["https://www.shop.example/callback", "https://shop.example/callback"];
  const ctx = { oidc: { client: { clientId: "shop", redirectUris }, params: { redirect_uri: sent } } };
  provider.emit("authorization.error", ctx, { error: "invalid_redirect_uri", error_description: "did not match" });
  expect(told()[0]).toMatchObject({
    event: "oidc.authorization_refused",
    client_id: "shop",
    nearest_registered: nearest,
  });
  expect(told()[0].message).toContain(difference);
  expect(JSON.stringify(told())).not.toContain("code=secret");
});

test("what a library says of a failure is never the message of a line", () => {
  const { provider, rooms, told } = listen();
  const raw = new Error("Stream isn't writeable and enableOfflineQueue options is false");
  provider.emit("server_error", {}, raw);
  provider.emit("server_error", {}, new StoreUnavailableError(raw));
  rooms.emit("room.failed", { room: "tickets", error: raw });
  rooms.emit("store.away", { room: "tickets", error: new StoreUnavailableError(raw) });
  expect(told().map(({ event }) => event)).toEqual(["oidc.server_error", "room.failed", "store.away"]);
  for (const { message } of told()) expect(message).not.toMatch(/Stream|^$/);
});

test("a refused network fills no log: 120 lines a minute, each with the reference that its page shows", () => {
  const { rooms, told } = listen();
  for (let index = 0; index < 500; index++) {
    rooms.emit("join.network_refused", { room: "tickets", rule: "scalpers", request: `req-${index}` });
  }
  expect(told()).toHaveLength(120);
  expect(told()[7]).toMatchObject({ event: "join.network_refused", rule: "scalpers", request_id: "req-7" });
});
