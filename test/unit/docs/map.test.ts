/** docs/README.md is the map: it leads to every page, some by way of the index of their folder. */
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
// @ts-expect-error: a script without types
import { linksOf } from "../../../scripts/lib/links.mjs";

const docs = fileURLToPath(new URL("../../../docs", import.meta.url));
const pages = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));

/** The pages that one leads to, as paths below docs/. */
function linkedFrom(page: string): string[] {
  const links: string[] = linksOf(readFileSync(`${docs}/${page}`, "utf8"));
  return links.map((link) => posix.join(posix.dirname(page), link.replace(/#.*$/, "")));
}

test("every page is on the map", () => {
  const map = linkedFrom("README.md");
  const indexes = map.filter((page) => page.endsWith("/README.md")).flatMap(linkedFrom);
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.filter((page) => page !== "README.md" && ![...map, ...indexes].includes(page))).toEqual([]);
});
