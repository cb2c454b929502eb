/**
 * Goal: whoever waits sees at any time that the line is alive, and reads nothing that is not so. Method: the real page in a real browser,
 * whose clock the test moves, before a room that lets 60 a minute in and of whose visitors 15 % do not come.
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { pollGuidance } from "../../src/room/index.ts";
import { spreadMost } from "../../src/room/public-status/pacing.ts";
import { expectNoAxeViolations } from "../support/chromium.ts";
import { hasHeard, soon, stopClock, visitGallery, watchQuestions } from "../support/gallery-visit.ts";
import { createSeededRandom } from "../support/seeded-random.ts";
import { long, test } from "../support/sizes.ts";

const { gallery, arrive, text, count, setVisibility } = await visitGallery();

const status = "/rooms/tickets/status";
const position = 5_000;
const noShows = 0.15;
const entersPerMinute = 60;
const pace = {
  steps: [],
  placesPerMinute: entersPerMinute / (1 - noShows),
  spread: 0.12,
  spreadUp: 0.12,
  showRate: 1,
  called: 0,
  extraSec: 0,
  note: null,
};

/** What the pace brings in the longest time between two questions of the last ten minutes. */
const tolerance = Math.ceil((pace.placesPerMinute * spreadMost * pollGuidance.near_ceiling_ms) / 60_000);

interface Seen {
  readonly ahead: number;
  /** How much of the bar is full. */
  readonly bar: number;
  /** The walker's way, and whether it hops. */
  readonly way: number;
  readonly walks: boolean;
  readonly aloud: string;
  readonly title: string;
  /** What is read of the bar. */
  readonly read: string;
}

/** What a visitor sees at this moment, and what a screen reader has been told. */
const look = `(() => {
  const walker = document.querySelector(".walk > :last-child");
  return {
    ahead: Number(document.getElementById("ahead").textContent.replace(/\\D/g, "")),
    bar: document.querySelector("progress").position,
    way: Number(document.querySelector(".walk")?.style.getPropertyValue("--way")),
    walks: walker !== null && walker.checkVisibility() && walker.getAnimations().some((each) => each.animationName === "walk" && each.playState === "running"),
    aloud: [...document.querySelectorAll("[role=status], [role=alert]")].map((each) => each.textContent.trim()).join("|"),
    title: document.title,
    read: document.querySelector("progress").getAttribute("aria-valuetext"),
  };
})()`;

async function waitAhead(people: number, prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
  Object.assign(gallery.room, { position, serving: position - 1 - people, pace, poll: pollGuidance });
  const page = await arrive({ reducedMotion: "no-preference" }, async (page) => {
    await stopClock(page);
    await watchQuestions(page);
    await prepare?.(page);
  });
  await pass(page, 1_000);
  await page.locator(".walk").waitFor({ state: "attached" });
  return page;
}

/** Time passes in the page, which then hears what it has asked. */
async function pass(page: Page, ms: number): Promise<void> {
  await page.clock.runFor(ms);
  await hasHeard(page);
}

/** A minute of the line: each second somebody enters, and those before them who do not come are passed over. */
function moveFor(seconds: number, random: () => number): void {
  for (let second = 0; second < seconds; second++) {
    gallery.room.serving++;
    while (random() < noShows) gallery.room.serving++;
  }
}

long("between any two seconds something moves; the number is true within its tolerance, and never rises", async () => {
  const random = createSeededRandom("living page").fraction;
  const page = await waitAhead(140);
  const seen: Seen[] = [];
  let stoodStill = 0;
  for (let sec = 0; sec < 100; sec += 2) {
    // For half a minute nobody enters, and nobody says why.
    if (sec < 30 || sec >= 60) moveFor(2, random);
    await pass(page, 2_000);
    const now = (await page.evaluate(look)) as Seen;
    const truth = position - 1 - gallery.room.serving;
    const before = seen.at(-1);
    expect(now.ahead, `after ${sec} s`).toBeGreaterThanOrEqual(truth - tolerance);
    // One number at every moment, wherever it stands.
    expect(now.title).toBe(`${now.ahead} ahead – Autumn tour tickets`);
    expect(now.read).toBe(`${now.ahead} people ahead of you`);
    if (before !== undefined) {
      expect(now.ahead).toBeLessThanOrEqual(before.ahead);
      expect(now.bar).toBeGreaterThanOrEqual(before.bar);
      expect(now.way).toBeCloseTo(now.bar, 5);
      if (now.ahead === before.ahead) stoodStill++;
      expect(now.walks || now.ahead < before.ahead).toBe(true);
    }
    seen.push(now);
  }
  // Outside of the standstill the number itself has fallen nearly each time, in small steps.
  expect(stoodStill).toBeLessThan(25);
  expect(seen.filter(({ walks }) => walks)).toHaveLength(seen.length);
  const falls = seen.slice(1).map(({ ahead }, index) => (seen[index]?.ahead ?? 0) - ahead);
  expect(Math.max(...falls)).toBeLessThanOrEqual(12);
  // What is said aloud does not follow each second.
  expect(new Set(seen.map(({ aloud }) => aloud)).size).toBeLessThanOrEqual(4);
});

