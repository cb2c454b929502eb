/**
 * Goal: where nothing is configured by which people could sign in, each start prints a link that signs one browser in as an admin,
 * once, at any gateway, and nobody else by anything that a log or a preview of links has. Method: two gateways on Redis.
 */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ADMIN_KEY, type Gateway, startGateway } from "../../support/gateway.ts";
import { freePort } from "../../support/ports.ts";
import { within } from "../../support/within.ts";
import { redisStore } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const world = useWorld(() => ({
  store: redisStore,
  gateways: 2,
  rooms: [{ id: "one" }],
  env: { USHER_ADMIN_API_KEY: "", USHER_LOG_LEVEL: "debug" },
}));
const others: Gateway[] = [];
afterAll(() => Promise.all(others.map((gateway) => gateway.stop())));

const printed = (gateway: Gateway | undefined) =>
  [...String(gateway?.output()).matchAll(/^ {4}(http:\S+\?token=[\w-]{43})$/gm)].map(
    ([, link]) => new URL(String(link)),
  );
const linkOf = (index: number) => linkAt(world().gateways[index]);
const linkAt = (gateway: Gateway | undefined) =>
  within(10_000, async () => {
    const link = printed(gateway).at(-1);
    if (link === undefined) throw new Error("no link was printed");
    return link;
  });

/** As the page's button does, at either gateway. */
const press = (token: string | null, index = 0, headers: Record<string, string> = { origin: world().issuer }) =>
  world().http.request(`${world().gateways[index]?.origin}/admin/sign-in/link`, {
    method: "POST",
    headers,
    body: new URLSearchParams({ token: token ?? "" }),
  });

test("a page asks before the link is used; one press of many at once, at both gateways, signs in as an admin", async () => {
  const link = await linkOf(0);
  const token = link.searchParams.get("token");
  expect(link.origin).toBe(world().issuer);
  for (const method of ["GET", "HEAD", "GET"]) {
    const page = await world().http.request(link.href, { method, headers: { accept: "text/html" } });
    expect([page.status, page.setCookies]).toEqual([
      200,
      [expect.stringMatching(/^usher-sign-in-link=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/)],
    ]);
    expect(page.header("referrer-policy")).toBe("strict-origin");
  }
  for (const headers of [{}, { origin: "https://evil.example" }]) {
    expect((await press(token, 0, headers as Record<string, string>)).status).toBe(403);
  }
  const answers = await Promise.all(Array.from({ length: 10 }, (_, each) => press(token, each % 2)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(401)]);
  const winner = answers.find(({ status }) => status === 303);
  const cookie = String(winner?.setCookies[0]).split(";")[0] ?? "";
  for (const { status, setCookies } of answers) if (status === 401) expect(setCookies).toEqual([]);

  for (const { origin } of world().gateways) {
    const { principal, csrf_token } = (await world().http.get(`${origin}/admin/session`, { cookie })).json() as {
      principal: object;
      csrf_token: string;
    };
    expect(principal).toMatchObject({ kind: "person", role: "admin", rooms: null, name: "sign-in link" });
    const headers = { cookie, origin: world().issuer, "x-csrf-token": csrf_token };
    const change = await world().http.request(`${origin}/admin/rooms/one`, {
      method: "PATCH",
      headers,
      body: { message: "Hello" },
    });
    expect(change.status).toBe(200);
  }
  const rows = (await world().http.get(`${world().issuer}/admin/audit?limit=100`, { cookie })).body;
  const { rows: all } = JSON.parse(rows) as { rows: { route: string; status: number }[] };
  const ofLink = all.filter(({ route }) => route === "/sign-in/link").map(({ status }) => status);
  expect(ofLink.sort()).toEqual([303, ...Array(9).fill(401), 403, 403]);
  for (const secret of [String(token), cookie.split("=")[1] ?? ""]) expect(rows).not.toContain(secret);
});

test("the link's token is on the terminal once, in no line of the log and in no file", async () => {
  for (const [index, gateway] of world().gateways.entries()) {
    const token = (await linkOf(index)).searchParams.get("token") ?? "";
    const lines = gateway
      .output()
      .split("\n")
      .filter((line) => line.includes(token));
    expect(lines).toEqual([expect.stringMatching(/^ {4}http:/)]);
    const file = join(dirname(gateway.secretsFile), "secrets.registry.json");
    expect(await readFile(file, "utf8")).not.toContain(token);
  }
});

test("each process prints a link of its own; another token, or none, signs nobody in; a key that is made ends all links", async () => {
  const [first, second] = [await linkOf(0), await linkOf(1)];
  expect(second.href).not.toBe(first.href);
  const unknown = "x".repeat(43);
  for (const token of [unknown, "", "x", "x".repeat(9_000), `${second.searchParams.get("token")}x`]) {
    const page = await world().http.get(`${world().issuer}/admin/sign-in/link?token=${token.slice(0, 900)}`, {
      accept: "text/html",
    });
    expect([page.status, page.body.includes("start Usher again")], token.slice(0, 50)).toEqual([401, true]);
    expect((await press(token)).status, token.slice(0, 50)).toBe(401);
  }
  await world().gateways[0]?.halt();
  await world().gateways[0]?.start();
  await world().gateways[0]?.waitUntilReady();
  await within(10_000, async () => expect(printed(world().gateways[0])).toHaveLength(2));
  const third = printed(world().gateways[0])[1]?.searchParams.get("token") ?? "";
  const answer = await press(third);
  expect(answer.status).toBe(303);
  const cookie = String(answer.setCookies[0]).split(";")[0] ?? "";
  const { csrf_token } = (await world().http.get(`${world().issuer}/admin/session`, { cookie })).json() as {
    csrf_token: string;
  };
  const headers = { cookie, origin: world().issuer, "x-csrf-token": csrf_token };
  const made = await world().http.request(`${world().issuer}/admin/api-keys`, {
    method: "POST",
    headers,
    body: { role: "admin" },
  });
  expect(made.status, made.body).toBe(201);
  expect((await press(second.searchParams.get("token"))).status).toBe(401);
  // Who is in the middle of setting up goes on.
  expect((await world().http.get(`${world().issuer}/admin/rooms`, { cookie })).status).toBe(200);
});

test("no link is printed where there is an admin key; an operators' listener has its own address in it", async () => {
  const config = { store: { type: "memory" }, rooms: [{ id: "one", title: "One", inlet: { type: "manual" } }] };
  const withKey = await startGateway({ config, env: { USHER_ADMIN_API_KEY: ADMIN_KEY } });
  others.push(withKey);
  expect(printed(withKey)).toEqual([]);
  const port = await freePort();
  const apart = await startGateway({
    config: { ...config, admin: { listen: { host: "127.0.0.1", port } } },
    env: { USHER_ADMIN_API_KEY: "" },
  });
  others.push(apart);
  const link = await linkAt(apart);
  expect(link.origin).toBe(`http://localhost:${port}`);
  expect((await world().http.get(link.href)).status).toBe(200);
  expect((await world().http.get(`${apart.origin}/admin/sign-in/link${link.search}`)).status).toBe(404);
});
