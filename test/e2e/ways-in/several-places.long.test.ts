// Long: each rule of several places, on both stores; two-gateways.test.ts has the main path and the main refusal.
/**
 * Pages that a browser opens at one moment join each on its own: none of their requests has a cookie yet. Of the places the earliest counts, in
 * whatever order the answers come, and the others are given back.
 */
import { describe, expect, test } from "vitest";
import { type CookieJar, createCookieJar } from "../../support/cookie-jar.ts";
import type { Page, Visitor } from "../../support/visitor.ts";
import { leaveLine } from "../form.ts";
import { numbers } from "../line.ts";
import { redisStore } from "../redis-store.ts";
import { memoryStore, useWorld } from "../world.ts";

const targets = ["https://shop.example.test/"];
const orders = {
  ascending: [0, 1, 2, 3, 4, 5],
  descending: [5, 4, 3, 2, 1, 0],
  mixed: [2, 0, 5, 1, 4, 3],
};
const schedule = { prequeue_at: "2020-01-01T00:00:00Z", opens_at: "2099-01-01T00:00:00Z" };
const draw = { schedule, draw: { order: "random" } };

describe.each([memoryStore, redisStore])("several places of one browser ($name)", (store) => {
  const world = useWorld(() => ({
    store,
    gateways: store.name === "Redis" ? 2 : 1,
    rooms: [
      ...Object.keys(orders).map((id) => ({ id, settings: { targets } })),
      ...["late", "left", "used", "moved", "strange"].map((id) => ({ id, settings: { targets } })),
      { id: "drawn", settings: { targets, ...draw } },
    ],
  }));

  const linkTo = (room: string) => `${world().issuer}/rooms/${room}/enter`;
  /** What comes of requests that have no cookie. */
  const open = (room: string, count: number, url = linkTo(room)): Promise<Page[]> =>
    Promise.all(
      Array.from({ length: count }, (_, tab) => {
        const { port } = world().gateways[tab % world().gateways.length] as { port: number };
        const at = new URL(url);
        at.port = String(port);
        return world()
          .visitor()
          .navigate(at, { headers: { host: new URL(world().issuer).host } });
      }),
    ).then((pages) => pages.sort((a, b) => (a.position ?? 0) - (b.position ?? 0)));
  const take = (jar: CookieJar, { setCookies }: Page) => {
    for (const cookie of setCookies) jar.store(new URL(world().issuer), cookie);
  };
  const placeCookies = (jar: CookieJar, room: string) =>
    jar.all().filter(({ name }) => name.startsWith(`usher-${room}`));

  /** How many places were given up, by the room's own count. */
  const leftOf = async (room: string) => ((await numbers(world(), room)).counts as { left: number }).left;

  function browserWith(pages: readonly Page[], order: readonly number[] = pages.map((_, index) => index)): Visitor {
    const jar = createCookieJar();
    for (const index of order) take(jar, pages[index] as Page);
    return world().visitor({ jar });
  }

  test.each(Object.entries(orders))("the earliest counts, the answers in %s order", async (room, order) => {
    const pages = await open(room, 6);
    expect(pages.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6]);
    const browser = browserWith(pages, order);
    const told = await browser.fetch(`${world().issuer}/rooms/${room}/tickets/me`);
    expect(told.json()).toMatchObject({ position: 1 });
    const reloaded = await Promise.all(pages.map(() => browser.navigate(linkTo(room))));
    expect(reloaded.map(({ position }) => position)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await leftOf(room)).toBe(5);
    expect(placeCookies(browser.jar, room).length).toBeLessThanOrEqual(2);
  });

  test("an answer that comes after the pages have met does not bring back a later place", async () => {
    const pages = await open("late", 4);
    const browser = browserWith(pages.slice(0, 3));
    expect((await browser.navigate(linkTo("late"))).position).toBe(1);
    take(browser.jar, pages[3] as Page);
    expect((await browser.navigate(linkTo("late"))).position).toBe(1);
    expect(await leftOf("late")).toBe(3);
  });

  test("a visitor who leaves gives all of them up, and comes back with one at the end", async () => {
    const pages = await open("left", 3);
    const browser = browserWith(pages);
    const left = await leaveLine(browser, pages[2] as Page);
    expect(left.notice).toBe("left");
    expect(await leftOf("left")).toBe(3);
    expect((await browser.navigate(linkTo("left"))).position).toBe(4);
    expect((await browser.navigate(linkTo("left"))).position).toBe(4);
  });

  test("a visitor who is in stays in, and what else the browser has is given back", async () => {
    const [first, ...others] = await open("used", 4);
    const browser = browserWith([first as Page]);
    await world().admin.increment("used", 1);
    const stopAt = ({ origin }: URL) => origin === "https://shop.example.test";
    expect((await browser.waitInLine(first as Page, { stopAt })).location?.origin).toBe("https://shop.example.test");
    for (const late of others) take(browser.jar, { ...late, setCookies: late.setCookies.filter(isSpare) });
    expect((await browser.navigate(linkTo("used"), { stopAt })).location?.origin).toBe("https://shop.example.test");
    expect(await leftOf("used")).toBe(3);
    expect(placeCookies(browser.jar, "used").filter(({ name }) => name.includes(".place."))).toEqual([]);
  });

  test("a place that is moved to a browser with an earlier one leaves that as it is; a later one is given back", async () => {
    const pages = await open("moved", 3);
    const [early, middle, late] = pages.map((page) => browserWith([page])) as [Visitor, Visitor, Visitor];
    const headers = { origin: world().issuer, accept: "application/json" };
    const offered = await middle.fetch(`${world().issuer}/rooms/moved/move`, { method: "POST", headers });
    const { link } = offered.json() as { link: string };
    const place = new URL(link).searchParams.get("place") ?? "";
    const bring = async (visitor: Visitor) => {
      await visitor.navigate(link, { stopAt: ({ origin }) => origin !== world().issuer });
      const body = new URLSearchParams({ place });
      const pressed = await visitor.fetch(`${world().issuer}/rooms/moved/move/here`, { method: "POST", body, headers });
      return pressed.json();
    };
    expect(await bring(early)).toMatchObject({ position: 1 });
    expect((await middle.navigate(linkTo("moved"))).position).toBe(2);
    expect(await bring(late)).toMatchObject({ position: 2 });
    expect((await late.navigate(linkTo("moved"))).position).toBe(2);
    expect((await middle.navigate(linkTo("moved"))).notice).toBe("moved");
    expect(await leftOf("moved")).toBe(1);
  });

  test("of entries of a draw the first counts, whatever place it was drawn, and the others are in it no more", async () => {
    const pages = await open("drawn", 6);
    const [before, after] = [browserWith(pages.slice(0, 3)), browserWith(pages.slice(3))];
    expect((await before.navigate(linkTo("drawn"))).position).toBe(1);
    expect(await leftOf("drawn")).toBe(2);
    await world().admin.step("drawn", "open");
    const tell = async (visitor: Visitor) =>
      (await visitor.fetch(`${world().issuer}/rooms/drawn/tickets/me`)).json() as { state: string; entry: number };
    await expect.poll(async () => (await tell(after)).state).not.toBe("entered");
    expect(await tell(before)).toMatchObject({ entry: 1 });
    expect(await tell(after)).toMatchObject({ entry: 4 });
    await after.navigate(linkTo("drawn"));
    expect(await tell(after)).toMatchObject({ entry: 4 });
    expect(await leftOf("drawn")).toBe(4);
  });

  test("what no answer of this room has set is no place of the browser", async () => {
    const [own, other] = (await open("strange", 2)) as [Page, Page];
    const browser = browserWith([other]);
    const value = String(browserWith([own]).cookie("usher-strange")?.value);
    const ofOtherRoom = String(browserWith(await open("late", 1)).cookie("usher-late")?.value);
    const forged = `${value.slice(0, -4)}AAAA`;
    for (const [name, wrong] of [
      ["usher-strange.place.1-1", forged],
      ["usher-strange.place.1-0", ofOtherRoom],
      ["usher-strange.place.x", "x"],
      ["usher-strange.place.1-1", "sub"],
      ["usher-late.place.1-1", value],
    ] as const) {
      const cookie = `${name}=${wrong}; usher-strange=${browser.cookie("usher-strange")?.value}`;
      const page = await world().visitor().navigate(linkTo("strange"), { headers: { cookie } });
      expect(page.position).toBe(2);
    }
    expect(await leftOf("strange")).toBe(0);
  });
});

const isSpare = (header: string) => /^[^=]*\.place\./.test(header);
