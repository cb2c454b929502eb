/** The visitor's turn at a real gateway: missed, held, expired, given up; and a line that stands still for a while. */

import { afterAll, beforeAll } from "vitest";
import { english, titleOf } from "../../support/english.ts";
import type { ProcessGateway } from "../../support/gateway.ts";
import { type Journey, startJourney } from "../../support/journey.ts";
import { describeLong, describeQuick, long, test } from "../../support/sizes.ts";
import {
  isInside,
  parkedAt,
  recordNavigations,
  seesNotice,
  seesPeopleAhead,
  setVisibility,
} from "../../support/waiting-visitor.ts";

/** While a page cannot reach its gateway it asks ever more slowly. */
const slowly = { timeout: 60_000, interval: 50 };
const soon = { timeout: 60_000, interval: 50 };
const claimWithinMs = 3_000;

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney([
    { id: "hidden" },
    { id: "expires", admission: { claim_within: `${claimWithinMs}ms` } },
    { id: "leaves" },
    { id: "pauses" },
    { id: "doors", inlet: { type: "manual", outflow_per_minute: 1 } },
  ]);
});
afterAll(() => journey?.stop());

describeLong("the visitor's turn", { concurrent: true }, () => {
  long("that comes while nobody looks is called by the title and held until somebody does", async ({ expect }) => {
    await journey.joinOthers("hidden", 1);
    const page = await journey.arrive("hidden");
    await parkedAt(page);
    await setVisibility(page, "hidden");
    const navigations = recordNavigations(page);
    await journey.admin.increment("hidden", 2);
    await expect.poll(() => page.title(), soon).toBe(titleOf(english.waiting.live.titles.turn, "The room hidden"));
    await page.getByRole("alert").filter({ hasText: english.waiting.live.titles.turn }).waitFor();
    await page.waitForTimeout(3_000);
    expect(navigations).toEqual([]);
    await setVisibility(page, "visible");
    expect(await isInside(page)).toBe(2);
  });

  long(
    "that the limit holds is waited for there: the page stays, and goes straight to the site",
    async ({ expect }) => {
      const [first, second] = [await journey.arrive("doors"), await journey.arrive("doors")];
      for (const page of [first, second]) await parkedAt(page);
      await journey.admin.increment("doors", 1);
      await isInside(first);
      const navigations = recordNavigations(second);
      let claims = 0;
      second.on("request", (request) => {
        if (request.method() === "POST" && request.url().endsWith("/rooms/doors/tickets/me/claim")) claims++;
      });
      await journey.admin.increment("doors", 1);
      await second.locator('main[data-held-by="limit"]').waitFor();
      await journey.admin.change("doors", { inlet: { type: "manual", outflow_per_minute: 60 } });
      expect(await isInside(second)).toBe(2);
      expect(claims).toBeGreaterThan(0);
      expect(navigations.map(({ pathname }) => pathname)).toEqual(["/authorize", "/authorize", "/callback", "/"]);
    },
  );

  long(
    `"my phone slept and my turn passed": what nobody came for is given up; one button, and a new place at the end`,
    async ({ expect }) => {
      const page = await journey.arrive("expires");
      expect(await parkedAt(page)).toBe(1);
      await setVisibility(page, "hidden");
      await journey.admin.increment("expires", 1);
      await journey.joinOthers("expires", 2);
      await page.waitForTimeout(claimWithinMs + 1_500);
      await setVisibility(page, "visible");
      await seesNotice(page, "place_expired");
      await expect.poll(() => page.locator("main").locator("button, a").count()).toBe(1);
      await page.reload();
      await seesNotice(page, "place_expired");

      await page.getByRole("button", { name: "Join the line again" }).click();
      expect(await parkedAt(page)).toBe(4);
      await page.reload();
      expect(await parkedAt(page)).toBe(4);
      await journey.admin.change("expires", { admission: { claim_within: "10m" } });
      await journey.admin.increment("expires", 3);
      // The page asks by itself, too, and may be the quicker one.
      await page
        .getByRole("link", { name: "Check my place" })
        .click({ timeout: 5_000 })
        .catch(() => {});
      expect(await isInside(page)).toBe(4);
    },
  );

  long("is over for whoever leaves; coming again means the end of the line", async ({ expect }) => {
    const page = await journey.arrive("leaves");
    expect(await parkedAt(page)).toBe(1);
    await page.getByText("Leave the line").click();
    await page.getByRole("button", { name: "Give up my place" }).click();
    await seesNotice(page, "left");
    await page.goto(journey.siteUrl("leaves"));
    expect(await parkedAt(page)).toBe(2);
  });
});

describeQuick("a line that stands still", { concurrent: true }, () => {
  test("a pause shows in the page as it happens, lets nobody in, and so does its end", async ({ expect }) => {
    await journey.joinOthers("pauses", 2);
    const page = await journey.arrive("pauses");
    await seesPeopleAhead(page, "2 people ahead of you");
    const navigations = recordNavigations(page);
    await journey.admin.step("pauses", "pause");
    await page.getByText("The line is paused. You keep your place.").waitFor();
    await page.getByText("The organiser has paused the line for a while.").waitFor();
    expect(await page.title()).toBe("Paused – The room pauses");
    await page.reload();
    await page.getByText("The organiser has paused the line for a while.").waitFor();
    expect(await parkedAt(page)).toBe(3);
    await journey.admin.step("pauses", "resume");
    await page.getByText("You are in line.").waitFor();
    expect(await page.title()).toBe("2 ahead – The room pauses");
    expect(navigations.length).toBe(1);
    await journey.admin.increment("pauses", 3);
    expect(await isInside(page)).toBe(3);
  });
});

// Goal: a gateway that crashes and comes back, its memory store empty, costs an open page nothing.
// Method: kill it, look at the page, start it again with its secrets file, serve the visitor.
describeLong("a gateway that crashes", () => {
  let crashing: Journey<ProcessGateway>;
  beforeAll(async () => {
    crashing = await startJourney([{ id: "tickets" }], {}, true);
  });
  afterAll(() => crashing?.stop());

  long("the page keeps its numbers with their age, goes on by itself, and the place is kept", async ({ expect }) => {
    await crashing.joinOthers("tickets", 4);
    const page = await crashing.arrive("tickets");
    expect(await parkedAt(page)).toBe(5);
    await crashing.admin.increment("tickets", 1);
    await seesPeopleAhead(page, "3 people ahead of you");
    const navigations = recordNavigations(page);

    await crashing.gateway.kill();
    await expect.poll(() => page.locator("#updated").textContent(), slowly).toMatch(/^\d+ seconds ago$/);
    await expect.poll(() => page.locator("#ahead").textContent()).toBe("3 people ahead of you");
    await expect.poll(() => page.locator(".position").textContent()).toBe("5");
    await crashing.gateway.start();
    await crashing.gateway.waitUntilReady();

    await expect.poll(() => page.locator("#updated").textContent(), slowly).toBe("now");
    await expect.poll(() => page.locator("#ahead").textContent()).toBe("3 people ahead of you");
    await expect.poll(() => page.locator("#problem").textContent()).toBe("");
    expect(navigations).toEqual([]);
    // Whoever comes now stands behind everybody who came before the crash.
    const late = await crashing.arrive("tickets");
    expect(await parkedAt(late)).toBeGreaterThan(5);
    await crashing.admin.increment("tickets", 4);
    expect(await isInside(page)).toBe(5);
  });
});
