// Long: each rule of places that are moved, on both stores; two-gateways.test.ts has the main path and the main refusal.
/**
 * A place is carried to another browser: its holder gets a link that works once, and whoever presses the button behind it goes
 * on waiting at the same place. The old browser is told so.
 */
import { describe, expect, test } from "vitest";
import type { Cookie } from "../../support/cookie-jar.ts";
import { attribute, type Page, type Visitor } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { numbers } from "../line.ts";
import { redisStore } from "../redis-store.ts";
import { clientId, clientSecret, initiateLoginUri, memoryStore, redirectUri, useWorld, type World } from "../world.ts";

const outside = (world: World) => (location: URL) => location.origin !== world.issuer;
const site = "https://shop.example.test";

interface Holder {
  readonly visitor: Visitor;
  readonly parked: Page;
}

async function arrive(
  world: World,
  room: string,
  url: string | URL = world.relyingParty(room).startLogin().url,
): Promise<Holder> {
  const visitor = world.visitor();
  return { visitor, parked: await visitor.navigate(url) };
}

/** Presses the button at the foot of the waiting page. */
function askForLink(world: World, { visitor, parked }: Holder, headers: Record<string, string> = {}): Promise<Page> {
  const room = attribute(parked.body.match(/<main\b[^>]*>/)?.[0] ?? "", "data-room") ?? "";
  return visitor.navigate(`${world.issuer}/rooms/${room}/move`, {
    method: "POST",
    from: parked.url,
    headers: { origin: world.issuer, referer: parked.url.href, ...headers },
  });
}

const linkOn = ({ body }: Page) => attribute(body.match(/<input id="link"[^>]*>/)?.[0] ?? "", "value") ?? "";

async function linkOf(world: World, holder: Holder): Promise<string> {
  const page = await askForLink(world, holder);
  expect([page.status, page.notice]).toEqual([200, "move"]);
  return linkOn(page);
}

/** Opens the link and presses its button. */
async function bring(world: World, visitor: Visitor, link: string): Promise<Page> {
  return submitForm(visitor, await visitor.navigate(link), outside(world));
}

const cookieOf = (visitor: Visitor, room: string): Cookie | undefined => visitor.cookie(`usher-${room}`);
const tokenOf = (link: string) => new URL(link).searchParams.get("place") ?? "";

const press = (world: World, room: string, place: string, headers: Record<string, string> = {}) =>
  world.http.request(`${world.issuer}/rooms/${room}/move/here`, {
    method: "POST",
    body: new URLSearchParams({ place }),
    headers: { accept: "text/html", "sec-fetch-site": "same-origin", ...headers },
  });

const noticeOf = (body: string) => attribute(body.match(/<main\b[^>]*>/)?.[0] ?? "", "data-notice");

