/** Programs that wait at the address of a site: what the proxy is answered, and what the program keeps. */
import { describe, expect, test } from "vitest";
import { queued } from "../../../e2e/line.ts";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { createDeviceKey } from "../../../support/device-key.ts";
import {
  ask as askAt,
  host,
  json,
  newProgram,
  type Program,
  placeOf as placeAt,
  ticketOf,
  told,
} from "../support/program.ts";

const site = `https://${host}`;
const settings = { targets: [`${site}/`, `${site}/*`] };
const names = ["line", "again", "reset", "foreign", "left", "limited", "busy", "page", "other"];
const rooms = [
  ...names.map((id) => ({ id, settings })),
  { id: "slow", settings: { ...settings, waiting_status: 429 } },
  {
    id: "passing",
    settings: { ...settings, when_idle: "pass_through", schedule: { opens_at: "2099-01-01T00:00:00Z" } },
  },
  { id: "early", settings: { ...settings, schedule: { opens_at: "2099-01-01T00:00:00Z" } } },
  { id: "full", settings: { ...settings, max_waiting: 1 } },
  { id: "bound", settings: { ...settings, device_binding: "required" } },
  { id: "counted", admission: { addresses_per_admission: 2 }, settings },
  { id: "checked", settings: { ...settings, check: { type: "proof_of_work" } } },
  { id: "invited", settings: { ...settings, entry: "invited", invitations: { secret: "k".repeat(43) } } },
];
const withHome = rooms.map(({ id }) => id).filter((id) => id !== "other");