test("the number falls between two questions, and stands still with the line: in a pause and while no answers come", async () => {
  const page = await waitAhead(300);
  const asked = count("/rooms/tickets/status");
  await pass(page, 5_000);
  expect(count("/rooms/tickets/status")).toBe(asked);
  const falling = (await page.evaluate(look)) as Seen;
  expect(falling.ahead).toBeGreaterThanOrEqual(293);
  expect(falling.ahead).toBeLessThanOrEqual(296);

  gallery.room.phase = "paused";
  await page.getByRole("link", { name: "Check my place" }).click();
  await pass(page, 1_000);
  await expect.poll(() => text("#status"), soon).toContain("paused");
  const paused = (await page.evaluate(look)) as Seen;
  await pass(page, 10_000);
  expect(await page.evaluate(look)).toMatchObject({ ahead: paused.ahead, walks: false });

  gallery.room.phase = "open";
  await page.getByRole("link", { name: "Check my place" }).click();
  await pass(page, 1_000);
  await expect.poll(() => text("#status"), soon).toBe("You are in line.");
  gallery.room.statusCode = 503;
  await pass(page, 60_000);
  const stale = (await page.evaluate(look)) as Seen;
  expect(stale.walks).toBe(false);
  await pass(page, 60_000);
  expect(((await page.evaluate(look)) as Seen).ahead).toBe(stale.ahead);
});

long.each([
  ["Europe/Berlin", 2],
  ["America/New_York", -4],
])(
  "in %s the time of day at which the turn comes stands at the end of the bar, as long as the page knows",
  async (timezoneId, hours) => {
    Object.assign(gallery.room, { position, serving: position - 301, pace, poll: pollGuidance });
    const page = await arrive({ timezoneId }, async (page) => {
      await page.clock.install({ time: Date.UTC(2030, 8, 1, 11, 0, 10) });
      await page.clock.pauseAt(Date.UTC(2030, 8, 1, 11, 0, 20));
      await watchQuestions(page);
    });
    await pass(page, 1_000);
    await page.locator(".walk").waitFor({ state: "attached" });
    await pass(page, 1_000);
    // 301 places at 70.6 a minute are 256 s, 12 % more or less: 3 to 5 minutes.
    const hour = 11 + hours;
    await expect
      .poll(() => text("#arrival"), soon)
      .toBe(`${String(hour).padStart(2, "0")}:03–${String(hour).padStart(2, "0")}:06`);
    expect(await text("#estimate")).toBe("About 3 to 5 minutes to go");
    gallery.room.statusCode = 503;
    await pass(page, 60_000);
    expect(await text("#arrival")).toBe("");
  },
);

long("the number rises only where the truth does, and then the page says why", async () => {
  const page = await waitAhead(300);
  await pass(page, 5_000);
  const ask = async () => {
    await page.getByRole("link", { name: "Check my place" }).click();
    await pass(page, 1_500);
    return (await page.evaluate(look)) as Seen;
  };
  // The words have come with the first answer.
  await ask();
  const before = await ask();
  // Another process, or a cache, that is some seconds behind.
  gallery.room.serving -= 20;
  gallery.room.ageMs = 8_000;
  const late = await ask();
  expect(late.ahead).toBeLessThanOrEqual(before.ahead);
  expect(await text("#note")).toBe("");
  // An operator moves the line back.
  gallery.room.ageMs = 0;
  const moved = await ask();
  expect(moved.ahead).toBeGreaterThan(before.ahead);
  await expect.poll(() => text("#note"), soon).toContain("More people are ahead of you than before");
  gallery.room.serving += 60;
  await ask();
  expect(await text("#note")).toBe("");
});

long("nobody looks: nothing counts; whoever looks again sees the truth at once", async () => {
  const page = await waitAhead(300);
  await setVisibility("hidden");
  const hidden = await text("#ahead");
  await pass(page, 1_500);
  expect(await text("#ahead")).toBe(hidden);
  gallery.room.serving += 200;
  await setVisibility("visible");
  await pass(page, 1_000);
  await expect.poll(() => text("#ahead"), soon).toMatch(/^(100|99) people/);
});

long.each(["light", "dark"] as const)(
  "in %s, whoever walks along the bar is no obstacle to anybody",
  async (colorScheme) => {
    const page = await waitAhead(300, (page) => page.emulateMedia({ colorScheme }));
    await pass(page, 2_000);
    await expect.poll(() => text("#arrival"), soon).not.toBe("");
    // The check takes time of its own.
    await page.clock.resume();
    await expectNoAxeViolations(page);
  },
);

