/**
 * Notices that go away by themselves, in a real browser with a made-up room behind them: before the opening, at a
 * full line, after the end, and while nobody can be given a place.
 */
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect } from "vitest";
import {
  hasHeard,
  inTenMinutes,
  readMoment,
  soon,
  stopClock,
  visitGallery,
  watchQuestions,
} from "../support/gallery-visit.ts";
import { describeLong, long, test } from "../support/sizes.ts";

const visit = await visitGallery();
const { gallery, text, setVisibility } = visit;
const asked = () => visit.count("/rooms/tickets/status");
const loads = (notice: string) => visit.count(`/notice/${notice}`);
let isClockStopped = false;
/** The page's time passes when the test lets it. */
async function withClock(page: Page): Promise<void> {
  isClockStopped = true;
  await stopClock(page);
  await watchQuestions(page);
}
/** Lets as much time pass at once, and what the page asks then be answered. */
async function pass(ms: number): Promise<void> {
  await visit.page.clock.fastForward(ms);
  await hasHeard(visit.page);
}
/** For what must not happen: long enough for a request to be on its way. */
const aMoment = () => visit.page.waitForTimeout(300);

/** Opens the notice, and counts from here. */
async function see(
  notice: string,
  prepare?: (page: Page) => Promise<unknown>,
  options: BrowserContextOptions = {},
): Promise<Page> {
  gallery.room.poll = { floor_ms: 60_000, ceiling_ms: 60_000, divisor: 1, spread_ms: 500 };
  isClockStopped = false;
  const page = await visit.arrive(options, prepare, `/notice/${notice}`);
  await page.evaluate("window.isFirst = true");
  gallery.requests.length = 0;
  return page;
}

/** Waits until the page has asked for itself, once, and the answer stands in its place. Its time goes on for that. */
async function goesOn(notice: string): Promise<void> {
  if (isClockStopped) await visit.page.clock.resume();
  await expect.poll(() => loads(notice), soon).toBe(1);
  await expect.poll(() => visit.page.evaluate("!window.isFirst && document.readyState"), soon).toBe("complete");
}

describe("one that tries again", () => {
  long.each(["store_unavailable", "store_unavailable_unknown"])(
    "%s: in place, while somebody looks",
    async (notice) => {
      const page = await see(notice, withClock);
      const before = await page.evaluate("history.length");
      await expect.poll(() => page.getByText("This page tries again by itself.").isVisible()).toBe(true);
      await goesOn(notice);
      await setVisibility("hidden");
      expect(await page.evaluate("history.length")).toBe(before);
      await hasHeard(page);
      const soFar = [loads(notice), asked()];
      await page.waitForTimeout(4_000);
      expect([loads(notice), asked()]).toEqual(soFar);
    },
  );

  long.each(["store_unavailable", "store_unavailable_unknown"])(
    "%s: offline it stays, and goes on when back",
    async (notice) => {
      const page = await see(notice, withClock);
      await page.context().setOffline(true);
      await page.clock.resume();
      await page.waitForTimeout(3_000);
      await expect.poll(() => text("#retrying"), soon).toContain("You seem to be offline.");
      expect(loads(notice)).toBe(0);
      await page.context().setOffline(false);
      await goesOn(notice);
    },
  );

  test("told to hold on, it asks for the status every few seconds, and for itself when places are given again", async () => {
    gallery.room.availability = "away";
    const page = await see("store_unavailable", withClock);
    for (let asks = 1; asks <= 10; asks++) {
      gallery.room.availability = asks % 2 === 0 ? "recovering" : "away";
      await pass(5_000);
      expect(asked()).toBe(asks);
    }
    expect(loads("store_unavailable")).toBe(0);
    gallery.room.availability = "ready";
    await page.clock.fastForward(5_000);
    await goesOn("store_unavailable");
  });

  long("told to hold on by a server that has gone since, it is back within seconds after the server is", async () => {
    gallery.room.statusCode = 502;
    const page = await see("store_unavailable", withClock);
    for (let asks = 1; asks <= 6; asks++) {
      await pass(13_000);
      expect(asked()).toBe(asks);
    }
    gallery.room.statusCode = 200;
    await page.clock.fastForward(13_000);
    await goesOn("store_unavailable");
  });

  long("told to hold on again and again, it asks for itself every five seconds at least", async () => {
    const page = await see("store_unavailable", withClock);
    for (let times = 1; times <= 6; times++) {
      await page.clock.fastForward(8_000);
      await expect.poll(() => loads("store_unavailable"), soon).toBe(times);
      await expect.poll(() => page.evaluate("!window.isFirst && document.readyState"), soon).toBe("complete");
      await page.evaluate("window.isFirst = true");
    }
  });

  test("a full line is asked for after its status, and not at all while nobody looks", async () => {
    const page = await see("room_full", withClock);
    await setVisibility("hidden");
    await page.clock.fastForward(60_000);
    await aMoment();
    expect([asked(), loads("room_full")]).toEqual([0, 0]);
    gallery.room.statusCode = 502;
    await setVisibility("visible");
    await pass(10);
    expect(asked()).toBe(1);
    await aMoment();
    expect(loads("room_full")).toBe(0);
    gallery.room.statusCode = 200;
    await page.clock.fastForward(60_000);
    await goesOn("room_full");
    expect(gallery.requests).toEqual(["/rooms/tickets/status", "/rooms/tickets/status", "/notice/room_full"]);
  });
});

