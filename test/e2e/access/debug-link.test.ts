/**
 * Goal: a link shows support how it stands with one visitor, and why, without a key: to the browser that opens it first, for its time,
 * at any gateway, and nothing but that. Method: two gateways on Redis.
 */
import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { runUsher } from "../../support/usher-command.ts";
import { within } from "../../support/within.ts";
import { redisStore } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const deskKey = "key-of-the-desk-0123456789abcdef";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const world = useWorld(() => ({
  store: redisStore,
  gateways: 2,
  rooms: [{ id: "one", settings: { title: "<i>One</i>" } }, { id: "two" }],
  config: {
    admin: { keys: [{ id: "desk", key_sha256: sha256(deskKey), role: "box_office", rooms: ["one"] }] },
  },
}));
const secrets: string[] = [];
afterAll(() => {
  for (const gateway of world().gateways) {
    expect(gateway.output()).not.toMatch(/uncaught|unhandled/i);
    for (const secret of secrets) expect(gateway.output()).not.toContain(secret);
  }
});

interface Row {
  readonly route: string;
  readonly room: string;
  readonly status: number;
  readonly principal: { readonly id: string } | null;
  readonly subject: object;
}

const originAt = (index: number) => String(world().gateways[index]?.origin);
async function join(room = "one"): Promise<{ ticket: string; position: number }> {
  const joined = await world().http.request(`${world().issuer}/rooms/${room}/tickets`, { method: "POST" });
  const { ticket, position } = joined.json() as { ticket: string; position: number };
  secrets.push(ticket);
  return { ticket, position };
}
const make = (ref: string, body: object = {}, key = deskKey, room = "one") =>
  world().http.request(`${originAt(0)}/admin/rooms/${room}/visitors/${ref}/debug-link`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body,
  });
async function made(
  ref: string | number,
  body: object = {},
  key = deskKey,
): Promise<{ url: URL; token: string; expires_at: string }> {
  const answer = await make(String(ref), body, key);
  expect(answer.status, answer.body).toBe(201);
  const { url, expires_at } = answer.json() as { url: string; expires_at: string };
  const token = new URL(url).searchParams.get("token") ?? "";
  secrets.push(token);
  return { url: new URL(url), token, expires_at };
}
const pathOf = ({ pathname, search }: URL) => pathname + search;
const show = (url: URL, cookie = "", index = 0) =>
  world().http.get(`${originAt(index)}${pathOf(url)}`, { accept: "text/html", ...(cookie && { cookie }) });
const press = (token: string, headers: Record<string, string> = { origin: world().issuer }, index = 0) =>
  world().http.request(`${originAt(index)}/admin/debug-link`, {
    method: "POST",
    headers: { accept: "text/html", ...headers },
    body: new URLSearchParams({ token }),
  });
async function open(token: string, index = 0): Promise<string> {
  const answer = await press(token, { origin: world().issuer }, index);
  expect([answer.status, answer.header("location")]).toEqual([303, `/admin/debug-link?token=${token}`]);
  expect(answer.setCookies[0]).toMatch(/^usher-debug=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/);
  const cookie = String(answer.setCookies[0]).split(";")[0] ?? "";
  secrets.push(cookie.split("=")[1] ?? "");
  return cookie;
}