describe.each([memoryStore, redisStore])("a place that is moved ($name)", (store) => {
  const world = useWorld(() => ({
    store,
    gateways: store.name === "Redis" ? 2 : 1,
    rooms: ["line", "race", "other"].map((id) => ({ id })),
  }));

  const isMoved = async (visitor: Visitor, room: string, gateway = 0) => {
    const url = `${world().gateways[gateway]?.origin}/rooms/${room}/move/state`;
    const { name, value } = cookieOf(visitor, room) ?? { name: "", value: "" };
    const answer = await world().http.get(url, { cookie: `${name}=${value}` });
    expect([answer.status, answer.header("cache-control")]).toEqual([200, "no-store"]);
    return (answer.json() as { moved: boolean }).moved;
  };

  test("goes on in the other browser as it was, and the old one is told so, before its turn and at it", async () => {
    const { admin, issuer } = world();
    const laptop = await arrive(world(), "line");
    await world().visitor().navigate(world().relyingParty("line").startLogin().url);
    const old = world().visitor({ jar: laptop.visitor.jar.copy() });
    const page = await askForLink(world(), laptop);
    expect([page.status, page.header("cache-control"), page.header("referrer-policy")]).toEqual([
      200,
      "no-store",
      "same-origin",
    ]);
    expect(page.body).toMatch(/It works once, until \d{1,2}:\d\d\s[AP]M UTC/);
    const back = page.body.match(/<a\b[^>]*class="button[^>]*>/)?.[0] ?? "";
    expect(attribute(back, "href")).toBe(laptop.parked.url.href.slice(issuer.length));
    const link = linkOn(page);
    expect(link.startsWith(`${issuer}/rooms/line/move?place=`)).toBe(true);
    expect(await isMoved(laptop.visitor, "line")).toBe(false);

    const phone = world().visitor();
    // Previews, scanners and reloads use nothing up.
    for (const method of ["HEAD", "GET"]) {
      expect((await world().http.request(link, { method, headers: { accept: "text/html" } })).status).toBe(200);
    }
    const opened = await phone.navigate(link);
    expect([opened.status, opened.notice, opened.header("referrer-policy")]).toEqual([200, "move_here", "same-origin"]);
    const { value: guest } = cookieOf(phone, "line") ?? {};
    expect((await phone.navigate(link)).notice).toBe("move_here");
    expect(cookieOf(phone, "line")?.value).toBe(guest);
    const moved = await submitForm(phone, opened, outside(world()));
    expect([moved.status, moved.location?.href]).toEqual([303, initiateLoginUri("line")]);
    expect([moved.header("referrer-policy"), moved.header("cache-control")]).toEqual(["no-referrer", "no-store"]);

    const siteLogin = world().relyingParty("line").startLogin();
    const parked = await phone.navigate(siteLogin.url);
    expect([parked.position, parked.state]).toEqual([1, "waiting"]);
    for (const gateway of world().gateways.keys()) {
      await expect.poll(() => isMoved(laptop.visitor, "line", gateway)).toBe(true);
    }
    expect(await isMoved(phone, "line")).toBe(false);
    const told = await laptop.visitor.navigate(laptop.parked.url);
    expect([told.status, told.notice, told.position]).toEqual([200, "moved", undefined]);
    const asked = await laptop.visitor.fetch(`${issuer}/rooms/line/tickets/me`, { from: laptop.parked.url });
    expect(asked.json()).toMatchObject({ state: "expired", position: 1 });
    const nothing = await askForLink(world(), laptop);
    expect([nothing.redirects.length, nothing.notice]).toEqual([1, "moved"]);
    // Leaving by the old copy leaves nothing.
    await world().visitor({ jar: old.jar.copy() }).fetch(`${issuer}/rooms/line/tickets/me`, { method: "DELETE" });

    await admin.increment("line", 1);
    await expect.poll(async () => (await numbers(world(), "line")).serving).toBe(1);
    await expect.poll(async () => (await old.navigate(laptop.parked.url)).notice).toBe("moved");
    const claim = await old.fetch(`${issuer}/rooms/line/tickets/me/claim`, { method: "POST", from: laptop.parked.url });
    expect(claim.json()).toMatchObject({ state: "expired" });
    const bearer = { authorization: `Bearer ${cookieOf(old, "line")?.value}` };
    const exchanged = await world().http.request(`${issuer}/rooms/line/tickets/me/token`, {
      method: "POST",
      headers: bearer,
    });
    expect([exchanged.status, exchanged.json()]).toMatchObject([409, { error: "moved" }]);

    const { claims } = await world().relyingParty("line").login(phone);
    expect(claims).toMatchObject({ room: "line", queue_position: 1, admitted_via: "queue" });
    expect((await old.navigate(laptop.parked.url)).notice).toBe("moved");
    expect((await submitForm(laptop.visitor, told)).position).toBe(3);

    const lines = () => world().gateways.flatMap((gateway) => gateway.output().match(/.*"place\.moved".*\n/g) ?? []);
    await expect.poll(() => lines().length).toBe(1);
    const events = lines().map((line) => JSON.parse(line) as object);
    const from = (cookieOf(old, "line")?.value ?? "").split(".")[2]?.split("~")[0]?.replace("*", ".");
    expect(events).toMatchObject([{ event: "place.moved", room: "line", from, sub: claims.sub }]);
  });

  test("is of one of twenty who press the button at the same instant, at whichever gateway", async () => {
    const link = await linkOf(world(), await arrive(world(), "race"));
    const people = Array.from({ length: 20 }, () => world().visitor());
    const pages = await Promise.all(people.map((person) => person.navigate(link)));
    const answers = await Promise.all(
      people.map((person, index) => {
        const { origin } = world().gateways[index % world().gateways.length] ?? { origin: "" };
        const { name, value } = cookieOf(person, "race") ?? { name: "", value: "" };
        expect(pages[index]?.notice).toBe("move_here");
        return world().http.request(`${origin}/rooms/race/move/here`, {
          method: "POST",
          body: new URLSearchParams({ place: tokenOf(link) }),
          headers: { accept: "text/html", "sec-fetch-site": "same-origin", cookie: `${name}=${value}` },
        });
      }),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array<number>(19).fill(410)]);
  });

  test("of another room is none here, and a forged link says nothing of why", async () => {
    const holder = await arrive(world(), "other");
    const token = tokenOf(await linkOf(world(), holder));
    const foreign = tokenOf(await linkOf(world(), await arrive(world(), "race")));
    const [kid = "", payload = "", mac = ""] = token.split(".");
    const later = Buffer.from(Buffer.from(payload, "base64url").toString().replace(/~1~/, "~2~")).toString("base64url");
    const ticket = cookieOf(holder.visitor, "other")?.value ?? "";
    const wrong = [
      foreign,
      ticket,
      `${kid}.${later}.${mac}`,
      `${kid}.${payload}`,
      `other.${payload}.${mac}`,
      `${token}\r\nSet-Cookie: a=b`,
      "x".repeat(6_000),
      "",
    ];
    const guest = world().visitor();
    await guest.navigate(`${world().issuer}/rooms/other/move?place=${token}`);
    const cookie = `usher-other=${cookieOf(guest, "other")?.value}`;
    const pages: string[] = [];
    for (const each of wrong) {
      const url = `${world().issuer}/rooms/other/move?place=${encodeURIComponent(each)}`;
      const pressed = await press(world(), "other", each, { cookie });
      for (const answer of [await world().http.get(url, { accept: "text/html" }), pressed]) {
        const { status, body, setCookies, headers } = answer;
        expect([status, noticeOf(body), setCookies, headers["referrer-policy"]], each.slice(0, 80)).toEqual([
          410,
          "move_void",
          [],
          "no-referrer",
        ]);
        expect(body).toContain("older than 10 minutes");
        pages.push(body.replace(/Reference: [^<]*/, "").replace(/name="return" value="[^"]*"/, ""));
      }
    }
    expect(new Set(pages).size).toBe(1);
    // Nor does a link pass for a ticket.
    for (const text of [token, `w1.${token}`]) {
      const me = `${world().issuer}/rooms/other/tickets/me`;
      expect((await world().http.get(me, { authorization: `Bearer ${text}` })).status).toBe(401);
      expect((await world().http.get(me, { cookie: `usher-other=${text}` })).status).toBe(401);
    }
    expect((await world().http.get(`${world().issuer}/rooms/nowhere/move?place=${token}`)).status).toBe(404);
    expect((await press(world(), "other", token, { cookie })).status).toBe(303);
  });
});

describe("the link of a place", () => {
  const client = (id: string, room: string) => ({
    client_id: clientId(id),
    client_secret: clientSecret(id),
    redirect_uris: [redirectUri(id)],
    initiate_login_uri: initiateLoginUri(id),
    room,
  });
  const plain = [
    "once",
    "twice",
    "blocked",
    "same",
    "in",
    "left",
    "reset",
    "json",
    "unread",
    "strangers",
    "closed",
    "replaced",
  ];
  const rooms: Record<string, unknown>[] = [
    ...[...plain, "two"].map((id) => ({ id })),
    { id: "pass", when_ended: "pass_through" },
    { id: "back", moves: "unlimited" },
    { id: "never", moves: "never" },
    { id: "drawn", draw: { order: "random" } },
    { id: "links", targets: [`${site}/first`, `${site}/products/*`] },
    { id: "bare", targets: [`${site}/products/*`] },
  ];
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [],
    config: {
      rooms: rooms.map((room) => ({ inlet: { type: "manual" }, ...room })),
      clients: [
        ...[...plain, "two", "pass", "back", "never", "drawn"].map((id) => client(id, id)),
        client("second", "two"),
      ],
    },
  }));

  test("leads to the site that its holder came from, where the room has several", async () => {
    const url = world().relyingParty("second").startLogin().url;
    const link = await linkOf(world(), await arrive(world(), "two", url));
    const moved = await bring(world(), world().visitor(), link);
    expect(moved.location?.href).toBe(initiateLoginUri("second"));
  });

  test("leads to the page that its holder had followed a link to, if that is still on the room's list", async () => {
    const enter = `${world().issuer}/rooms/links/enter`;
    const target = `${site}/products/7?a=%20b&c`;
    for (const [query, expected] of [
      [`?target=${encodeURIComponent(target)}`, target],
      ["?", `${site}/first`],
    ] as const) {
      const link = await linkOf(world(), await arrive(world(), "links", `${enter}${query}`));
      const phone = world().visitor();
      const parked = await bring(world(), phone, link);
      expect(parked.url.href).toBe(`${enter}?target=${encodeURIComponent(expected)}`);
      expect(parked.state).toBe("waiting");
    }
    const { queued } = await numbers(world(), "links");
    expect(queued).toBe(2);
  });

  test("says that the place is there, where there is nowhere to lead to", async () => {
    const enter = `${world().issuer}/rooms/bare/enter?target=${site}/products/1`;
    const holder = await arrive(world(), "bare", enter);
    // As from a page whose address the browser does not tell.
    const page = await askForLink(world(), holder, { referer: "" });
    expect(page.body).not.toMatch(/<a\b[^>]*class="button/);
    const phone = world().visitor();
    const moved = await bring(world(), phone, linkOn(page));
    expect([moved.status, moved.notice, moved.header("referrer-policy")]).toEqual([200, "moved_here", "no-referrer"]);
    expect((await phone.navigate(enter)).position).toBe(1);
  });

  test("pressed again, at once or after a reply that was lost, is the same visitor's; another's is void", async () => {
    const link = await linkOf(world(), await arrive(world(), "twice"));
    const phone = world().visitor();
    const page = await phone.navigate(link);
    const before = phone.jar.copy();
    const answers = await Promise.all([1, 2, 3].map(() => submitForm(phone, page, outside(world()))));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    // The reply did not come, and the browser knows of nothing.
    const again = await submitForm(world().visitor({ jar: before }), page, outside(world()));
    expect([again.status, again.location?.href]).toEqual([303, initiateLoginUri("twice")]);
    // Back on the page of the link, which is here already.
    expect((await phone.navigate(link, { stopAt: outside(world()) })).status).toBe(303);
    const late = await world().visitor().navigate(link);
    expect([late.status, late.notice]).toEqual([410, "move_void"]);
    expect(late.body).not.toContain(tokenOf(link));
    const thief = world().visitor();
    await thief.navigate(world().relyingParty("twice").startLogin().url);
    const refused = await submitForm(thief, { ...page, url: new URL(link) });
    expect([refused.status, refused.notice]).toEqual([410, "move_void"]);
    expect((await thief.navigate(world().relyingParty("twice").startLogin().url)).position).toBe(2);
  });

  test("brings the place back to a browser that had it before, and by which it is not left", async () => {
    const laptop = await arrive(world(), "back");
    const phone = world().visitor();
    await bring(world(), phone, await linkOf(world(), laptop));
    const parked = await phone.navigate(laptop.parked.url);
    const asked = await laptop.visitor.navigate(await linkOf(world(), { visitor: phone, parked }));
    expect(asked.notice).toBe("move_here");
    expect((await submitForm(laptop.visitor, asked, outside(world()))).status).toBe(303);
    expect((await laptop.visitor.navigate(laptop.parked.url)).position).toBe(1);
    expect((await phone.navigate(laptop.parked.url)).notice).toBe("moved");
    await world().admin.increment("back", 1);
    const { claims } = await world().relyingParty("back").login(laptop.visitor);
    expect(claims).toMatchObject({ queue_position: 1 });
  });

  test("is given once for a place by the room's rule, and not before a draw; the page offers it where it may be had", async () => {
    const laptop = await arrive(world(), "once");
    expect(laptop.parked.body).toContain('action="/rooms/once/move"');
    const phone = world().visitor();
    await bring(world(), phone, await linkOf(world(), laptop));
    const parked = await phone.navigate(laptop.parked.url);
    const refused = await askForLink(world(), { visitor: phone, parked });
    expect([refused.status, refused.notice]).toEqual([409, "move_spent"]);
    expect(attribute(refused.body.match(/<a\b[^>]*class="button[^>]*>/)?.[0] ?? "", "href")).toContain("/authorize?");
    expect(await asProgram("once", phone)).toEqual([409, "move_spent"]);

    await world().admin.step("drawn", "prequeue");
    const entrant = await arrive(world(), "drawn");
    expect([entrant.parked.state, (await askForLink(world(), entrant)).notice]).toEqual(["entered", "move_spent"]);
    const here = await arrive(world(), "never");
    expect(here.parked.body).not.toContain("/rooms/never/move");
    expect(await asProgram("never", here.visitor)).toEqual([409, "move_spent"]);
  });

  /** Asks for a link with the ticket. */
  async function asProgram(room: string, visitor: Visitor): Promise<[number, unknown]> {
    const authorization = `Bearer ${cookieOf(visitor, room)?.value}`;
    const url = `${world().issuer}/rooms/${room}/move`;
    const answer = await world().http.request(url, { method: "POST", headers: { authorization } });
    return [answer.status, (answer.json() as { error: unknown }).error];
  }

  test("goes nowhere where cookies are refused, and costs nobody the place", async () => {
    const holder = await arrive(world(), "blocked");
    const link = await linkOf(world(), holder);
    const bare = world().visitor({ acceptsCookies: false });
    const refused = await bring(world(), bare, link);
    expect([refused.status, refused.notice]).toEqual([400, "cookies_blocked"]);
    const href = attribute(refused.body.match(/<a\b[^>]*class="button[^>]*>/)?.[0] ?? "", "href") ?? "";
    expect(new URL(href, world().issuer).href).toBe(link);
    expect((await holder.visitor.navigate(holder.parked.url)).position).toBe(1);
    expect((await bring(world(), world().visitor(), link)).status).toBe(303);
  });

  test("in the browser that it comes from leads on, unused", async () => {
    const holder = await arrive(world(), "same");
    const link = await linkOf(world(), holder);
    const here = await holder.visitor.navigate(link, { stopAt: outside(world()) });
    expect([here.status, here.location?.href]).toEqual([303, initiateLoginUri("same")]);
    expect((await holder.visitor.navigate(holder.parked.url)).position).toBe(1);
    expect((await bring(world(), world().visitor(), link)).status).toBe(303);
  });

  test("in a browser that is in leads on, unused; and is void once the place was used", async () => {
    await arrive(world(), "in");
    const visitor = world().visitor();
    await world().admin.increment("in", 2);
    await world().relyingParty("in").login(visitor);
    const holder = await arrive(world(), "in");
    expect(holder.parked.position).toBe(3);
    const link = await linkOf(world(), holder);
    const on = await visitor.navigate(link, { stopAt: outside(world()) });
    expect([on.status, on.location?.href]).toEqual([303, initiateLoginUri("in")]);
    await world().admin.increment("in", 1);
    const { claims } = await world().relyingParty("in").login(holder.visitor);
    expect(claims).toMatchObject({ queue_position: 3 });
    const late = await bring(world(), world().visitor(), link);
    expect([late.status, late.notice]).toEqual([410, "move_void"]);
    // Who is in has no place to carry.
    const refused = await askForLink(world(), holder, { accept: "application/json" });
    expect([refused.status, refused.json()]).toMatchObject([409, { error: "conflict" }]);
  });

  test("gives up the place that the browser had, once it has the other, and says so before", async () => {
    const [one, two] = [await arrive(world(), "replaced"), await arrive(world(), "replaced")];
    await arrive(world(), "replaced");
    const copy = world().visitor({ jar: two.visitor.jar.copy() });
    const link = await linkOf(world(), one);
    const asked = await two.visitor.navigate(link);
    expect([asked.status, asked.notice, asked.setCookies]).toEqual([200, "move_replaces", []]);
    expect((await two.visitor.navigate(two.parked.url)).position).toBe(2);
    await submitForm(two.visitor, asked, outside(world()));
    expect((await two.visitor.navigate(two.parked.url)).position).toBe(1);
    await world().admin.increment("replaced", 2);
    await expect.poll(async () => (await copy.navigate(two.parked.url)).notice).toBe("place_left");
    const { claims } = await world().relyingParty("replaced").login(two.visitor);
    expect(claims).toMatchObject({ queue_position: 1 });
  });

  test("is void for a place that was left, and after a reset", async () => {
    const left = await arrive(world(), "left");
    const link = await linkOf(world(), left);
    await left.visitor.fetch(`${world().issuer}/rooms/left/tickets/me`, {
      method: "DELETE",
      headers: { origin: world().issuer },
    });
    const gone = await bring(world(), world().visitor(), link);
    expect([gone.status, gone.notice]).toEqual([410, "move_void"]);
    const before = await linkOf(world(), await arrive(world(), "reset"));
    await world().admin.step("reset", "reset");
    const other = world().visitor();
    await expect.poll(async () => (await other.navigate(before)).notice).toBe("move_void");
  });

  test("can be had and used while the room is closed or paused, and not by whoever passes through", async () => {
    const holder = await arrive(world(), "closed");
    await world().admin.step("closed", "pause");
    const paused = await linkOf(world(), holder);
    await world().admin.step("closed", "end");
    const phone = world().visitor();
    expect((await bring(world(), phone, paused)).status).toBe(303);
    await world().admin.step("closed", "open");
    await world().admin.step("closed", "resume");
    await expect.poll(async () => (await phone.navigate(holder.parked.url)).position).toBe(1);

    // Where everybody passes, the old copy does, without the place.
    const old = await arrive(world(), "pass");
    await bring(world(), world().visitor(), await linkOf(world(), old));
    await world().admin.step("pass", "end");
    const { claims } = await world().relyingParty("pass").login(old.visitor);
    expect(claims).toMatchObject({ queue_position: null, admitted_via: "ended" });
  });

  test("is made and used from our own pages alone", async () => {
    const holder = await arrive(world(), "strangers");
    const link = await linkOf(world(), holder);
    const guest = world().visitor();
    await guest.navigate(link);
    const cookie = `usher-strangers=${cookieOf(guest, "strangers")?.value}`;
    const own = `usher-strangers=${cookieOf(holder.visitor, "strangers")?.value}`;
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: world().issuer },
      { "sec-fetch-site": "", origin: "https://evil.example" },
      { "sec-fetch-site": "", origin: "null" },
    ]) {
      expect((await press(world(), "strangers", tokenOf(link), { ...headers, cookie })).status).toBe(403);
      const url = `${world().issuer}/rooms/strangers/move`;
      const asked = await world().http.request(url, { method: "POST", headers: { ...headers, cookie: own } });
      expect(asked.status).toBe(403);
    }
  });

  test("is told to programs in JSON, by a ticket of their own, too", async () => {
    const json = { accept: "application/json" };
    const { issuer, http } = world();
    const made = (await http.request(`${issuer}/rooms/json/tickets`, { method: "POST" })).json() as { ticket: string };
    const authorization = `Bearer ${made.ticket}`;
    const asked = await http.request(`${issuer}/rooms/json/move`, { method: "POST", headers: { authorization } });
    const { link, expires_at } = asked.json() as { link: string; expires_at: string };
    expect([asked.status, asked.header("cache-control"), asked.header("access-control-allow-origin")]).toEqual([
      200,
      "no-store",
      "*",
    ]);
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 600_000)).toBeLessThan(5_000);
    const state = async () => (await http.get(`${issuer}/rooms/json/move/state`, { authorization })).json();
    expect(await state()).toEqual({ moved: false, state: "waiting" });
    const opened = await http.get(link, json);
    expect([opened.status, opened.json()]).toEqual([200, { room: "json", expires_at }]);
    const cookie = opened.setCookies[0]?.split(";")[0] ?? "";
    const taken = await press(world(), "json", tokenOf(link), { ...json, cookie });
    expect([taken.status, taken.json()]).toMatchObject([200, { state: "waiting", position: 1 }]);
    expect(await state()).toEqual({ moved: true, state: "expired" });
    const gone = await press(world(), "json", tokenOf(link), { ...json, cookie: `${cookie}x` });
    expect(gone.status).toBe(400);
    const cut = await http.get(`${issuer}/rooms/json/move`, json);
    expect([cut.status, cut.header("cache-control"), cut.json()]).toMatchObject([
      410,
      "no-store",
      { error: "move_void" },
    ]);
    for (const path of ["move", "move/state"]) {
      const nobody = await http.request(`${issuer}/rooms/json/${path}`, {
        method: path === "move" ? "POST" : "GET",
        headers: json,
      });
      expect([nobody.status, nobody.json()]).toMatchObject([401, { error: "no_ticket" }]);
    }
  });

  test("does not overwrite a ticket that cannot be read here, but a button gives it up", async () => {
    const link = await linkOf(world(), await arrive(world(), "unread"));
    const visitor = world().visitor();
    const foreign = "w1.a-key-of-another-day.payload.01234567890123456789012345678901";
    visitor.jar.store(new URL(world().issuer), `usher-unread=${foreign}; Path=/; HttpOnly`);
    const refused = await visitor.navigate(link);
    expect([refused.status, refused.notice, refused.setCookies]).toEqual([409, "ticket_unreadable", []]);
    const back = await submitForm(visitor, refused);
    expect([back.status, back.notice]).toEqual([200, "move_here"]);
    expect((await submitForm(visitor, back, outside(world()))).status).toBe(303);
  });
});
