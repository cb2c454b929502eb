/**
 * Goal: a program gets at every address what a person gets there, without having to read a page: the same answer as JSON, when
 * to come again, and nothing for search engines. Method: a table of all addresses that answer with a page; each is asked twice.
 */
import { describe, expect, test } from "vitest";
import { submitForm } from "../form.ts";
import { memoryStore, type RoomUnderTest, useWorld } from "../world.ts";
import {
  by,
  check,
  comesTo,
  gets,
  html,
  inAnHour,
  json,
  loginUrl,
  pageName,
  parkedIn,
  posts,
  type Row,
  sameOrigin,
  targets,
  waitsIn,
} from "./page-checks.ts";

const rooms: RoomUnderTest[] = [
  ...["line", "paused", "over", "unset", "left", "leave", "moved", "bypass"].map((id) => ({
    id,
    settings: { targets },
  })),
  { id: "early", settings: { schedule: { prequeue_at: inAnHour(), opens_at: inAnHour().replace(/^\d+/, "2099") } } },
  { id: "soon", settings: { schedule: { opens_at: new Date(Date.now() + 250_000).toISOString() } } },
  { id: "doors" },
  { id: "door", inlet: { type: "manual", outflow_per_minute: 1 } },
  { id: "full", settings: { max_waiting: 0 } },
  { id: "lapsed", admission: { claim_within: "1s" } },
  { id: "few", admission: { logins_per_admission: 1 } },
  { id: "again" },
  { id: "logout" },
];