describe("before the opening", () => {
  const farAway = /^in 3 hours [45] minutes$/;

  long("it counts down to the opening in the visitor's time zone, and comes back when it is time", async () => {
    const page = await see("not_open", undefined, { timezoneId: "Asia/Tokyo" });
    await expect.poll(() => text("#countdown"), soon).toMatch(farAway);
    const opensAt = new Date((await page.locator("#opens").getAttribute("datetime")) ?? "");
    const inTokyo = { timeZone: "Asia/Tokyo", hour: "2-digit", minute: "2-digit" } as const;
    expect(await text("#opens")).toContain(` at ${opensAt.toLocaleTimeString("en-GB", inTokyo)} `);
    await page.waitForTimeout(2_000);
    expect(gallery.requests).toEqual([]);
    await see("not_open_soon", withClock);
    await goesOn("not_open_soon");
    // It opens soon again, and may have begun to ask.
    expect(gallery.requests.slice(0, 2)).toEqual(["/rooms/tickets/status", "/notice/not_open_soon"]);
  });

  test("in the last hour it counts the seconds, and at the opening it goes on", async () => {
    gallery.room.phase = "idle";
    gallery.room.opensInMs = inTenMinutes;
    const page = await see("not_open", withClock);
    await pass(120_000);
    const leftSec = async () => {
      const [, minutes = "", seconds = "0"] =
        /^in (\d+) minutes?(?: (\d+) seconds?)?$/.exec((await text("#countdown")) ?? "") ?? [];
      return Number(minutes) * 60 + Number(seconds);
    };
    const before = await leftSec();
    expect(before).toBeGreaterThan(480);
    for (let tick = 1; tick <= 3; tick++) {
      await page.clock.runFor(1_000);
      expect(await leftSec()).toBe(before - tick);
    }
    gallery.room.phase = "prequeue";
    await page.clock.fastForward(before * 1_000);
    await goesOn("not_open");
  });

  long("its entry for a calendar is offered while the opening is to come", async () => {
    gallery.room.phase = "idle";
    gallery.room.opensInMs = inTenMinutes;
    const page = await see("not_open_with_links", withClock);
    const entry = page.getByRole("link", { name: "Add to calendar" });
    await expect.poll(() => entry.getAttribute("href")).toBe("/rooms/tickets/calendar.ics?of=opening&language=en");
    const onward = page.getByRole("link", { name: "Other cities" });
    await expect.poll(() => onward.getAttribute("rel")).toBe("noopener");
    gallery.room.opensInMs = null;
    await pass(120_000);
    await expect.poll(() => entry.isVisible(), soon).toBe(false);
    await expect.poll(() => onward.isVisible()).toBe(true);
  });

  long("its countdown goes by the server's clock", async () => {
    await see("not_open", (page) => page.clock.install({ time: Date.now() + 3_600_000 }));
    await expect.poll(() => text("#countdown"), soon).toMatch(farAway);
  });

  long("when people are let in is told beside it, where that is later, and follows the schedule too", async () => {
    gallery.room.phase = "idle";
    gallery.room.opensInMs = inTenMinutes;
    const page = await see("not_open_prequeue", withClock);
    const time = page.locator("#entry");
    const told = await time.textContent();
    const entryAt = new Date((await time.getAttribute("datetime")) ?? "");
    const shown = await page.evaluate(`new Date(${entryAt.getTime()}).toLocaleTimeString("en-GB").slice(0, 5)`);
    expect(told).toContain(shown);
    expect(await text("#entry-line")).toBe(`People are let in from ${told}.`);
    for (let turn = 0; turn < 2; turn++) await pass(60_000);
    expect(asked()).toBe(1);
    await expect.poll(() => page.locator("#entry-line").isVisible(), soon).toBe(false);
  });

  long("it asks seldom, and its countdown follows the room's schedule", async () => {
    gallery.room.phase = "idle";
    const page = await see("not_open", withClock);
    const opensAtMs = Date.now() + inTenMinutes;
    await page.clock.fastForward(60_000);
    await aMoment();
    expect(asked()).toBe(0);
    const before = await readMoment(page, "#opens");
    gallery.room.opensInMs = opensAtMs - Date.now();
    await pass(60_000);
    expect(asked()).toBe(1);
    // Two minutes have passed for the page.
    await expect.poll(() => text("#countdown"), soon).toMatch(/^in 8 minutes/);
    const after = await readMoment(page, "#opens");
    expect(after.at.getTime() - before.at.getTime()).toBeLessThan(-2 * 3_600_000);
    gallery.room.opensInMs = null;
    await page.clock.fastForward(40_000);
    await expect.poll(() => text("#opens"), soon).toBe("when the organiser opens it");
    expect(await text("#countdown")).toBe("");
    expect(loads("not_open")).toBe(0);
  });

  long.each(["not_open", "not_open_unset"])("%s: an opening ahead of its time is not missed", async (notice) => {
    gallery.room.phase = "idle";
    const page = await see(notice, withClock);
    await pass(120_000);
    expect(asked()).toBe(1);
    await aMoment();
    expect(loads(notice)).toBe(0);
    gallery.room.phase = "prequeue";
    await page.clock.fastForward(120_000);
    await goesOn(notice);
  });

  long("offline at the opening, it stays and says so; back online it goes on", async () => {
    const page = await see("not_open_soon", withClock);
    await page.context().setOffline(true);
    await page.clock.runFor(4_000);
    await aMoment();
    expect(page.url()).toContain("/notice/not_open_soon");
    expect(await text("h1")).toBe("Not open yet");
    expect(await text("#countdown")).toBe("any moment now");
    expect(await text("#retrying")).toContain("You seem to be offline.");
    await page.context().setOffline(false);
    await goesOn("not_open_soon");
  });

  long("a server that is away at the opening is asked until it is back", async () => {
    gallery.room.statusCode = 502;
    const page = await see("not_open_soon", withClock);
    await pass(3_000);
    expect(asked()).toBeGreaterThan(0);
    await page.clock.fastForward(20_000);
    await expect.poll(() => text("#retrying"), soon).toContain("cannot be reached right now");
    expect(loads("not_open_soon")).toBe(0);
    gallery.room.statusCode = 200;
    await page.clock.fastForward(80_000);
    await goesOn("not_open_soon");
  });

  long("a tab that nobody looks at is called by its title, stays true, and goes on when it is looked at", async () => {
    gallery.room.phase = "idle";
    const page = await see("not_open", withClock);
    await setVisibility("hidden");
    const title = await page.title();
    /** A question that time has overtaken is asked again after a while. */
    const becomes = (next: string) =>
      expect
        .poll(
          async () => {
            const now = await page.title();
            if (now !== next) await page.clock.fastForward(120_000);
            return now;
          },
          { timeout: 60_000, interval: 500 },
        )
        .toBe(next);
    gallery.room.phase = "open";
    await becomes("It is open – Autumn tour tickets");
    expect(await text("h1")).toBe("It is open");
    await expect.poll(() => page.getByText("is closed for now").isVisible()).toBe(false);
    await expect.poll(() => page.locator("#retrying").textContent()).toContain("while you look at it");
    // Closed again before anybody looked.
    gallery.room.phase = "idle";
    await becomes(title);
    await expect.poll(() => page.getByText("is closed for now").isVisible()).toBe(true);
    gallery.room.phase = "open";
    await becomes("It is open – Autumn tour tickets");
    expect(loads("not_open")).toBe(0);
    await setVisibility("visible");
    await goesOn("not_open");
  });
});

