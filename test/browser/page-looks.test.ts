/**
 * How the pages look and read: dark and light, small and large, with high contrast, with large letters, to a screen reader. A few of
 * each shape are looked at with all other tests, and all of them in every state with those that take long.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "vitest";
import { samples } from "../../src/web/pages/samples/index.ts";
import { english } from "../support/english.ts";
import { hideFromVisitor, showSample, startGalleryVisit, stopClock } from "../support/gallery-visit.ts";
import { expectRoomForLargeLetters, inspectOnScreens, type Screen } from "../support/page-inspection.ts";
import { boxesOf } from "../support/page-measures.ts";
import { long, test } from "../support/sizes.ts";

const quietPoll = { floor_ms: 60_000, ceiling_ms: 60_000, divisor: 1, spread_ms: 10_000 };

const visit = await startGalleryVisit();
afterAll(() => visit.close());
afterEach(() => visit.handOver());

/** By day on the smallest, and by night. */
const phones: Screen[] = [
  { name: "320-light", width: 320, height: 640, media: { colorScheme: "light" } },
  { name: "360-dark", width: 360, height: 780, media: { colorScheme: "dark", reducedMotion: "reduce" } },
];
const further: Screen[] = [
  { name: "1280-light", width: 1280, height: 900, media: { colorScheme: "light" } },
  { name: "360-forced-colors", width: 360, height: 780, media: { forcedColors: "active" } },
];
const all = samples(0);
/** Of each shape: in line, sold out, before the doors, at a turn; a countdown, a form, a list, a question, another way on. */
const some = [...["waiting_long", "sold_out_next", "turn", "not_open_prequeue", "bypass_held", "move"]];

describe("every page", () => {
  // All look into one window.
  beforeAll(() => visit.arrive({}, hideFromVisitor));
  afterAll(() => visit.leave());

  const show = (id: string) => showSample(visit, id);

  const isQuick = ({ id }: { id: string }) => some.includes(id);

  test("those that are looked at are among the samples", () => {
    expect(all.filter(isQuick)).toHaveLength(some.length);
  });

  test.each(all.filter(isQuick))("$id, by day and by night", async ({ id }) => {
    await show(id);
    await inspectOnScreens(visit.page, id, phones);
  });

  long.each(all)("$id, on every screen", async ({ id, kind }) => {
    await show(id);
    await inspectOnScreens(visit.page, id, kind === "waiting" ? [...phones, ...further] : phones);
  });

  test("the turn is one sentence, one time and one button, and the tab's icon says it", async () => {
    await show("not_open_prequeue");
    const usualIcon = await visit.page.locator("link[rel=icon]").getAttribute("href");
    await show("turn");
    await visit.page.setViewportSize({ width: 390, height: 844 });
    await visit.page.getByRole("link", { name: english.waiting.live.enter }).waitFor();
    await visit.page.getByText(/14 minutes/).waitFor();
    const seen = await visit.page.evaluate<string>("document.querySelector('main').innerText");
    const { keepHint, call, move, claimHint, live } = english.waiting;
    for (const words of [live.aheadNone, live.labels.place, keepHint, call.summary, move.summary]) {
      expect(seen).not.toContain(words);
    }
    expect(seen).not.toContain(claimHint.split("{")[0]);
    await expect.poll(() => visit.page.getByRole("progressbar").isVisible()).toBe(false);
    const sizes = await visit.page.evaluate<Record<string, number>>(
      `Object.fromEntries(["turn", "room", "deadline", "enter", "hint"].map((id) => [id, parseFloat(getComputedStyle(document.getElementById(id)).fontSize)]))`,
    );
    expect(Object.entries(sizes).sort(([, one], [, other]) => other - one)[0]?.[0]).toBe("turn");
    const [enter, turn, card] = await boxesOf(visit.page, "#enter", "#turn", ".card");
    expect(enter.width).toBe(turn.width);
    expect(enter.height).toBeGreaterThanOrEqual(72);
    expect(enter.y).toBeGreaterThan(844 / 2);
    expect(card.y + card.height).toBeLessThan(844);
    await expect.poll(() => visit.page.locator("link[rel=icon]").getAttribute("href")).not.toBe(usualIcon);
  });

  test("in the last minute the page asks to stay open, and no longer says that it may be closed", async () => {
    await show("waiting_next");
    await visit.page.locator("#safe").filter({ hasText: english.later.progress.almost }).waitFor();
    await expect.poll(() => visit.page.locator("main").textContent()).not.toContain(english.waiting.keepHint);
    await expect.poll(() => visit.page.locator("#milestone").textContent()).toBe(english.later.progress.almost);
  });

  long("what has opened says so", async () => {
    await show("not_open_opened");
    await visit.page.getByRole("heading", { name: "It is open" }).waitFor();
  });

  describe("on the smallest screen", () => {
    beforeEach(() => visit.page.setViewportSize({ width: 320, height: 568 }));
    const box = async (selector: string) => (await boxesOf(visit.page, selector))[0];

    test("whose turn it is presses without scrolling", async () => {
      await show("turn");
      const { y, height } = await box("#enter");
      expect(y + height).toBeLessThan(568);
    });

    long.each(["waiting", "place_expired", "move"])("%s: a language is chosen in one row", async (id) => {
      await show(id);
      const [button, select] = await boxesOf(visit.page, ".languages button", ".languages select");
      expect(button.y).toBe(select.y);
    });

    long("when the script begins, nothing moves, and the bar does not go back", async () => {
      await show("waiting");
      const { y } = await box("#status");
      const bar = visit.page.locator("progress");
      // Who walks along the bar comes later, and would be in the picture.
      await visit.page.locator(".walk").waitFor({ state: "attached" });
      await visit.page.evaluate("document.querySelector('.walk').remove()");
      await visit.page.emulateMedia({ reducedMotion: "reduce" });
      const empty = await bar.screenshot();
      const asItCame =
        "document.querySelector('main').removeAttribute('data-live'), (document.querySelector('progress').value = 400)";
      await visit.page.evaluate(asItCame);
      expect((await bar.screenshot()).equals(empty)).toBe(true);
      expect((await box("#status")).y).toBe(y);
    });
  });

  long("the link to another device has more room than the button that copies it", async () => {
    await visit.page.setViewportSize({ width: 1280, height: 900 });
    await show("move");
    const [link, copy] = await boxesOf(visit.page, "#link", "#copy");
    expect(link.y).toBe(copy.y);
    expect(link.width).toBeGreaterThan(copy.width);
  });

  // WCAG 2.2, 1.4.10: 1280 by 1024 px at 400 %.
  long.each(["waiting_long", "turn", "bypass_unreadable"])("%s at 400 percent, letters twice as large", async (id) => {
    await visit.page.setViewportSize({ width: 320, height: 256 });
    await show(id);
    await expectRoomForLargeLetters(visit.page, id);
  });
});

