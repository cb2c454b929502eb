// Long: waits until leases end, and for what is tried again after up to half a minute.
/**
 * Goal: webhooks lose nothing and keep the order of a room. Method: two gateways on one Redis send to a real receiver that refuses,
 * hangs, answers late and cuts connections, while a gateway is killed, Redis is restarted, and an older snapshot of it is put back. What
 * the receiver has had is compared with what the store tells, and every signature is checked by the published library.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Admin, createAdmin } from "../../../support/admin.ts";
import { ADMIN_KEY, type ProcessGateway, startGateways } from "../../../support/gateway.ts";
import { createHttpClient } from "../../../support/http-client.ts";
import { type RedisServer, startRedis } from "../../../support/redis-server.ts";

interface Received {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly data: Record<string, unknown>;
}
type Behaviour = (response: ServerResponse) => void;

const http = createHttpClient();
const received: Received[] = [];
const headersSeen: Record<string, string>[] = [];
const bodies: string[] = [];
/** What the receiver does with the next requests; beyond that it accepts. */
const behaviours: Behaviour[] = [];
const accept: Behaviour = (response) => response.writeHead(204).end();
const refuse: Behaviour = (response) => response.writeHead(503).end("busy");
const cut: Behaviour = (response) => response.destroy();
const late: Behaviour = (response) => void setTimeout(() => accept(response), 700);
const hang: Behaviour = () => undefined;

const receiver = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    const behave = behaviours.shift() ?? accept;
    headersSeen.push(request.headers as Record<string, string>);
    bodies.push(body);
    // What it cuts or answers late it has had all the same.
    if (behave !== refuse && behave !== hang) received.push(JSON.parse(body));
    behave(response);
  });
});

let redis: RedisServer;
let gateways: ProcessGateway[];
let url: string;
const admin = (index = 0): Admin => createAdmin(http, gateways[index]?.origin ?? "");

beforeAll(async () => {
  redis = await startRedis();
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/usher?key=1`;
  gateways = await startGateways(2, {
    asProcess: true,
    config: {
      store: { type: "redis", url: redis.url },
      rooms: [{ id: "shop" }, { id: "bar" }],
      clients: [],
      webhooks: { allowed_hosts: ["127.0.0.1"] },
    },
  });
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  http.close();
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await redis.stop();
});

async function make(body: object, index = 0) {
  const answer = await admin(index).request("POST", "/webhooks", body);
  expect(answer.status, answer.body).toBe(201);
  return answer.json() as { id: string; secret: string };
}

/** All that the store tells of a room, as a reader from the beginning gets it. */
async function toldOf(room: string): Promise<Received[]> {
  const abort = new AbortController();
  const answer = await fetch(`${gateways[1]?.origin}/admin/events?room=${room}`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}`, "last-event-id": "1" },
    signal: abort.signal,
  });
  let text = "";
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  abort.abort();
  await reading;
  return Array.from(text.matchAll(/^data: (.*)$/gm), ([, json = ""]) => JSON.parse(json));
}

const firstTimes = (events: readonly Received[], room: string) => [
  ...new Set(events.filter(({ subject }) => subject === `rooms/${room}`).map(({ id }) => id)),
];

test("a receiver that fails, hangs, answers late and cuts loses nothing, nor does a kill, a restart or a loss of Redis", async () => {
  const { secret } = await make({ url, rooms: ["shop", "bar"], types: ["usher.room.*"] });
  const slack = await make({
    url,
    rooms: ["bar"],
    types: ["usher.room.phase_changed"],
    enabled: false,
    format: "slack",
  });
  expect(slack.id).toMatch(/^[0-9a-f]{16}$/);
  received.length = 0;
  const beginMs = headersSeen.length;
  const toggle = async (room: string, index: number) => {
    await admin(index).step(room, "pause");
    await admin(index).step(room, "resume");
  };

  behaviours.push(late, refuse, accept, cut, refuse, late);
  await toggle("shop", 0);
  await toggle("bar", 1);
  await expect.poll(() => received.length).toBeGreaterThan(7);

  // A process dies with the receiver hanging: the other takes over when the lease has ended.
  behaviours.push(hang, hang);
  await toggle("shop", 0);
  await expect.poll(() => behaviours.length).toBeLessThan(2);
  await gateways[0]?.kill();
  await toggle("shop", 1);
  await redis.save();
  await toggle("bar", 1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));

  // An older snapshot is put back, as after a failover that came before its replica had all.
  await redis.restore();
  await expect.poll(async () => (await admin(1).request("POST", "/rooms/bar/pause")).status).toBe(200);
  await redis.save();
  await redis.restart();
  await expect.poll(async () => (await admin(1).request("POST", "/rooms/bar/resume")).status).toBe(200);

  for (const room of ["shop", "bar"]) {
    await expect
      .poll(async () => firstTimes(received, room).length - firstTimes(await toldSince(room), room).length, {
        // Half a minute on an idle machine; a refusal is repeated after up to that again.
        timeout: 120_000,
        interval: 1_000,
      })
      .toBe(0);
    expect(firstTimes(received, room)).toEqual(firstTimes(await toldSince(room), room));
  }
  const verifier = new Webhook(secret);
  for (const [index, headers] of headersSeen.entries()) {
    if (index >= beginMs) verifier.verify(bodies[index] ?? "", headers);
  }
  expect(bodies.join("")).not.toContain(ADMIN_KEY);
  expect(gateways.map((gateway) => gateway.output()).join("")).not.toContain(secret);

  /** From the first event that the webhook could have had. */
  async function toldSince(room: string): Promise<Received[]> {
    const all = (await toldOf(room)).filter(({ type }) => type.startsWith("usher.room."));
    const first = received.find(({ subject }) => subject === `rooms/${room}`)?.id;
    return all.slice(all.findIndex(({ id }) => id === first));
  }
}, 300_000);