test("the browser that opens it first sees state and why as they change, at both gateways, and no other browser does", async () => {
  const { ticket, position } = await join();
  const { url, token, expires_at } = await made(position);
  expect(url.origin).toBe(world().issuer);
  expect(Math.abs(Date.parse(expires_at) - Date.now() - 30 * 60_000)).toBeLessThan(30_000);
  // Previews of links take nothing from the visitor's helper.
  for (const index of [0, 1, 0]) {
    const page = await show(url, "", index);
    expect([page.status, page.body.includes("Open in this browser")]).toEqual([200, true]);
    expect(page.body).not.toContain("ahead");
  }
  for (const headers of [{}, { origin: "https://evil.example" }] as Record<string, string>[]) {
    expect((await press(token, headers)).status).toBe(403);
  }
  const cookie = await open(token);
  for (const index of [0, 1]) {
    const page = await show(url, cookie, index);
    expect([page.status, page.header("refresh"), page.header("cache-control")]).toEqual([200, "10", "no-store"]);
    expect(page.body).toContain("in line: nobody is ahead");
    expect(page.body).toContain("&lt;i&gt;One&lt;/i&gt;");
    expect(page.header("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.header("referrer-policy")).toBe("strict-origin");
    expect(page.body).not.toContain("<script");
    for (const secret of [ticket, "127.0.0.1", cookie.split("=")[1] ?? ""]) expect(page.body).not.toContain(secret);
    const still = await show(new URL(`${url.href}&updates=off`), cookie, index);
    expect([still.header("refresh"), still.body.includes("in line")]).toEqual([undefined, true]);
  }
  await world().admin.step("one", "pause");
  expect((await show(url, cookie, 1)).body).toContain("paused by an operator");
  await world().admin.step("one", "resume");

  for (const other of ["", "usher-debug=x", `${cookie.split("=")[0]}=${"x".repeat(43)}`]) {
    const page = await show(url, other, 1);
    expect([page.status, page.body.includes("already opened in another browser")]).toEqual([403, true]);
    expect(page.body).not.toContain("in line:");
  }
  const second = await press(token, { origin: world().issuer }, 1);
  expect([second.status, second.setCookies]).toEqual([403, []]);
  // The same button once more, in the same browser: the audit has it once.
  for (const index of [0, 1]) {
    expect((await press(token, { origin: world().issuer, cookie }, index)).status).toBe(303);
  }
  const { rows } = (await world().admin.request("GET", "/audit?limit=100")).json() as { rows: Row[] };
  expect(rows.filter(({ route, status }) => route === "/debug-link" && status === 303)).toHaveLength(1);
});

test("of many browsers at once, at both gateways, one opens it; its cookie opens no other link, and nothing of the admin API", async () => {
  const { position } = await join();
  const [first, second] = [await made(position), await made(position)];
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => press(first.token, { origin: world().issuer }, index % 2)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(11).fill(403)]);
  const cookie = String(answers.find(({ status }) => status === 303)?.setCookies[0]).split(";")[0] ?? "";
  await open(second.token);
  const [, value] = cookie.split("=");
  expect((await show(second.url, cookie)).status).toBe(403);
  expect((await show(first.url, cookie)).status).toBe(200);
  for (const path of ["/rooms", "/rooms/one", `/rooms/one/visitors/${position}`]) {
    for (const headers of [
      { cookie },
      { cookie: `usher-session=${value}` },
      { authorization: `Bearer ${first.token}` },
    ]) {
      const answer = await world().http.get(`${originAt(0)}/admin${path}`, headers as Record<string, string>);
      expect(answer.status, path).toBe(401);
    }
  }
});

test("it is made in the bounds of role, rooms and time, and only for somebody; the audit says by whom, and who opened it", async () => {
  const { ticket, position } = await join();
  const ofOther = await join("two");
  const statuses = async (...all: ReturnType<typeof make>[]) => (await Promise.all(all)).map(({ status }) => status);
  expect(await statuses(make(String(ofOther.position), {}, deskKey, "two"))).toEqual([403]);
  expect(await statuses(make(String(position), {}, "wrong-key"))).toEqual([401]);
  for (const expires_in of ["0s", "59s", "24h1s", "25h", "", 60, null, "1m; 2m"]) {
    expect(await statuses(make(String(position), { expires_in })), String(expires_in)).toEqual([400]);
  }
  expect(await statuses(make(String(position), { expires: "1m" }), make(ticket), make("0"))).toEqual([400, 400, 400]);
  expect(await statuses(make("4711"), make(`two.${"x".repeat(22)}`))).toEqual([404, 404]);
  const { token, expires_at } = await made(position, { expires_in: "24h" });
  expect(Math.abs(Date.parse(expires_at) - Date.now() - 24 * 3_600_000)).toBeLessThan(30_000);
  await open(token, 1);
  // The other process's row is known here within a second.
  const audit = await within(5_000, async () => {
    const answer = await world().http.get(`${world().issuer}/admin/audit?limit=100`, {
      authorization: `Bearer ${ADMIN_KEY}`,
    });
    const { rows } = answer.json() as { rows: Row[] };
    const makes = rows.filter(
      ({ route, status }) => route === "/rooms/:room/visitors/:ref/debug-link" && status === 201,
    );
    expect(makes[0]).toMatchObject({ room: "one", principal: { id: "desk" }, subject: { ref: String(position) } });
    const opens = rows.filter(({ route, status }) => route === "/debug-link" && status === 303);
    const visitor = `position ${position}`;
    expect(opens[0]).toMatchObject({ room: "one", principal: null, subject: { visitor } });
    return answer;
  });
  for (const secret of secrets) expect(audit.body).not.toContain(secret);
});

