/**
 * The waiting page in a real browser, with a made-up room behind it: what a visitor sees, hears and can do while
 * they wait, with a bad connection, without JavaScript. How it looks is in page-looks.test.ts.
 */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { english } from "../support/english.ts";
import {
  galleryAddress,
  hasHeard,
  inTenMinutes,
  readMoment,
  soon,
  stopClock,
  visitGallery,
  watchQuestions,
} from "../support/gallery-visit.ts";
import { words } from "../support/page-gallery.ts";
import { describeLong, long, test } from "../support/sizes.ts";

const { gallery, arrive, text, count, setVisibility } = await visitGallery();

/** The page's time passes when the test lets it. */
async function withClock(page: Page): Promise<void> {
  await stopClock(page);
  await watchQuestions(page);
}

describe("waiting", () => {
  long("one request draws the page", async () => {
    gallery.room.poll = { floor_ms: 5_000, ceiling_ms: 5_000, divisor: 1, spread_ms: 10_000 };
    await arrive();
    expect(gallery.requests).toEqual([galleryAddress]);
  });

  test("the numbers fall as the line moves, in the page, its title and its bar, which a reload does not set back", async () => {
    const page = await arrive();
    expect(await page.title()).toBe("411 ahead – Autumn tour tickets");
    const before = await readMoment(page, "#updated");
    gallery.room.serving = 4_900;
    await expect.poll(() => text("#ahead"), soon).toBe("99 people ahead of you");
    expect((await readMoment(page, "#updated")).at.getTime()).toBeGreaterThan(before.at.getTime());
    expect(await page.title()).toBe("99 ahead – Autumn tour tickets");
    expect(await text("#serving")).toBe("Now serving 4,900");
    expect(await text(".position")).toBe("5,000");
    const bar = page.getByRole("progressbar");
    await expect.poll(() => bar.getAttribute("aria-valuetext")).toBe("99 people ahead of you");
    const came = "document.querySelector('progress').position.toFixed(2)";
    expect(await page.evaluate(came)).toBe("0.76");
    await page.reload();
    expect(await page.evaluate(came)).toBe("0.76");
  });

  long("positions that nobody holds do not count as people ahead", async () => {
    await arrive();
    gallery.room.gaps = [[4_600, 4_799]];
    await expect.poll(() => text("#ahead"), soon).toBe("211 people ahead of you");
  });

  long("milestones are announced, numbers in between are not", async () => {
    const page = await arrive();
    const milestone = page.locator("#milestone");
    await expect.poll(() => milestone.textContent()).toBe("");
    gallery.room.serving = 4_700;
    await expect.poll(() => text("#ahead"), soon).toBe("299 people ahead of you");
    await expect.poll(() => milestone.textContent()).toBe("");
    gallery.room.serving = 4_960;
    await expect.poll(() => text("#ahead"), soon).toBe("39 people ahead of you");
    const said = `39 people ahead of you. ${english.later.progress.almost}`;
    await expect.poll(() => milestone.textContent()).toBe(said);
    gallery.room.serving = 4_965;
    await expect.poll(() => text("#ahead"), soon).toBe("34 people ahead of you");
    await expect.poll(() => milestone.textContent()).toBe(said);
  });

  test("a pause and the operator's words show without a reload, as text", async () => {
    const page = await arrive();
    gallery.room.phase = "paused";
    gallery.room.pausedReason = "operator";
    gallery.room.message = words("<b>Back at nine</b>");
    await expect.poll(() => text("#status"), soon).toContain("The line is paused");
    await expect.poll(() => text("#reason"), soon).toBe("The organiser has paused the line for a while.");
    await expect.poll(() => text("#message-text"), soon).toBe("<b>Back at nine</b>");
    expect(await page.title()).toBe("Paused – Autumn tour tickets");
    // Not even the visitor's turn ends a pause.
    gallery.room.serving = 6_000;
    await expect.poll(() => text("#serving"), soon).toBe("Now serving 6,000");
    expect(count("/authorize")).toBe(1);
    gallery.room.phase = "open";
    await page.waitForURL("**/site");
  });

  long.each([
    ["alarm", "has raised an alarm"],
    ["unhealthy", "is not responding properly"],
  ])("a pause by reason %s says so", async (reason, words) => {
    await arrive();
    Object.assign(gallery.room, { phase: "paused", pausedReason: reason });
    await expect.poll(() => text("#reason"), soon).toContain(words);
    gallery.room.phase = "open";
    await expect.poll(() => text("#status"), soon).toBe("You are in line.");
    expect(await text("#reason")).toBe("");
  });

  long(
    `"the estimate jumped and nobody said why": it follows the pace, and a change gives its reason, aloud once`,
    async () => {
      const page = await arrive();
      expect(await text("#estimate")).toBe("About 3 to 5 minutes to go");
      await expect.poll(() => page.locator("#note").isVisible()).toBe(false);
      gallery.room.pace = {
        steps: [],
        placesPerMinute: 10,
        spread: 0.1,
        spreadUp: 0.1,
        showRate: 1,
        called: 0,
        extraSec: 600,
        note: "limit_changed",
      };
      await expect.poll(() => text("#estimate"), soon).toBe("About 45 to 60 minutes to go");
      // With the words that come a moment later.
      await expect.poll(() => text("#note"), soon).toBe("The organiser has just changed the pace.");
      const aloud = page.locator("#milestone");
      await expect.poll(() => aloud.textContent()).toBe("The organiser has just changed the pace.");
      await page.evaluate("document.getElementById('milestone').textContent = ''");
      const asked = count("/rooms/tickets/status");
      await expect.poll(() => count("/rooms/tickets/status"), soon).toBeGreaterThan(asked + 2);
      await expect.poll(() => aloud.textContent()).toBe("");
      gallery.room.pace = {
        steps: [],
        placesPerMinute: null,
        spread: 0.35,
        spreadUp: 0.35,
        showRate: 1,
        called: 0,
        extraSec: 0,
        note: null,
      };
      await expect.poll(() => text("#estimate"), soon).toContain("too early to say");
      await expect.poll(() => page.locator("#note").isVisible()).toBe(false);
      await expect.poll(() => aloud.textContent()).toBe("");
    },
  );

  long("a note that the page came with is not said aloud", async () => {
    gallery.room.pace = {
      steps: [],
      placesPerMinute: 60,
      spread: 0.35,
      spreadUp: 0.35,
      showRate: 1,
      called: 0,
      extraSec: 0,
      note: "slower",
    };
    const page = await arrive();
    expect(await text("#note")).toBe("It is moving more slowly than planned.");
    await expect.poll(() => count("/rooms/tickets/status"), soon).toBeGreaterThan(2);
    expect(await text("#note")).toBe("It is moving more slowly than planned.");
    await expect.poll(() => page.locator("#milestone").textContent()).toBe("");
  });

  long("asking by hand gets the newest numbers without a reload", async () => {
    gallery.room.poll = { floor_ms: 60_000, ceiling_ms: 60_000, divisor: 1, spread_ms: 10_000 };
    const page = await arrive();
    gallery.room.serving = 4_900;
    await page.getByRole("link", { name: "Check my place" }).click();
    await expect.poll(() => text("#ahead"), soon).toBe("99 people ahead of you");
    expect(count("/authorize")).toBe(1);
  });

  long(
    "focus never moves by itself, whatever happens; only the turn and problems interrupt a screen reader",
    async () => {
      const page = await arrive();
      await setVisibility("hidden");
      await page.locator("#call summary").focus();
      await page.evaluate(`
      window.moves = 0;
      window.alerts = [];
      for (const type of ["focusin", "focusout"]) addEventListener(type, () => moves++);
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const words = target.closest("[role=alert]")?.textContent;
          if (words) alerts.push(words);
        }
      }).observe(document.querySelector("main"), { subtree: true, childList: true })`);
      for (const [change, state] of [
        [{ serving: 4_990 }, "waiting"],
        [{ message: words("Doors open at eight.") }, "waiting"],
        [{ phase: "paused", pausedReason: "operator" }, "paused"],
        [{ phase: "open", serving: 5_000 }, "turn"],
        [{ serving: 4_999 }, "waiting"],
        [{ phase: "ended" }, "ended"],
        [{ phase: "idle" }, "idle"],
      ] as const) {
        Object.assign(gallery.room, change);
        const asked = count("/rooms/tickets/status");
        await page.locator(`main[data-state="${state}"]`).waitFor();
        await expect.poll(() => count("/rooms/tickets/status"), soon).toBeGreaterThan(asked);
      }
      expect(await page.evaluate("[document.activeElement.matches('#call summary'), moves]")).toEqual([true, 0]);
      expect(await page.evaluate("[...new Set(alerts)]")).toEqual([english.waiting.live.titles.turn]);
    },
  );

  long(
    "one announcement for a jump over several milestones, and the reason alone for the line that moves back",
    async () => {
      const page = await arrive();
      await page.evaluate(`
      window.aloud = [];
      new MutationObserver(() => aloud.push(milestone.textContent)).observe(milestone, { childList: true })`);
      for (const serving of [4_997, 4_900, 4_996]) {
        gallery.room.serving = serving;
        await expect.poll(() => text("#serving"), soon).toBe(`Now serving ${serving.toLocaleString("en")}`);
      }
      expect(await page.evaluate("aloud")).toEqual([
        `2 people ahead of you. ${english.later.progress.almost}`,
        expect.stringContaining("More people are ahead of you than before"),
      ]);
    },
  );
});

