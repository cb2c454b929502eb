/**
 * How tests wait. In a browser, what a test looks for may come a moment later: it is polled (`expect.poll`), never read once. And no test waits for
 * less than all others do (vitest.config.ts): a shorter time passes on a quiet machine and fails now and then on a busy one.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
const readings =
  /^\s*expect\(await (?!.*evaluate\()[^;]*?\.(inputValue|textContent|innerText|isVisible|isChecked|isDisabled|isEnabled|count|getAttribute|allTextContents|allInnerTexts)\([^()]*\)(?:, \w+)?\)\s*\.(?:not\.)?to/gm;
const readOnce = (text: string) => text.match(readings) ?? [];

const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /^(browser|features\/[^/]+\/browser)\/.*\.test\.ts$/.test(name));

test("no test reads a page once", () => {
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((file) =>
    readOnce(readFileSync(join(root, file), "utf8")).map((text) => `${file}: ${text.trim()}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['    expect(await page.getByLabel("Message").inputValue()).toBe("x");', 1],
  ['    expect(await page.locator("#a b").count()).not.toBe(0);', 1],
  ['    await expect.poll(() => page.locator("#a").count()).toBe(0);', 0],
  ["    expect(await readTitle()).toBe(1);", 0],
])("finds it in %s: %i", (text, count) => expect(readOnce(text)).toHaveLength(count));

/** Waits that end before those of all other tests do; `vi.waitFor` ends after a second unless it is told otherwise. */
function shortWaits(text: string): string[] {
  const polls = text.match(/\.poll\((?:(?!\bexpect\b|\bclick\()[^;])*?\btimeout: (?:[12]?\d_)?\d{3}\b/g) ?? [];
  const waits = [...text.matchAll(/vi\.waitFor\(.*?\);(?:\n|$)/gs)].map(([wait]) => wait);
  return [...polls, ...waits.filter((wait) => !/timeout: (?:[3-9]\d|\d{3})_\d{3}|patience/.test(wait))];
}

test("no test is less patient than all others", () => {
  const all = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith("patience.test.ts"),
  );
  const found = all.flatMap((file) =>
    shortWaits(readFileSync(join(root, file), "utf8")).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["await expect.poll(() => calls, { timeout: 5_000 }).toBe(1);", 1],
  ["await expect\n  .poll(() => calls(1), { timeout: 20_000 })\n  .toBe(1);", 1],
  ["await vi.waitFor(() => expect(calls).toBe(1));", 1],
  ["await vi.waitFor(() => expect(calls).toBe(1), { timeout: 60_000 });", 0],
  ["await expect.poll(() => calls, { timeout: 60_000 }).toBe(1);", 0],
  ["await expect.poll(() => calls).toBe(1);", 0],
])("finds it in %s: %i", (text, count) => expect(shortWaits(text)).toHaveLength(count));
