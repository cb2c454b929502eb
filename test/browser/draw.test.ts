/** A visitor of a room in which places are drawn: from the entry number to the place, and the page on which the draw is checked. */
import type { Route } from "playwright-core";
import { describe, expect } from "vitest";
import type { DrawDocument } from "../../src/room/draw-recipe/index.ts";
import { sampleDraws } from "../../src/web/pages/samples/draws.ts";
import { soon, visitGallery } from "../support/gallery-visit.ts";
import { describeLong, long, test } from "../support/sizes.ts";

const { gallery, arrive, text, count, setVisibility } = await visitGallery();

const placePath = "/rooms/tickets/tickets/me";
const entering = { phase: "prequeue", serving: 0, entry: 31_415, drawStage: "committed", opensInMs: 60_000 } as const;
const opened = { phase: "open", drawStage: "closing", opensInMs: null } as const;

async function arriveWithEntry() {
  Object.assign(gallery.room, entering, { poll: { floor_ms: 100, ceiling_ms: 200, divisor: 10, spread_ms: 200 } });
  const page = await arrive();
  // What shows the draw has come (test/browser/draw-moment.test.ts).
  await page.locator(".lots").waitFor({ state: "attached" });
  return page;
}

describeLong("before the doors open", () => {
  long("the page shows an entry number, which is no place, and says how places are given", async () => {
    const page = await arriveWithEntry();
    expect(await text("#label")).toBe("Your entry number");
    expect(await text(".position")).toBe("31,415");
    expect(await text(".rule")).toBe(
      "Places are drawn when the doors open, among everyone who is here by then. Coming early or reloading changes nothing. Anyone who comes later joins behind.",
    );
    await expect.poll(() => page.getByText("ahead of you").isVisible()).toBe(false);
    await expect.poll(() => page.getByRole("progressbar").isVisible()).toBe(false);
    await expect.poll(() => count("/rooms/tickets/status"), soon).toBeGreaterThan(2);
    expect(await page.title()).toMatch(/^Opens in .* – Autumn tour tickets$/);
    expect(count(placePath)).toBe(0);
  });

  long("what explains the draw opens beside the page", async () => {
    const page = await arriveWithEntry();
    const link = page.getByRole("link", { name: "How the draw works, and your receipt" });
    await expect.poll(() => link.getAttribute("href")).toBe("/rooms/tickets/draw");
    const [beside] = await Promise.all([page.waitForEvent("popup"), link.click()]);
    expect(new URL(beside.url()).pathname).toBe("/rooms/tickets/draw");
    expect(new URL(page.url()).pathname).toBe("/authorize");
  });

  long("in a room whose places go by arrival nothing is told of a draw", async () => {
    Object.assign(gallery.room, entering, { entry: null });
    const page = await arrive();
    await expect.poll(() => page.locator("#draw").count()).toBe(0);
    expect(await text(".rule")).toContain("by entry number, the lowest first");
  });
});