describe("before the doors open", () => {
  const berlin = { timezoneId: "Europe/Berlin" };
  const inThreeHours = 3 * 3_600_000 + 330_000;
  const prequeue = { phase: "prequeue", serving: 0, position: 42 } as const;

  long(
    `"I came early and got a bad place": the page says how places are given, and that coming back changes nothing`,
    async () => {
      Object.assign(gallery.room, prequeue, { opensInMs: inThreeHours });
      const page = await arrive();
      const rule = page.getByText("people enter by entry number, the lowest first. Your number stays the same");
      await expect.poll(() => rule.isVisible()).toBe(true);
      await expect.poll(() => rule.textContent()).toContain("reloading or coming back early changes nothing.");
    },
  );

  long("the visitor has an entry number, and the opening in their own time zone, counted down", async () => {
    Object.assign(gallery.room, prequeue, { opensInMs: inThreeHours });
    const page = await arrive(berlin);
    expect(await text("#label")).toBe("Your entry number");
    expect(await text(".position")).toBe("42");
    await expect.poll(() => text("#countdown"), soon).toBe("in 3 hours 5 minutes");
    const inBerlin = { timeZone: "Europe/Berlin", hour: "2-digit", minute: "2-digit" } as const;
    const opens = await readMoment(page, "#opens");
    expect(opens.words).toContain(` at ${opens.at.toLocaleTimeString("en-GB", inBerlin)} `);
    expect(await page.title()).toBe("Opens in 3 hours 5 minutes – Autumn tour tickets");
    for (const part of ["#ahead", "#estimate", "progress", "#serving"]) {
      await expect.poll(() => page.locator(part).isVisible(), { message: part }).toBe(false);
    }
    await expect.poll(() => page.locator("#milestone").textContent()).toBe("");
  });

  long("how many are here is said where the operator shows it", async () => {
    Object.assign(gallery.room, prequeue, { opensInMs: inThreeHours, showsPeople: true });
    await arrive();
    await expect.poll(() => text("#serving"), soon).toMatch(/^People here so far: [\d,]+$/);
    gallery.room.phase = "open";
    await expect.poll(() => text("#serving"), soon).toBe("Now serving 0");
  });

  long(
    "a change of the time shows without a reload, in words and for programs; so does that there is none",
    async () => {
      Object.assign(gallery.room, prequeue, { opensInMs: inThreeHours });
      const page = await arrive();
      const before = await readMoment(page, "#opens");
      gallery.room.opensInMs = inTenMinutes;
      await expect.poll(() => text("#countdown"), soon).toMatch(/^in 10 minutes/);
      const after = await readMoment(page, "#opens");
      expect(after.at.getTime() - before.at.getTime()).toBeLessThan(-2 * 3_600_000);
      expect(after.words).toContain(
        await page.evaluate(`new Date(${after.at.getTime()}).toLocaleTimeString("en-GB").slice(0, 5)`),
      );
      gallery.room.opensInMs = null;
      await expect.poll(() => text("#opens"), soon).toBe("when the organiser opens them");
      await expect.poll(() => page.locator("#opens").getAttribute("datetime")).toBe("");
      expect(await text("#countdown")).toBe("");
      expect(await page.title()).toBe("Not open yet – Autumn tour tickets");
    },
  );

  long.each([-1, 1])("a device whose clock is wrong by %i hour counts down right", async (hours) => {
    Object.assign(gallery.room, prequeue, { opensInMs: inTenMinutes });
    await arrive({}, (page) => page.clock.install({ time: Date.now() + hours * 3_600_000 }));
    await expect.poll(() => count("/rooms/tickets/status"), soon).toBeGreaterThan(1);
    await expect.poll(() => text("#countdown"), soon).toMatch(/^in 10 minutes/);
  });

  test("the doors open, and close again, without a reload", async () => {
    Object.assign(gallery.room, prequeue);
    const page = await arrive();
    gallery.room.phase = "open";
    await expect.poll(() => text("#status"), soon).toBe("You are in line.");
    expect(await text("#label")).toBe("Your place in line");
    expect(await page.title()).toBe("41 ahead – Autumn tour tickets");
    await expect.poll(() => page.locator("#ahead").isVisible()).toBe(true);
    await expect
      .poll(() => page.locator("#milestone").textContent())
      .toBe(`The doors are open. 41 people ahead of you. ${english.later.progress.almost}`);
    gallery.room.phase = "prequeue";
    await expect.poll(() => text("#label"), soon).toBe("Your entry number");
    await expect.poll(() => page.locator("#ahead").isVisible()).toBe(false);
    expect(count("/authorize")).toBe(1);
  });

  long("nobody is called in, whatever the counter says", async () => {
    Object.assign(gallery.room, prequeue, { serving: 100 });
    const page = await arrive();
    await expect.poll(() => count("/rooms/tickets/status"), soon).toBeGreaterThan(2);
    expect(count("/authorize")).toBe(1);
    gallery.room.phase = "open";
    await page.waitForURL("**/site");
  });

  long("who is let in first learns of the opening within the server's spread", async () => {
    gallery.room.poll = { floor_ms: 1_000, ceiling_ms: 60_000, divisor: 1, spread_ms: 5_000 };
    Object.assign(gallery.room, prequeue, { position: 1, opensInMs: 1_000 });
    const page = await arrive({}, withClock);
    gallery.room.phase = "open";
    await page.clock.fastForward(6_000);
    await expect.poll(() => text("#status"), soon).toBe("You are in line.");
    expect(count("/rooms/tickets/status")).toBe(1);
  });
});