describe("a program at the address of a site", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms,
    config: {
      listen: { trusted_proxies: ["127.0.0.1"] },
      homes: { cloudflare: { rooms: Object.fromEntries(withHome.map((id) => [id, true])) } },
    } as never,
  }));
  const ask = (program: Program, original?: Parameters<typeof askAt>[3]) =>
    askAt(world().http, world().issuer, program, original);
  const placeOf = (program: Program) => placeAt(world().http, world().issuer, program);
  const askAndTell = async (program: Program) => {
    await ask(program);
    return placeOf(program);
  };

  test("its first request takes a place, which it keeps until it is let in; then the site answers it", async () => {
    const program = newProgram("line");
    const first = await ask(program);
    expect([first.status, first.header("x-usher-status"), first.header("www-authenticate")]).toEqual([
      401,
      "200",
      'Bearer realm="line"',
    ]);
    expect(first.setCookies).toEqual([
      expect.stringMatching(
        /^__Host-usher-line\.ticket=w1\.[\w.*~-]+; Max-Age=\d{7}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    expect(told(first)).toEqual({
      cfWaitingRoom: expect.objectContaining({
        inWaitingRoom: true,
        queueingMethod: "fifo",
        isFIFOQueue: true,
        queueIsFull: false,
        refreshIntervalSeconds: Number(first.header("retry-after")),
      }),
    });
    const again = await ask(program, { method: "POST" });
    expect([again.status, again.setCookies]).toEqual([401, []]);
    expect(await placeOf(program)).toMatchObject({ state: "waiting", position: 1 });
    expect(await queued(world(), "line")).toBe(1);

    await world().admin.increment("line", 1);
    await expect.poll(async () => (await ask(program)).status).toBe(200);
    const inside = await ask(program);
    expect(inside.headers).toMatchObject({ "x-usher-position": "1", "x-usher-admitted-via": "queue" });
    expect(program.cookies.header(host)).toMatch(/__Host-usher-line\.admission=ey/);
    expect(await queued(world(), "line")).toBe(1);
  });

  test("without the cookie of its admission it is in by its ticket, and that is no further login", async () => {
    const program = newProgram("again");
    await ask(program);
    await world().admin.increment("again", 1);
    await expect.poll(async () => (await ask(program)).status).toBe(200);
    const ticket = ticketOf(program);
    for (let times = 0; times < 12; times++) {
      const ofTicket = newProgram("again");
      ofTicket.cookies.keep(host, [`__Host-usher-again.ticket=${ticket}; Path=/`]);
      const answer = await ask(ofTicket);
      expect([answer.status, answer.header("x-usher-position")]).toEqual([200, "1"]);
    }
    expect(await queued(world(), "again")).toBe(1);
  });

  test("where everybody passes it is in at once, and keeps a name", async () => {
    const program = newProgram("passing");
    const first = await ask(program);
    expect([first.status, first.header("x-usher-position")]).toEqual([200, ""]);
    const second = await ask(program);
    expect(second.header("x-usher-sub")).toBe(first.header("x-usher-sub"));
    expect((await ask(program)).setCookies).toEqual([]);
  });

  test("who came while everybody passed stays in when a line begins, also without the cookie of the admission", async () => {
    await world().admin.step("limited", "passthrough");
    const program = newProgram("limited");
    await expect.poll(async () => (await ask(program)).status).toBe(200);
    const ticket = ticketOf(program);
    await world().admin.step("limited", "open");
    await expect.poll(async () => (await ask(newProgram("limited"))).status).toBe(401);
    const ofTicket = newProgram("limited");
    ofTicket.cookies.keep(host, [`__Host-usher-limited.ticket=${ticket}; Path=/`]);
    expect((await ask(ofTicket)).status).toBe(200);
    expect(ticketOf(ofTicket)).toBe(ticket);
  });

  test("nginx, which drops the body, has it in a header; the status is the room's", async () => {
    const answer = await ask(newProgram("slow"), { refuse: true });
    expect([answer.status, answer.header("x-usher-status")]).toEqual([401, "429"]);
    expect(answer.header("x-usher-body")).toBe(answer.body);
    expect(answer.header("x-usher-location")).toBeUndefined();
  });

  test("a reset and a place that was given up lead to a new place", async () => {
    const [lost, left] = [newProgram("reset"), newProgram("left")];
    await ask(lost);
    await ask(lost);
    await world().admin.step("reset", "reset");
    await expect.poll(async () => (await askAndTell(lost)).state).toBe("waiting");
    expect(await queued(world(), "reset")).toBe(1);
    await ask(left);
    await world().http.request(`${world().issuer}/rooms/left/tickets/me`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${ticketOf(left)}` },
    });
    await world().admin.increment("left", 1);
    await expect.poll(async () => (await askAndTell(left)).position).toBe(2);
  });

  test.each([
    ["another site's page", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }],
    ["another site's script", { origin: "https://other.test" }],
    ["what was fetched ahead", { "sec-purpose": "prefetch" }],
    ["a link's preview", { "user-agent": "Slackbot 1.0" }],
    ["a picture", { "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" }],
    ["more than JSON", { accept: "application/json, text/html" }],
    ["a browser", { accept: "text/html" }],
  ])("%s takes no place", async (_, headers) => {
    const answer = await ask(newProgram("foreign"), { headers });
    expect([answer.status, answer.setCookies, answer.header("x-usher-status")]).toEqual([
      "accept" in headers ? 302 : 401,
      [],
      undefined,
    ]);
    expect(await queued(world(), "foreign")).toBe(0);
  });

  test("nor do HEAD and a room without the home", async () => {
    expect((await ask(newProgram("foreign"), { method: "HEAD" })).setCookies).toEqual([]);
    const answer = await ask(newProgram("other"));
    expect([answer.status, answer.json()]).toMatchObject([401, { error: "admission_required" }]);
  });

  test.each([
    ["early", "room_closed", { queueAll: true, inWaitingRoom: true }, "200"],
    ["checked", "check_required", {}, "403"],
    ["invited", "uninvited", {}, "403"],
  ])("%s: what keeps it out is named, with the page to go to", async (room, error, members, status) => {
    const answer = await ask(newProgram(room));
    const target = encodeURIComponent(`${site}/api/checkout`);
    expect([answer.status, answer.header("x-usher-status"), answer.setCookies]).toEqual([401, status, []]);
    expect(told(answer)).toMatchObject({
      error,
      cfWaitingRoom: members,
      enter: `${world().issuer}/rooms/${room}/enter?target=${target}`,
    });
  });

  test("a full line says so, and that it can be waited for", async () => {
    await ask(newProgram("full"));
    await expect
      .poll(async () => told(await ask(newProgram("full"))))
      .toMatchObject({ error: "room_full", cfWaitingRoom: { queueIsFull: true, refreshIntervalSeconds: 30 } });
  });

  test("a cookie that nobody made is worth nothing, and a place in line is not an admission", async () => {
    const program = newProgram("busy");
    await ask(program);
    const forged = newProgram("busy");
    forged.cookies.keep(host, [`__Host-usher-busy.ticket=${"A".repeat(9_000)}; Path=/`]);
    expect((await ask(forged)).setCookies).toHaveLength(1);
    const swapped = newProgram("busy");
    swapped.cookies.keep(host, [`__Host-usher-busy.admission=${ticketOf(program)}; Path=/`]);
    expect((await ask(swapped)).status).toBe(401);
    const elsewhere = newProgram("line");
    elsewhere.cookies.keep(host, [`__Host-usher-line.ticket=${ticketOf(program)}; Path=/`]);
    await ask(elsewhere);
    expect(ticketOf(elsewhere)).not.toBe(ticketOf(program));
  });

  test("the ticket of a place that is bound to a key lets nobody in without the key", async () => {
    const { http, issuer, admin } = world();
    const key = await createDeviceKey();
    const tickets = `${issuer}/rooms/bound/tickets`;
    const nonce = (await http.request(tickets, { method: "POST" })).header("dpop-nonce") ?? "";
    const joined = await http.request(tickets, { method: "POST", headers: { dpop: await key.prove(tickets, nonce) } });
    const { ticket } = joined.json() as { ticket: string };
    await admin.increment("bound", 1);
    const address = `${tickets}/me/token`;
    const enter = async () =>
      http.request(address, {
        method: "POST",
        headers: { authorization: `Bearer ${ticket}`, dpop: await key.prove(address, nonce) },
      });
    await expect.poll(async () => (await enter()).status).toBe(200);
    const thief = newProgram("bound");
    thief.cookies.keep(host, [`__Host-usher-bound.ticket=${ticket}; Path=/`]);
    const answer = await ask(thief);
    expect([answer.status, told(answer)]).toMatchObject([401, { error: "device_required" }]);
  });

  test("a ticket that is used at more addresses than an admission may be is refused there", async () => {
    const program = newProgram("counted");
    await ask(program);
    await world().admin.increment("counted", 1);
    await expect.poll(async () => (await ask(program)).status).toBe(200);
    const answers: unknown[] = [];
    for (const address of ["198.51.100.1", "203.0.113.1"]) {
      const copy = newProgram("counted");
      copy.cookies.keep(host, [`__Host-usher-counted.ticket=${ticketOf(program)}; Path=/`]);
      const answer = await ask(copy, { headers: { "x-forwarded-for": address } });
      answers.push([answer.status, answer.body === "" ? undefined : told(answer).error]);
    }
    expect(answers).toEqual([
      [200, undefined],
      [401, "in_use"],
    ]);
  });

  test("the link to the room tells the same beside its own figures", async () => {
    const address = `${world().issuer}/rooms/page/enter?target=${encodeURIComponent(`${site}/`)}`;
    const answer = await world().http.get(address, json);
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { position: 1, cfWaitingRoom: { inWaitingRoom: true } },
    ]);
    const page = await world().http.get(address, { accept: "application/json, */*;q=0.1" });
    expect(page.json()).not.toHaveProperty("cfWaitingRoom");
  });

  test("the metrics name it", async () => {
    const { body } = await world().http.get(`${world().issuer}/metrics`);
    expect(body).toContain('usher_home{room="line",system="Cloudflare Waiting Room",id=""} 1');
    expect(body).toMatch(/usher_cloudflare_home_answers_total\{room="line",answer="admitted"\} [1-9]/);
    expect(body).not.toContain('usher_home{room="other"');
  });
});
