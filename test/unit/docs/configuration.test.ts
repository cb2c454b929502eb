/** docs/configuration.md and config/usher.schema.json follow from the schema of the configuration. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MissingWords, reference } from "../../../scripts/lib/config-reference.ts";

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
const page = read("docs/configuration.md");

test.each(Object.entries(reference(page)))("%s is as `npm run reference` writes it", (file, text) => {
  expect(read(file)).toBe(text);
});

test("a key that the page says nothing of is named", () => {
  const silent = page.replace(/^\| `rooms\[\]\.max_waiting` .*\n/m, "");
  expect(silent).not.toBe(page);
  // `npm run reference` shows the message of this error alone.
  expect(() => reference(silent)).toThrow(MissingWords);
  expect(() => reference(silent)).toThrow(/does not say .*: rooms\[\]\.max_waiting$/);
});

test("a key that there is no more has no row, and bounds and defaults are those of the schema", () => {
  const stale = page
    .replace("| 0 to 65535 | `3000` |", "| 1 to 80 | `80` |")
    .replace(/^\| `rooms\[\]\.id` .*\n/m, "$&| `rooms[].colour` | what there was | text | none |\n");
  expect(stale).toContain("rooms[].colour");
  expect(reference(stale)["docs/configuration.md"]).toBe(page);
});
