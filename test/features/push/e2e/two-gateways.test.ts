/** What is promised of notifications, and what is refused; a service that does not answer is in the long test beside it. */
import { describe, expect, test } from "vitest";
import { initiateLoginUri } from "../../../e2e/world.ts";
import { type Joined, usePushes } from "./pushes.ts";

describe("two gateways", () => {
  const { world, service, origin, join, ask, publicKey, subscribe, bothHear, moveOn, stages } = usePushes();

  test("notify a visitor once that it is near and once that it has come, in their language, with nothing secret", async () => {
    for (let i = 0; i < 20; i++) await join("calls");
    const joined = await subscribe("calls", "anna", "de-AT");
    // A visitor who reloads the page subscribes again; at the other gateway, too.
    const again = { ...service().subscribe("anna", await publicKey("calls", 1)), language: "de-AT" };
    expect((await ask("POST", "calls", joined, again, 1)).status).toBe(204);
    await bothHear("calls", 1);
    expect(stages("anna")).toEqual([]);
    await world().admin.increment("calls", 10);
    await expect.poll(() => stages("anna")).toEqual(["near"]);
    await world().admin.increment("calls", 11);
    await expect.poll(() => stages("anna")).toEqual(["near", "turn"]);
    await bothHear("calls", 0);
    expect(stages("anna")).toEqual(["near", "turn"]);
    expect(service().faults).toEqual([]);
    const [near, turn] = service().deliveredTo("anna");
    expect(near?.headers).toMatchObject({ ttl: "300", urgency: "high", topic: "calls" });
    expect(turn?.headers).toMatchObject({ ttl: "900", urgency: "high", topic: "calls" });
    expect(turn?.message).toEqual({
      title: "The room calls",
      body: "Sie sind an der Reihe",
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

  test("serve the service worker of a room that notifies, to be asked for each time, and of no other", async () => {
    const answer = await fetch(`${origin()}/rooms/bounds/push/worker.js`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": "default-src 'none'; connect-src 'self'",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    expect(answer.headers.has("service-worker-allowed")).toBe(false);
    expect(await answer.text()).toContain("pushsubscriptionchange");
    expect((await fetch(`${origin()}/rooms/quiet/push/worker.js`)).status).toBe(404);
  });

  test("take subscriptions of the visitor's own, of listed services, and within bounds alone", async () => {
    const joined = await join("bounds");
    const good = service().subscribe("bea");
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
    expect(await status("POST", "bounds", joined, { ...good, public_key: service().ownKey() })).toBe(400);
    expect(await status("POST", "bounds", joined, { ...good, public_key: await publicKey("bounds") })).toBe(204);
    expect(await status("POST", "bounds", joined, good)).toBe(204);
    expect(await status("DELETE", "bounds", joined)).toBe(204);
    expect(await status("DELETE", "bounds", joined)).toBe(204);
    await subscribe("bounds", "bert");
    await moveOn("bounds", 2, 1);
    expect([stages("bea"), stages("bert")]).toEqual([[], ["turn"]]);
  });

  test("take the word of Usher's own pages alone for a visitor whose ticket comes by its cookie", async () => {
    const joined = await join("origins");
    const askAsPage = (method: string, from: Record<string, string>, body?: unknown) =>
      fetch(`${origin()}/rooms/origins/tickets/me/push`, {
        method,
        headers: { cookie: `usher-origins=${joined.ticket}`, "content-type": "application/json", ...from },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const ownPage = { origin: world().issuer, "sec-fetch-site": "same-origin" };
    expect((await askAsPage("POST", ownPage, service().subscribe("cleo", await publicKey("origins")))).status).toBe(
      204,
    );
    const evil = service().subscribe("evil", await publicKey("origins"));
    const foreignPages: Record<string, string>[] = [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example" },
      { origin: `${world().issuer}.evil.example` },
      { origin: world().issuer.replace("http:", "https:") },
      { origin: world().issuer, "sec-fetch-site": "same-site" },
      { origin: "null", "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "none" },
      {},
    ];
    for (const from of foreignPages) {
      expect((await askAsPage("POST", from, evil)).status, JSON.stringify(from)).toBe(403);
      expect((await askAsPage("DELETE", from)).status, JSON.stringify(from)).toBe(403);
    }
    await moveOn("origins", 1, 1);
    expect([stages("evil"), stages("cleo")]).toEqual([[], ["turn"]]);
  });

  test("forget a visitor who leaves", async () => {
    const joined = await subscribe("leaving", "fred");
    const left = await fetch(`${origin(1)}/rooms/leaving/tickets/me`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${joined.ticket}` },
    });
    expect(left.status).toBe(204);
    await subscribe("leaving", "gina");
    await moveOn("leaving", 2, 1);
    expect([stages("fred"), stages("gina")]).toEqual([[], ["turn"]]);
    expect(service().faults).toEqual([]);
  });
});
