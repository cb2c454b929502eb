/** The pages in other languages: from right to left, and how a visitor chooses one. */
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { galleryAddress, startGalleryVisit } from "../support/gallery-visit.ts";
import { inspectOnScreens, type Screen } from "../support/page-inspection.ts";
import { type Box, boxesOf, openDetails } from "../support/page-measures.ts";
import { describeLong, describeQuick, long, test } from "../support/sizes.ts";
import { tabStops } from "../support/waiting-visitor.ts";

const quietPoll = { floor_ms: 60_000, ceiling_ms: 60_000, divisor: 1, spread_ms: 10_000 };

const visit = await startGalleryVisit();
afterAll(() => visit.close());
afterEach(() => visit.handOver());

const screens: Screen[] = [
  { name: "320", width: 320, height: 640, media: { colorScheme: "light" } },
  { name: "1280", width: 1280, height: 900, media: { colorScheme: "dark" } },
];
/** Samples of pages that are looked at in other languages. */
const samples = [
  ...["waiting", "waiting_long", "entered", "entered_draw", "paused_unhealthy", "held_full", "recovering"],
  ...["not_open_prequeue", "place_expired", "store_unavailable", "bypass_held", "leave_confirm", "draw"],
];

async function inspectSample(id: string, locale: string): Promise<void> {
  await visit.open(`/sample/${id}`);
  expect(await visit.page.evaluate("document.documentElement.lang")).toBe(locale);
  await expect.poll(() => visit.page.locator("main").getAttribute("data-notice")).not.toBe("not_found");
  await openDetails(visit.page);
  await inspectOnScreens(visit.page, `${id}-${locale}`, screens);
}

// From right to left, and with long words.
describeLong.each(["ar", "de"])("in %s", (locale) => {
  beforeAll(() => visit.arrive({ locale }));
  afterAll(() => visit.leave());
  long.each(samples)("%s", (id) => inspectSample(id, locale));
});

describeQuick("from right to left", () => {
  beforeAll(() => visit.arrive({ locale: "ar" }));
  afterAll(() => visit.leave());

  /** Of an element: its left and right edge, in pixels. */
  const edges = ({ x, width }: Box) => ({ left: x, right: x + width });

  test.each(["waiting_long"])("%s is whole on each screen", (id) => inspectSample(id, "ar"));

  test("everything begins at the right, numbers and titles keep their own direction", async () => {
    Object.assign(visit.gallery.room, { poll: quietPoll, title: "Tour 2030 (extra)" });
    await visit.open();
    await visit.page.locator("main[data-live]").waitFor();
    expect(await visit.page.evaluate("document.documentElement.dir + getComputedStyle(document.body).direction")).toBe(
      "rtlrtl",
    );
    const boxes = await boxesOf(visit.page, ".card", "#label", "#room");
    const [card, label, room] = [edges(boxes[0]), edges(boxes[1]), edges(boxes[2])];
    expect(card.right - label.right).toBeLessThan(label.left - card.left + 60);
    expect(room.right).toBeCloseTo(card.right, 0);
    expect(await visit.text("#ahead")).toBe("411 شخصًا أمامك");
    expect(await visit.page.title()).toBe("أمامك 411 – \u2068Tour 2030 (extra)\u2069");
    expect(await visit.page.evaluate("getComputedStyle(document.getElementById('room')).unicodeBidi")).toBe("isolate");
  });

  test("the bar grows from the right, and the three in line walk to the left", async () => {
    Object.assign(visit.gallery.room, { poll: quietPoll, serving: 4_000 });
    await visit.open();
    await visit.page.locator("main[data-live]").waitFor();
    visit.gallery.room.serving = 4_900;
    await visit.page.evaluate("document.getElementById('enter').click()");
    await expect.poll(() => visit.text("#ahead")).toBe("99 شخصًا أمامك");
    const shades = await visit.page.evaluate(`(() => {
      const bar = document.getElementById("progress");
      return [bar.value / bar.max, getComputedStyle(bar).direction];
    })()`);
    expect(shades).toEqual([expect.closeTo(0.9, 1), "rtl"]);
    const mirrored = "getComputedStyle(document.querySelector('.eyebrow'), '::before').transform";
    expect(await visit.page.evaluate(mirrored)).toBe("matrix(-1, 0, 0, 1, 0, 0)");
  });
});

describe("the chooser", () => {
  test("by keyboard: nothing happens until the button is pressed, then the same page is in the other language", async () => {
    visit.gallery.room.poll = quietPoll;
    await visit.arrive({ locale: "de" });
    await visit.page.locator("main[data-live]").waitFor();
    const chooser = visit.page.getByRole("combobox", { name: "Sprache" });
    await expect.poll(() => chooser.inputValue()).toBe("de");
    await visit.page.locator("summary").last().focus();
    const [select, button] = await tabStops(visit.page, 2);
    expect([select?.name, button?.name]).toEqual(["Sprache", "Ändern"]);
    for (const stop of [select, button]) expect(stop?.outlinePx).toBeGreaterThanOrEqual(2);

    await chooser.focus();
    await visit.page.keyboard.press("End");
    const chosen = await chooser.inputValue();
    expect(chosen).not.toBe("de");
    expect(await visit.page.evaluate("document.documentElement.lang")).toBe("de");
    expect(visit.count("/language")).toBe(0);

    await visit.page.keyboard.press("Tab");
    await visit.page.keyboard.press("Enter");
    await visit.page.locator(`html[lang="${chosen}"]`).waitFor();
    expect(visit.page.url()).toBe(visit.gallery.url + galleryAddress);
    await expect.poll(() => visit.page.locator("main").getAttribute("data-position")).toBe("5000");
  });

  long("works without scripts, on every page", async () => {
    await visit.arrive({ locale: "en", javaScriptEnabled: false });
    for (const path of [galleryAddress, "/notice/place_expired"]) {
      await visit.open(path);
      await visit.page.getByRole("combobox").selectOption("ar");
      await visit.page.locator(".languages button").click();
      await expect.poll(() => visit.page.locator("html").getAttribute("dir")).toBe("rtl");
      expect(visit.page.url()).toBe(visit.gallery.url + path);
      await visit.page.getByRole("combobox").selectOption("en");
      await visit.page.locator(".languages button").click();
      await expect.poll(() => visit.page.locator("html").getAttribute("lang")).toBe("en");
    }
  });
});
