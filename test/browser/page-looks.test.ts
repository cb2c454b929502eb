/** How the pages look and read, in every state: small and large screens, dark and light, high contrast, large letters. */
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startGalleryVisit } from "../support/gallery-visit.ts";
import { type GalleryRoom, galleryNotices, words } from "../support/page-gallery.ts";
import { inspectPage } from "../support/page-inspection.ts";

const quietPoll = { floor_ms: 60_000, ceiling_ms: 60_000, divisor: 1 };

const visit = await startGalleryVisit();
afterAll(() => visit.close());
afterEach(() => visit.handOver());

/** Each screen is one window, which all of its visitors look into. */
function lookWith(options: BrowserContextOptions): void {
  beforeAll(() => visit.arrive(options));
  afterAll(() => visit.leave());
}

const states: Record<string, Partial<GalleryRoom>> = {
  waiting: {},
  message: { message: words("Doors open at 20:00.\nThere are still tickets in all categories.") },
  message_warning: { message: words("Payment is down. We go on at about 11:30.", "warning") },
  message_sold_out: { message: words("That was the last ticket. Thank you for waiting.", "sold_out") },
  message_long: {
    message: words("Doors open at 20:00, and there is more to say. ".repeat(11).slice(0, 500), "warning"),
  },
  paused: { phase: "paused", pausedReason: "operator" },
  alarm: { phase: "paused", pausedReason: "alarm" },
  unhealthy: { phase: "paused", pausedReason: "unhealthy" },
  entered: { phase: "prequeue", serving: 0, opensInMs: 3 * 86_400_000 },
  entered_unset: { phase: "prequeue", serving: 0 },
  slower: { pace: { steps: [], placesPerMinute: 60, spread: 0.35, extraSec: 0, note: "slower" } },
  full: { state: "held", heldBy: "capacity", serving: 5_000, retryMs: 60_000 },
  held: { state: "held", serving: 5_000, retryMs: 60_000 },
  store_away: { state: "store_away", ageMs: 45_000 },
  recovering: { state: "recovering" },
  next: { serving: 4_999 },
  long: { position: 12_345_678, title: "Weltmeisterschaftsqualifikationsspiel – Karten für Mitglieder" },
};
const screens: [string, BrowserContextOptions][] = [
  ["320-light", { viewport: { width: 320, height: 640 }, colorScheme: "light" }],
  ["360-dark", { viewport: { width: 360, height: 780 }, colorScheme: "dark", reducedMotion: "reduce" }],
  ["1280-light", { viewport: { width: 1280, height: 900 }, colorScheme: "light" }],
  ["360-forced-colors", { viewport: { width: 360, height: 780 }, forcedColors: "active" }],
];

describe.each(screens)("%s", (screen, options) => {
  lookWith(options);

  test.each(Object.keys(states))("state %s", async (state) => {
    Object.assign(visit.gallery.room, { poll: quietPoll }, states[state]);
    await visit.open();
    await visit.page.locator("summary").click();
    await inspectPage(visit.page, `${state}-${screen}`);
  });

  test("your turn", async () => {
    await visit.open();
    await visit.setVisibility("hidden");
    visit.gallery.room.serving = 5_000;
    await visit.page.getByRole("link", { name: "Enter now" }).waitFor();
    await visit.page.getByText("It is held for you until").waitFor();
    await inspectPage(visit.page, `turn-${screen}`);
  });

  test.each(["idle", "ended"] as const)("%s, before the server's page for it comes", async (phase) => {
    await visit.open();
    await visit.setVisibility("hidden");
    visit.gallery.room.phase = phase;
    await visit.page.locator(`main[data-state="${phase}"]`).waitFor();
    await inspectPage(visit.page, `${phase}-${screen}`);
  });
});

describe.each(screens.slice(0, 2))("%s", (screen, options) => {
  lookWith(options);

  test.each(Object.keys(galleryNotices))("notice %s", async (notice) => {
    await visit.open(`/notice/${notice}`);
    await inspectPage(visit.page, `notice-${notice}-${screen}`);
  });

  test("notice not_open, when it has opened and nobody looks", async () => {
    visit.gallery.room.poll = quietPoll;
    await visit.open("/notice/not_open_soon");
    await visit.setVisibility("hidden");
    await visit.page.getByRole("heading", { name: "It is open" }).waitFor();
    await inspectPage(visit.page, `notice-not_open-open-${screen}`);
  });
});

test("what a screen reader finds", async () => {
  visit.gallery.room.poll = quietPoll;
  await visit.arrive();
  expect(await visit.page.locator("main").ariaSnapshot()).toMatchInlineSnapshot(`
    "- main:
      - paragraph: Waiting room
      - heading "Autumn tour tickets" [level=1]
      - status
      - alert
      - alert
      - paragraph: Your place in line
      - paragraph: 5,000
      - paragraph: 411 people ahead of you
      - paragraph: About 3 to 5 minutes to go
      - progressbar "How far the line has come"
      - paragraph: Now serving 4,588
      - paragraph:
        - text: Last updated
        - time: now
      - alert
      - paragraph: You are in line.
      - paragraph: This page updates by itself and lets you in when it is your turn.
      - link "Check my place":
        - /url: ""
      - paragraph: You may close this tab; you keep your place. Come back with this browser, by the way you came.
      - paragraph: When your turn comes, it is held for you for 15 minutes.
      - group: Leave the line
      - status"
  `);
});

test("what a screen reader finds before the doors open", async () => {
  Object.assign(visit.gallery.room, { poll: quietPoll, phase: "prequeue", serving: 0, opensInMs: 4 * 86_400_000 });
  await visit.arrive();
  const found = await visit.page.locator(".card").ariaSnapshot();
  expect(found.replace(/(time: ).*\d\d:\d\d .*/, "$1(day and time)")).toMatchInlineSnapshot(`
    "- paragraph: Your entry number
    - paragraph: 5,000
    - paragraph: The doors open
    - paragraph:
      - time: (day and time)
    - paragraph: in 3 days 23 hours
    - paragraph: "Then people are let in by entry number, the lowest first. Yours stays as it is: reloading, or coming back early, changes nothing."
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
