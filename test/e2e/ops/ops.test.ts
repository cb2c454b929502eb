import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { startGateway } from "../../support/gateway.ts";
import { numbers } from "../line.ts";
import { redisStore } from "../redis-store.ts";
import { clientId, memoryStore, redirectUri, useWorld } from "../world.ts";

const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "line" }] }));

test("/healthz and /readyz answer, and nobody caches them", async () => {
  for (const path of ["/healthz", "/readyz"]) {
    const answer = await world().http.get(`${world().issuer}${path}`);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ status: "ok" });
    expect(answer.header("cache-control")).toBe("no-store");
  }
});

test("/metrics counts joins, refusals, admissions and requests, with labels from fixed lists only", async () => {
  const { http, issuer, admin } = world();
  const visitor = world().visitor();
  const site = world().relyingParty("line");
  const { url } = await site.startLogin();
  await visitor.navigate(url);
  await http.get(`${issuer}/some/unheard-of/path`);
  await http.get(`${issuer}/rooms/line/verify`, { "x-original-url": "https://unheard-of.example/" });
  await admin.increment("line", 1);
  await site.login(visitor);
  await numbers(world(), "line");
  const { body, header } = await http.get(`${issuer}/metrics`);
  expect(header("content-type")).toContain("text/plain");
  const value = (name: string) => Number(new RegExp(`^${name.replace(/[{}]/g, "\\$&")} (\\S+)$`, "m").exec(body)?.[1]);
  expect(value('usher_joins_total{room="line"}')).toBeGreaterThanOrEqual(1);
  expect(value('usher_admissions_total{room="line",via="queue"}')).toBe(1);
  expect(value('usher_room_events_total{room="line",what="entered"}')).toBe(1);
  expect(value('usher_room_events_total{room="line",what="no_shows"}')).toBe(0);
  expect(value('usher_phase{room="line",phase="open"}')).toBe(1);
  expect(value('usher_logins_total{room="line"}')).toBeGreaterThanOrEqual(1);
  for (const name of [
    "usher_waiting",
    "usher_serving",
    "usher_queued",
    "usher_outflow_per_minute",
    "usher_recovering",
  ]) {
    expect(body).toContain(`${name}{room="line"}`);
  }
  expect(body).toMatch(/usher_request_duration_seconds_count\{route="other",method="GET",status="4xx"\}/);
  expect(body).toMatch(/usher_request_duration_seconds_count\{route="verify",method="GET",status="4xx"\} 1/);
  expect(body).toMatch(/usher_store_commands_total\{command="[\w-]+"\}/);
  expect(body).not.toContain("unheard-of");
  expect(body).not.toContain(clientId("line"));
});

test("a process with other keys than those of the store is not ready and names the fingerprints of both", async () => {
  const store = await redisStore.start();
  const config = {
    store: store.config,
    rooms: [{ id: "line", inlet: { type: "manual" } }],
    clients: [{ client_id: "c", client_secret: "s".repeat(32), redirect_uris: [redirectUri("line")], room: "line" }],
  };
  const first = await startGateway({ config });
  const stranger = await startGateway({ config, waitUntilReady: false });
  try {
    const answer = await world().http.get(`${stranger.origin}/readyz`);
    expect(answer.status).toBe(503);
    expect(answer.body).toMatch(
      /belongs to another installation \(issuer \S+, ticket keys \S+\), and this one is issuer \S+, ticket keys \S+, /,
    );
    expect((await world().http.get(`${first.origin}/readyz`)).status).toBe(200);
    // Whoever asks nobody reads it in the log.
    await stranger.waitForOutput(/"level":50[^\n]*"gateway.not_ready"[^\n]*another installation[^\n]*usher adopt/);
  } finally {
    await Promise.all([first.stop(), stranger.stop()]);
    await store.stop();
  }
});

test("a gate holds the line while the site's health URL fails, says why, and lets it go on", async () => {
  let status = 200;
  const site = createServer((_request, response) => response.writeHead(status).end("how I am"));
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const { port } = site.address() as AddressInfo;
  const gate = { health_url: `http://127.0.0.1:${port}/health`, interval: "1s", unhealthy_after: 2, healthy_after: 1 };
  const gateway = await startGateway({
    config: {
      store: { type: "memory" },
      rooms: [{ id: "gated", inlet: { type: "periodic", outflow_per_minute: 600, gate } }],
      clients: [
        { client_id: "c", client_secret: "s".repeat(32), redirect_uris: [redirectUri("gated")], room: "gated" },
      ],
    },
  });
  const told = async () =>
    (await world().http.get(`${gateway.origin}/rooms/gated/status`)).json() as { phase: string; phase_reason: string };
  const becomes = (phase: string) => expect.poll(async () => (await told()).phase).toBe(phase);
  try {
    await becomes("open");
    status = 503;
    await becomes("paused");
    expect((await told()).phase_reason).toBe("unhealthy");
    status = 200;
    await becomes("open");
    await expect.poll(gateway.output).toContain('"event":"room.phase_changed"');
    expect(gateway.output()).not.toContain("how I am");
  } finally {
    await gateway.stop();
    site.close();
  }
});

