/** What happened in a room, in a real browser: audit and events as one list, its filter, its pages, and that it stays where it is while somebody reads. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { memoryStore, useWorld } from "../../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../../support/chromium.ts";
import { long, test } from "../../support/sizes.ts";
import { adminKeys, openConsole, viewerKey } from "./operator.ts";

const hostile = `<img src=x onerror="document.title='owned'">`;
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "shop", settings: { title: "Shop" }, inlet: { type: "periodic", outflow_per_minute: 1 } }],
  config: { admin: { keys: adminKeys } },
}));

let chromium: BorrowedChromium;
beforeAll(async () => {
  chromium = await borrowChromium();
});
afterAll(() => chromium.refund());

async function openTimeline(options: Parameters<typeof openConsole>[2] = {}) {
  const operator = await openConsole(chromium.browser, world().issuer, { path: "/console/rooms/shop", ...options });
  const timeline = operator.page.getByRole("region", { name: "What happened" });
  await timeline.getByRole("listitem").first().waitFor();
  return { ...operator, timeline, rows: timeline.getByRole("listitem") };
}

describe("what happened", () => {
  test("tells what an operator did, and what happened by it, and finds both by kind and by words", async () => {
    await world().admin.step("shop", "pause");
    await world().admin.change("shop", { message: hostile });
    const { page, timeline, rows, faults } = await openTimeline({ key: viewerKey });
    await rows.filter({ hasText: "Pause the line" }).first().waitFor();
    await rows.filter({ hasText: "Usher Paused, by an operator" }).first().waitFor();
    await rows.filter({ hasText: hostile }).first().waitFor();
    expect(await page.title()).not.toBe("owned");

    await timeline.locator("summary", { hasText: "everything" }).click();
    await timeline.getByLabel("Show").selectOption({ label: "what happened by itself" });
    await expect.poll(() => rows.filter({ hasText: "Pause the line" }).count()).toBe(0);
    await expect.poll(() => rows.filter({ hasText: "Paused, by an operator" }).count()).toBeGreaterThan(0);
    await timeline.getByLabel("Show").selectOption({ label: "everything" });
    await timeline.getByLabel("With the words").fill("PAUSE THE");
    expect(new Set(await rows.locator(".act").allTextContents())).toEqual(new Set(["Pause the line"]));
    await timeline.getByLabel("With the words").fill("nothing like this");
    await timeline.getByText("Nothing of that kind").waitFor();
    expect(faults).toEqual([]);
  });

  long("goes back page by page, and is saved as a table", async () => {
    for (let n = 0; n < 60; n++) await world().admin.change("shop", { message: `Words ${n}` });
    const { page, timeline, rows } = await openTimeline();
    await expect.poll(() => rows.filter({ hasText: "Words 59" }).count()).toBe(1);
    await expect.poll(() => rows.filter({ hasText: /Words 0 / }).count()).toBe(0);
    await timeline.getByRole("button", { name: "Show older" }).click();
    await rows.filter({ hasText: /Words 0 → Words 1(?!\d)/ }).waitFor();
    const download = page.waitForEvent("download");
    await timeline.getByRole("link", { name: /CSV/ }).click();
    expect(await readFile(await (await download).path(), "utf8")).toContain("Words 59");
  });

  long("stays where it is while somebody reads, and says how many are new", async () => {
    await world().admin.change("shop", { message: "The first" });
    const { page, timeline, rows } = await openTimeline();
    const first = rows.first();
    await first.getByText("→ The first").waitFor();
    await first.hover();
    const text = await first.textContent();
    await world().admin.change("shop", { message: "The second" });
    const fresh = timeline.getByRole("button", { name: "1 new" });
    await fresh.waitFor({ timeout: 15_000 });
    await expect.poll(() => first.textContent()).toBe(text);
    await fresh.click();
    await rows.first().getByText("The first → The second").waitFor();
    await fresh.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement?.id")).toBe("timeline-title");
  });
});
