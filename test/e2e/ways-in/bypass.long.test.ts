// Long: each rule of bypass links by HTTP; two-gateways.test.ts has the main path and the main refusal.
/**
 * Bypass links: an operator makes one, and whoever presses its button first is in, ahead of the line and within the limits. The
 * login at the site follows as ever.
 */
import { createRemoteJWKSet, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { targetTricks } from "../../support/target-tricks.ts";
import { attribute, type Page, type Visitor } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { redisStore } from "../redis-store.ts";
import { initiateLoginUri, memoryStore, useWorld, type World } from "../world.ts";

interface Made {
  url: string;
  expires_at: string;
  link: string;
  note: string | null;
  target_link_uri: string | null;
}

async function make(world: World, room: string, body: object = {}): Promise<Made> {
  const answer = await world.admin.request("POST", `/rooms/${room}/bypass`, body);
  expect([answer.status, answer.header("cache-control")]).toEqual([201, "no-store"]);
  return answer.json() as Made;
}

/** Opens the link and presses its button. */
async function follow(world: World, visitor: Visitor, url: string): Promise<Page> {
  const outside = (location: URL) => location.origin !== world.issuer;
  return submitForm(visitor, await visitor.navigate(url), outside);
}

const button = (world: World, room: string, fields: Record<string, string>, headers = {}) =>
  world.http.request(`${world.issuer}/rooms/${room}/bypass`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { accept: "text/html", "sec-fetch-site": "same-origin", ...headers },
  });

const tokenOf = (url: string) => new URL(url).searchParams.get("link") ?? "";
const noticeOf = (body: string) => attribute(body.match(/<main\b[^>]*>/)?.[0] ?? "", "data-notice");