describeLong("phases that are the server's to explain", () => {
  long.each([
    ["ended", "This line has closed"],
    ["idle", "Not open yet"],
  ] as const)("%s: its page comes within the server's spread, in place", async (phase, title) => {
    gallery.room.poll = { floor_ms: 150, ceiling_ms: 300, divisor: 1, spread_ms: 2_000 };
    // One of the last.
    const page = await arrive({}, async (page) => {
      await withClock(page);
      await page.addInitScript("Math.random = () => 0.75");
    });
    const before = await page.evaluate("history.length");
    gallery.room.phase = phase;
    await page.clock.fastForward(500);
    await hasHeard(page);
    await page.locator(`main[data-state="${phase}"]`).waitFor();
    await page.clock.runFor(1_400);
    await page.waitForTimeout(300);
    expect(count("/authorize")).toBe(1);
    await page.clock.runFor(600);
    await expect.poll(() => text("h1"), soon).toBe(title);
    expect(await page.evaluate("history.length")).toBe(before);
    expect(count("/authorize")).toBe(2);
  });

  long("while nobody looks, the page says what it knows and stays", async () => {
    const page = await arrive();
    await setVisibility("hidden");
    gallery.room.phase = "ended";
    await expect.poll(() => page.title(), soon).toBe("Closed – Autumn tour tickets");
    await page.waitForTimeout(5_500);
    expect(count("/authorize")).toBe(1);
    await expect.poll(() => page.locator("#estimate").isVisible()).toBe(false);
    await setVisibility("visible");
    await expect.poll(() => text("h1"), soon).toBe("This line has closed");
  });

  long("a server that does not agree is asked ever more slowly", async () => {
    Object.assign(gallery.room, { phase: "ended", admits: false });
    const page = await arrive();
    await page.waitForTimeout(8_000);
    expect(count("/authorize")).toBeLessThanOrEqual(5);
    await expect.poll(() => count("/authorize"), soon).toBeGreaterThanOrEqual(2);
  });

  long("passthrough lets everybody in, wherever they stand", async () => {
    const page = await arrive();
    gallery.room.phase = "passthrough";
    await page.waitForURL("**/site");
  });
});

