/** The visitor's turn on the waiting page, with a made-up room behind it: how they are called, and how they come in. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { english, heldUntil, titleOf } from "../support/english.ts";
import { hasHeard, soon, stopClock, visitGallery, watchQuestions } from "../support/gallery-visit.ts";
import { long, test } from "../support/sizes.ts";

const { gallery, arrive, text, count, setVisibility } = await visitGallery();

const claim = "/rooms/tickets/tickets/me/claim";
/** A held page claims so long after the answer to its last claim, at the latest. */
const claimAgainMs = 1_300;

/** A held page, with a clock that stands still until the test lets time pass. */
function arriveAtTheDoor(prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
  return arrive({}, async (page) => {
    await stopClock(page);
    await watchQuestions(page);
    await prepare?.(page);
  });
}

async function pass(page: Page, ms: number): Promise<void> {
  await page.clock.fastForward(ms);
  await hasHeard(page);
}

describe("entering", () => {
  test("a visitor who is looking is called, and let in in place: the history does not grow", async () => {
    const page = await arrive();
    const before = await page.evaluate("history.length");
    gallery.room.serving = 5_000;
    await page.waitForURL("**/site");
    expect(await page.evaluate("history.length")).toBe(before);
    expect(count("/authorize")).toBe(2);
  });

  long("also when the address has a fragment", async () => {
    const page = await arrive();
    await page.evaluate("history.replaceState(null, '', location.href + '#top')");
    gallery.room.serving = 5_000;
    await page.waitForURL("**/site*");
  });

  test(`"nobody told me when it was my turn": one that comes unseen is held, and called by the title; looking enters`, async () => {
    const page = await arrive();
    await setVisibility("hidden");
    gallery.room.serving = 5_100;
    await expect.poll(() => page.title(), soon).toBe(titleOf(english.waiting.live.titles.turn));
    await expect
      .poll(() => page.getByRole("alert").filter({ hasText: english.waiting.live.titles.turn }).count())
      .toBe(1);
    await page.waitForTimeout(1_000);
    expect(count("/authorize")).toBe(1);
    await setVisibility("visible");
    await page.waitForURL("**/site");
  });

  long("it is told until when, and for how long yet, quietly", async () => {
    const cameAtMs = Date.now();
    const page = await arrive({ timezoneId: "Asia/Tokyo" }, (page) => page.clock.install());
    await expect.poll(() => count("/rooms/tickets/status"), soon).toBeGreaterThan(0);
    await setVisibility("hidden");
    gallery.room.serving = 5_000;
    const until = Date.now() + 900_000;
    const inTokyo = { timeZone: "Asia/Tokyo", hour: "2-digit", minute: "2-digit" } as const;
    // From some answer that it was not yet the visitor's turn.
    const times = [cameAtMs + 900_000, until].map((ms) => new Date(ms).toLocaleTimeString("en-GB", inTokyo));
    await expect.poll(() => text("#deadline"), soon).toContain("14 minutes");
    expect(times.map((time) => heldUntil(time, "14 minutes"))).toContain(await text("#deadline"));
    // Aloud it is said that it is the visitor's turn, and no more.
    await expect
      .poll(() => page.getByRole("alert").filter({ hasText: english.waiting.live.titles.turn }).textContent())
      .toBe(english.waiting.live.titles.turn);
    gallery.room.statusCode = 500;
    await page.clock.fastForward(600_000);
    await expect.poll(() => text("#deadline"), soon).toContain("(4 minutes)");
    await page.clock.fastForward(600_000);
    await expect.poll(() => text("#deadline"), soon).toBe(english.later.deadline.passed);
  });

  long("a site that is full is no turn yet, and is told as such", async () => {
    Object.assign(gallery.room, { state: "held", heldBy: "capacity", serving: 5_000 });
    const page = await arrive();
    await expect.poll(() => text("#status"), soon).toContain("The site is full right now");
    await expect.poll(() => page.title(), soon).toBe("You are next – Autumn tour tickets");
    gallery.room.state = "waiting";
    await page.waitForURL("**/site");
  });

  long("there is a button as well", async () => {
    const page = await arrive();
    await setVisibility("hidden");
    gallery.room.serving = 5_000;
    const button = page.getByRole("link", { name: english.waiting.live.enter });
    await button.waitFor();
    await button.click();
    await page.waitForURL("**/site");
  });

  long("a held place asks again when it was told to, and says that it is next", async () => {
    gallery.room.state = "held";
    gallery.room.serving = 5_000;
    const page = await arrive();
    await expect.poll(() => page.title(), soon).toBe("You are next – Autumn tour tickets");
    gallery.room.state = "waiting";
    await page.waitForURL("**/site");
  });

  test("a held place asks without being loaded anew, and is in soon after there is room", async () => {
    Object.assign(gallery.room, { state: "held", heldBy: "capacity", serving: 5_000 });
    const page = await arriveAtTheDoor();
    await page.evaluate("window.isFirst = true");
    for (let claims = 1; claims <= 3; claims++) {
      await pass(page, claimAgainMs);
      expect(count(claim)).toBe(claims);
    }
    expect(count("/authorize")).toBe(1);
    expect(await page.evaluate("window.isFirst")).toBe(true);
    gallery.room.state = "waiting";
    await page.clock.fastForward(claimAgainMs);
    await page.waitForURL("**/site");
    expect(count("/authorize")).toBe(2);
  });

  long(
    "a page that is held by something else since says so, where it is and aloud, and is loaded once more to come in",
    async () => {
      Object.assign(gallery.room, { state: "held", heldBy: "limit", serving: 5_000 });
      const page = await arrive();
      expect(await text("#status")).toContain("Letting you in");
      for (const [heldBy, words] of [
        ["capacity", "The site is full right now"],
        ["limit", "Letting you in"],
        ["capacity", "The site is full right now"],
      ] as const) {
        gallery.room.heldBy = heldBy;
        await expect.poll(() => text("#status"), soon).toContain(words);
        await expect.poll(() => page.locator("#milestone").textContent()).toContain(words);
      }
      expect(count("/authorize")).toBe(1);
      const claims = count(claim);
      gallery.room.state = "waiting";
      await page.waitForURL("**/site");
      // By the next claim.
      expect([count("/authorize"), count(claim)]).toEqual([2, claims + 1]);
    },
  );

  long("who has others before them sees how many, and is next when they are in", async () => {
    Object.assign(gallery.room, { state: "held", heldBy: "limit", serving: 5_000, rank: 12 });
    const page = await arrive();
    for (const rank of [12, 1]) {
      gallery.room.rank = rank;
      await expect
        .poll(() => text("#ahead"), soon)
        .toBe(rank === 1 ? "1 person ahead of you" : "12 people ahead of you");
      expect(await page.title()).toBe(`${rank} ahead – Autumn tour tickets`);
      expect(await text("#status")).toBe("Nearly there: the people ahead of you go in first.");
    }
    gallery.room.rank = 0;
    await expect.poll(() => text("#status"), soon).toBe("You are next. Letting you in…");
    expect([await text("#ahead"), await page.title()]).toEqual([
      "Nobody ahead of you",
      "You are next – Autumn tour tickets",
    ]);
    await expect.poll(() => page.locator("#milestone").textContent()).toContain("You are next");
  });

  long(
    "the people ahead do not rise just before the turn, for the few who are at the door; of a crowd that was called they do",
    async () => {
      Object.assign(gallery.room, { state: "held", heldBy: "limit", serving: 5_000, rank: 3 });
      const page = await arrive({}, (page) =>
        // What the page before it has left for this place, which showed one person.
        page.addInitScript(
          `document.addEventListener("DOMContentLoaded", () => {
          const { room, edition, position } = document.querySelector("main")?.dataset ?? {};
          if (room) sessionStorage.setItem("usher.ahead", \`\${room} \${edition} \${position} 1\`);
        });`,
        ),
      );
      await page.reload();
      const claims = count(claim);
      await expect.poll(() => count(claim), soon).toBeGreaterThan(claims);
      expect([await text("#ahead"), await page.title()]).toEqual([
        "1 person ahead of you",
        "1 ahead – Autumn tour tickets",
      ]);
      gallery.room.rank = 300;
      await expect.poll(() => text("#ahead"), soon).toBe("300 people ahead of you");
    },
  );

  long("who is admitted comes in at once, however often this tab has asked for the page", async () => {
    Object.assign(gallery.room, { state: "held", serving: 5_000 });
    const page = await arriveAtTheDoor((page) =>
      page.addInitScript(`sessionStorage.setItem("usher.entry", JSON.stringify({ at: Date.now(), n: 9 }))`),
    );
    await pass(page, claimAgainMs);
    expect(count(claim)).toBe(1);
    gallery.room.state = "waiting";
    await page.clock.fastForward(claimAgainMs);
    await page.waitForURL("**/site");
  });

  long("who is admitted while they look away is called, whatever the line does, and comes in by looking", async () => {
    Object.assign(gallery.room, { state: "held", serving: 5_000 });
    let answer: () => Promise<void> = () => Promise.reject(new Error("nobody claimed"));
    let claims = 0;
    const page = await arrive({}, (page) =>
      page.route(`**${claim}`, (route) => {
        claims++;
        answer = () => route.continue();
      }),
    );
    await expect.poll(() => claims, soon).toBe(1);
    await setVisibility("hidden");
    gallery.room.state = "waiting";
    await answer();
    await expect.poll(() => page.title(), soon).toBe(titleOf(english.waiting.live.titles.turn));
    await expect
      .poll(() => page.getByRole("alert").filter({ hasText: english.waiting.live.titles.turn }).count())
      .toBe(1);
    // The operator calls the line back.
    gallery.room.serving = 4_000;
    const polls = count("/rooms/tickets/status");
    await expect.poll(() => count("/rooms/tickets/status"), soon).toBeGreaterThan(polls + 2);
    expect(await page.title()).toBe(titleOf(english.waiting.live.titles.turn));
    // That is how long a turn is held that was not taken.
    expect(await text("#deadline")).toBe("");
    expect([count("/authorize"), claims]).toEqual([1, 1]);
    gallery.room.serving = 5_000;
    await setVisibility("visible");
    await page.waitForURL("**/site");
  });

  long("a held place outlasts a server that fails for a moment; what the server refuses, it explains", async () => {
    Object.assign(gallery.room, { state: "held", serving: 5_000, claimCode: 502 });
    const page = await arrive();
    await expect.poll(() => count(claim), soon).toBeGreaterThanOrEqual(2);
    expect(count("/authorize")).toBe(1);
    Object.assign(gallery.room, { state: "waiting", claimCode: 401 });
    await page.waitForURL("**/site");
    expect(count("/authorize")).toBe(2);
  });

  long("a claim that something in front of the room refuses is made again, and the page stays", async () => {
    Object.assign(gallery.room, { state: "held", serving: 5_000, claimCode: 401, saysWhy: false });
    const page = await arrive();
    await expect.poll(() => count(claim), soon).toBeGreaterThanOrEqual(2);
    expect(count("/authorize")).toBe(1);
    Object.assign(gallery.room, { state: "waiting", claimCode: 200 });
    await page.waitForURL("**/site");
  });

  long("a server that refuses again and again is asked for the page ever more slowly", async () => {
    Object.assign(gallery.room, { state: "held", serving: 5_000, claimCode: 401, retryMs: 300 });
    const page = await arrive();
    await page.waitForTimeout(8_000);
    // At 0, 1, 3, (7) seconds.
    expect(count("/authorize")).toBeLessThanOrEqual(5);
    await expect.poll(() => count("/authorize"), soon).toBeGreaterThanOrEqual(3);
    expect(count(claim)).toBeLessThanOrEqual(count("/authorize"));
    gallery.room.state = "waiting";
    await page.waitForURL("**/site");
  });

  long("a held place that nobody looks at asks for nothing", async () => {
    gallery.room.state = "held";
    gallery.room.serving = 5_000;
    gallery.room.retryMs = 300;
    const page = await arrive({}, (page) =>
      page.addInitScript(
        `Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" })`,
      ),
    );
    await page.waitForTimeout(1_500);
    expect([count("/authorize"), count(claim)]).toEqual([1, 0]);
  });

  long("another edition is for the server to explain", async () => {
    const page = await arrive();
    gallery.room.edition = 2;
    gallery.room.ticketEdition = 2;
    await expect.poll(() => count("/authorize"), soon).toBe(2);
    await expect.poll(() => page.locator("main").getAttribute("data-edition"), soon).toBe("2");
  });

  long("a server that calls and does not let in is asked ever more slowly", async () => {
    gallery.room.admits = false;
    gallery.room.serving = 5_000;
    const page = await arrive();
    await page.waitForTimeout(6_000);
    // At 0, 1, 3, (7) seconds, and the page's own poll before each.
    expect(count("/authorize")).toBeLessThanOrEqual(5);
    await expect.poll(() => count("/authorize"), soon).toBeGreaterThanOrEqual(3);
  });
});