describe("when the doors open", () => {
  test("the page says that the order is being drawn, and then what was drawn, without being loaded anew", async () => {
    const page = await arriveWithEntry();
    Object.assign(gallery.room, opened);
    await expect.poll(() => text("#status"), soon).toBe("The order is being drawn. One moment…");
    expect(await page.title()).toBe("The order is being drawn – Autumn tour tickets");
    expect(await text("#label")).toBe("Your entry number");
    await expect.poll(() => page.getByText("ahead of you").isVisible()).toBe(false);
    // Not even a served number is a turn as long as it is no place.
    gallery.room.serving = 40_000;
    const asked = count("/rooms/tickets/status");
    await expect.poll(() => count("/rooms/tickets/status"), soon).toBeGreaterThan(asked + 2);
    expect(count("/authorize")).toBe(1);

    Object.assign(gallery.room, { drawStage: "drawn", serving: 4_588 });
    await expect.poll(() => text(".position"), soon).toBe("5,000");
    expect(await text("#label")).toBe("Your place in line");
    expect(await text("#drawn")).toBe("Drawn for entry number 31,415");
    expect(await text("#ahead")).toBe("411 people ahead of you");
    await expect.poll(() => page.locator("#ahead").isVisible()).toBe(true);
    expect(await text("#status")).toBe("You are in line.");
    expect(await text("#milestone")).toBe("You drew 5,000 of 48,213. 411 people ahead of you.");
    expect(await page.title()).toBe("411 ahead – Autumn tour tickets");
    await expect.poll(() => page.locator("main").getAttribute("data-position")).toBe("5000");
    expect(count("/authorize")).toBe(1);
    expect(count(placePath)).toBe(1);

    // From here on it is a place like any other.
    gallery.room.serving = 4_990;
    await expect.poll(() => text("#ahead"), soon).toBe("9 people ahead of you");
    Object.assign(gallery.room, { serving: 5_000, entry: null });
    await page.waitForURL("**/site");
  });

  long("a server that has not heard of the draw is asked again", async () => {
    await arriveWithEntry();
    Object.assign(gallery.room, opened, { drawStage: "drawn", knowsPlace: false });
    await expect.poll(() => count(placePath), soon).toBeGreaterThan(1);
    expect(await text(".position")).toBe("31,415");
    gallery.room.knowsPlace = true;
    await expect.poll(() => text(".position"), soon).toBe("5,000");
  });

  long("where the draw was called off, the number is the place", async () => {
    await arriveWithEntry();
    Object.assign(gallery.room, opened, { drawStage: "cancelled", serving: 31_000 });
    await expect.poll(() => text("#label"), soon).toBe("Your place in line");
    expect(await text(".position")).toBe("31,415");
    await expect.poll(() => text("#ahead"), soon).toBe("414 people ahead of you");
  });

  long("a visitor who looks elsewhere finds the place when they look again", async () => {
    await arriveWithEntry();
    await setVisibility("hidden");
    Object.assign(gallery.room, opened, { drawStage: "drawn" });
    await setVisibility("visible");
    await expect.poll(() => text(".position"), soon).toBe("5,000");
  });

  long("a visitor who was offline finds the place when the connection is back", async () => {
    const page = await arriveWithEntry();
    await page.context().setOffline(true);
    Object.assign(gallery.room, opened, { drawStage: "drawn" });
    await expect.poll(() => text("#problem"), soon).toContain("You seem to be offline");
    expect(await text(".position")).toBe("31,415");
    await page.context().setOffline(false);
    await expect.poll(() => text(".position"), soon).toBe("5,000");
  });

  long("a pause before the draw shows no place, and the draw goes on after it", async () => {
    const page = await arriveWithEntry();
    Object.assign(gallery.room, opened, { phase: "paused", pausedReason: "operator" });
    await expect.poll(() => text("#status"), soon).toContain("The line is paused");
    expect(await page.title()).toBe("Paused – Autumn tour tickets");
    await expect.poll(() => page.getByText("ahead of you").isVisible()).toBe(false);
    Object.assign(gallery.room, { phase: "open", drawStage: "drawn" });
    await expect.poll(() => text(".position"), soon).toBe("5,000");
  });

  long("without scripts, each loading shows what is known by then", async () => {
    Object.assign(gallery.room, entering);
    const page = await arrive({ javaScriptEnabled: false });
    expect(await text(".position")).toBe("31,415");
    Object.assign(gallery.room, opened);
    await page.reload();
    expect(await text("#status")).toBe("The order is being drawn. One moment…");
    expect(await text("#label")).toBe("Your entry number");
    await expect.poll(() => page.locator("#ahead").isVisible()).toBe(false);
    Object.assign(gallery.room, { drawStage: "drawn", serving: 4_588 });
    await page.reload();
    expect(await text(".position")).toBe("5,000");
    expect(await text("#drawn")).toBe("You drew 5,000 of 48,213 · Drawn for entry number 31,415");
    expect(await text("#ahead")).toBe("411 people ahead of you");
  });
});