test("another token, or none, gets a clear page; after a reset the number is said to be another visitor's", async () => {
  for (const token of ["", "x", "x".repeat(43), "x".repeat(900), "<script>"]) {
    const page = await show(new URL(`/admin/debug-link?token=${encodeURIComponent(token)}`, world().issuer));
    expect([page.status, page.body.includes("this link has expired, or is none")], token).toEqual([404, true]);
    expect((await press(token)).status, token).toBe(404);
  }
  const { position } = await join();
  const { url, token } = await made(position);
  const cookie = await open(token);
  await world().admin.step("one", "reset");
  await join();
  const page = await show(url, cookie);
  expect([page.status, page.body.includes("the room was reset since")]).toEqual([200, true]);
});

test("usher visitor --debug-link prints one, for the time that is asked for", async () => {
  const { position } = await join();
  const env = { USHER_ADMIN_API_KEY: deskKey };
  const run = (...args: string[]) =>
    runUsher(["visitor", "one", String(position), "--url", originAt(1), ...args], { env });
  const printed = await run("--debug-link", "--expires-in", "2h", "--json");
  const { url, expires_at } = JSON.parse(printed.printed) as { url: string; expires_at: string };
  expect(Math.abs(Date.parse(expires_at) - Date.now() - 2 * 3_600_000)).toBeLessThan(30_000);
  secrets.push(new URL(url).searchParams.get("token") ?? "");
  expect((await show(new URL(url))).body).toContain("Open in this browser");
  const inWords = await run("--debug-link");
  expect(inWords.printed).toMatch(/^http:\S+\/admin\/debug-link\?token=[\w-]{43}\nworks in one browser, until \S+$/);
  expect((await run("--expires-in", "2h")).code).toBe(2);
  expect((await run("--debug-link", "--expires-in", "2d")).code).not.toBe(0);
});

test("one key makes no more of them than a hundred at once; another one still does", async () => {
  const { position } = await join();
  const statuses: number[] = [];
  for (let each = 0; each < 130 && statuses.at(-1) !== 429; each++)
    statuses.push((await make(String(position))).status);
  expect(statuses.at(-1)).toBe(429);
  const refused = await make(String(position));
  expect(refused.json()).toMatchObject({ error: "too_many_requests" });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  const other = await make(String(position), {}, ADMIN_KEY);
  expect(other.status).toBe(201);
  secrets.push(new URL((other.json() as { url: string }).url).searchParams.get("token") ?? "");
});

// The last, since it uses up what this address may try at a gateway.
test("who tries links that are none waits before the store is asked for more of them; reading a page is no attempt", async () => {
  const { position } = await join();
  const { url, token } = await made(position, {}, ADMIN_KEY);
  const cookie = await open(token);
  for (let each = 0; each < 40; each++) expect((await show(url, cookie)).status).toBe(200);
  const tried = async (each: number) =>
    (await show(new URL(`/admin/debug-link?token=${String(each).padStart(43, "x")}`, world().issuer))).status;
  const statuses: number[] = [];
  for (let each = 0; each < 40; each++) statuses.push(await tried(each));
  expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(22);
  expect(statuses.at(-1)).toBe(429);
});
