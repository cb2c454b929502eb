/** What the package exports is whole, as the build leaves it: sites have nothing else of the source. package.long.test.ts installs it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Record<string, string | { types: string; default: string }>;
};
const modules = Object.entries(exports).flatMap(([name, files]) =>
  typeof files === "string" ? [] : [{ name, program: join(root, files.default), types: join(root, files.types) }],
);

test("there are modules for sites", () => {
  expect(modules.length).toBeGreaterThan(0);
});

test.each(modules)("$name can be imported", async ({ program }) => {
  expect(Object.keys(await import(pathToFileURL(program).href)).length).toBeGreaterThan(0);
});

test.each(modules)("the types of $name lack none of those that they name", ({ types }) => {
  expect(missingFrom(types)).toEqual([]);
});

/** Declarations that are named in a file, or in one that it names, and are not there. */
function missingFrom(file: string, looked = new Set<string>()): string[] {
  if (looked.has(file)) return [];
  looked.add(file);
  if (!existsSync(file)) return [file];
  const named = [...readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)];
  return named.flatMap(([, specifier = ""]) =>
    missingFrom(join(dirname(file), specifier.replace(/\.(?:ts|js)$/, ".d.ts")), looked),
  );
}
