/** The operator's words in a real browser: seen at once, heard once, on the waiting page and on the notices of the room. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoAxeViolations } from "../support/chromium.ts";
import { soon, visitGallery } from "../support/gallery-visit.ts";
import { words } from "../support/page-gallery.ts";
import { describeLong, long, test } from "../support/sizes.ts";

const visit = await visitGallery();
const { gallery, arrive, text, count } = visit;
const phone = { viewport: { width: 320, height: 640 } };
const severities = ["information", "warning", "sold_out"] as const;
const longest =
  `${"Doors open at 20:00, and there is more to say about this evening. ".repeat(7)}${"It is late. ".repeat(9)}`.slice(
    0,
    500,
  );
const isSeen = (page: Page) => page.locator("#message").isVisible();

/** Writes down what a screen reader is given to say: whatever is put into a live region and can be seen. */
const listen = `
  window.heard = [];
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const region = target.closest && target.closest("[role=status], [role=alert]");
      if (region === null || !region.id.startsWith("words")) continue;
      for (const node of addedNodes) if (!node.hidden) window.heard.push([region.getAttribute("role"), node.textContent.trim()]);
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true });`;

async function heard(page: Page): Promise<string[][]> {
  const said = (await page.evaluate("window.heard")) as [string, string][];
  return said.map(([role, spoken]) => [role, spoken.replace(/\s*\n\s*/g, ": ")]);
}

/** Long enough for two more answers. */
async function pollsPass(): Promise<void> {
  const before = count("/rooms/tickets/status");
  await expect.poll(() => count("/rooms/tickets/status"), soon).toBeGreaterThan(before + 2);
}

test("a page that knows the status asks for what moves, for the status again when an operator writes, and goes in", async () => {
  const { room } = gallery;
  Object.assign(room, { tellsPace: true, position: 4_000, serving: 3_000 });
  const page = await arrive(phone);
  await expect.poll(() => count("/rooms/tickets/pace"), soon).toBeGreaterThan(2);
  const asked = count("/rooms/tickets/status");
  room.serving = 3_500;
  await expect.poll(() => page.locator("#serving").textContent(), soon).toContain("3,500");
  expect(count("/rooms/tickets/status")).toBe(asked);
  room.message = words("Doors open late.", "information");
  await expect.poll(() => isSeen(page), soon).toBe(true);
  expect(count("/rooms/tickets/status")).toBe(asked + 1);
  room.serving = 4_000;
  await page.waitForURL("**/site");
});

describeLong.each(severities)("%s", (severity) => {
  long("appears while one waits, is seen without scrolling on a small phone, and nothing for axe", async () => {
    const page = await arrive(phone);
    expect(await isSeen(page)).toBe(false);
    gallery.room.message = words(longest, severity);
    await expect.poll(() => isSeen(page), soon).toBe(true);
    expect(longest).toHaveLength(500);
    const box = await page.locator("#message").boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 1_000)).toBeLessThanOrEqual(640);
    await expectNoAxeViolations(page);
  });

  long("is seen without scrolling on a notice", async () => {
    gallery.room.message = words(longest, severity);
    await arrive(phone, undefined, "/notice/room_full");
    const box = await visit.page.locator("#message").boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 1_000)).toBeLessThanOrEqual(640);
    await expectNoAxeViolations(visit.page);
  });
});

