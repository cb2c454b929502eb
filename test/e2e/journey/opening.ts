import { expect, test } from "vitest";
import { numbers } from "../line.ts";
import type { RoomUnderTest, World } from "../world.ts";

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const paced = { type: "periodic", outflow_per_minute: 600 };

export const openingRooms: RoomUnderTest[] = [
  { id: "by-the-clock" },
  { id: "countdown", inlet: paced, client: { login_timeout: "1s" } },
  { id: "come-back", inlet: paced, client: { login_timeout: "2s" } },
];

/** A room opens while visitors look at its countdown. */
export function describeOpening(world: () => World): void {
  const start = (room: string) => {
    const site = world().relyingParty(room);
    const login = site.startLogin();
    return { site, login, visit: { stopAt: site.isCallback } };
  };

  test("who sat through the countdown starts a fresh login: the relying party has forgotten the old one", async () => {
    const { site, login, visit } = start("countdown");
    await world().admin.step("countdown", "idle");
    const visitor = world().visitor();
    const page = await visitor.navigate(login.url, visit);
    expect(page.notice).toBe("not_open");
    const [stamp] = page.setCookies;
    expect(stamp).toMatch(/Max-Age=2592000/);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await world().admin.step("countdown", "open");
    // By itself, and by the browser's reload button, which names no origin.
    for (const how of [{ from: page.url }, {}]) {
      const back = await visitor.navigate(login.url, { ...how, stopAt: (location) => location.pathname === "/start" });
      expect([back.status, back.location?.pathname]).toEqual([303, "/start"]);
    }
    const fresh = site.startLogin();
    await site.finishLogin(await visitor.navigate(fresh.url, visit), fresh);
  });

  test("who came before the opening and comes back with a fresh login is in at once; the older login is known as such", async () => {
    const { site, login, visit } = start("come-back");
    await world().admin.step("come-back", "idle");
    const visitor = world().visitor();
    expect((await visitor.navigate(login.url, visit)).notice).toBe("not_open");
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await world().admin.step("come-back", "open");
    const fresh = site.startLogin();
    const stopAt = (location: URL) => site.isCallback(location) || location.pathname === "/start";
    await site.finishLogin(await visitor.navigate(fresh.url, { stopAt }), fresh);
    const back = await visitor.navigate(login.url, { stopAt });
    expect([back.status, back.location?.pathname]).toEqual([303, "/start"]);
  });

  test("the schedule opens the room at its time and ends it at its time", async () => {
    const far = { opens_at: inMs(3_600_000), ends_at: inMs(7_200_000) };
    await world().admin.step("by-the-clock", "idle");
    await world().admin.change("by-the-clock", { schedule: far });
    const { login, site } = start("by-the-clock");
    const visitor = world().visitor();
    expect((await visitor.navigate(login.url)).notice).toBe("not_open");
    const status = async () => (await world().http.get(`${world().issuer}/rooms/by-the-clock/status`)).json();
    expect(await status()).toMatchObject({ phase: "idle", ...far });

    // Each time is set once what must come before it has come.
    const opens_at = inMs(1_000);
    await world().admin.change("by-the-clock", { schedule: { ...far, opens_at } });
    await expect.poll(status).toMatchObject({ phase: "open" });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(opens_at));
    expect((await visitor.navigate(login.url, { stopAt: site.isCallback })).position).toBe(1);
    const ends_at = inMs(1_000);
    await world().admin.change("by-the-clock", { schedule: { opens_at, ends_at } });
    await expect.poll(status).toMatchObject({ phase: "ended" });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(ends_at));
    const over = await visitor.navigate(login.url);
    expect([over.status, over.notice]).toEqual([200, "ended"]);
    expect(await numbers(world(), "by-the-clock")).toMatchObject({ phase: "ended", queued: 1 });
  });
}
