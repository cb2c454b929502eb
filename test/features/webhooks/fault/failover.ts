/**
 * Goal: over a failover of Redis webhooks lose nothing that a process knew of, keep the order of each room, and tell what is lost.
 * Method: two gateways behind a Sentinel, a replica that has everything or has been cut off, a master that is killed (SIGKILL), and a
 * real receiver that refuses, cuts, answers late and hangs. What a reader of the event stream was told before is what it has to have.
 */

import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { areAnswered, until } from "../../../fault/heard.ts";
import { createAdmin } from "../../../support/admin.ts";
import { ADMIN_KEY, type Gateway, type ProcessGateway, startGateway } from "../../../support/gateway.ts";
import { createHttpClient } from "../../../support/http-client.ts";
import { type RedisWithReplica, startRedisWithReplica } from "../../../support/redis-failover.ts";
import { type ReceivedEvent, startWebhookReceiver, type WebhookReceiver } from "../../../support/webhook-receiver.ts";

/** What the receiver does first. A request that hangs takes ten seconds, and refusals in a row wait longer each. */
const longTrouble = ["late", "refuse", "accept", "cut", "refuse", "hang"] as const;
const shortTrouble = ["refuse", "accept", "cut"] as const;

/** @param isShort the replica has everything, one gateway alone is a process of its own, and the receiver gives less trouble */
export function describeWebhookFailover({ isShort }: { isShort: boolean }): void {
  const rooms = ["shop", "bar"];
  const http = createHttpClient();
  let redis: RedisWithReplica;
  let receiver: WebhookReceiver;
  let first: ProcessGateway;
  let gateways: Gateway[];
  let told: ReceivedEvent[];
  let secret: string;
  let reading: AbortController;
  const admin = (index: number) => createAdmin(http, gateways[index]?.origin ?? "");
  const origins = () => gateways.map(({ origin }) => origin);

  beforeEach(async () => {
    redis = await startRedisWithReplica();
    receiver = await startWebhookReceiver();
    const config = {
      store: { type: "redis", url: redis.url },
      rooms: rooms.map((id) => ({ id })),
      clients: [],
      webhooks: { allowed_hosts: ["127.0.0.1"] },
    };
    first = await startGateway({ asProcess: true, config });
    const { issuer, secretsFile } = first;
    gateways = [first, await startGateway({ asProcess: !isShort, config: { ...config, issuer }, secretsFile })];
    const made = await admin(0).request("POST", "/webhooks", { url: receiver.url, types: ["usher.*"] });
    secret = (made.json() as { secret: string }).secret;
    told = [];
    reading = new AbortController();
    await listen();
  });

  afterEach(async () => {
    reading.abort();
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await receiver.close();
    await redis.stop();
  });

  /** Hears what the second gateway tells, from now on. */
  async function listen(): Promise<void> {
    const { signal } = reading;
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const answer = await fetch(`${origins()[1]}/admin/events`, { headers, signal });
    void (async () => {
      let text = "";
      for await (const chunk of answer.body ?? []) {
        text += Buffer.from(chunk).toString();
        const messages = text.split("\n\n");
        text = messages.pop() ?? "";
        for (const message of messages) {
          const json = /^data: (.*)$/m.exec(message)?.[1];
          if (json !== undefined) told.push(JSON.parse(json));
        }
      }
    })().catch(() => undefined);
  }

  /** Two events of the room, and two more. */
  async function toggle(room: string, index: number): Promise<void> {
    await admin(index).step(room, "pause");
    await admin(index).step(room, "resume");
  }

  async function makeClient(client_id: string): Promise<void> {
    const client = { client_id, redirect_uris: ["https://shop.example.com/callback"], room: "shop" };
    expect((await admin(0).request("POST", "/clients", client)).status).toBe(201);
  }

  /** The reader was told so many events of rooms, and of this client. */
  async function untilTold(ofRooms: number, client: string): Promise<void> {
    await until(async () => {
      expect(told.filter(({ type }) => type === "usher.room.hold_began").length).toBeGreaterThanOrEqual(ofRooms);
      expect(told.map(({ subject }) => subject)).toContain(`clients/${client}`);
    });
  }

  const idsOf = (events: readonly ReceivedEvent[], subject: string) => [
    ...new Set(events.filter((event) => event.subject === subject).map(({ id }) => id)),
  ];
  const missed = () => receiver.received.filter(({ type }) => type === "usher.webhook.events_missed");

  /** Each event that was told has come, those of a room in their order. */
  async function expectAllToCome(from: number): Promise<void> {
    await until(async () => {
      const had = new Set(receiver.received.map(({ id }) => id));
      expect(told.filter(({ id }) => !had.has(id)).map(({ id, type }) => `${type} ${id}`)).toEqual([]);
    });
    for (const room of rooms) {
      const subject = `rooms/${room}`;
      const wanted = idsOf(told.slice(from), subject);
      expect(idsOf(receiver.received, subject).filter((id) => wanted.includes(id))).toEqual(wanted);
    }
    const verifier = new Webhook(secret);
    for (const { body, headers } of receiver.requests) verifier.verify(body, headers);
  }

  async function failOver(): Promise<void> {
    await redis.master.kill();
    for (const room of rooms) await areAnswered(http, origins(), room);
  }

  test("a replica that has everything: nothing is lost, though a process dies with the master", async () => {
    receiver.behaviours.push(...(isShort ? shortTrouble : longTrouble));
    for (const [index, room] of rooms.entries()) await toggle(room, index);
    await makeClient("shop-alb");
    await untilTold(2, "shop-alb");
    await redis.untilReplicated();
    await first.kill();
    const gone = gateways.splice(0, 1);
    await failOver();
    await toggle("shop", 0);
    await toggle("bar", 0);
    await expectAllToCome(0);
    expect(missed()).toEqual([]);
    await Promise.all(gone.map((gateway) => gateway.stop()));
  });

  if (isShort) return;

  test("a replica that was cut off: what it did not get comes from the processes, once and in order", async () => {
    for (const [index, room] of rooms.entries()) await toggle(room, index);
    await makeClient("shop-alb");
    await untilTold(2, "shop-alb");
    await redis.untilReplicated();
    await redis.cutReplica();
    receiver.usual = "refuse";
    await toggle("shop", 0);
    await toggle("bar", 1);
    await makeClient("late-alb");
    await untilTold(4, "late-alb");
    await failOver();
    receiver.usual = "accept";
    await toggle("shop", 1);
    await toggle("bar", 0);
    await expectAllToCome(0);
    expect(receiver.received.filter(({ subject }) => subject === "clients/late-alb").length).toBeGreaterThan(0);
    expect(missed()).toEqual([]);
  });

  test("a replica that was cut off for longer than processes remember: the receiver is told between which times events are lost", async () => {
    await toggle("shop", 0);
    await makeClient("shop-alb");
    await untilTold(1, "shop-alb");
    await until(async () => expect(idsOf(receiver.received, "rooms/shop").length).toBeGreaterThan(2));
    await redis.untilReplicated();
    await redis.cutReplica();
    receiver.usual = "refuse";
    for (let n = 0; n < 80; n++) await toggle("shop", n % 2);
    const count = () => idsOf(told, "rooms/shop").length;
    await until(async () => expect(count()).toBeGreaterThanOrEqual(320));
    const before = idsOf(told, "rooms/shop");
    await failOver();
    receiver.usual = "accept";
    await until(async () => expect(missed().map(({ subject }) => subject)).toEqual(["rooms/shop"]));
    // What is remembered comes behind it, whole and in order.
    const remembered = before.slice(-200);
    await until(async () => {
      const after = receiver.received.slice(receiver.received.indexOf(missed()[0] as ReceivedEvent));
      expect(idsOf(after, "rooms/shop").filter((id) => remembered.includes(id))).toEqual(remembered);
    });
  });
}