long("with less motion nothing hops, and the number falls all the same", async () => {
  const page = await waitAhead(300, (page) => page.emulateMedia({ reducedMotion: "reduce" }));
  const before = (await page.evaluate(look)) as Seen;
  await pass(page, 4_000);
  const now = (await page.evaluate(look)) as Seen;
  expect([before.walks, now.walks]).toEqual([false, false]);
  expect(now.ahead).toBeLessThan(before.ahead);
});

long(
  "after a minute the page says how far the line has moved in it, and later what is behind the visitor; loaded anew, it goes on with that",
  async () => {
    const page = await waitAhead(300);
    /** At the server as well. In steps that are shorter than the page waits for an answer. */
    const passBoth = async (ms: number) => {
      for (let left = ms; left > 0; left -= 5_000) {
        gallery.room.ageMs -= 5_000;
        await pass(page, 5_000);
      }
    };
    const factsHeight = async () => (await page.locator("#facts").boundingBox())?.height;
    let heightBefore: number | undefined;
    for (let sec = 0; sec < 110; sec += 10) {
      gallery.room.serving += 10;
      await passBoth(10_000);
      if (sec === 30) {
        expect((await text("#moved"))?.trim()).toBe("");
        heightBefore = await factsHeight();
      }
    }
    await expect.poll(() => text("#moved"), soon).toMatch(/^\+\d+ in the last minute$/);
    const moved = Number((await text("#moved"))?.replace(/\D/g, ""));
    // The server's answers carry whole seconds, and the last minute begins between two of them.
    expect(moved).toBeGreaterThanOrEqual(50);
    expect(moved).toBeLessThanOrEqual(75);
    await expect.poll(() => page.locator("#moved rect").count()).toBe(1);
    expect(await factsHeight()).toBe(heightBefore);
    expect(await text("#status")).toBe("You are in line.");

    gallery.room.serving = position - 140;
    await passBoth(20_000);
    await expect.poll(() => text("#status"), soon).toBe("You are in line, and half of the way is behind you.");
    gallery.room.serving = position - 20;
    await passBoth(20_000);
    await expect.poll(() => text("#status"), soon).toBe("You are in line, and nearly there.");

    await page.reload();
    await passBoth(40_000);
    await expect.poll(() => text("#moved"), soon).toMatch(/in the last minute$/);
    await expect.poll(() => page.locator("#moved rect").count()).toBeGreaterThanOrEqual(2);
    await expect.poll(() => text("#status"), soon).toBe("You are in line, and nearly there.");
    gallery.room.serving = position - 250;
    await passBoth(40_000);
    await expect.poll(() => text("#status"), soon).toBe("You are in line.");
    gallery.room.phase = "paused";
    await passBoth(40_000);
    await expect.poll(() => text("#status"), soon).toContain("paused");
    await expect.poll(() => page.locator("#moved").isVisible()).toBe(false);

    // What another program has left there in its place is as good as nothing.
    await page.evaluate(`{
    sessionStorage["usher.moved"] = "{}";
    const [[room, first]] = JSON.parse(localStorage["usher.first"]);
    localStorage["usher.first"] = JSON.stringify([[room, first.replace(/\\d+$/, "x")]]);
  }`);
    gallery.room.phase = "open";
    await page.reload();
    for (let sec = 0; sec < 110; sec += 10) await passBoth(10_000);
    await expect.poll(() => text("#moved"), soon).toBe("+0 in the last minute");
    expect(await text("#problem")).toBe("");
  },
);

long("without what makes it live, the page goes on with each answer", async () => {
  Object.assign(gallery.room, { serving: 4_588 });
  const page = await arrive({}, (page) => page.route("**/assets/**", (route) => route.fulfill({ status: 404 })));
  const missed = page.waitForResponse((response) => response.url().includes("/assets/life-"));
  expect((await missed).status()).toBe(404);
  gallery.room.serving = 4_900;
  await expect.poll(() => text("#ahead"), soon).toBe("99 people ahead of you");
});

long("what no process has any more is asked for ever more rarely", async () => {
  Object.assign(gallery.room, { serving: 4_588 });
  let asked = 0;
  const page = await arrive({}, async (page) => {
    await stopClock(page);
    await watchQuestions(page);
    await page.route("**/assets/progress-*", (route) => {
      asked++;
      return route.fulfill({ status: 404 });
    });
  });
  const before = count(status);
  while (count(status) - before < 20) await pass(page, 40_000);
  expect(asked).toBeGreaterThan(1);
  // After the first, second, fourth, seventh answer, and so on.
  expect(asked).toBeLessThanOrEqual(7);
});