describe("the page of a draw", () => {
  const { drawn } = sampleDraws({ id: "tickets" });
  const place = drawn.draw.own?.position ?? 0;
  const shown = (value: number) => value.toLocaleString("en");

  const visitDraw = (id = "draw", options = {}) => arrive(options, undefined, `/sample/${id}`);

  /** Hands the page another record than the published one. */
  const answer = (change: (record: DrawDocument) => object) => (route: Route) =>
    route.fulfill({ json: change(structuredClone(drawn.record)) });

  long("works out a place in the visitor's own browser", async () => {
    const page = await visitDraw();
    await expect.poll(() => page.getByLabel("Entry number").inputValue()).toBe("31415");
    await page.getByRole("button", { name: "Work out the place" }).click();
    await expect.poll(() => text("#result"), soon).toBe(`Entry number 31,415 has place ${shown(place)}.`);
    await expect.poll(() => page.locator(".own dd").allTextContents()).toEqual(["31,415", shown(place)]);
    for (const nothing of ["0", "x"]) {
      await page.getByLabel("Entry number").fill(nothing);
      await page.keyboard.press("Enter");
      expect(await text("#result")).toBe("This number is not in the draw.");
      await page.getByLabel("Entry number").fill("");
      await page.keyboard.press("Enter");
      expect(await text("#result")).toBe("");
    }
    await page.getByLabel("Entry number").fill("48.217");
    await page.keyboard.press("Enter");
    await expect.poll(() => text("#result"), soon).toBe("This number is not in the draw.");
    await page.getByLabel("Entry number").fill("7002");
    await page.getByRole("button", { name: "Work out the place" }).click();
    await expect.poll(() => page.locator("#compute").isEnabled(), soon).toBe(true);
    expect(await text("#result")).toBe("This number is not in the draw.");
    // The program was loaded once, and the record too.
    expect(count("/rooms/tickets/draw/checker.js")).toBe(1);
    expect(gallery.requests.filter((path) => path.startsWith("/rooms/tickets/draw?"))).toHaveLength(1);
  });

  test("checks everything, and finds it right", async () => {
    const page = await visitDraw();
    await expect.poll(() => page.locator("#checks li:visible").count()).toBe(0);
    await page.getByRole("button", { name: "Check everything" }).click();
    await expect
      .poll(() => page.locator("#checks .outcome:visible").allTextContents(), soon)
      .toEqual(Array(6).fill("Right"));
    await expect
      .poll(() => page.locator("#checks .text:visible").allTextContents())
      .toContain("Every place was given exactly once");
    await expect.poll(() => page.locator("#checks .detail:visible").count()).toBe(0);
  });

  long("a record that was changed on the way is found out, and why is said", async () => {
    const page = await visitDraw();
    await page.route(
      "**/rooms/tickets/draw?*",
      answer((record) => ({ ...record, draws: record.draws.map((draw) => ({ ...draw, seed: "0".repeat(64) })) })),
    );
    await page.getByRole("button", { name: "Check everything" }).click();
    const line = (id: string) => page.locator(`#check-${id}`);
    await line("order").waitFor();
    await expect.poll(() => line("seal").locator(".outcome").textContent()).toBe("Wrong");
    await expect
      .poll(() => line("seal").locator(".detail").textContent())
      .toContain("not the one that was committed to");
    await expect.poll(() => line("record").getAttribute("data-outcome")).toBe("failed");
    await expect.poll(() => line("numbers").getAttribute("data-outcome")).toBe("ok");
  });

  long("what is no record is called so", async () => {
    const page = await visitDraw();
    await page.route(
      "**/rooms/tickets/draw?*",
      answer(() => ({ draws: [] })),
    );
    await page.getByRole("button", { name: "Check everything" }).click();
    await page.locator("#check-record").waitFor();
    await expect.poll(() => page.locator("#check-record").getAttribute("data-outcome")).toBe("failed");
  });

  long("without the public source of chance, the page says so, and there is nothing of it to check", async () => {
    const page = await visitDraw("draw_fallback");
    await page.getByText("could not be reached in time").waitFor();
    await page.getByRole("button", { name: "Check everything" }).click();
    await page.locator("#check-order").waitFor();
    expect(await text("#check-order .outcome")).toBe("Right");
    await expect.poll(() => page.locator("#check-beacon").isVisible()).toBe(false);
    await expect.poll(() => page.locator("#check-receipt").count()).toBe(0);
  });

  long("while the record cannot be had, the page says so, and can be asked again", async () => {
    const page = await visitDraw();
    await page.route("**/rooms/tickets/draw?*", (route) => route.abort());
    await page.getByRole("button", { name: "Work out the place" }).click();
    await expect.poll(() => text("#result"), soon).toContain("cannot be reached");
    await page.unroute("**/rooms/tickets/draw?*");
    await page.getByRole("button", { name: "Work out the place" }).click();
    await expect.poll(() => text("#result"), soon).toContain(`has place ${shown(place)}`);
  });

  long("the receipt can be copied", async () => {
    const page = await visitDraw("draw", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "Copy the receipt" }).click();
    await expect.poll(() => text("#copied"), soon).toBe("Copied");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(drawn.draw.own?.receipt);
  });

  long("under way, it becomes the drawn one by itself", async () => {
    const page = await visitDraw("draw_closing");
    await page.route(
      "**/rooms/tickets/draw?*",
      answer((record) => record),
    );
    let loads = 0;
    page.on("load", () => loads++);
    await expect.poll(() => loads, { timeout: 60_000, interval: 100 }).toBe(1);
  });

  long("without scripts everything but the checking is there, and what is missing is said", async () => {
    const page = await visitDraw("draw", { javaScriptEnabled: false });
    await expect.poll(() => page.locator("noscript").isVisible()).toBe(true);
    expect(await text("noscript")).toContain("Checking in this page needs JavaScript.");
    await expect.poll(() => page.locator("#check").isVisible()).toBe(false);
    await expect.poll(() => page.getByLabel("Your receipt").inputValue()).toBe(drawn.draw.own?.receipt);
    await page.getByText(drawn.draw.commitment).waitFor();
  });
});