describe("without JavaScript", () => {
  const noScript = { javaScriptEnabled: false };

  test("the page says everything, and a button gives the newest", async () => {
    const page = await arrive(noScript);
    expect(await text(".position")).toBe("5,000");
    expect(await text("#ahead")).toBe("411 people ahead of you");
    expect(await text("#updated")).toMatch(/UTC$/);
    gallery.room.serving = 4_998;
    await page.getByRole("link", { name: "Check my place" }).click();
    await expect.poll(() => text("#ahead"), soon).toBe("1 person ahead of you");
    gallery.room.serving = 5_000;
    await page.getByRole("link", { name: "Check my place" }).click();
    await page.waitForURL("**/site");
  });

  long("before the doors open, the page says when, in UTC", async () => {
    Object.assign(gallery.room, { phase: "prequeue", serving: 0, opensInMs: 3 * 86_400_000 });
    const page = await arrive(noScript);
    expect(await text("#opens")).toMatch(/ at .*UTC$/);
    await expect.poll(() => page.locator("#ahead").isVisible()).toBe(false);
    gallery.room.phase = "open";
    await page.getByRole("link", { name: "Check my place" }).click();
    await expect.poll(() => text("#ahead"), soon).toBe("4,999 people ahead of you");
  });

  long("leaving takes two steps, so that nobody leaves by a slip", async () => {
    const page = await arrive(noScript);
    const button = page.getByRole("button", { name: "Give up my place" });
    await expect.poll(() => button.isVisible()).toBe(false);
    await page.getByText("Leave the line").click();
    await button.click();
    await expect.poll(() => text("h1"), soon).toBe("You have left");
    expect(count("/rooms/tickets/leave")).toBe(1);
  });
});
