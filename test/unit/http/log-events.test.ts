import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { logEvents } from "../../../src/http/ops/log-events.ts";
import { StoreUnavailableError } from "../../../src/lib/errors.ts";
import { createLogger } from "../../../src/lib/logger.ts";
import type { WaitingRooms } from "../../../src/waiting-room/index.ts";

function listen() {
  const lines: string[] = [];
  const [rooms, provider] = [new EventEmitter(), new EventEmitter()];
  const logger = createLogger("info", { write: (line: string) => void lines.push(line) });
  logEvents({ events: rooms } as unknown as WaitingRooms, [provider], logger);
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
  rooms.emit("join.over_address_limit", { room: "tickets" });
  rooms.emit("joins.limited", { room: "tickets", count: 812 });
  expect(told()).toHaveLength(1);
  expect(told()[0]).toMatchObject({ level: 40, event: "joins.limited", room: "tickets", count: 812 });
});
