/** Links that name a theme of their room: by a link, by a login, on the pages that follow, and after a login that is started anew. */
import { expect, test } from "vitest";
import type { Page } from "../../support/visitor.ts";
import { initiateLoginUri, memoryStore, useWorld } from "../world.ts";

const target = "https://shop.example.test/";
const night = { colors: { accent: "#003399" }, title: "By night", while_waiting: "Doors at *midnight*." };

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    {
      id: "tickets",
      settings: {
        targets: [target, `${target}*`],
        theme: { colors: { accent: "#8a1538" }, while_waiting: "Doors at *seven*." },
        themes: { night },
      },
      client: { login_timeout: "1s" },
    },
    { id: "plain", settings: { targets: [target] } },
  ],
}));

const looksOf = ({ body }: Page) => ({
  isNight: body.includes("--accent:#003399"),
  isUsual: body.includes("--accent:#8a1538"),
});
const byNight = { isNight: true, isUsual: false };
const asUsual = { isNight: false, isUsual: true };
const enter = (query: string) => `${world().issuer}/rooms/tickets/enter?${query}`;
const loginUrl = (theme: string) => {
  const { url } = world().relyingParty("tickets").startLogin();
  url.searchParams.set("theme", theme);
  return url;
};

test("a link and a login choose one of the room's themes, with what it gives to read; another name is ignored", async () => {
  for (const url of [
    enter("theme=night"),
    enter(`target=${encodeURIComponent(`${target}x`)}&theme=night`),
    loginUrl("night"),
  ]) {
    const page = await world().visitor().navigate(url);
    expect(looksOf(page)).toEqual(byNight);
    expect(page.body).toContain('<bdi id="room">By night</bdi>');
    const [, href = ""] = /<noscript><a href="([^"]+)"/.exec(page.body) ?? [];
    const read = await world().http.get(`${world().issuer}${href.replaceAll("&amp;", "&")}`);
    expect(read.body).toContain("<em>midnight</em>");
  }
  for (const name of ["day", "NIGHT", "", "../night", "<b>", "night ", "__proto__"]) {
    const page = await world()
      .visitor()
      .navigate(enter(`theme=${encodeURIComponent(name)}`));
    expect([page.status, looksOf(page)]).toEqual([200, asUsual]);
  }
  const elsewhere = await world().visitor().navigate(`${world().issuer}/rooms/plain/enter?theme=night`);
  expect(looksOf(elsewhere)).toEqual({ isNight: false, isUsual: false });
});

test("it stays on the pages that the page leads to", async () => {
  const visitor = world().visitor();
  const waiting = await visitor.navigate(enter("theme=night"));
  const left = await visitor.navigate(`${world().issuer}/rooms/tickets/leave`, {
    method: "POST",
    from: waiting.url,
    headers: { origin: world().issuer, referer: waiting.url.href },
  });
  expect([left.notice, looksOf(left)]).toEqual(["left", byNight]);
});

test("it outlives a login that has to be begun again without it, and is that visit's alone", async () => {
  const visitor = world().visitor();
  const parked = await visitor.navigate(loginUrl("night"));
  await world().admin.increment("tickets", 100);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const stopAt = (location: URL) => location.href === initiateLoginUri("tickets");
  const answer = await visitor.waitInLine(parked, { stopAt });
  expect(answer.location?.href).toBe(initiateLoginUri("tickets"));
  expect(visitor.jar.all().find(({ name }) => name === "usher.theme")?.value).toBe("night");
  const left = await visitor.navigate(`${world().issuer}/rooms/tickets/move?place=x`);
  expect(looksOf(left)).toEqual(byNight);
  expect(looksOf(await world().visitor().navigate(`${world().issuer}/rooms/tickets/move?place=x`))).toEqual(asUsual);
});

test("the admin API lists it with the links that choose it, and shows its pages", async () => {
  const { themes } = (await world().admin.request("GET", "/themes")).json() as { themes: Record<string, unknown>[] };
  const named = themes.find(({ id }) => id === "rooms[0].theme+rooms[0].themes.night");
  expect(named?.rooms).toEqual([{ room: "tickets", is_usual: false, clients: [], links: ["night"] }]);
  expect(named?.while_waiting).toEqual([{ language: null, text: night.while_waiting }]);
  const page = await world().admin.request("GET", "/rooms/tickets/pages/waiting?theme=night");
  expect(page.body).toContain("--accent:#003399");
  const wrong = await world().admin.request("GET", "/rooms/tickets/pages/waiting?theme=day");
  expect([wrong.status, wrong.body]).toEqual([400, expect.stringContaining("theme:")]);
});
