/** Links to a room, `GET /rooms/ROOM/enter?target=…`: the gate as before a login, then the target with an admission token. */
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { targetTricks } from "../../support/target-tricks.ts";
import type { Page, Visitor } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { queued } from "../line.ts";
import { initiateLoginUri, memoryStore, useWorld } from "../world.ts";

const site = "https://shop.example.test";
const targets = [`${site}/`, `${site}/products/*`, `${site}/checkout`];
const rooms = [
  { id: "line" },
  { id: "few", admission: { logins_per_admission: 1 } },
  { id: "often", admission: { logins_per_admission: 3 } },
  { id: "own", settings: { admission_token: { audience: "shop", validity: "10m" } } },
  { id: "strict", settings: { targets: targets.slice(1) } },
  { id: "prefix", settings: { targets: targets.slice(1, 2) } },
  { id: "both", client: { login_timeout: "1s" } },
  { id: "idle" },
  { id: "again" },
].map((room) => ({ ...room, settings: { targets, ...room.settings } }));

describe("links to a room", () => {
  const world = useWorld(() => ({ store: memoryStore, rooms }));
  const stopAt = (location: URL) => location.origin === site;

  function link(room: string, target?: string): string {
    const query = target === undefined ? "" : `?target=${encodeURIComponent(target)}`;
    return `${world().issuer}/rooms/${room}/enter${query}`;
  }

  async function tokenOf(page: Page, audience: string) {
    const token = page.location?.searchParams.get("usher_token") ?? "";
    const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", world().issuer));
    const { payload } = await jwtVerify(token, keys, { issuer: world().issuer, audience, typ: "admission+jwt" });
    return { token, payload };
  }

  async function inLine(room: string, visitor: Visitor, target?: string): Promise<Page> {
    return visitor.navigate(link(room, target), { stopAt });
  }

  test("a visitor waits, is let in, and comes to the target with a token that is good for a minute", async () => {
    const visitor = world().visitor();
    const target = `${site}/products/7?a=%20b+c&d`;
    const parked = await inLine("line", visitor, target);
    expect([parked.status, parked.position, parked.state]).toEqual([200, 1, "waiting"]);
    expect((await visitor.navigate(parked.url)).position).toBe(1);
    await world().admin.increment("line", 1);
    const handed = await visitor.waitInLine(parked, { stopAt });
    expect([handed.status, handed.header("cache-control"), handed.header("referrer-policy")]).toEqual([
      303,
      "no-store",
      "no-referrer",
    ]);
    const { token, payload } = await tokenOf(handed, `${world().issuer}/rooms/line`);
    expect(handed.location?.href).toBe(`${target}&usher_token=${token}`);
    expect(payload).toMatchObject({ room: "line", queue_position: 1, admitted_via: "queue" });
    expect(payload.sub).toMatch(/^line\./);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(61);
    expect(payload.admitted_until).toBeGreaterThan(payload.exp ?? Infinity);
    expect(decodeProtectedHeader(token).typ).toBe("admission+jwt");
  });

  test("a site's page has the token read, as often as it likes, from any origin and with no cookie", async () => {
    await world().admin.step("idle", "passthrough");
    const handed = await inLine("idle", world().visitor());
    const { token, payload } = await tokenOf(handed, `${world().issuer}/rooms/idle`);
    const read = (room: string, body: string, headers: Record<string, string> = {}) =>
      world().http.request(`${world().issuer}/rooms/${room}/admission`, {
        method: "POST",
        headers: { origin: "https://anybody.example.test", "content-type": "text/plain;charset=UTF-8", ...headers },
        body,
      });
    for (let times = 0; times < 25; times++) {
      const answer = await read("idle", token);
      const names = ["access-control-allow-origin", "cache-control", "set-cookie", "access-control-allow-credentials"];
      expect([answer.status, ...names.map((name) => answer.header(name))]).toEqual([
        ...[200, "*", "no-store", undefined, undefined],
      ]);
      const { sub, admitted_until } = payload;
      expect(answer.json()).toMatchObject({ admitted: true, sub, admitted_until });
      const { for_ms } = answer.json() as { for_ms: number };
      expect(Math.abs(for_ms - (Number(admitted_until) * 1_000 - Date.now()))).toBeLessThan(5_000);
    }
    for (const [room, text] of [
      ["line", token],
      ["idle", ""],
      ["idle", "x".repeat(5_000)],
    ] as const) {
      const answer = await read(room, text);
      expect([answer.status, answer.json()]).toEqual([200, { admitted: false }]);
    }
    expect((await read("idle", "{}", { "content-type": "application/json" })).status).toBe(415);
    expect((await read("nowhere", token)).status).toBe(404);
    // An admission that was ended by its operator is over at once.
    await world().admin.request("PATCH", `/rooms/idle/admissions/${payload.sub}`, { status: "completed" });
    expect((await read("idle", token)).json()).toEqual({ admitted: false });
  });

  test("without a target it leads to the first exact one; a token in the target is replaced", async () => {
    await world().admin.step("idle", "passthrough");
    const visitor = world().visitor();
    const usual = await inLine("idle", visitor);
    expect(usual.location?.href.split("usher_token")[0]).toBe(`${site}/?`);
    const again = await inLine("idle", visitor, `${site}/checkout?usher_token=old&x=1`);
    expect(again.location?.href).toMatch(/\/checkout\?x=1&usher_token=ey[\w.-]+$/);
    const { payload } = await tokenOf(again, `${world().issuer}/rooms/idle`);
    expect(payload).toMatchObject({ queue_position: null, admitted_via: "passthrough" });
  });

  test("the audience is as configured", async () => {
    const visitor = world().visitor();
    await world().admin.increment("own", 1);
    const page = await visitor.login(link("own"), { stopAt });
    expect((await tokenOf(page, "shop")).payload.aud).toBe("shop");
  });

  test("a hand-over counts as a login; when none is left a page says so", async () => {
    await world().admin.increment("few", 1);
    const visitor = world().visitor();
    await world().relyingParty("few").login(visitor);
    const refused = await inLine("few", visitor);
    expect([refused.status, refused.notice]).toEqual([429, "too_many_logins"]);
  });

  test("hand-overs within half a minute are one login: reloads, the back button, another page's mischief", async () => {
    await world().admin.increment("often", 1);
    const visitor = world().visitor();
    const names = new Set<unknown>();
    for (let times = 0; times < 25; times++) {
      const handed = await inLine("often", visitor, times % 2 === 0 ? `${site}/checkout` : undefined);
      expect(handed.status).toBe(303);
      names.add((await tokenOf(handed, `${world().issuer}/rooms/often`)).payload.jti);
    }
    const { admissions } = (await world().admin.request("GET", "/rooms/often/admissions")).json() as {
      admissions: { logins: number }[];
    };
    expect(admissions).toHaveLength(1);
    // The half minute may have ended meanwhile.
    expect(admissions[0]?.logins).toBeLessThanOrEqual(2);
    // All tokens of one login have one name, by which they are taken once together.
    expect(names.size).toBe(admissions[0]?.logins);
    expect((await world().relyingParty("often").login(visitor)).claims).toMatchObject({ queue_position: 1 });
  });

  test("one place serves links and logins, and links make no login younger than it is", async () => {
    const visitor = world().visitor();
    const relyingParty = world().relyingParty("both");
    const login = relyingParty.startLogin();
    expect((await visitor.navigate(login.url)).position).toBe(1);
    for (let times = 0; times < 12; times++) {
      expect((await inLine("both", visitor, `${site}/products/${times}`)).position).toBe(1);
    }
    await world().admin.increment("both", 1);
    expect((await visitor.login(link("both"), { stopAt })).status).toBe(303);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const elsewhere = (location: URL) => location.origin !== world().issuer;
    const old = await visitor.navigate(login.url, { stopAt: elsewhere });
    expect(old.location?.href).toBe(initiateLoginUri("both"));
    expect((await relyingParty.login(visitor)).claims).toMatchObject({ queue_position: 1 });
  });

  // test/unit/web/room-sites.test.ts has all of them.
  test.each(targetTricks(site).filter((_, index) => index % 20 === 0))(
    "a target that is not on the list leads nowhere and takes no place: %j",
    async (trick) => {
      const before = await queued(world(), "strict");
      const page = await world().visitor().navigate(link("strict", trick));
      expect([page.status, page.notice, page.location, page.setCookies]).toEqual([
        400,
        "unknown_target",
        undefined,
        [],
      ]);
      expect(await queued(world(), "strict")).toBe(before);
    },
  );

  test("programs are told the same; several targets are none; a list without an exact one has no usual one", async () => {
    const asked = await world().http.get(link("strict", "https://evil.example/"), { accept: "application/json" });
    expect([asked.status, asked.json()]).toMatchObject([400, { error: "unknown_target" }]);
    const twice = await world().http.get(`${link("strict", `${site}/checkout`)}&target=https://evil.example/`);
    expect(twice.status).toBe(400);
    expect((await world().http.get(link("prefix"))).status).toBe(400);
    expect((await world().http.get(`${world().issuer}/rooms/nowhere/enter`)).status).toBe(404);
    expect((await world().http.get(`${link("strict")}?x=${"x".repeat(17_000)}`)).status).toBe(414);
  });

  test("what is no visit takes no place: HEAD, prefetch, frames, scripts, previews, posts", async () => {
    const { http } = world();
    const url = link("prefix", `${site}/products/1`);
    const answers = [
      await http.request(url, { method: "HEAD" }),
      await http.get(url, { "sec-purpose": "prefetch", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }),
      await http.get(url, { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }),
      await http.get(url, { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" }),
      await http.get(url, { "user-agent": "Slackbot-LinkExpanding 1.0" }),
      await http.request(url, { method: "POST" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 503, 403, 403, 200, 405]);
    expect(answers.flatMap(({ setCookies }) => setCookies)).toEqual([]);
    expect(await queued(world(), "prefix")).toBe(0);
  });

  test("a browser that keeps no cookies is told so, by the page's own button", async () => {
    const visitor = world().visitor({ acceptsCookies: false });
    const parked = await inLine("again", visitor);
    expect(parked.position).toBe(1);
    const blocked = await visitor.navigate(parked.url, { from: parked.url });
    expect([blocked.status, blocked.notice]).toEqual([400, "cookies_blocked"]);
    expect(blocked.body).toContain("usher_join=1");
  });

  test("who left, or whose place is void, joins again by the page's button and comes back to the link", async () => {
    const visitor = world().visitor();
    const address = link("again", `${site}/products/9`);
    const parked = await visitor.navigate(address);
    const headers = { origin: world().issuer, referer: parked.url.href };
    const left = await visitor.navigate(link("again").replace("enter", "leave"), {
      method: "POST",
      from: parked.url,
      headers,
    });
    expect(left.notice).toBe("left");
    expect(left.body).toContain(`/rooms/again/enter?target=`);

    const other = world().visitor();
    const place = (await other.navigate(address)).position ?? 0;
    const cookie = other.jar.all().find(({ name }) => name === "usher-again");
    if (cookie === undefined) throw new Error("no ticket among the cookies");
    await other.navigate(address, { headers: { cookie: "" } });
    await world().http.request(`${world().issuer}/rooms/again/tickets/me`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${cookie.value}` },
    });
    other.jar.put(cookie);
    await world().admin.increment("again", 20);
    const page = await other.login(address, { stopAt });
    expect(page.notice).toBe("place_left");
    const joined = await submitForm(other, page, stopAt);
    expect(joined.location?.pathname).toBe("/products/9");
    const { payload } = await tokenOf(joined, `${world().issuer}/rooms/again`);
    expect(payload.queue_position).toBeGreaterThan(place);
  });

  test("the button of a page leads to no other room's link and to nothing else", async () => {
    for (const returnTo of [
      "/rooms/line/enter?x",
      "/rooms/again/enter",
      "//evil.example/authorize?",
      "/rooms/again/leave?",
    ]) {
      const answer = await world().http.request(`${world().issuer}/rooms/again/rejoin`, {
        method: "POST",
        body: new URLSearchParams({ return: returnTo }),
        headers: { "sec-fetch-site": "same-origin" },
      });
      expect([returnTo, answer.status]).toEqual([returnTo, 400]);
    }
  });
});