describe("new words", () => {
  test("are heard once, grave ones at once, and the focus stays where it is", async () => {
    const page = await arrive();
    await page.evaluate(listen);
    await page.locator("#enter").focus();
    gallery.room.message = words("Doors open at 20:00.");
    await expect.poll(() => isSeen(page), soon).toBe(true);
    await pollsPass();
    const first = ["status", "From the organiser: Doors open at 20:00."];
    expect(await heard(page)).toEqual([first]);
    gallery.room.message = words("Payment is down.", "warning");
    await expect.poll(() => text("#message-label"), soon).toBe("Important");
    await pollsPass();
    const second = ["alert", "Important: Payment is down."];
    expect(await heard(page)).toEqual([first, second]);
    gallery.room.message = words("That was the last ticket.", "sold_out");
    await expect.poll(() => text("#message-text"), soon).toBe("That was the last ticket.");
    await pollsPass();
    expect(await heard(page)).toEqual([first, second, ["alert", "Sold out: That was the last ticket."]]);
    expect(await page.evaluate("document.activeElement.id")).toBe("enter");
    // Whoever is in line stays there: what to do about it is the organiser's.
    expect(await text("#status")).toBe("You are in line.");
  });

  long("that are taken back go without a sound, and with them how grave they were", async () => {
    gallery.room.message = words("That was the last ticket.", "sold_out");
    const page = await arrive();
    await page.evaluate(listen);
    gallery.room.message = null;
    await expect.poll(() => isSeen(page), soon).toBe(false);
    await pollsPass();
    expect(await heard(page)).toEqual([]);
    expect(await text("#words-alert")).toBe("");
  });

  long("that the page came with are not heard again", async () => {
    gallery.room.message = words("two\nlines & <b>more</b>", "warning");
    const page = await arrive();
    await page.evaluate(listen);
    await pollsPass();
    expect(await heard(page)).toEqual([]);
    expect(await text("#message-text")).toBe("two\nlines & <b>more</b>");
  });

  long("stay text, keep their lines, and stand on the side from which they are read", async () => {
    const page = await arrive();
    gallery.room.message = words("<img src=x onerror=alert(1)></script>\nsecond", "warning");
    await expect.poll(() => text("#message-text"), soon).toBe("<img src=x onerror=alert(1)></script>\nsecond");
    await expect.poll(() => page.locator("#message img").count()).toBe(0);
    const height = async () => (await page.locator("#message-text").boundingBox())?.height ?? 0;
    const ofTwo = await height();
    gallery.room.message = words("second", "warning");
    await expect.poll(() => text("#message-text"), soon).toBe("second");
    expect(await height()).toBeLessThan(ofTwo);
    gallery.room.message = words("הכרטיסים אזלו", "warning");
    await expect.poll(() => text("#message-text"), soon).toBe("הכרטיסים אזלו");
    expect(await page.evaluate("getComputedStyle(document.getElementById('message-text')).direction")).toBe("rtl");
  });

  long("come in the page's language", async () => {
    const page = await arrive();
    const texts = [
      { language: "pt", text: "Esgotado" },
      { language: "en", text: "No tickets left" },
    ];
    gallery.room.message = { severity: "sold_out", texts };
    await expect.poll(() => text("#message-text"), soon).toBe("No tickets left");
    gallery.room.message = { severity: "sold_out", texts: texts.slice(0, 1) };
    await expect.poll(() => text("#message-text"), soon).toBe("Esgotado");
    await expect.poll(() => page.locator("#message-text").getAttribute("lang")).toBe("pt");
  });
});

describeLong("a notice that asks for the status", () => {
  long.each([
    ["store_unavailable", { availability: "away" }],
    ["not_open_unset", { phase: "idle" }],
    ["ended_with_place", { phase: "ended" }],
  ] as const)("%s shows new words, and says them once", async (notice, room) => {
    Object.assign(gallery.room, room);
    const page = await arrive({}, (opened) => opened.clock.install(), `/notice/${notice}`);
    await page.evaluate(listen);
    gallery.room.message = words("We go on at nine.", "warning");
    await page.clock.fastForward(60_000);
    await expect.poll(() => isSeen(page), soon).toBe(true);
    expect(await text("#message-text")).toBe("We go on at nine.");
    const asked = count("/rooms/tickets/status");
    await page.clock.fastForward(60_000);
    await expect.poll(() => count("/rooms/tickets/status"), soon).toBeGreaterThan(asked);
    expect(await heard(page)).toEqual([["alert", "Important: We go on at nine."]]);
  });
});