test("the trace of a proxy is in the log lines of a request", async () => {
  const { http, issuer, gateways } = world();
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  await http.get(`${issuer}/admin/rooms`, { traceparent });
  await http.get(`${issuer}/authorize?client_id=nobody`, { traceparent });
  for (const event of ["admin.refused", "oidc.authorization_refused"]) {
    await gateways[0]?.waitForOutput(
      new RegExp(`"event":"${event}",[^\\n]*"trace_id":"4bf92f3577b34da6a3ce929d0e0e4736"`),
    );
  }
});

test("a room's settings can be changed live; the file's values stay visible, and null goes back to them", async () => {
  const { admin } = world();
  const patched = await admin.request("PATCH", "/rooms/line", {
    title: "Live title",
    inlet: { type: "periodic", outflow_per_minute: 90 },
    admission: { duration: "5m" },
  });
  expect(patched.json()).toMatchObject({
    title: "Live title",
    outflow_limit: 90,
    settings: { inlet: { type: "periodic", outflow_per_minute: 90 }, admission: { duration: "5m" } },
    settings_file: { inlet: { type: "manual" }, admission: { duration: "20m" } },
    settings_live: { title: "Live title" },
  });
  const status = await world().http.get(`${world().issuer}/rooms/line/status`);
  expect(status.json()).toMatchObject({ title: "Live title", outflow_limit: 90 });
  const back = await admin.request("PATCH", "/rooms/line", { title: null, inlet: null, admission: null });
  expect(back.json()).toMatchObject({ title: "The room line", outflow_limit: null, settings_live: {} });
});

test("the operator's words reach the page and the status, as plain text", async () => {
  const { admin, http, issuer } = world();
  await admin.request("PATCH", "/rooms/line", { message: "Doors <b>open</b> & close" });
  const status = await http.get(`${issuer}/rooms/line/status`);
  expect(status.json()).toMatchObject({ message: "Doors <b>open</b> & close" });
  const { url } = await world().relyingParty("line").startLogin();
  const page = await world().visitor().navigate(url);
  expect(page.body).toContain("Doors &lt;b&gt;open&lt;/b&gt; &amp; close");
  await admin.request("PATCH", "/rooms/line", { message: null });
  expect((await http.get(`${issuer}/rooms/line/status`)).json()).toMatchObject({ message: null });
});

test("discovery and keys may be kept for an hour, and name the issuer's addresses only", async () => {
  const { http, issuer } = world();
  const discovery = await http.get(`${issuer}/.well-known/openid-configuration`, { host: "evil.example" });
  expect(discovery.header("cache-control")).toBe("public, max-age=3600");
  const { jwks_uri: jwksUri, ...addresses } = discovery.json() as Record<string, unknown>;
  expect(jwksUri).toBe(`${issuer}/.well-known/jwks.json`);
  for (const [name, value] of Object.entries(addresses)) {
    if (name.endsWith("_endpoint")) expect(String(value)).toMatch(new RegExp(`^${issuer}/`));
  }
  const keys = await http.get(String(jwksUri));
  expect(keys.header("cache-control")).toBe("public, max-age=3600");
  expect(keys.json()).toMatchObject({ keys: [{ kty: "RSA", use: "sig", alg: "RS256" }] });
  expect(keys.body).not.toContain('"d"');
});

test("the log says which secret a client did not send, and which redirect URI it nearly named", async () => {
  const { http, issuer, gateways } = world();
  const Authorization = `Basic ${Buffer.from(`${clientId("line")}:not-the-secret-of-this-client`).toString("base64")}`;
  const body = new URLSearchParams({ grant_type: "authorization_code", code: "x", redirect_uri: redirectUri("line") });
  expect((await http.request(`${issuer}/token`, { method: "POST", headers: { Authorization }, body })).status).toBe(
    401,
  );
  const query = new URLSearchParams({
    client_id: clientId("line"),
    redirect_uri: `${redirectUri("line")}/`,
    response_type: "code",
    scope: "openid",
  });
  expect((await http.get(`${issuer}/authorize?${query}`)).status).toBe(400);
  const [gateway] = gateways;
  const ofClient = `"client_id":"${clientId("line")}"`;
  await gateway?.waitForOutput(new RegExp(`oidc.token_refused[^\\n]*${ofClient}[^\\n]*the client's secret .SHA-256 `));
  await gateway?.waitForOutput(
    new RegExp(`nearest_registered":"${redirectUri("line")}"[^\\n]*the path is /callback/, not `),
  );
  expect(gateway?.output()).not.toContain("not-the-secret");
});
