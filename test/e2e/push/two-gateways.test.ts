/**
 * Goal: a visitor who has subscribed is notified once that the turn is near, and once that it has come, whatever push services do
 * and however many gateways there are. Method: two gateways on one Redis, and a push service that decrypts what it gets and checks who sends it.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { type PushService, startPushService } from "../../support/push-service.ts";
import { redisStore } from "../redis-store.ts";
import { initiateLoginUri, useWorld } from "../world.ts";

interface Joined {
  readonly ticket: string;
  readonly position: number;
}

describe("two gateways", () => {
  let service: PushService;
  const world = useWorld(async () => {
    service = await startPushService();
    const ids = ["calls", "bounds", "refusals", "hangs", "leaving"];
    const rooms = ids.map((id) => ({ id, settings: { push: true } }));
    return {
      store: redisStore,
      gateways: 2,
      rooms: [...rooms, { id: "quiet" }],
      config: { push: { services: [service.host], contact: "mailto:ops@example.com" } },
    };
  });
  afterAll(() => service.stop());

  const origin = (index = 0) => world().gateways[index]?.origin ?? "";
  const join = async (room: string): Promise<Joined> =>
    (await fetch(`${origin()}/rooms/${room}/tickets`, { method: "POST" })).json() as Promise<Joined>;
  const ask = (method: string, room: string, { ticket }: Joined, body?: unknown, index = 0) =>
    fetch(`${origin(index)}/rooms/${room}/tickets/me/push`, {
      method,
      headers: { authorization: `Bearer ${ticket}`, "content-type": "application/json" },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  const publicKey = async (room: string, index = 0) => {
    const answer = await fetch(`${origin(index)}/rooms/${room}/push`);
    return ((await answer.json()) as { public_key: string }).public_key;
  };
  const subscribe = async (room: string, name: string, language = "en") => {
    const joined = await join(room);
    const subscription = service.subscribe(name, await publicKey(room));
    expect((await ask("POST", room, joined, { ...subscription, language })).status).toBe(204);
    return joined;
  };
  const stages = (name: string) => service.deliveredTo(name).map(({ message }) => message.stage);
  const metric = async (name: string, room: string) => {
    const texts = await Promise.all([0, 1].map(async (index) => (await fetch(`${origin(index)}/metrics`)).text()));
    return texts.map((text) => {
      const line = text.split("\n").find((each) => each.startsWith(`${name}{`) && each.includes(`room="${room}"`));
      return Number(line?.split(" ").at(-1) ?? 0);
    });
  };

  test("notify a visitor once that it is near and once that it has come, in their language, with nothing secret", async () => {
    for (let i = 0; i < 20; i++) await join("calls");
    const joined = await subscribe("calls", "anna", "de-AT");
    // A visitor who reloads the page subscribes again; at the other gateway, too.
    const again = { ...service.subscribe("anna", await publicKey("calls", 1)), language: "de-AT" };
    expect((await ask("POST", "calls", joined, again, 1)).status).toBe(204);
    await expect.poll(() => metric("usher_push_subscriptions", "calls"), { timeout: 10_000 }).toEqual([1, 1]);
    expect(stages("anna")).toEqual([]);
    await world().admin.increment("calls", 10);
    await expect.poll(() => stages("anna"), { timeout: 10_000 }).toEqual(["near"]);
    await world().admin.increment("calls", 11);
    await expect.poll(() => stages("anna"), { timeout: 10_000 }).toEqual(["near", "turn"]);
    // Both gateways have asked several times since.
    await delay(3_000);
    expect(stages("anna")).toEqual(["near", "turn"]);
    expect(service.faults).toEqual([]);
    const [near, turn] = service.deliveredTo("anna");
    expect(near?.headers).toMatchObject({ ttl: "300", urgency: "high", topic: "calls" });
    expect(turn?.headers).toMatchObject({ ttl: "900", urgency: "high", topic: "calls" });
    expect(turn?.message).toEqual({
      title: "The room calls",
      body: "Sie sind an der Reihe.",
      lang: "de",
      dir: "ltr",
      stage: "turn",
      address: initiateLoginUri("calls"),
      client: null,
    });
    const answers = [...world().gateways].map((gateway) => gateway.output()).join("\n");
    expect(answers).not.toContain("/push/anna");
    expect(answers).not.toContain(joined.ticket);
    expect((await ask("POST", "calls", joined, again)).status).toBe(409);
  });

  test("take subscriptions of the visitor's own, of listed services, and within bounds alone", async () => {
    const joined = await join("bounds");
    const good = service.subscribe("bea");
    const status = async (method: string, room: string, who: Joined, body?: unknown) =>
      (await ask(method, room, who, body)).status;
    expect(await status("POST", "bounds", { ...joined, ticket: "w1.x" }, good)).toBe(401);
    expect(await status("POST", "quiet", await join("quiet"), good)).toBe(404);
    expect((await fetch(`${origin()}/rooms/quiet/push`)).status).toBe(404);
    expect(await status("POST", "bounds", joined, { ...good, endpoint: "http://127.0.0.1:1/push" })).toBe(400);
    expect(await status("POST", "bounds", joined, { ...good, endpoint: "https://evil.example/" })).toBe(400);
    expect(await status("POST", "bounds", joined, { ...good, keys: { p256dh: "x", auth: "y" } })).toBe(400);
    expect(await status("POST", "bounds", joined, "{")).toBe(400);
    expect(await status("POST", "bounds", joined, { ...good, filler: "x".repeat(5_000) })).toBe(413);
    const foreign = await fetch(`${origin()}/rooms/bounds/tickets/me/push`, {
      method: "POST",
      headers: {
        cookie: `usher_ticket_bounds=${joined.ticket}`,
        origin: "https://evil.example",
        "content-type": "application/json",
      },
      body: JSON.stringify(good),
    });
    expect([401, 403]).toContain(foreign.status);
    expect(await status("POST", "bounds", joined, good)).toBe(204);
    expect(await status("DELETE", "bounds", joined)).toBe(204);
    expect(await status("DELETE", "bounds", joined)).toBe(204);
    await world().admin.increment("bounds", 1);
    await delay(4_000);
    expect(stages("bea")).toEqual([]);
  });

  test("leave a service alone that is overloaded, for as long as it says, and forget a browser that is gone", async () => {
    await subscribe("refusals", "carl");
    await subscribe("refusals", "dora");
    service.unsubscribe("dora");
    service.refusals.push({ status: 429, headers: { "retry-after": "2" } });
    await world().admin.increment("refusals", 2);
    await expect.poll(() => stages("carl"), { timeout: 30_000 }).toEqual(["turn"]);
    await expect.poll(() => metric("usher_push_subscriptions", "refusals"), { timeout: 10_000 }).toEqual([0, 0]);
    expect(stages("dora")).toEqual([]);
    const failures = await metric("usher_push_failures_total", "refusals");
    expect(failures.reduce((sum, each) => sum + each, 0)).toBe(1);
    const gone = await metric("usher_push_gone_total", "refusals");
    expect(gone.reduce((sum, each) => sum + each, 0)).toBe(1);
  });

  test("notify again a service that has not answered", async () => {
    await subscribe("hangs", "emil");
    service.refuse("hang");
    await world().admin.increment("hangs", 1);
    await expect.poll(() => service.hanging(), { timeout: 10_000 }).toBe(1);
    service.refuse(null);
    await expect.poll(() => stages("emil"), { timeout: 60_000 }).toEqual(["turn"]);
  });

  test("forget a visitor who leaves", async () => {
    const joined = await subscribe("leaving", "fred");
    const left = await fetch(`${origin(1)}/rooms/leaving/tickets/me`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${joined.ticket}` },
    });
    expect(left.status).toBe(204);
    await expect.poll(() => metric("usher_push_subscriptions", "leaving"), { timeout: 10_000 }).toEqual([0, 0]);
    await world().admin.increment("leaving", 1);
    await delay(3_500);
    expect(stages("fred")).toEqual([]);
    expect(service.faults).toEqual([]);
  });
});
