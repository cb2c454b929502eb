/** CONTRIBUTING.md and docs/architecture.md name files and folders that there are. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
// @ts-expect-error: a script without types
import { isOfGoneFeature } from "../../../scripts/lib/links.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

test.each(["CONTRIBUTING.md", "docs/architecture.md"])("the paths of %s exist", (page) => {
  const text = readFileSync(`${root}/${page}`, "utf8");
  const paths = [...text.matchAll(/`((?:src|test|docs|views|config|tools|scripts)\/[\w./-]*)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(`${root}/${path}`) && !isOfGoneFeature(root, `${root}/${path}`))).toEqual(
    [],
  );
});

test("the folders of docs/architecture.md are those of src", () => {
  const text = readFileSync(`${root}/docs/architecture.md`, "utf8");
  const named = [...text.matchAll(/`src\/([\w-]+)`/g)].map(([, name = ""]) => name);
  const folders = readdirSync(`${root}/src`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
});
