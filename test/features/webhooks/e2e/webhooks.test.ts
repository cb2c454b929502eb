/** Webhooks that are made at run time, at two gateways on one Redis; signatures are checked by the published library. */
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redisStore } from "../../../e2e/redis-store.ts";
import { useWorld } from "../../../e2e/world.ts";
import { type Admin, createAdmin } from "../../../support/admin.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../../support/webhook-receiver.ts";

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());
const world = useWorld(() => ({
  store: redisStore,
  gateways: 2,
  rooms: [{ id: "shop" }, { id: "bar" }],
  config: { webhooks: { allowed_hosts: ["127.0.0.1"] } },
}));
const admin = (index = 0): Admin => createAdmin(world().http, world().gateways[index]?.origin ?? "");
const last = () => receiver.requests.at(-1) ?? { headers: {}, body: "" };

async function make(body: object, index = 0) {
  const answer = await admin(index).request("POST", "/webhooks", body);
  expect(answer.status, answer.body).toBe(201);
  return answer.json() as { id: string; secret: string };
}

describe("a webhook", () => {
  test("is made, shown without its secret, changed, tested and removed, at either process", async () => {
    const { id, secret } = await make({ url: receiver.url, note: "test", enabled: false });
    const shown = await admin(1).request("GET", `/webhooks/${id}`);
    expect(shown.json()).toMatchObject({
      id,
      url: receiver.url,
      rooms: null,
      format: "cloudevents",
      enabled: false,
      note: "test",
    });
    expect(shown.body).not.toContain(secret);
    expect((shown.json() as { types: string[] }).types).not.toContain("usher.room.figures");

    receiver.behaviours.push("refuse", "redirect", "accept");
    const attempt = async () => (await admin(1).request("POST", `/webhooks/${id}/test`)).json();
    expect(await attempt()).toMatchObject({ delivered: false, status: 503, answer: "busy" });
    expect(await attempt()).toMatchObject({ delivered: false, status: 302 });
    expect(await attempt()).toMatchObject({ delivered: true, status: 204, reason: null });
    expect(receiver.received.at(-1)).toMatchObject({ type: "usher.webhook.test", subject: `webhooks/${id}` });

    const rotated = (await admin(0).request("POST", `/webhooks/${id}/secret`, { overlap: "1h" })).json() as {
      secret: string;
    };
    await admin(1).request("POST", `/webhooks/${id}/test`);
    for (const each of [secret, rotated.secret]) new Webhook(each).verify(last().body, last().headers);
    expect((await admin(0).request("POST", `/webhooks/${id}/secret`, { overlap: "0s" })).status).toBe(200);
    await admin(1).request("POST", `/webhooks/${id}/test`);
    expect(() => new Webhook(secret).verify(last().body, last().headers)).toThrow();

    const changed = await admin(1).request("PATCH", `/webhooks/${id}`, { enabled: true, rooms: ["bar"], note: null });
    expect(changed.json()).toMatchObject({ enabled: true, rooms: ["bar"], note: null, url: receiver.url });
    expect((await admin(0).request("GET", `/webhooks/${id}/dead-letters`)).json()).toEqual({
      dead_letters: [],
      next_cursor: null,
    });
    expect((await admin(0).request("GET", `/webhooks/${id}/dead-letters?cursor=shop.1&limit=1`)).status).toBe(200);
    for (const cursor of ["nonsense", "shop.x", "shop.99999999999999999"]) {
      const answer = await admin(0).request("GET", `/webhooks/${id}/dead-letters?cursor=${cursor}`);
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining("next_cursor of the page before")]);
    }
    expect((await admin(0).request("POST", `/webhooks/${id}/dead-letters/shop.1/replay`)).status).toBe(404);
    expect((await admin(0).request("DELETE", `/webhooks/${id}`)).status).toBe(204);
    expect((await admin(1).request("GET", `/webhooks/${id}`)).status).toBe(404);
  });

  test.each([
    [{ url: "http://hooks.example/" }, "https"],
    [{ url: "https://169.254.169.254/latest" }, "public"],
    [{ url: "https://[::ffff:10.0.0.1]/" }, "public"],
    [{ url: "https://localhost:6379/" }, "this machine"],
    [{ url: "nonsense" }, "absolute"],
    [{ url: "https://hooks.example/", types: ["usher.room.opened"] }, "usher.room.opened"],
    [{ url: "https://hooks.example/", rooms: ["nowhere"] }, "nowhere"],
    [{ url: "https://hooks.example/", format: "xml" }, "format"],
    [{ url: "https://hooks.example/", secret: "whsec_AAAA" }, "secret"],
    [{}, "url"],
  ])("is not made of %j", async (body, says) => {
    const answer = await admin().request("POST", "/webhooks", body);
    expect([answer.status, answer.body.includes(says)]).toEqual([400, true]);
  });
});

test("a receiver that refuses, cuts and answers late has each event of a room in the end, in order and signed", async () => {
  const { secret } = await make({ url: receiver.url, rooms: ["shop"], types: ["usher.room.phase_changed"] });
  const [receivedBefore, requestsBefore] = [receiver.received.length, receiver.requests.length];
  receiver.behaviours.push("late", "refuse", "cut");
  for (const [index, step] of (["pause", "resume", "pause", "resume"] as const).entries())
    await admin(index % 2).step("shop", step);
  const phases = () => {
    const events = new Map(receiver.received.slice(receivedBefore).map(({ id, data }) => [id, data.phase]));
    return [...events.values()].slice(-4);
  };
  await expect.poll(phases).toEqual(["paused", "open", "paused", "open"]);
  for (const { body, headers } of receiver.requests.slice(requestsBefore)) new Webhook(secret).verify(body, headers);
  expect(
    world()
      .gateways.map((gateway) => gateway.output())
      .join(""),
  ).not.toContain(secret);
});