describe("bypass links", () => {
  const site = "https://deep.example.test";
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [
      ...["line", "held", "place", "other", "wrong", "again", "newer", "plain"].map((id) => ({ id })),
      { id: "few", inlet: { type: "periodic", outflow_per_minute: 4 } },
      { id: "full", inlet: { type: "max_active", max_active: 1 } },
      {
        id: "deep",
        settings: { targets: ["https://page.example.test/*"] },
        client: {
          initiate_login_uri: `${site}/start?to={target_link_uri}`,
          target_link_uris: [`${site}/first`, `${site}/products/*`],
        },
      },
    ],
  }));

  test("one leads its holder past the line to a login at the site; nobody else, and nobody by opening it", async () => {
    await world().visitor().navigate(world().relyingParty("line").startLogin().url);
    const note = "the stage crew, <b>really</b>";
    const made = await make(world(), "line", { note });
    expect(made).toMatchObject({ room: "line", note, target_link_uri: null });
    expect(made.url.startsWith(`${world().issuer}/rooms/line/bypass?link=`)).toBe(true);
    const leftMs = Date.parse(made.expires_at) - Date.now();
    expect(leftMs).toBeGreaterThan(170_000);
    expect(leftMs).toBeLessThanOrEqual(180_000);

    const visitor = world().visitor();
    const opened = await visitor.navigate(made.url);
    expect([opened.status, opened.notice, opened.header("cache-control"), opened.header("referrer-policy")]).toEqual([
      200,
      "bypass",
      "no-store",
      "same-origin",
    ]);
    expect(opened.body).toMatch(/It works once, until \d{1,2}:\d\d\s[AP]M UTC/);
    // Previews, scanners and reloads use nothing up.
    for (const method of ["HEAD", "GET", "GET"]) {
      expect((await world().http.request(made.url, { method, headers: { accept: "text/html" } })).status).toBe(200);
    }
    const entered = await follow(world(), visitor, made.url);
    expect([entered.status, entered.location?.href]).toEqual([303, initiateLoginUri("line")]);
    expect([entered.header("referrer-policy"), entered.header("cache-control")]).toEqual(["no-referrer", "no-store"]);
    const { claims } = await world().relyingParty("line").login(visitor);
    expect(claims).toMatchObject({ room: "line", queue_position: null, admitted_via: "bypass" });

    const second = await follow(world(), world().visitor(), made.url);
    expect([second.status, second.notice]).toEqual([410, "bypass_void"]);
    const third = await button(world(), "line", { link: tokenOf(made.url) });
    expect([third.status, noticeOf(third.body)]).toEqual([410, "bypass_void"]);
    expect(third.body).not.toContain(tokenOf(made.url));
    // Whoever is in presses the button again, and goes on.
    const again = await follow(world(), visitor, made.url);
    expect([again.status, again.location?.href]).toEqual([303, initiateLoginUri("line")]);

    const room = async () => (await world().admin.request("GET", "/rooms/line")).json();
    await expect.poll(room).toMatchObject({ counts: { entered: 0, passed: 0, bypassed: 1 } });
    expect(await room()).toMatchObject({ serving: 0, waiting: 1 });
    const { body: metrics } = await world().http.get(`${world().issuer}/metrics`);
    expect(metrics).toContain('usher_admissions_total{room="line",via="bypass"} 1');
    const events = () =>
      world()
        .gateways[0]?.output()
        .match(/.*"bypass\..*\n/g) ?? [];
    await expect.poll(() => events().length).toBe(2);
    const { sub } = claims;
    expect(events().map((line) => JSON.parse(line))).toMatchObject([
      { event: "bypass.created", room: "line", admin: "env", link: made.link, note, expires_at: made.expires_at },
      { event: "bypass.used", room: "line", link: made.link, sub },
    ]);
  });

  test.each(["idle", "prequeue", "pause", "end"] as const)("they let in after %s, too", async (step) => {
    await world().admin.step("plain", step);
    const { url } = await make(world(), "plain");
    const visitor = world().visitor();
    expect((await follow(world(), visitor, url)).status).toBe(303);
    const { claims } = await world().relyingParty("plain").login(visitor);
    expect(claims).toMatchObject({ admitted_via: "bypass" });
    await world().admin.step("plain", "resume");
  });

  test("the button pressed twice lets one person in once, and so does one pressed again for want of an answer", async () => {
    const { url } = await make(world(), "again");
    const visitor = world().visitor();
    const page = await visitor.navigate(url);
    const outside = (location: URL) => location.origin !== world().issuer;
    const answers = await Promise.all([1, 2, 3].map(() => submitForm(visitor, page, outside)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const { admissions } = (await world().admin.request("GET", "/rooms/again/admissions")).json() as {
      admissions: object[];
    };
    expect(admissions).toHaveLength(1);
  });

  test("twenty who press the button at the same instant: one is in", async () => {
    const { url } = await make(world(), "other");
    const press = () => button(world(), "other", { link: tokenOf(url) });
    const statuses = (await Promise.all(Array.from({ length: 20 }, press))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([303, ...Array<number>(19).fill(410)]);
  });

  test("whoever waits in line is let in with the place, and their page leads on", async () => {
    const visitor = world().visitor();
    const site = world().relyingParty("place");
    const login = site.startLogin();
    const parked = await visitor.navigate(login.url, { stopAt: site.isCallback });
    expect(parked.position).toBe(1);
    await follow(world(), visitor, (await make(world(), "place")).url);
    const page = await visitor.navigate(parked.url, { stopAt: site.isCallback });
    const { claims } = await site.finishLogin(page, login);
    expect(claims).toMatchObject({ queue_position: 1, admitted_via: "bypass" });
  });

  test("a page on the list of a client, or of the room, is where they lead", async () => {
    const target = `${site}/products/7?a=%20b&c`;
    const made = await make(world(), "deep", { target_link_uri: target });
    expect(made.target_link_uri).toBe(target);
    const begun = await follow(world(), world().visitor(), made.url);
    expect(begun.location?.href).toBe(`${site}/start?to=${encodeURIComponent(target)}`);
    const page = "https://page.example.test/stage";
    const handed = await follow(
      world(),
      world().visitor(),
      (await make(world(), "deep", { target_link_uri: page })).url,
    );
    expect(handed.location?.href.split("?")[0]).toBe(page);
    expect(handed.location?.searchParams.get("usher_token")).toMatch(/^ey/);
    const usual = await follow(world(), world().visitor(), (await make(world(), "deep")).url);
    expect(usual.location?.searchParams.get("to")).toBe(`${site}/first`);
  });

  test.each(targetTricks(site))("no link is made that leads elsewhere: %j", async (trick) => {
    const answer = await world().admin.request("POST", "/rooms/deep/bypass", { target_link_uri: trick });
    expect(answer.status).toBe(400);
    expect(["unknown_target", "bad_request"]).toContain((answer.json() as { error: string }).error);
  });

  test("operators are told what is wrong with their request", async () => {
    const ask = async (path: string, body?: object, headers?: Record<string, string>) => {
      const answer = await world().admin.request("POST", path, body, headers);
      const { error, error_description } = answer.json() as { error: string; error_description: string };
      return [answer.status, error, error_description];
    };
    const path = "/rooms/line/bypass";
    expect(await ask(path, { note: "" })).toEqual([400, "bad_request", expect.stringContaining("note: expected")]);
    expect((await ask(path, { note: "x".repeat(201) }))[0]).toBe(400);
    expect((await ask(path, { note: "a\r\nb" }))[0]).toBe(400);
    expect((await ask(path, { nota: "a" }))[2]).toContain("nota: unknown key, did you mean note?");
    expect((await ask(path, ["a"]))[0]).toBe(400);
    expect(await ask("/rooms/lime/bypass", {})).toEqual([404, "unknown_room", expect.stringContaining("line")]);
    expect((await ask("/rooms/line/bypas", {}))[2]).toContain("did you mean bypass?");
    expect((await ask(path, {}, { authorization: "Bearer wrong" }))[0]).toBe(401);
    expect((await world().admin.request("GET", path)).status).toBe(405);
    expect((await world().admin.request("POST", path)).status).toBe(201);
  });

  test("what is no link of this room is told nothing: forged, cut, another room's, too long, with line breaks", async () => {
    const token = tokenOf((await make(world(), "wrong")).url);
    const foreign = tokenOf((await make(world(), "line")).url);
    const [kid = "", payload = "", mac = ""] = token.split(".");
    const later = payload.replace(/~[^~]+~$/, "~zzzzzzzzz~");
    const wrong = [
      foreign,
      `${kid}.${later}.${mac}`,
      `${kid}.${payload}`,
      `other.${payload}.${mac}`,
      `${token}\r\nSet-Cookie: a=b`,
      "x".repeat(6_000),
      "",
    ];
    const pages: string[] = [];
    for (const link of wrong) {
      const url = `${world().issuer}/rooms/wrong/bypass?link=${encodeURIComponent(link)}`;
      const answers = [await world().http.get(url, { accept: "text/html" }), await button(world(), "wrong", { link })];
      for (const { status, body, setCookies, headers } of answers) {
        expect([status, noticeOf(body), setCookies, headers.a]).toEqual([410, "bypass_void", [], undefined]);
        expect(headers["referrer-policy"]).toBe("no-referrer");
        pages.push(body.replace(/Reference: [^<]*/, ""));
      }
    }
    expect(new Set(pages).size).toBe(1);
    const twice = `${world().issuer}/rooms/wrong/bypass?link=${token}&link=${foreign}`;
    expect((await world().http.get(twice)).status).toBe(410);
    expect((await world().http.get(`${world().issuer}/rooms/nowhere/bypass?link=${token}`)).status).toBe(404);
    expect((await button(world(), "wrong", { link: token })).status).toBe(303);
  });

  test("a button of another site's page does nothing", async () => {
    const token = tokenOf((await make(world(), "wrong")).url);
    const unknownHost = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: world().issuer },
      { "sec-fetch-site": "", origin: "https://evil.example" },
      { "sec-fetch-site": "", origin: "null" },
    ];
    for (const headers of unknownHost) {
      expect((await button(world(), "wrong", { link: token }, headers)).status).toBe(403);
    }
    const old = await button(world(), "wrong", { link: token }, { "sec-fetch-site": "", origin: world().issuer });
    expect(old.status).toBe(303);
  });

  test("while the limit is used up, the answer waits; then the page says why, and the link is as good as before", async () => {
    await follow(world(), world().visitor(), (await make(world(), "few")).url);
    const visitor = world().visitor();
    const { url } = await make(world(), "few");
    const beganMs = Date.now();
    const held = await follow(world(), visitor, url);
    expect([held.status, held.notice]).toEqual([503, "bypass_held"]);
    expect(Number(held.header("retry-after"))).toBeGreaterThan(0);
    // The next one may come in a quarter of a minute after the first: so long nobody looks at an empty window.
    expect(Date.now() - beganMs).toBeLessThan(13_000);
    let entered = held;
    while (entered.status === 503) {
      entered = await submitForm(visitor, entered, (location) => location.origin !== world().issuer);
    }
    expect(entered.status).toBe(303);
  });

  test("while the site is full, they wait for somebody to leave", async () => {
    const first = world().visitor();
    await follow(world(), first, (await make(world(), "full")).url);
    const visitor = world().visitor();
    const made = await make(world(), "full");
    const full = await follow(world(), visitor, made.url);
    expect([full.status, full.notice]).toEqual([503, "bypass_full"]);
    const waiting = submitForm(visitor, full, (location) => location.origin !== world().issuer);
    await world().admin.request("POST", "/rooms/full/report", { exited: 1 });
    expect((await waiting).status).toBe(303);
  });

  test("a ticket that cannot be read here is not overwritten, but given up by a button that says so", async () => {
    const visitor = world().visitor();
    const { url } = await make(world(), "newer");
    const foreign = "w1.a-key-of-another-day.payload.01234567890123456789012345678901";
    const cookie = { name: "usher-newer", value: foreign };
    const at = new URL(world().issuer);
    visitor.jar.store(at, `${cookie.name}=${cookie.value}; Path=/; HttpOnly`);
    const refused = await follow(world(), visitor, url);
    expect([refused.status, refused.notice, refused.setCookies]).toEqual([409, "bypass_unreadable", []]);
    expect(visitor.cookie("usher-newer")?.value).toBe(foreign);
    const back = await submitForm(visitor, refused);
    expect([back.status, back.notice]).toEqual([200, "bypass"]);
    const entered = await submitForm(visitor, back, (location) => location.origin !== world().issuer);
    expect(entered.status).toBe(303);
  });

  test("programs are answered in JSON", async () => {
    const made = await make(world(), "held");
    const json = { accept: "application/json" };
    const shown = await world().http.get(made.url, json);
    expect([shown.status, shown.json()]).toEqual([200, { room: "held", expires_at: made.expires_at }]);
    expect((await button(world(), "held", { link: tokenOf(made.url) }, json)).status).toBe(303);
    const gone = await button(world(), "held", { link: tokenOf(made.url) }, json);
    expect([gone.status, gone.header("cache-control"), gone.json()]).toMatchObject([
      410,
      "no-store",
      { error: "bypass_void" },
    ]);
    const cut = await world().http.get(`${world().issuer}/rooms/held/bypass`, json);
    expect([cut.status, cut.json()]).toMatchObject([410, { error: "bypass_void" }]);
  });
});

