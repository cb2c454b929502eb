/**
 * Each way in at two gateways on a shared Redis, its main path and its main refusal: tokens, bypass links, places that are moved, invitations,
 * several places of one browser, rooms without a line. What else is true of each is in the long test of its name.
 */
import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { createCookieJar } from "../../support/cookie-jar.ts";
import type { HttpResponse } from "../../support/http-client.ts";
import { createInvitationSigner } from "../../support/invitations.ts";
import { attribute } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { redisStore } from "../redis-store.ts";
import { initiateLoginUri, useWorld } from "../world.ts";

const site = "https://shop.example.test";
const over = "https://www.example.test/over";
const mailing = "secret-of-the-mailing-0123456789abcdef";

describe("two gateways", () => {
  const settings = { targets: [`${site}/*`], admission_token: { validity: "1h" } };
  const world = useWorld(() => ({
    store: redisStore,
    gateways: 2,
    rooms: [
      { id: "shop", settings },
      { id: "crew" },
      { id: "moved" },
      { id: "invited", settings: { entry: "invited", invitations: { secret: mailing }, targets: [`${site}/`] } },
      { id: "several", settings: { targets: [`${site}/`] } },
      { id: "over", settings: { targets: [`${site}/`], when_ended: { redirect: over } } },
    ],
  }));
  const origin = (index: number) => world().gateways[index]?.origin ?? "";

  const verify = (index: number, path: string, cookie = "") =>
    world().http.get(`${origin(index)}/rooms/shop/verify`, {
      accept: "text/html",
      cookie,
      "x-forwarded-uri": path,
      "x-forwarded-host": "shop.example.test",
      "x-forwarded-proto": "https",
    });

  test("take each other's hand-overs, cookies and tickets, and hear of an end", async () => {
    const { admin, http } = world();
    await admin.increment("shop", 1);
    const handed = await world()
      .visitor()
      .login(`${origin(0)}/rooms/shop/enter?target=${site}/`, { stopAt: ({ origin }) => origin === site });
    const { search, searchParams } = handed.location ?? new URL(site);
    const { sub } = decodeJwt(searchParams.get("usher_token") ?? "");
    const [cookie = ""] = (await verify(1, `/${search}`)).setCookies[0]?.split(";") ?? [];
    expect((await verify(0, "/", cookie)).header("x-usher-sub")).toBe(sub);
    expect((await verify(1, "/", cookie)).header("x-usher-sub")).toBe(sub);

    await admin.request("PATCH", `/rooms/shop/admissions/${sub}`, { status: "revoked" });
    expect((await verify(0, "/", cookie)).status).toBe(302);
    await expect.poll(async () => (await verify(1, "/", cookie)).status).toBe(302);

    const { ticket } = (await http.request(`${origin(0)}/rooms/shop/tickets`, { method: "POST" })).json() as {
      ticket: string;
    };
    await admin.increment("shop", 1);
    const exchange = (index: number) =>
      http.request(`${origin(index)}/rooms/shop/tickets/me/token`, {
        method: "POST",
        headers: { authorization: `Bearer ${ticket}` },
      });
    await expect.poll(async () => (await exchange(1)).status).toBe(200);
    const tokens = [(await exchange(0)).json(), (await exchange(1)).json()] as { token: string }[];
    const subs = new Set(tokens.map(({ token }) => decodeJwt(token).sub));
    expect(subs.size).toBe(1);
    const { admissions } = (await admin.request("GET", "/rooms/shop/admissions")).json() as {
      admissions: { sub: string; logins: number }[];
    };
    expect(admissions.filter((each) => subs.has(each.sub))).toHaveLength(1);
  });

  const isOutside = ({ origin }: URL) => origin !== world().issuer;
  const noticeOf = ({ body }: HttpResponse) => attribute(body.match(/<main\b[^>]*>/)?.[0] ?? "", "data-notice");
  /** As the button of our own page does it. */
  const press = (index: number, path: string, fields: Record<string, string>, cookie = "") =>
    world().http.request(`${origin(index)}${path}`, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { accept: "text/html", "sec-fetch-site": "same-origin", cookie },
    });

  test("let the first one in who presses the button of a bypass link, past the line, and nobody else at either", async () => {
    const { admin, visitor, relyingParty } = world();
    await visitor().navigate(relyingParty("crew").startLogin().url);
    const made = (await admin.request("POST", "/rooms/crew/bypass", { note: "the crew" })).json() as { url: string };
    const guest = visitor();
    const entered = await submitForm(guest, await guest.navigate(made.url), isOutside);
    expect([entered.status, entered.location?.href]).toEqual([303, initiateLoginUri("crew")]);
    expect((await relyingParty("crew").login(guest)).claims).toMatchObject({ admitted_via: "bypass" });
    const link = new URL(made.url).searchParams.get("link") ?? "";
    for (const wrong of [link, `${link}x`]) {
      for (const index of [0, 1]) {
        const refused = await press(index, "/rooms/crew/bypass", { link: wrong });
        expect([refused.status, noticeOf(refused)]).toEqual([410, "bypass_void"]);
      }
    }
    expect((await admin.request("POST", "/rooms/crew/bypass", { target: "https://evil.example/" })).status).toBe(400);
  });

  test("let a place go on in another browser, tell the old one, and take the link once", async () => {
    const { visitor, relyingParty, admin } = world();
    const laptop = visitor();
    const parked = await laptop.navigate(relyingParty("moved").startLogin().url);
    const offered = await submitForm(laptop, parked, undefined, "/move");
    const link = attribute(offered.body.match(/<input id="link"[^>]*>/)?.[0] ?? "", "value") ?? "";
    const [phone, late] = [visitor(), visitor()];
    const opened = await late.navigate(link);
    const moved = await submitForm(phone, await phone.navigate(link), isOutside);
    expect([moved.status, moved.location?.href]).toEqual([303, initiateLoginUri("moved")]);
    expect((await phone.navigate(relyingParty("moved").startLogin().url)).position).toBe(1);
    expect((await laptop.navigate(parked.url)).notice).toBe("moved");
    const place = new URL(link).searchParams.get("place") ?? "";
    const refused = await submitForm(late, opened, isOutside);
    expect([refused.status, refused.notice]).toEqual([410, "move_void"]);
    for (const index of [0, 1]) {
      const wrong = `${origin(index)}/rooms/moved/move?place=${place}x`;
      const forged = await world().http.get(wrong, { accept: "text/html" });
      expect([forged.status, noticeOf(forged)]).toEqual([410, "move_void"]);
    }
    await admin.increment("moved", 1);
    expect((await relyingParty("moved").login(phone)).claims).toMatchObject({ queue_position: 1 });
    await expect.poll(async () => (await laptop.navigate(parked.url)).notice).toBe("moved");
  });

  test("give each invited person one place, in whichever browser and at the same instant, and nobody else any", async () => {
    const signer = createInvitationSigner({ issuer: world().issuer, room: "invited", secret: mailing });
    const expiresAt = new Date(Date.now() + 3_600_000);
    const join = (index: number, body?: object) =>
      world().http.request(`${origin(index)}/rooms/invited/tickets`, { method: "POST", ...(body && { body }) });
    const asked = ["ann", "bob"].flatMap((key) => [0, 1].map((index) => ({ key, index })));
    const places = await Promise.all(
      asked.map(async ({ key, index }) => {
        const answer = await join(index, { invitation: await signer.sign({ key, expiresAt }) });
        return `${key} ${(answer.json() as { position: number }).position}`;
      }),
    );
    expect(new Set(places).size).toBe(2);
    const link = await signer.link({ key: "ann", expiresAt });
    for (const browser of [world().visitor(), world().visitor()]) {
      const page = await browser.navigate(link, { stopAt: isOutside });
      expect(places).toContain(`ann ${page.position}`);
      expect(page.url.search).not.toContain("invitation");
    }
    const uninvited = await world().visitor().navigate(`${world().issuer}/rooms/invited/enter`);
    expect([uninvited.status, uninvited.notice]).toEqual([403, "uninvited"]);
    const forged = createInvitationSigner({ issuer: world().issuer, room: "invited", secret: `${mailing}-of-another` });
    for (const [body, error] of [
      [undefined, "uninvited"],
      [{ invitation: await forged.sign({ key: "ann", expiresAt }) }, "invalid_invitation"],
    ] as const) {
      const refused = await join(1, body);
      expect([refused.status, refused.json()]).toEqual([403, expect.objectContaining({ error })]);
    }
  });

  test("count the earliest of the places that one browser has got, and take the others back", async () => {
    const enter = `${world().issuer}/rooms/several/enter`;
    const pages = await Promise.all([1, 2, 3].map(() => world().visitor().navigate(enter)));
    const jar = createCookieJar();
    for (const { setCookies } of pages.toSorted((a, b) => (b.position ?? 0) - (a.position ?? 0)))
      for (const cookie of setCookies) jar.store(new URL(world().issuer), cookie);
    expect((await world().visitor({ jar }).navigate(enter)).position).toBe(1);
    const room = async () => (await world().admin.request("GET", "/rooms/several")).json();
    await expect.poll(room).toMatchObject({ counts: { left: 2 } });
  });

  test("send visitors of a room that has ended to the page that it names, and programs its address", async () => {
    await world().admin.step("over", "end");
    const url = `${world().issuer}/rooms/over/enter`;
    const page = await world().visitor().navigate(url, { stopAt: isOutside });
    expect([page.status, page.location?.href]).toEqual([303, over]);
    const told = await world().http.get(url, { accept: "application/json" });
    expect([told.status, told.json()]).toMatchObject([409, { error: "room_ended", redirect: over }]);
  });
});
