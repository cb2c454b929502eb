/** Whoever tries keys and secrets is slowed and named in the log; whoever has the right one is never in their way. */
import { expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { clientId, clientSecret, memoryStore, useWorld } from "../world.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "line" }, { id: "other" }],
  config: { listen: { trusted_proxies: ["127.0.0.1"] } },
  env: { USHER_LOG_LEVEL: "debug" },
}));
const attacker = "203.0.113.7";
const neighbour = "203.0.113.8";
const logged = () =>
  (world().gateways[0]?.output() ?? "")
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("wrong admin keys: twenty are refused, and logged with the address; further ones wait; a right one passes", async () => {
  const { http, issuer } = world();
  const ask = (key: string, address: string) =>
    http.get(`${issuer}/admin/rooms`, { authorization: `Bearer ${key}`, "x-forwarded-for": address });
  const statuses: number[] = [];
  for (let turn = 0; turn < 25; turn++) statuses.push((await ask(`guess-${turn}`, attacker)).status);
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
  expect(statuses.slice(22)).toEqual([429, 429, 429]);
  const slowed = await ask("guess", attacker);
  expect([slowed.json(), Number(slowed.header("retry-after"))]).toEqual([
    { error: "too_many_from_address", error_description: expect.stringContaining("a valid one passes") },
    expect.closeTo(3, -1),
  ]);
  expect((await ask(ADMIN_KEY, attacker)).status).toBe(200);
  expect((await ask("guess", neighbour)).status).toBe(401);
  await expect.poll(() => logged().some(({ client_address }) => client_address === neighbour)).toBe(true);
  const refusals = logged().filter(({ event }) => event === "admin.refused");
  expect(refusals.filter(({ client_address }) => client_address === attacker).length).toBeLessThan(23);
  expect(refusals[0]).toMatchObject({ level: 40, status: 401, path: "/admin/rooms", client_address: attacker });
  expect(JSON.stringify(logged())).not.toContain("guess-1");
});

test("wrong client secrets: slowed by client and address, and the right secret passes", async () => {
  const { http, issuer } = world();
  const ask = (room: string, secret: string, address: string, path = "/token") =>
    http.request(`${issuer}${path}`, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId(room)}:${secret}`).toString("base64")}`,
        "x-forwarded-for": address,
      },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: "x",
        redirect_uri: "https://a/",
        token: "x",
      }),
    });
  for (let turn = 0; turn < 25; turn++) await ask("line", "guess", attacker, turn % 2 ? "/token" : "/introspect");
  for (const path of ["/token", "/introspect", "/revoke"]) {
    const slowed = await ask("line", "guess", attacker, path);
    expect([slowed.status, slowed.json()], path).toMatchObject([429, { error: "invalid_client" }]);
    expect(Number(slowed.header("retry-after"))).toBeGreaterThan(0);
  }
  const right = await ask("line", clientSecret("line"), attacker);
  expect([right.status, right.json()]).toMatchObject([400, { error: "invalid_grant" }]);
  for (const [room, address] of [
    ["line", neighbour],
    ["other", attacker],
  ] as const) {
    expect((await ask(room, "guess", address)).status, `${room} from ${address}`).toBe(401);
  }
  const lines = logged().filter(
    ({ event, client_id }) => event === "oidc.token_refused" && client_id === clientId("line"),
  );
  // Of 25 guesses and three more those that were not slowed, and the right secret with a code that is none.
  expect(lines.length).toBeGreaterThan(19);
  expect(lines.length).toBeLessThan(24);
});

test("what a stranger sends is short and printable in the log, and no label of a metric", async () => {
  const { http, issuer } = world();
  const path = `/${"x".repeat(300)}-%1b[31m`;
  await http.request(`${issuer}${path}`, { method: "PROPFIND" });
  await http.request(`${issuer}/nothing\xe9\x9b`, { method: "BIND" });
  const told = () => logged().filter((line) => ["PROPFIND", "BIND"].includes(String(line.method)));
  await expect.poll(() => told().length).toBe(4);
  for (const line of told()) {
    expect(String(line.path).length).toBeLessThanOrEqual(200);
    expect(String(line.path)).toMatch(/^[\x20-\x7e\ufffd]*$/);
  }
  const { body } = await http.get(`${issuer}/metrics`);
  const methods = new Set([...body.matchAll(/method="([^"]*)"/g)].map(([, method]) => method));
  expect([...methods].filter((method) => !["GET", "POST", "other"].includes(method ?? ""))).toEqual([]);
  expect(methods).toContain("other");
});
