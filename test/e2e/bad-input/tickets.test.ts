/** Tickets that are forged, altered, foreign, old or of unknown keys: worth nothing, and nobody else's place changes. */
import { describe, expect, test } from "vitest";
import { loadKeyMaterial } from "../../../src/config/secrets/key-material.ts";
import { createKeyRing, createTicketCodec } from "../../../src/room/index.ts";
import type { TicketCodec } from "../../../src/room/tickets/ticket.ts";
import type { Cookie } from "../../support/cookie-jar.ts";
import type { Visitor } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { numbers, queued } from "../line.ts";
import { memoryStore, useWorld } from "../world.ts";

const ids = ["altered", "foreign", "elsewhere", "reset", "newer", "claim", "token", "unknown-key"];
const rooms = ids.map((id) => ({ id }));

describe("tickets that are not valid here", () => {
  const world = useWorld(() => ({ store: memoryStore, rooms }));
  const other = useWorld(() => ({ store: memoryStore, rooms }));

  function ticketCookie(visitor: Visitor, room: string): Cookie {
    const cookie = visitor.jar.all().find(({ name }) => name.endsWith(`usher-${room}`));
    if (cookie === undefined) throw new Error(`no ticket for ${room} among the cookies`);
    return cookie;
  }

  /** Signs as the gateway does, with its own keys. */
  async function ticketCodec(): Promise<TicketCodec> {
    const secretsFile = world().gateways[0]?.secretsFile ?? "";
    const { keys } = await loadKeyMaterial({ secretsFile, keys: { tickets: [], signing: [], cookies: [] } });
    return createTicketCodec(createKeyRing(keys.tickets));
  }

  async function askWith(room: string, ticket: string) {
    return world().http.get(`${world().issuer}/rooms/${room}/tickets/me`, { authorization: `Bearer ${ticket}` });
  }

  test("forged and altered tickets get one and the same answer, and a visitor with one simply joins", async () => {
    const site = world().relyingParty("altered");
    const visitor = world().visitor();
    await visitor.navigate(site.startLogin().url);
    const cookie = ticketCookie(visitor, "altered");
    const parts = cookie.value.split(".");
    const [kind = "", , payload = ""] = parts;
    const forgeries = [
      "",
      "x",
      "w1...",
      ...parts.map((_, index) => parts.filter((_, at) => at !== index).join(".")),
      cookie.value.slice(0, -1),
      `${cookie.value}A`,
      cookie.value.replace(kind, "c1"),
      cookie.value.replace(payload, payload.replace(/~/, "~1")),
      cookie.value.replace(payload, Buffer.from(payload).toString("base64url")),
      "w1.".repeat(3_000),
      "w1.\u0000.%00.{}",
    ].filter((forgery) => /^[\x21-\x7e]*$/.test(forgery));
    const answers = new Set<string>();
    for (const forgery of forgeries) {
      const { status, body } = await askWith("altered", forgery);
      answers.add(`${status} ${body}`);
    }
    expect(answers.size, [...answers].join("\n")).toBeLessThanOrEqual(2);
    for (const answer of answers) expect(answer).toMatch(/^401 .*"error":"(invalid|no)_ticket"/);
    expect(await queued(world(), "altered")).toBe(1);

    visitor.jar.put({ ...cookie, value: `${cookie.value.slice(0, -1)}${cookie.value.endsWith("x") ? "y" : "x"}` });
    expect((await visitor.navigate(site.startLogin().url)).position).toBe(2);
    expect((await askWith("altered", cookie.value)).json()).toMatchObject({ position: 1 });
  });

  test("a ticket of another room is no ticket here", async () => {
    const visitor = world().visitor();
    await visitor.navigate(world().relyingParty("elsewhere").startLogin().url);
    const foreign = ticketCookie(visitor, "elsewhere");
    expect((await askWith("foreign", foreign.value)).status).toBe(401);
    visitor.jar.put({ ...foreign, name: foreign.name.replace("elsewhere", "foreign") });
    await world().visitor().navigate(world().relyingParty("foreign").startLogin().url);
    expect((await visitor.navigate(world().relyingParty("foreign").startLogin().url)).position).toBe(2);
  });

  test("a ticket from before a reset is void: the visitor is in the new line, as the same sub", async () => {
    const site = world().relyingParty("reset");
    const [early, late] = [world().visitor(), world().visitor()];
    expect((await early.navigate(site.startLogin().url)).position).toBe(1);
    expect((await late.navigate(site.startLogin().url)).position).toBe(2);
    const before = subOf(ticketCookie(late, "reset"));
    await world().admin.step("reset", "reset");
    expect(await queued(world(), "reset")).toBe(0);

    const login = site.startLogin();
    const parked = await late.navigate(login.url, { stopAt: site.isCallback });
    expect(parked.position).toBe(1);
    await world().admin.increment("reset", 1);
    const tokens = await site.finishLogin(await late.waitInLine(parked, { stopAt: site.isCallback }), login);
    expect(tokens.claims.sub).toBe(before);
    expect((await early.navigate(site.startLogin().url)).position).toBe(2);
  });

  test("a ticket of a newer edition proves a loss in the store: the room recovers and honours the place", async () => {
    const site = world().relyingParty("newer");
    const visitor = world().visitor();
    await visitor.navigate(site.startLogin().url);
    const cookie = ticketCookie(visitor, "newer");
    const codec = await ticketCodec();
    const presented = codec.decode("newer", cookie.value);
    if (presented.kind !== "ticket") throw new Error("the test reads tickets otherwise than the gateway");
    const edition = presented.ticket.edition + 5;
    const newer = codec.encode({ ...presented.ticket, edition, position: 7 });
    visitor.jar.put({ ...cookie, value: newer });

    // Nothing is said of it by the older edition's numbers.
    const asked = await askWith("newer", newer);
    expect([asked.status, asked.header("retry-after")]).toEqual([503, "2"]);
    const said = { error: "store_unavailable", error_description: expect.stringContaining("newer") };
    expect(asked.json()).toMatchObject(said);
    const login = site.startLogin();
    const parked = await visitor.navigate(login.url, { stopAt: site.isCallback });
    expect([parked.status, parked.position, parked.state]).toEqual([200, 7, "recovering"]);
    expect(parked.body).toContain(">At most 6 people ahead of you<");
    await expect.poll(async () => (await numbers(world(), "newer")).edition).toBe(edition);
    await world().admin.increment("newer", 7);
    const tokens = await site.finishLogin(await visitor.login(login.url, { stopAt: site.isCallback }), login);
    expect(tokens.claims).toMatchObject({ queue_position: 7, sub: presented.ticket.sub });
  });

  test.each(["claim", "token"])(
    "a place behind the last one that is known proves a loss at tickets/me/%s, too: nobody else is given it",
    async (route) => {
      const { http, issuer, admin } = world();
      const tickets = `${issuer}/rooms/${route}/tickets`;
      const join = async () => (await http.request(tickets, { method: "POST" })).json() as { ticket: string };
      const codec = await ticketCodec();
      const presented = codec.decode(route, (await join()).ticket);
      if (presented.kind !== "ticket") throw new Error("the test reads tickets otherwise than the gateway");
      const behind = codec.encode({ ...presented.ticket, position: 7 });
      const ask = () =>
        http.request(`${tickets}/me/${route}`, { method: "POST", headers: { authorization: `Bearer ${behind}` } });

      expect((await ask()).json()).toMatchObject({ state: "waiting", position: 7 });
      await expect.poll(() => queued(world(), route)).toBeGreaterThanOrEqual(7);
      const { position } = (await join()) as unknown as { position: number };
      expect(position).toBeGreaterThan(7);
      await admin.increment(route, 7);
      const admitted = (await ask()).json() as { ticket: string };
      expect(codec.decode(route, admitted.ticket)).toMatchObject({ ticket: { position: 7, claim: { via: "queue" } } });
    },
  );

  test("a ticket of an unknown key is never overwritten silently: a page offers to join again", async () => {
    const site = world().relyingParty("unknown-key");
    const visitor = world().visitor();
    const stranger = other().visitor();
    await stranger.navigate(other().relyingParty("unknown-key").startLogin().url);
    const cookie = ticketCookie(stranger, "unknown-key");
    visitor.jar.put(cookie);

    const page = await visitor.navigate(site.startLogin().url);
    expect([page.status, page.notice, page.setCookies]).toEqual([200, "ticket_unreadable", []]);
    expect(ticketCookie(visitor, "unknown-key").value).toBe(cookie.value);
    const asked = await askWith("unknown-key", cookie.value);
    expect([asked.status, asked.json()]).toMatchObject([409, { error: "ticket_unreadable" }]);
    expect(await queued(world(), "unknown-key")).toBe(0);

    const joined = await submitForm(visitor, page);
    expect(joined.position).toBe(1);
  });
});

function subOf(cookie: Cookie): string {
  return (cookie.value.split(".")[2] ?? "").split("~")[0]?.replace("*", ".") ?? "";
}