const table: Record<string, Row> = {
  "a place in line": { page: "200 waiting", json: "200 waiting", again: true, prepare: waitsIn("line") },
  "a paused line": {
    page: "200 paused",
    json: "200 waiting",
    again: true,
    prepare: waitsIn("paused", ({ admin }) => admin.step("paused", "pause")),
  },
  "an entry number": {
    page: "200 entered",
    json: "200 entered",
    again: true,
    prepare: async (world) => {
      await world.admin.step("doors", "prequeue");
      return waitsIn("doors")(world);
    },
  },
  "a turn that the limit holds back": {
    page: "200 held",
    json: "200 served",
    again: true,
    prepare: async (world) => {
      await world.admin.increment("door", 2);
      await world.relyingParty("door").login(world.visitor());
      return by(world.visitor(), () => loginUrl(world, "door"));
    },
  },
  "a link to a room": {
    page: "200 waiting",
    json: "200 waiting",
    again: true,
    prepare: (world) => by(world.visitor(), () => `${world.issuer}/rooms/line/enter`),
  },
  "a room that opens in an hour": { page: "200 not_open", json: "503 not_open", again: 300, prepare: comesTo("early") },
  "a room that opens within five minutes": {
    page: "200 not_open",
    json: "503 not_open",
    again: true,
    prepare: (world) => async (accept) => {
      const answer = await comesTo("soon")(world)(accept);
      expect(Number(answer.header("retry-after"))).toBeLessThanOrEqual(250);
      return answer;
    },
  },
  "a room of which nobody knows when it opens": {
    page: "200 not_open",
    json: "503 not_open",
    again: 30,
    prepare: async (world) => {
      await world.admin.step("unset", "idle");
      return comesTo("unset")(world);
    },
  },
  "a room that has ended": {
    page: "200 ended",
    json: "409 room_ended",
    prepare: async (world) => {
      await world.admin.step("over", "end");
      return comesTo("over")(world);
    },
  },
  "a room that has ended, for whoever holds a place": {
    page: "200 ended",
    json: "409 room_ended",
    again: 60,
    prepare: async (world) => {
      await world.admin.step("over", "open");
      return waitsIn("over", ({ admin }) => admin.step("over", "end"))(world);
    },
  },
  "a full line": { page: "503 room_full", json: "503 room_full", again: 30, prepare: comesTo("full") },
  "cookies that do not come back": {
    page: "400 cookies_blocked",
    json: "400 cookies_blocked",
    prepare: (world) => comesTo("line", { ...sameOrigin, referer: `${world.issuer}/` })(world),
  },
  "a crawler": {
    page: "200 link_preview",
    json: "200 link_preview",
    prepare: comesTo("line", { "user-agent": "Mozilla/5.0 (compatible; Somebot/2.1)" }),
  },
  "a frame": {
    page: "403 navigation_required",
    json: "403 navigation_required",
    prepare: comesTo("line", { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate" }),
  },
  "a prefetch": {
    page: "503 navigation_required",
    json: "503 navigation_required",
    prepare: comesTo("line", { "sec-purpose": "prefetch" }),
  },
  "a turn that was missed": {
    page: "200 place_expired",
    json: "409 place_expired",
    prepare: async (world) => {
      const visitor = await parkedIn(world, "lapsed");
      await world.admin.increment("lapsed", 1);
      const ask = by(visitor, () => loginUrl(world, "lapsed"));
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      return ask;
    },
  },
  "a place that was left": {
    page: "200 place_left",
    json: "409 place_left",
    prepare: async (world) => {
      const visitor = await parkedIn(world, "left");
      const kept = visitor.jar.all();
      const url = `${world.issuer}/rooms/left/tickets/me`;
      expect((await visitor.fetch(url, { method: "DELETE", headers: { origin: world.issuer } })).status).toBe(204);
      for (const cookie of kept) visitor.jar.put(cookie);
      await world.admin.increment("left", 1);
      return by(visitor, () => loginUrl(world, "left"));
    },
  },
  "a place that was moved": {
    page: "200 moved",
    json: "409 moved",
    prepare: async (world) => {
      const visitor = await parkedIn(world, "moved");
      const headers = { accept: "application/json", origin: world.issuer };
      const { link } = (
        await visitor.fetch(`${world.issuer}/rooms/moved/move`, { method: "POST", headers })
      ).json() as { link: string };
      const phone = world.visitor();
      await submitForm(phone, await phone.navigate(link), () => true);
      return by(visitor, () => loginUrl(world, "moved"));
    },
  },
  "a ticket that cannot be read": {
    page: "200 ticket_unreadable",
    json: "409 ticket_unreadable",
    prepare: comesTo("line", { cookie: "usher-line=w1.a-key-of-another-day.payload.01234567890123456789012345678901" }),
  },
  "an admission that is used up": {
    page: "429 too_many_logins",
    json: "429 too_many_logins",
    prepare: async (world) => {
      await world.admin.increment("few", 1);
      const visitor = world.visitor();
      await world.relyingParty("few").login(visitor);
      return by(visitor, () => loginUrl(world, "few"));
    },
  },
  "a login that goes in circles": {
    page: "200 too_many_restarts",
    json: "200 too_many_restarts",
    prepare: async (world) => {
      await world.admin.increment("again", 1);
      const visitor = world.visitor();
      await world.relyingParty("again").login(visitor);
      const fromOurPage = { from: new URL(world.issuer), stopAt: () => true };
      return async (accept) => {
        for (;;) {
          const answer = await visitor.navigate(loginUrl(world, "again"), { ...fromOurPage, headers: { accept } });
          if (answer.status !== 303) return answer;
        }
      };
    },
  },
  "a room that is not the client's": {
    page: "400 unknown_room",
    json: "400 unknown_room",
    prepare: comesTo("line", {}, "&room=vip"),
  },
  "a page that is not the client's": {
    page: "400 unknown_target",
    json: "400 unknown_target",
    prepare: comesTo("line", {}, "&target_link_uri=https://evil.example/"),
  },
  "a request that is too long": {
    page: "414 request_too_long",
    json: "414 request_too_long",
    prepare: comesTo("line", {}, `&login_hint=${"x".repeat(15_500)}${"y".repeat(900)}`),
  },
  "an authorization request that oidc-provider refuses": {
    page: "400 request_refused",
    json: "400 invalid_client",
    prepare: gets("/authorize?client_id=nobody"),
  },
  "an authorization request that is too long to be sent on": {
    page: "413 body_too_large",
    json: "413 body_too_large",
    prepare: posts("/authorize", new URLSearchParams({ state: "x".repeat(16_400) })),
  },
  "a link that leads elsewhere": {
    page: "400 unknown_target",
    json: "400 unknown_target",
    prepare: gets("/rooms/line/enter?target=https://evil.example/"),
  },
  "a link to a room that is none": {
    page: "404 unknown_room",
    json: "404 unknown_room",
    prepare: gets("/rooms/nowhere/enter"),
  },
  "a link to leave": {
    page: "200 leave_confirm",
    json: "200 leave_confirm",
    prepare: gets("/rooms/leave/leave"),
  },
  "the button to leave": {
    page: "200 left",
    json: "200 left",
    prepare: posts("/rooms/leave/leave", new URLSearchParams(), sameOrigin),
  },
  "a link to leave for elsewhere": {
    page: "400 bad_request",
    json: "400 bad_request",
    prepare: gets("/rooms/leave/leave?return=https://evil.example/"),
  },
  "the button to leave, on a page of others": {
    page: "403 forbidden",
    json: "403 forbidden",
    prepare: posts("/rooms/leave/leave", new URLSearchParams(), { "sec-fetch-site": "cross-site" }),
  },
  "the button to join again, without a place to come back to": {
    page: "400 bad_request",
    json: "400 bad_request",
    prepare: posts("/rooms/line/rejoin", new URLSearchParams({ return: "https://evil.example/" }), sameOrigin),
  },
  "a bypass link that is none": {
    page: "410 bypass_void",
    json: "410 bypass_void",
    prepare: gets("/rooms/bypass/bypass?link=none"),
  },
  "a place's link that is none": {
    page: "410 move_void",
    json: "410 move_void",
    prepare: gets("/rooms/moved/move?place=none"),
  },
  "the button for a place's link, without a place": {
    page: "401 no_ticket",
    json: "401 no_ticket",
    prepare: posts("/rooms/moved/move", new URLSearchParams(), sameOrigin),
  },
  "the question whether to log out": {
    page: "200 logout_confirm",
    json: "200 logout_confirm",
    prepare: async (world) => {
      const visitor = world.visitor();
      await world.admin.increment("logout", 1);
      await world.relyingParty("logout").login(visitor);
      return by(visitor, () => `${world.issuer}/logout?client_id=site-logout`);
    },
  },
  "the end of a logout": { page: "200 logged_out", json: "200 logged_out", prepare: gets("/logout/success") },
  "a logout that oidc-provider refuses": {
    page: "400 bad_request",
    json: "400 invalid_request",
    prepare: gets("/logout?client_id=site-logout&post_logout_redirect_uri=https://evil.example/"),
  },
  "the front door": { page: "200 front_door", json: "200 front_door", prepare: gets("/") },
  "the front door, posted to by a form": {
    page: "405 method_not_allowed",
    json: "405 method_not_allowed",
    prepare: posts("/", new URLSearchParams()),
  },
  "an address where nothing is": { page: "404 not_found", json: "404 not_found", prepare: gets("/nothing") },
};

describe("every page, and the same for programs", () => {
  const world = useWorld(() => ({ store: memoryStore, rooms }));

  for (const [name, { prepare, ...row }] of Object.entries(table)) {
    test(name, async () => check(row, await prepare(world())));
  }

  test("a bypass link", async () => {
    const { url } = (await world().admin.request("POST", "/rooms/bypass/bypass", {})).json() as { url: string };
    const [page, told] = [await world().http.get(url, { accept: html }), await world().http.get(url, { accept: json })];
    expect([page.status, pageName(page.body), told.status, told.json()]).toMatchObject([
      200,
      "bypass",
      200,
      { room: "bypass" },
    ]);
    for (const { header } of [page, told]) {
      expect([header("cache-control"), header("x-robots-tag")]).toEqual(["no-store", "noindex, nofollow"]);
    }
  });

  test("a program gives the answers that a page's buttons give", async () => {
    const visitor = world().visitor();
    await world().admin.increment("logout", 1);
    await world().relyingParty("logout").login(visitor);
    const asked = await visitor.navigate(`${world().issuer}/logout`, { headers: { accept: json } });
    const { action } = asked.json() as { action: { method: string; address: string; fields: Record<string, string> } };
    const answer = await visitor.navigate(new URL(action.address, world().issuer), {
      method: action.method,
      body: new URLSearchParams(action.fields),
      headers: { accept: json, origin: world().issuer },
    });
    expect([answer.status, answer.json()]).toMatchObject([200, { state: "logged_out" }]);
    const { admissions } = (await world().admin.request("GET", "/rooms/logout/admissions")).json() as {
      admissions: { status: string }[];
    };
    expect(admissions.at(-1)?.status).toBe("logout");
  });

  test("search engines are told to keep out, and not that a site behind the line is to be forgotten", async () => {
    const { http, issuer, admin } = world();
    const robots = await http.get(`${issuer}/robots.txt`);
    expect([robots.status, robots.header("content-type"), robots.header("cache-control")]).toEqual([
      200,
      "text/plain; charset=utf-8",
      "public, max-age=3600",
    ]);
    expect(robots.body).toBe("User-agent: *\nAllow: /$\nDisallow: /\n");
    expect((await http.request(`${issuer}/robots.txt`, { method: "HEAD" })).status).toBe(200);

    const tickets = await http.request(`${issuer}/rooms/line/tickets`, { method: "POST" });
    const paths = ["/rooms/line/status", "/healthz", "/.well-known/openid-configuration", "/rooms/line/tickets/me"];
    for (const answer of [tickets, ...(await Promise.all(paths.map((path) => http.get(issuer + path))))]) {
      expect([answer.url.pathname, answer.header("x-robots-tag")]).toEqual([answer.url.pathname, "noindex, nofollow"]);
    }
    await admin.step("bypass", "passthrough");
    const stopAt = () => true;
    for (const url of [loginUrl(world(), "bypass"), `${issuer}/rooms/bypass/enter`]) {
      const onward = await world().visitor().navigate(url, { stopAt });
      expect([onward.status, onward.header("x-robots-tag")]).toEqual([303, undefined]);
    }
    const question = await http.get(`${issuer}/rooms/bypass/verify`, { "x-forwarded-uri": "/" });
    expect(question.header("x-robots-tag")).toBeUndefined();
  });
});
