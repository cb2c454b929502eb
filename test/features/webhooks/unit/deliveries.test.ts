/**
 * Goal: a webhook keeps up with a busy room, one that hangs takes nothing from the others, and what was forgotten before it was delivered is
 * told. Method: the hub and the deliveries of one process on the embedded store, and a real receiver.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createWebhookProcess } from "./webhook-process.ts";

interface Received {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly data: Record<string, unknown>;
}

const received: Received[] = [];
let connections = 0;
let hanging: ServerResponse[] = [];
const receiver = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    if (request.url === "/hang") {
      hanging.push(response);
      return;
    }
    received.push(JSON.parse(body));
    response.writeHead(200).end("ok");
  });
});
receiver.on("connection", () => {
  connections++;
});

const stops: (() => Promise<void>)[] = [];
beforeEach(async () => {
  received.length = 0;
  connections = 0;
  hanging = [];
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

function createProcess(paths: Record<string, string>, unreadable: readonly string[] = []) {
  const { port } = receiver.address() as AddressInfo;
  const all = Object.entries(paths).map(([id, path]) => [id, `http://127.0.0.1:${port}${path}`]);
  const process = createWebhookProcess({ urls: Object.fromEntries(all), unreadable });
  stops.push(process.stop);
  return process;
}

it("sends a busy line as fast as the receiver answers, in order, over few connections", async () => {
  const process = createProcess({ good: "/" });
  await process.tell(0, 300);
  process.start();
  await process.tell(300, 300);
  await expect.poll(() => received.length, { timeout: 45_000 }).toBe(600);
  expect(received.map(({ data }) => data.n)).toEqual(Array.from({ length: 600 }, (_, index) => index));
  expect(connections).toBeLessThan(20);
  // The receiver has the last one before its answer is counted.
  await expect
    .poll(() => process.deliveries.figures())
    .toMatchObject([{ webhook: "good", counts: { delivered: 600, failed: 0 } }]);
}, 60_000);

it("tells a receiver, in their place, that events were forgotten before they were delivered", async () => {
  const process = createProcess({ good: "/" });
  for (let from = 0; from < 10_500; from += 500) await process.tell(from, 500);
  process.start();
  await expect.poll(() => received.length).toBeGreaterThan(100);
  const [missed, first, second] = received;
  expect(missed).toMatchObject({
    type: "usher.webhook.events_missed",
    subject: "webhooks/good",
    data: { webhook: "good", after: "1970-01-01T00:00:00.000Z", before: expect.any(String) },
  });
  expect([first?.data.n, second?.data.n]).toEqual([500, 501]);
  expect(received.filter(({ type }) => type === "usher.webhook.events_missed")).toHaveLength(1);
  expect(process.deliveries.figures()[0]?.counts.missed).toBe(1);
}, 30_000);

it("says that events were forgotten where one was that comes next, not where only delivered ones were", async () => {
  const { store, tell } = createProcess({});
  const line = store.installation;
  const take = () => store.take(line, { webhook: "slow", holder: "one", from: 0, limit: 1 });
  for (let n = 0; n < 2; n++) {
    await tell(n, 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const first = (await store.read(line, 0, 1)).events[0]?.seq ?? 0;
  expect(await take()).toMatchObject({ result: "taken", missedAfter: null });
  await store.settle(line, "slow", "one", { outcome: "delivered", through: first });
  expect(await take()).toMatchObject({ result: "taken", missedAfter: null });
  for (let from = 2; from < 10_001; from += 303) await tell(from, 303);
  expect((await store.read(line, 0, 1)).events[0]?.seq).toBeGreaterThan(first);
  expect(await take()).toMatchObject({ result: "taken", missedAfter: null });
  await tell(0, 1);
  expect(await take()).toMatchObject({ result: "taken", missedAfter: first });
  expect(await take()).toMatchObject({ result: "taken", missedAfter: first });
}, 30_000);

it("waits for a webhook that hangs in all its rooms, and sends to another meanwhile", async () => {
  const process = createProcess({ bad: "/hang", good: "/" });
  for (let index = 0; index < 40; index++) await process.open(`room-${index}`);
  process.start();
  await expect.poll(() => new Set(received.map(({ subject }) => subject)).size).toBe(40);
  expect(hanging.length).toBe(8);
  await expect.poll(() => process.deliveries.figures()[0]?.lagMs ?? 0).toBeGreaterThan(100);
  await expect.poll(() => process.deliveries.figures()[1]?.lagMs).toBe(0);
}, 30_000);

it("leaves a webhook whose secret it cannot open to other processes", async () => {
  const process = createProcess({ closed: "/", good: "/" }, ["closed"]);
  await process.open("shop");
  process.start();
  await expect.poll(() => received.length).toBeGreaterThan(0);
  const request = { webhook: "closed", holder: "another", from: 0, limit: 10 };
  expect(await process.store.take("shop", request)).toMatchObject({ result: "taken", attempts: 0 });
}, 30_000);

it("keeps nothing of a webhook that another process has removed", async () => {
  const process = createProcess({ good: "/" });
  process.start();
  await process.tell(0, 1);
  const delivered = () => process.deliveries.figures()[0]?.counts.delivered ?? 0;
  await expect.poll(delivered).toBeGreaterThan(0);
  const [removed] = process.webhooks.splice(0);
  await process.tell(1, 1);
  // Seen at the next look.
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  process.webhooks.push(removed as NonNullable<typeof removed>);
  expect(delivered()).toBeLessThan(2);
  await expect.poll(() => received.map(({ data }) => data.n)).toContain(1);
  await expect.poll(delivered).toBe(1);
}, 30_000);
