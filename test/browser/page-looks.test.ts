/** How the pages look and read, in every state: on the smallest screen, with large letters, to a screen reader. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { samples } from "../../src/pages/samples/index.ts";
import { hideFromVisitor, showSample, startGalleryVisit, stopClock } from "../support/gallery-visit.ts";
import { expectRoomForLargeLetters, inspectOnScreens, type Screen } from "../support/page-inspection.ts";

const quietPoll = { floor_ms: 60_000, ceiling_ms: 60_000, divisor: 1, spread_ms: 10_000 };

const visit = await startGalleryVisit();
afterAll(() => visit.close());
afterEach(() => visit.handOver());

/** The others are of page-looks.long.test.ts. */
const smallest: Screen[] = [{ name: "320-light", width: 320, height: 640, media: { colorScheme: "light" } }];
const all = samples(0);
const waitingIds = all.flatMap(({ kind, id }) => (kind === "waiting" ? [id] : []));
/** Some of each shape: with a countdown, a form, a list, a question, another way on. The long test has all. */
const someNotices = [
  ...["not_open", "not_open_prequeue", "not_open_opened", "place_expired", "store_unavailable", "internal_error"],
  ...["bypass", "bypass_held", "move", "move_replaces", "draw", "draw_committed", "room_full"],
  ...["leave_confirm", "left_with_way_back", "logout_confirm"],
];

describe("every page", () => {
  // All look into one window.
  beforeAll(() => visit.arrive({}, hideFromVisitor));
  afterAll(() => visit.leave());

  const show = (id: string) => showSample(visit, id);

  test.each(waitingIds)("waiting page: %s", async (id) => {
    await show(id);
    await inspectOnScreens(visit.page, id, smallest);
  });

  test("the notices that are looked at are among the samples", () => {
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(someNotices));
  });

  test.each(someNotices)("notice: %s", async (id) => {
    await show(id);
    await inspectOnScreens(visit.page, `notice-${id}`, smallest);
  });

  test("the turn says until when it is held", async () => {
    await show("turn");
    await visit.page.getByRole("link", { name: "Enter now" }).waitFor();
    await visit.page.getByText("It is held for you until").waitFor();
  });

  test("what has opened says so", async () => {
    await show("not_open_opened");
    await visit.page.getByRole("heading", { name: "It is open" }).waitFor();
  });

  describe("on the smallest screen", () => {
    beforeEach(() => visit.page.setViewportSize({ width: 320, height: 568 }));
    const box = async (selector: string) => {
      const found = await visit.page.locator(selector).boundingBox();
      if (found === null) throw new Error(`${selector} is not to be seen`);
      return found;
    };

    test("whose turn it is presses without scrolling", async () => {
      await show("turn");
      const { y, height } = await box("#enter");
      expect(y + height).toBeLessThan(568);
    });

    test.each(["waiting", "place_expired", "move"])("%s: a language is chosen in one row", async (id) => {
      await show(id);
      expect((await box(".languages button")).y).toBe((await box(".languages select")).y);
    });

    test("when the script begins, nothing moves, and the bar does not go back", async () => {
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

  test("the link to another device has more room than the button that copies it", async () => {
    await visit.page.setViewportSize({ width: 1280, height: 900 });
    await show("move");
    const [link, copy] = await Promise.all(["#link", "#copy"].map((each) => visit.page.locator(each).boundingBox()));
    expect(link?.y).toBe(copy?.y);
    expect(link?.width).toBeGreaterThan(copy?.width ?? 0);
  });

  // WCAG 2.2, 1.4.10: 1280 by 1024 px at 400 %.
  test.each(["waiting_long", "turn", "bypass_unreadable"])("%s at 400 percent, letters twice as large", async (id) => {
    await visit.page.setViewportSize({ width: 320, height: 256 });
    await show(id);
    await expectRoomForLargeLetters(visit.page, id);
  });
});

test("Korean is broken between words", async () => {
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
      - alert
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

test("what a screen reader finds before the doors open", async () => {
  Object.assign(visit.gallery.room, {
    poll: quietPoll,
    phase: "prequeue",
    serving: 0,
    opensInMs: 4 * 86_400_000 - 60_000,
  });
  await visit.arrive({}, stopClock);
  const found = await visit.page.locator(".card").ariaSnapshot();
  expect(found.replace(/(time: ).*\d\d:\d\d .*/, "$1(day and time)")).toMatchInlineSnapshot(`
    "- paragraph: Your entry number
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
    - alert
    - paragraph: You have your number. The doors are not open yet.
    - paragraph: This page updates by itself and lets you in when it is your turn.
    - link "Check my place":
      - /url: """
  `);
});
