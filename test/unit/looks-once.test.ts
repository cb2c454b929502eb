/**
 * In a browser, what a test looks for may come a moment later: it is polled (`expect.poll`), never read once. A reading at once passes on a quiet
 * machine and fails now and then on a busy one.
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