describeLong("after the end", () => {
  long("it has a button, and asks nothing of itself", async () => {
    const page = await see("ended");
    await expect.poll(() => page.locator("script").count()).toBe(0);
    await page.getByRole("link", { name: "Check again" }).click();
    await goesOn("ended");
  });

  long("with a place in hand it watches for another phase", async () => {
    gallery.room.phase = "ended";
    const page = await see("ended_with_place", withClock);
    await pass(30_000);
    await aMoment();
    expect(asked()).toBe(0);
    await pass(30_000);
    expect(asked()).toBe(1);
    await aMoment();
    expect(loads("ended_with_place")).toBe(0);
    gallery.room.phase = "open";
    await page.clock.fastForward(60_000);
    await goesOn("ended_with_place");
  });
});

describeLong("the link of a place", () => {
  /** Opens its page; what it asks is answered with `state`, and a way back leads to the site. */
  async function seeLink(state: { moved: boolean; state?: string }) {
    let asks = 0;
    const answerAll = async (page: Page) => {
      await withClock(page);
      await page.route("**/move/state", (route) => {
        asks++;
        return route.fulfill({ json: state });
      });
    };
    const page = await visit.arrive({}, answerAll, "/notice/move");
    await page.evaluate("document.querySelector('.actions a').href = '/site'");
    return {
      page,
      asks: () => asks,
      isBack: () => visit.count("/site") > 0,
      /** Lets as much time pass, and its questions be answered. */
      async pass(ms: number) {
        await page.clock.runFor(ms);
        await hasHeard(page);
      },
    };
  }
  const isOverMs = 601_000;

  long("asks often at first, then ever less, and leads back when it is over", async () => {
    const { page, asks, isBack, pass } = await seeLink({ moved: false, state: "waiting" });
    for (let turn = 0; turn < 6; turn++) await pass(6_000);
    expect(asks()).toBeGreaterThanOrEqual(6);
    await page.clock.fastForward(360_000);
    await expect.poll(asks, soon).toBeGreaterThanOrEqual(7);
    const before = asks();
    for (let turn = 0; turn < 9; turn++) await pass(6_000);
    expect([1, 2, 3]).toContain(asks() - before);
    expect(isBack()).toBe(false);
    await page.clock.fastForward(200_000);
    await expect.poll(isBack, soon).toBe(true);
  });

  long("leads back when the turn has come, and not whoever had it before or looks away", async () => {
    const state = { moved: false, state: "served" };
    const { asks, isBack, pass } = await seeLink(state);
    for (let turn = 0; turn < 4; turn++) await pass(6_000);
    state.state = "waiting";
    await pass(6_000);
    expect(isBack()).toBe(false);
    await setVisibility("hidden");
    state.state = "served";
    const before = asks();
    for (let turn = 0; turn < 4; turn++) await pass(10_000);
    expect([asks(), isBack()]).toEqual([before, false]);
    await setVisibility("visible");
    await pass(10);
    await expect.poll(isBack, soon).toBe(true);
  });

  long("that is over leads nobody back who does not look: there they might be let in", async () => {
    const { page, isBack, pass } = await seeLink({ moved: false });
    let answer: (() => void) | undefined;
    await page.route("**/move/state", async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.fulfill({ json: { moved: false } });
    });
    await page.clock.runFor(6_000);
    await expect.poll(() => answer !== undefined, soon).toBe(true);
    await setVisibility("hidden");
    answer?.();
    await hasHeard(page);
    await page.clock.fastForward(isOverMs);
    await aMoment();
    expect(isBack()).toBe(false);
    await setVisibility("visible");
    await pass(10);
    await expect.poll(isBack, soon).toBe(true);
  });
});
