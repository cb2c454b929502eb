/** Goal: a store that is away delays links and uses none up; one that is emptied ends them, and says so. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";
import { within } from "../../support/within.ts";

const http = createHttpClient();
let redis: RedisServer;
let gateway: Gateway;
beforeAll(async () => {
  redis = await startRedis();
  await redis.kill();
  gateway = await startGateway({
    config: {
      store: { type: "redis", url: redis.url },
      rooms: [{ id: "one", title: "One", inlet: { type: "manual" } }],
    },
    env: { USHER_ADMIN_API_KEY: "" },
    waitUntilReady: false,
  });
});
afterAll(async () => {
  http.close();
  await gateway?.stop();
  await redis?.stop();
});

const printed = () =>
  [...gateway.output().matchAll(/^ {4}(http:\S+\?token=[\w-]{43})$/gm)].map(([, link]) => String(link));
const press = (path: string, token: string) =>
  http.request(`${gateway.origin}/admin/${path}`, {
    method: "POST",
    headers: { origin: gateway.origin, accept: "text/html" },
    body: new URLSearchParams({ token }),
  });
const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";

test("the link is printed when the store answers; while that is away again, links and their pages wait", async () => {
  expect(printed()).toEqual([]);
  await redis.restart();
  const link = await within(20_000, async () => {
    const [first] = printed();
    if (first === undefined) throw new Error("no link was printed");
    return first;
  });
  await gateway.waitUntilReady(20_000);
  await redis.kill();
  const away = await http.get(link, { accept: "text/html" });
  expect([away.status, away.body.includes("the store is away")]).toEqual([503, true]);
  expect((await press("sign-in/link", tokenOf(link))).status).toBe(503);
  expect(printed()).toEqual([link]);
});

test("a debug link's page waits for the store and loads itself again; a link ends with what the store lost", async () => {
  await redis.restart();
  await gateway.waitUntilReady(20_000);
  await gateway.halt();
  await gateway.start();
  await gateway.waitUntilReady(20_000);
  const second = await within(20_000, async () => {
    const link = printed()[1];
    if (link === undefined) throw new Error("no second link was printed");
    return link;
  });
  // It was in the store that was killed.
  expect((await press("sign-in/link", tokenOf(printed()[0] ?? ""))).status).toBe(401);
  const signedIn = await within(10_000, async () => {
    const answer = await press("sign-in/link", tokenOf(second));
    expect(answer.status).toBe(303);
    return answer;
  });
  const cookie = String(signedIn.setCookies[0]).split(";")[0] ?? "";
  const session = (await http.get(`${gateway.origin}/admin/session`, { cookie })).json() as { csrf_token: string };
  const { position } = (
    await within(10_000, async () => {
      const joined = await http.request(`${gateway.origin}/rooms/one/tickets`, { method: "POST" });
      expect(joined.status).toBe(201);
      return joined;
    })
  ).json() as { position: number };
  const made = await http.request(`${gateway.origin}/admin/rooms/one/visitors/${position}/debug-link`, {
    method: "POST",
    headers: { cookie, origin: gateway.origin, "x-csrf-token": session.csrf_token },
    body: {},
  });
  expect(made.status, made.body).toBe(201);
  const { url } = made.json() as { url: string };
  const opened = await press("debug-link", tokenOf(url));
  const own = { cookie: String(opened.setCookies[0]).split(";")[0] ?? "", accept: "text/html" };
  expect((await http.get(url, own)).body).toContain("in line");
  await redis.kill();
  const away = await http.get(url, own);
  expect([away.status, away.header("refresh"), away.body.includes("the store is away")]).toEqual([503, "10", true]);
  // The answer to a form is no page that could load itself.
  const pressed = await press("debug-link", tokenOf(url));
  expect([pressed.status, pressed.header("refresh")]).toEqual([503, undefined]);
  await redis.restart();
  await within(20_000, async () => {
    const gone = await http.get(url, own);
    expect([gone.status, gone.body.includes("expired, or is none")]).toEqual([404, true]);
  });
});
