// Long: plays a room's day in real seconds; notices.test.ts has an opening, turn.test.ts a pause, let-in.test.ts the way in.
/** A room's day at a real gateway, as a page that is left alone shows it. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { DrawDocument } from "../../../src/room/draw-recipe/index.ts";
import { type Journey, startJourney } from "../../support/journey.ts";
import {
  isInside,
  parkedAt,
  recordNavigations,
  seesNotice,
  seesPeopleAhead,
  setVisibility,
} from "../../support/waiting-visitor.ts";

const minuteMs = 60_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney([
    { id: "day", inlet: { type: "manual" } },
    { id: "early", inlet: { type: "manual" } },
    { id: "offline", inlet: { type: "manual" } },
    { id: "hidden", inlet: { type: "manual" } },
    { id: "ends" },
    { id: "off" },
    { id: "quick", inlet: { type: "periodic", outflow_per_minute: 600 } },
    { id: "full", settings: { max_waiting: 1 } },
  ]);
});
afterAll(() => journey?.stop());

/** A visitor whose clock can be moved comes so long before a room opens that it cannot open meanwhile. */
async function arriveEarly(room: string, minutes: number): Promise<Page> {
  await journey.admin.step(room, "idle");
  await journey.admin.change(room, { schedule: { opens_at: inMs(minutes * minuteMs) } });
  const page = await journey.arriveWithClock(room);
  await seesNotice(page, "not_open");
  return page;
}

/** The visitor looks again until the page knows of a new time, or what comes at that time has come. */
async function learns(page: Page, what: string): Promise<void> {
  while ((await page.locator(what).count()) === 0) {
    await setVisibility(page, "visible");
    await page.waitForTimeout(500);
  }
}

describe.concurrent("a page that is left alone", () => {
  test("counts down, takes an entry number, stands in line and comes in", async ({ expect }) => {
    await journey.admin.step("day", "idle");
    const [entersAt, opensAt] = [inMs(60 * minuteMs), inMs(120 * minuteMs)];
    await journey.admin.change("day", { schedule: { prequeue_at: entersAt, opens_at: opensAt } });
    const page = await journey.arrive("day");
    await seesNotice(page, "not_open");
    await expect.poll(() => page.locator("#countdown").textContent()).toMatch(/^in 5\d minutes( \d+ seconds?)?$/);
    // Each time is put forward once the page is there, which might else come after it.
    const enteredAt = inMs(5_000);
    await journey.admin.change("day", { schedule: { prequeue_at: enteredAt, opens_at: opensAt } });
    await learns(page, `#opens[datetime="${enteredAt}"], main[data-state="entered"]`);
    // By itself, up to ten seconds after the prequeue has begun.
    await page.getByText("Your entry number").waitFor({ timeout: 60_000 });
    await expect.poll(() => page.locator("main").getAttribute("data-state")).toBe("entered");
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(enteredAt));
    expect(await parkedAt(page)).toBe(1);
    const navigations = recordNavigations(page);
    await journey.joinOthers("day", 3);

    const openedAt = inMs(5_000);
    await journey.admin.change("day", { schedule: { prequeue_at: enteredAt, opens_at: openedAt } });
    await learns(page, `#opens[datetime="${openedAt}"], main[data-state="waiting"]`);
    // The places of the four are drawn some seconds after the doors have opened.
    await page.locator('main[data-state="waiting"]').waitFor({ timeout: 60_000 });
    const place = Number(await parkedAt(page));
    await page.locator('main[data-reveal=""]').waitFor();
    const record = await page.request.get(new URL("/rooms/day/draw", page.url()).href);
    const { entries } = ((await record.json()) as DrawDocument).draws.at(-1) ?? {};
    expect(entries).toBe(4);
    const figures = await page.locator(".number p:visible").allTextContents();
    expect(figures).toEqual(["You drew", String(place), `of ${entries}`]);
    await expect.poll(() => page.locator("#drawn").textContent()).toBe("Drawn for entry number 1");
    const people = ["Nobody", "1 person", "2 people", "3 people"][place - 1];
    await seesPeopleAhead(page, `${people} ahead of you`);
    expect(navigations).toEqual([]);
    await journey.admin.increment("day", place);
    expect(await isInside(page)).toBe(place);
  }, 240_000);

  test("learns of an opening long before its time", async ({ expect }) => {
    const page = await arriveEarly("early", 40);
    await expect.poll(() => page.locator("#countdown").textContent()).toMatch(/^in 3\d minutes( \d+ seconds?)?$/);
    await journey.admin.step("early", "open");
    // The page asks every 20 to 40 seconds, and spreads what follows over ten. An answer may be on its way from before.
    const hasHeard = page.getByRole("heading", { name: "It is open" }).or(page.locator("main[data-position]"));
    await expect
      .poll(
        async () => {
          await page.clock.fastForward(40_000);
          return hasHeard.isVisible();
        },
        { timeout: 120_000, interval: 2_000 },
      )
      .toBe(true);
    await page.clock.fastForward(10_000);
    expect(await parkedAt(page)).toBe(1);
  });

  test("stays while it is offline at the opening, and goes on when it is back", async ({ expect }) => {
    const page = await arriveEarly("offline", 10);
    await page.context().setOffline(true);
    await journey.admin.step("offline", "open");
    await page.clock.fastForward(10 * minuteMs);
    await page.getByText("any moment now").waitFor();
    // Longer than the spread of those who come for the opening.
    await page.clock.fastForward(12_000);
    await page.waitForTimeout(2_000);
    await seesNotice(page, "not_open");
    await expect.poll(() => page.locator("#retrying").textContent()).toContain("You seem to be offline.");
    await page.context().setOffline(false);
    await page.locator("main[data-position]").waitFor({ timeout: 60_000 });
    expect(await parkedAt(page)).toBe(1);
  });

  test("calls by its title while nobody looks, and goes on when somebody does", async ({ expect }) => {
    const page = await arriveEarly("hidden", 10);
    await setVisibility(page, "hidden");
    const navigations = recordNavigations(page);
    await journey.admin.step("hidden", "open");
    await page.clock.fastForward(10 * minuteMs);
    await expect.poll(() => page.title(), { timeout: 60_000 }).toBe("It is open – The room hidden");
    expect(navigations).toEqual([]);
    await setVisibility(page, "visible");
    expect(await parkedAt(page)).toBe(1);
  });

  test("learns that the line has closed, and offers no way to join", async ({ expect }) => {
    const page = await journey.arrive("ends");
    expect(await parkedAt(page)).toBe(1);
    await journey.admin.step("ends", "end");
    await seesNotice(page, "ended");
    await expect.poll(() => page.locator("button:not(.languages button)").count()).toBe(0);
  });

  test("comes in when the room is switched off", async ({ expect }) => {
    const page = await journey.arrive("off");
    expect(await parkedAt(page)).toBe(1);
    await journey.admin.step("off", "passthrough");
    expect(await isInside(page)).toBe(1);
  });
});

test("nobody who need not wait ever sees the page", async ({ expect }) => {
  const page = await journey.arrive("quick");
  expect(await isInside(page)).toBe(1);
  const later = await journey.arrive("quick");
  expect(await isInside(later)).toBe(2);
});

test("a full line says so, and takes the visitor when there is room again", async ({ expect }) => {
  await journey.joinOthers("full", 1);
  const page = await journey.arrive("full");
  await seesNotice(page, "room_full");
  await journey.admin.increment("full", 1);
  await page.getByRole("link", { name: "Try again" }).click();
  expect(await parkedAt(page)).toBe(2);
});