long("Korean is broken between words", async () => {
  await visit.arrive({ locale: "ko-KR", viewport: { width: 320, height: 640 } }, hideFromVisitor);
  await visit.open("/sample/paused_alarm");
  const broken = `[...document.querySelectorAll(".reason, .hints, .safe")].flatMap(({ firstChild }) =>
    [...(firstChild?.data ?? "").matchAll(/\\S+/g)].filter(({ index, 0: word }) => {
      const range = document.createRange();
      range.setStart(firstChild, index);
      range.setEnd(firstChild, index + word.length);
      return range.getClientRects().length > 1;
    }).map(([word]) => word))`;
  expect(await visit.page.evaluate(broken)).toEqual([]);
});

test("what a screen reader finds", async () => {
  visit.gallery.room.poll = quietPoll;
  await visit.arrive({}, stopClock);
  expect(await visit.page.locator("main").ariaSnapshot()).toMatchInlineSnapshot(`
    "- main:
      - paragraph: Waiting room
      - heading "Autumn tour tickets" [level=1]
      - status
      - alert
      - alert
      - alert
      - paragraph: 411 people ahead of you
      - paragraph: About 3 to 5 minutes to go
      - paragraph: Your place in line
      - paragraph: 5,000
      - progressbar "How far the line has come"
      - paragraph: You may close this tab; you keep your place. To return, open the same link in this browser.
      - paragraph: Now serving 4,588
      - paragraph:
        - text: Last updated
        - time: now
      - paragraph: You are in line.
      - paragraph: This page updates by itself and lets you in when it is your turn.
      - link "Check my place":
        - /url: ""
      - paragraph: When it is your turn, you have 15 minutes to enter.
      - group: Alert me when it is my turn
      - group: Wait in another browser or on another device
      - group: Leave the line
      - status"
  `);
});

long("what a screen reader finds before the doors open", async () => {
  Object.assign(visit.gallery.room, {
    poll: quietPoll,
    phase: "prequeue",
    serving: 0,
    opensInMs: 4 * 86_400_000 - 60_000,
  });
  await visit.arrive({}, stopClock);
  const found = await visit.page.locator(".card").ariaSnapshot();
  expect(found.replace(/(time: ).*\d\d:\d\d .*/, "$1(day and time)")).toMatchInlineSnapshot(`
    "- alert
    - paragraph: Your entry number
    - paragraph: 5,000
    - paragraph: You may close this tab; you keep your place. To return, open the same link in this browser.
    - paragraph: The doors open
    - paragraph:
      - time: (day and time)
    - paragraph: in 3 days 23 hours
    - paragraph: When the doors open, people enter by entry number, the lowest first. Your number stays the same; reloading or coming back early changes nothing.
    - paragraph:
      - text: Last updated
      - time: now
    - paragraph: You have your number. The doors are not open yet.
    - paragraph: This page updates by itself and lets you in when it is your turn.
    - link "Check my place":
      - /url: """
  `);
});
