/** The JSON API for apps: a ticket, the line, an admission token that verifies by the JWKS, and its renewal. */
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import type { HttpResponse } from "../../support/http-client.ts";
import { numbers, queued } from "../line.ts";
import { memoryStore, useWorld } from "../world.ts";

const rooms = [
  { id: "app" },
  { id: "short", settings: { admission_token: { audience: "the-app", validity: "2s" } } },
  { id: "few", admission: { logins_per_admission: 1 }, settings: { admission_token: { validity: "1s" } } },
  {
    id: "sliding",
    admission: { duration: "5s", max_duration: "1m" },
    settings: { admission_token: { validity: "1h" } },
  },
  { id: "ended" },
  { id: "brief", admission: { duration: "3s" }, settings: { admission_token: { validity: "1h" } } },
  { id: "off" },
  { id: "paused" },
  { id: "foreign" },
  { id: "reset" },
  { id: "late", admission: { claim_within: "1s" } },
  { id: "held", inlet: { type: "manual", outflow_per_minute: 1 } },
];

interface Status {
  state: string;
  position: number | null;
  poll_after_ms: number;
  held_by: string | null;
}
interface Token {
  token: string;
  token_type: string;
  expires_in: number;
  ticket: string;
}

describe("admission tokens for apps", () => {
  const world = useWorld(() => ({ store: memoryStore, rooms }));

  async function takeTicket(room: string): Promise<string> {
    const answer = await world().http.request(`${world().issuer}/rooms/${room}/tickets`, { method: "POST" });
    expect(answer.status).toBe(201);
    return (answer.json() as { ticket: string }).ticket;
  }

  function ask(room: string, ticket: string | null, headers: Record<string, string> = {}): Promise<HttpResponse> {
    const authorization = ticket === null ? {} : { authorization: `Bearer ${ticket}` };
    const url = `${world().issuer}/rooms/${room}/tickets/me/token`;
    return world().http.request(url, { method: "POST", headers: { ...authorization, ...headers } });
  }

  /** Asks as an app does: when it is told to, until the answer is no 202. */
  async function untilAnswered(room: string, ticket: string): Promise<HttpResponse> {
    let answer = await ask(room, ticket);
    for (let times = 0; answer.status === 202 && times < 40; times++) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      answer = await ask(room, ticket);
    }
    return answer;
  }

  async function admitted(room: string): Promise<Token> {
    const ticket = await takeTicket(room);
    await world().admin.increment(room, 1);
    const answer = await untilAnswered(room, ticket);
    expect(answer.status, answer.body).toBe(200);
    return answer.json() as Token;
  }

  /** As whoever checks one by the published keys. */
  async function verify(room: string, token: string) {
    const { issuer } = world();
    const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", issuer));
    const expected = { issuer, audience: `${issuer}/rooms/${room}`, typ: "admission+jwt" };
    return (await jwtVerify(token, keys, expected)).payload;
  }

  const subOf = (ticket: string) => (ticket.split(".")[2] ?? "").split("~")[0]?.replace("*", ".") ?? "";

  test("while the line has not come: 202 with the place; then the token, and the claimed ticket", async () => {
    const ticket = await takeTicket("app");
    const waiting = await ask("app", ticket);
    expect([waiting.status, waiting.header("cache-control"), waiting.header("access-control-allow-origin")]).toEqual([
      202,
      "no-store",
      "*",
    ]);
    const status = waiting.json() as Status;
    expect(status).toMatchObject({ state: "waiting", position: 1, ahead: 0, held_by: null });
    expect(Number(waiting.header("retry-after"))).toBe(Math.ceil(status.poll_after_ms / 1_000));

    await world().admin.increment("app", 1);
    const answer = await untilAnswered("app", ticket);
    const token = answer.json() as Token;
    expect([answer.status, answer.header("cache-control")]).toEqual([200, "no-store"]);
    expect(token).toMatchObject({ token_type: "Bearer", ticket: expect.stringMatching(/^c1\./) });
    expect(token.expires_in).toBeGreaterThan(290);
    expect(token.expires_in).toBeLessThanOrEqual(300);
    expect(await verify("app", token.token)).toMatchObject({
      sub: subOf(ticket),
      room: "app",
      queue_position: 1,
      admitted_via: "queue",
    });
    expect(await numbers(world(), "app")).toMatchObject({ live_admissions: 1 });
  });

  test("a lost reply costs nothing, with the ticket of before too; the visitor stays the same", async () => {
    const ticket = await takeTicket("app");
    await world().admin.increment("app", 1);
    const first = (await untilAnswered("app", ticket)).json() as Token;
    const again = (await ask("app", ticket)).json() as Token;
    const claimed = (await ask("app", first.ticket)).json() as Token;
    expect([subOf(again.ticket), subOf(claimed.ticket)]).toEqual([subOf(ticket), subOf(ticket)]);
    const { admissions } = (await world().admin.request("GET", "/rooms/app/admissions")).json() as {
      admissions: { sub: string; logins?: unknown }[];
    };
    expect(admissions.filter(({ sub }) => sub === subOf(ticket))).toHaveLength(1);
  });

  test("asking again before it expires renews it, with the room's audience and validity", async () => {
    const first = await admitted("short");
    const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", world().issuer));
    const expected = { issuer: world().issuer, audience: "the-app" };
    // As of when it was issued: it may be over by the time that the keys are here.
    const verifyThen = (token: string) =>
      jwtVerify(token, keys, { ...expected, currentDate: new Date((decodeJwt(token).iat ?? 0) * 1_000) });
    const { payload } = await verifyThen(first.token);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(3);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const second = (await ask("short", first.ticket)).json() as Token;
    const renewed = await verifyThen(second.token);
    expect(renewed.payload.exp).toBeGreaterThan(payload.exp ?? Infinity);
    expect(renewed.payload.sub).toBe(payload.sub);
  });

  test("asking again within the time of one login extends an admission that slides", async () => {
    const first = await admitted("sliding");
    expect(first.expires_in).toBeLessThanOrEqual(5);
    let { ticket } = first;
    for (let times = 0; times < 4; times++) {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const again = await ask("sliding", ticket);
      expect(again.status, again.body).toBe(200);
      ticket = (again.json() as Token).ticket;
    }
    const { admissions } = (await world().admin.request("GET", "/rooms/sliding/admissions")).json() as {
      admissions: { logins: number }[];
    };
    expect(admissions.map(({ logins }) => logins)).toEqual([1]);
  });

  test("tokens count as logins, whichever ticket they are asked for with", async () => {
    const ticket = await takeTicket("few");
    await world().admin.increment("few", 1);
    const first = await untilAnswered("few", ticket);
    expect(first.status, first.body).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 600));
    for (const each of [ticket, (first.json() as Token).ticket]) {
      const answer = await ask("few", each);
      expect([answer.status, answer.json()]).toMatchObject([429, { error: "too_many_logins" }]);
    }
  });

  test("no token outlives its admission, and one that has ended gives none, with the reason", async () => {
    const brief = await admitted("brief");
    expect(brief.expires_in).toBeLessThanOrEqual(3);
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    const lapsed = await ask("brief", brief.ticket);
    expect([lapsed.status, lapsed.json()]).toMatchObject([403, { error: "admission_ended", reason: "expired" }]);

    const { ticket } = await admitted("ended");
    await world().admin.request("PATCH", `/rooms/ended/admissions/${subOf(ticket)}`, { status: "revoked" });
    const refused = await ask("ended", ticket);
    expect([refused.status, refused.json()]).toMatchObject([403, { error: "admission_ended", reason: "revoked" }]);
  });

  test("where everybody passes, an app gets a ticket and a token without a place", async () => {
    await world().admin.step("off", "passthrough");
    const ticket = await takeTicket("off");
    const me = `${world().issuer}/rooms/off/tickets/me`;
    const told = await world().http.get(me, { authorization: `Bearer ${ticket}` });
    expect(told.json()).toMatchObject({ state: "served" });
    const token = (await untilAnswered("off", ticket)).json() as Token;
    expect(await verify("off", token.token)).toMatchObject({ admitted_via: "passthrough" });
    const after = await world().http.get(me, { authorization: `Bearer ${token.ticket}` });
    expect(after.json()).toMatchObject({ state: "admitted" });
  });

  test("what holds a place back is told: a pause, and the outflow limit", async () => {
    const paused = await takeTicket("paused");
    await world().admin.increment("paused", 1);
    await world().admin.step("paused", "pause");
    await expect
      .poll(async () => (await ask("paused", paused)).json())
      .toMatchObject({ state: "served", position: 1, held_by: null });

    await admitted("held");
    const second = await takeTicket("held");
    await world().admin.increment("held", 1);
    await expect
      .poll(async () => (await ask("held", second)).json())
      .toMatchObject({ state: "served", held_by: "limit" });
    expect((await ask("held", second)).status).toBe(202);
  });

  test("a place that is over: 409 and why", async () => {
    const old = await takeTicket("reset");
    await world().admin.step("reset", "reset");
    await expect.poll(async () => (await ask("reset", old)).json()).toMatchObject({ error: "place_expired" });
    const left = await takeTicket("reset");
    await world().http.request(`${world().issuer}/rooms/reset/tickets/me`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${left}` },
    });
    await world().admin.increment("reset", 1);
    expect((await untilAnswered("reset", left)).json()).toMatchObject({ error: "place_left" });
    const late = await takeTicket("late");
    await world().admin.increment("late", 1);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await untilAnswered("late", late)).json()).toMatchObject({ error: "place_expired" });
  });

  test("without a ticket of this room: 401 as RFC 6750 says, whatever it is, and cookies do not count", async () => {
    const none = await ask("foreign", null);
    expect([none.status, none.header("www-authenticate")]).toEqual([401, 'Bearer realm="foreign"']);
    expect(none.json()).toMatchObject({ error: "no_ticket" });
    const cookie = await ask("foreign", null, { cookie: `usher-foreign=${await takeTicket("foreign")}` });
    expect([cookie.status, cookie.json()]).toMatchObject([401, { error: "no_ticket" }]);

    const { token } = await admitted("app");
    const foreign = [
      await takeTicket("app"),
      token,
      "x",
      "w1.a.b.c",
      (await takeTicket("foreign")).replace(/.$/, (last) => (last === "A" ? "B" : "A")),
      "x".repeat(5_000),
    ];
    for (const ticket of foreign) {
      const answer = await ask("foreign", ticket);
      expect([answer.status, answer.json()], ticket).toMatchObject([401, { error: "invalid_ticket" }]);
      expect(answer.header("www-authenticate")).toMatch(/^Bearer realm="foreign", error="invalid_token"/);
    }
    const basic = await ask("foreign", null, { authorization: "Basic eDp5" });
    expect([basic.status, basic.json()]).toMatchObject([401, { error: "no_ticket" }]);
    expect((await ask("nowhere", token)).status).toBe(404);
    expect(await queued(world(), "foreign")).toBe(2);
  });

  test("admission tokens are no other kinds of tokens", async () => {
    const site = world().relyingParty("app");
    await world().admin.increment("app", 5);
    const { token } = await admitted("app");
    expect((await site.userinfo(token)).status).toBe(401);
    const silent = site.startLogin({ prompt: "none", id_token_hint: token });
    const answer = await world().visitor().navigate(silent.url, { stopAt: site.isCallback });
    expect(answer.location?.searchParams.get("error")).toBe("invalid_request");
  });
});