describe("bypass links to rooms without relying parties", () => {
  const settings = { targets: ["https://shop.example.test/*", "https://shop.example.test/in"] };
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [{ id: "shop", settings }, { id: "bare" }],
    config: { clients: [] },
  }));

  test("lead to the room's usual target with an admission token", async () => {
    const page = await follow(world(), world().visitor(), (await make(world(), "shop")).url);
    expect([page.status, page.header("referrer-policy")]).toEqual([303, "no-referrer"]);
    expect(page.location?.href.split("usher_token")[0]).toBe("https://shop.example.test/in?");
    const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", world().issuer));
    const token = page.location?.searchParams.get("usher_token") ?? "";
    const { payload } = await jwtVerify(token, keys, { audience: `${world().issuer}/rooms/shop` });
    expect(payload).toMatchObject({ room: "shop", queue_position: null, admitted_via: "bypass" });
  });

  test("say so where there is no address to lead to", async () => {
    const page = await follow(world(), world().visitor(), (await make(world(), "bare")).url);
    expect([page.status, page.notice]).toEqual([200, "bypass_in"]);
    const { admissions } = (await world().admin.request("GET", "/rooms/bare/admissions")).json() as {
      admissions: object[];
    };
    expect(admissions).toMatchObject([{ status: "live", admitted_via: "bypass" }]);
  });
});

describe("bypass links at two gateways", () => {
  const world = useWorld(() => ({ store: redisStore, gateways: 2, rooms: [{ id: "both" }] }));

  test("made at one are taken at the other, once at both together", async () => {
    const second = world().gateways[1]?.origin ?? "";
    const { url } = await make(world(), "both");
    const press = (origin: string) =>
      world().http.request(`${origin}/rooms/both/bypass`, {
        method: "POST",
        body: new URLSearchParams({ link: tokenOf(url) }),
        headers: { "sec-fetch-site": "same-origin" },
      });
    const first = await press(second);
    expect([first.status, first.header("location")]).toEqual([303, initiateLoginUri("both")]);
    expect([(await press(world().issuer)).status, (await press(second)).status]).toEqual([410, 410]);
  });
});
