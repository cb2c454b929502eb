/** Rooms without a line: pages that say where to go on, entries for calendars, and rooms that send visitors to another page. */
import { createHash } from "node:crypto";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { memoryStore, useWorld } from "../world.ts";

const operatorKey = "key-of-an-operator-0123456789abcdef01";
const sha256 = (key: string) => createHash("sha256").update(key).digest("hex");
const site = "https://shop.example.test";
const over = "https://www.example.test/over?from=queue";
const soon = "https://www.example.test/soon";
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const settings = { targets: [`${site}/`, `${site}/*`], when_idle: { redirect: soon }, when_ended: { redirect: over } };
const opensAt = `${inMs(3_600_000).slice(0, -5)}.000Z`;
const sale = {
  title: { en: "Extra; concert, again", de: "Zusatzkonzert" },
  starts_at: "2099-05-17T10:00:00.000Z",
  url: `${site}/extra`,
};
const links = [{ label: { en: "Other cities", de: "Andere Städte" }, url: `${site}/cities` }];

const html = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
const json = { accept: "application/json" };

describe("rooms without a line", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [
      { id: "away", settings },
      { id: "live", settings: { targets: [`${site}/`] } },
      { id: "places", settings },
      { id: "pages", settings: { schedule: { opens_at: opensAt }, links } },
      { id: "none" },
    ],
    config: {
      admin: {
        keys: [
          { id: "chief", key_sha256: sha256(ADMIN_KEY) },
          { id: "operator", key_sha256: sha256(operatorKey), role: "operator" },
        ],
      },
    },
  }));
  const stopAt = ({ origin }: URL) => origin !== world().issuer;
  const statusOf = async (room: string) =>
    (await world().http.get(`${world().issuer}/rooms/${room}/status`)).json() as Record<string, unknown>;
  const calendar = (room: string, query = "") =>
    world().http.get(`${world().issuer}/rooms/${room}/calendar.ics${query}`);

  test.each([
    ["idle", soon, "not_open", 503],
    ["end", over, "room_ended", 409],
  ] as const)("after %s, each way in leads to the page that the room names", async (step, address, error, status) => {
    await world().admin.step("away", step);
    const login = world().relyingParty("away").startLogin();
    const enter = `${world().issuer}/rooms/away/enter?target=${encodeURIComponent(`${site}/sale`)}`;
    for (const url of [login.url, enter]) {
      const page = await world().visitor().navigate(url, { stopAt });
      expect([page.status, page.location?.href]).toEqual([303, address]);
      expect(page.header("cache-control")).toBe("no-store");
      expect(page.header("referrer-policy")).toBe("no-referrer");
      expect(page.body).toBe("");
      const told = await world().visitor().navigate(url, { headers: json });
      expect([told.status, told.json()]).toMatchObject([status, { error, redirect: address }]);
    }
    const verify = await world().http.get(`${world().issuer}/rooms/away/verify`, {
      ...html,
      "x-original-url": `${site}/sale`,
      "x-original-method": "GET",
    });
    expect(verify.status).toBe(302);
    const sent = await world()
      .visitor()
      .navigate(verify.header("location") ?? "", { stopAt });
    expect(sent.location?.href).toBe(address);
    expect(await statusOf("away")).toMatchObject({ redirect: address });
  });

  test("nothing that a visitor sends is part of where they are sent", async () => {
    await world().admin.step("away", "end");
    const { url } = world().relyingParty("away").startLogin();
    for (const more of ["&redirect=https://evil.example", "&when_ended=https://evil.example", "&ui_locales=de"]) {
      const page = await world().visitor().navigate(`${url}${more}`, { stopAt });
      expect(page.location?.href).toBe(over);
    }
  });

  test("a visitor with a place is sent there, too, and is in line again when the room opens again", async () => {
    const { url } = world().relyingParty("places").startLogin();
    const visitor = world().visitor();
    const parked = await visitor.navigate(url);
    expect(parked.position).toBe(1);
    await world().admin.step("places", "end");
    expect((await visitor.navigate(url, { from: parked.url, stopAt })).location?.href).toBe(over);
    await world().admin.step("places", "open");
    expect((await visitor.navigate(url)).position).toBe(1);
  });

  test("it is changed while the program runs, and what is no page of the web is refused", async () => {
    const { url } = world().relyingParty("live").startLogin();
    await world().admin.step("live", "end");
    expect((await world().visitor().navigate(url)).notice).toBe("ended");
    await world().admin.change("live", { when_ended: { redirect: over } });
    expect((await world().visitor().navigate(url, { stopAt })).location?.href).toBe(over);
    const settingsOf = async () =>
      ((await world().admin.request("GET", "/rooms/live")).json() as { settings: Record<string, unknown> }).settings;
    expect(await settingsOf()).toMatchObject({ when_ended: { redirect: over }, when_idle: "page" });
    for (const redirect of ["javascript:alert(1)", "http://shop.example.test/", "//evil.example", "/over", "", 5]) {
      const answer = await world().admin.request("PATCH", "/rooms/live", { when_ended: { redirect } });
      expect([answer.status, answer.body]).toMatchObject([400, expect.stringContaining("when_ended.redirect")]);
    }
    await world().admin.change("live", { when_ended: null });
    expect((await world().visitor().navigate(url)).notice).toBe("ended");
  });

  test("an operator may take away where visitors are sent or may go, and an admin alone may say it", async () => {
    const patchAsOperator = async (change: object) => {
      const headers = { authorization: `Bearer ${operatorKey}` };
      return (await world().admin.request("PATCH", "/rooms/live", change, headers)).status;
    };
    const elsewhere = [
      { when_ended: { redirect: over } },
      { when_idle: { redirect: soon } },
      { links },
      { next_sale: sale },
      { while_waiting: "[Elsewhere](https://www.example.test/)" },
      { while_waiting: { en: "Soon" } },
    ];
    for (const change of elsewhere) {
      const both = { ...change, message: "Another one." };
      expect(await patchAsOperator(both)).toBe(403);
      expect((await statusOf("live")).message).toBeNull();
      await world().admin.change("live", change);
      const [name = ""] = Object.keys(change);
      expect(await patchAsOperator({ [name]: null })).toBe(200);
    }
  });

  test("the page before the opening has the room's links, in the visitor's language, and its entry for a calendar", async () => {
    const { url } = world().relyingParty("pages").startLogin();
    const page = await world()
      .visitor()
      .navigate(url, { headers: { "accept-language": "de" } });
    expect(page.notice).toBe("not_open");
    expect(page.body).toContain(`<a href="${site}/cities" target="_blank" rel="noopener">Andere Städte</a>`);
    const [, href = ""] = /id="calendar" href="([^"]+)"/.exec(page.body) ?? [];
    expect(href.replaceAll("&amp;", "&").replaceAll("&#38;", "&")).toBe(
      "/rooms/pages/calendar.ics?of=opening&language=de",
    );
    const entry = await calendar("pages");
    expect(entry.status).toBe(200);
    expect(entry.header("content-type")).toBe("text/calendar; charset=utf-8");
    expect(entry.header("cache-control")).toBe("public, max-age=60");
    expect(entry.setCookies).toEqual([]);
    const [event] = new ICAL.Component(ICAL.parse(entry.body)).getAllSubcomponents("vevent");
    expect(Date.parse(String(event?.getFirstPropertyValue("dtstart")))).toBe(Date.parse(opensAt));
    expect(event?.getFirstPropertyValue("uid")).toMatch(/^opening-\d+-pages@/);
  });

  test("the next sale is on the page of a room that has ended, and for calendars in each language", async () => {
    const { url } = world().relyingParty("none").startLogin();
    expect((await calendar("none")).status).toBe(404);
    await world().admin.change("none", { next_sale: sale, links });
    await world().admin.step("none", "end");
    const page = await world()
      .visitor()
      .navigate(url, { headers: { "accept-language": "en" } });
    expect(page.body).toContain(`datetime="${sale.starts_at}"`);
    expect(page.body).toContain(`<a href="${site}/extra" target="_blank" rel="noopener">Extra; concert, again</a>`);
    const titleIn = async (query: string) => {
      const [event] = new ICAL.Component(ICAL.parse((await calendar("none", query)).body)).getAllSubcomponents();
      return [event?.getFirstPropertyValue("summary"), event?.getFirstPropertyValue("uid")];
    };
    const [title, uid] = await titleIn("?of=next_sale");
    expect(title).toBe("Extra; concert, again");
    expect(await titleIn("?of=next_sale&language=de-AT")).toEqual(["Zusatzkonzert", uid]);
    expect(await titleIn("?language=../../x")).toEqual([title, uid]);
    expect((await calendar("none", "?of=opening")).status).toBe(404);
    expect((await calendar("none", "?of=all")).status).toBe(400);
    // Once it has begun, it is a link, and nothing for a calendar.
    await world().admin.change("none", { next_sale: { ...sale, starts_at: "2020-01-01T00:00:00Z" } });
    const later = await world().visitor().navigate(url);
    expect(later.body).not.toContain("calendar.ics");
    expect(later.body).toContain(`${site}/extra`);
    expect((await calendar("none")).status).toBe(404);
    await world().admin.change("none", { next_sale: "off", links: "off" });
    expect((await world().visitor().navigate(url)).body).not.toContain("onward");
  });
});
