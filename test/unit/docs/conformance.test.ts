/** docs/conformance.md names each module of the conformance plans with the test that stands for it, and the other way round. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const folder = "test/e2e/conformance";
const guide = read("docs/conformance.md");
const rows = guide
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
  .map((line) => line.slice(2, -2).split(" | "));

/** `module: file: the rest of the title`, as both sides have it. */
function modulesOfTests(): string[] {
  const files = readdirSync(new URL(`../../../${folder}/`, import.meta.url)).filter((name) => name.endsWith(".ts"));
  return files.flatMap((file) =>
    [...read(`${folder}/${file}`).matchAll(/"(oidcc-[a-z0-9-]+): ([^"]+)"/g)].map(
      ([, module, title]) => `${module}: ${file}: ${title}`,
    ),
  );
}

function modulesOfGuide(): string[] {
  const modules = rows.filter(([first]) => first?.startsWith("`oidcc-"));
  return modules.map(([name = "", shown = ""]) => {
    const [, file, address, title] = /^\[([\w-]+\.ts)\]\(([^)]+)\): (.+)$/.exec(shown) ?? [];
    expect(address, name).toBe(`../${folder}/${file}`);
    return `${name.replaceAll("`", "")}: ${file}: ${title}`;
  });
}

test("each module of the three plans is a row and a test, by the same name", () => {
  const tests = modulesOfTests();
  expect(modulesOfGuide().sort()).toEqual(tests.sort());
  expect(new Set(tests.map((each) => each.split(":")[0])).size).toBe(tests.length);
  // Basic OP has 38 modules, Config OP one, RP-Initiated Logout OP eleven.
  expect(tests).toHaveLength(50);
});

test("what the suite says of a module is one of its words, with the reason where it is no PASSED", () => {
  for (const [name, , result] of rows.filter(([first]) => first?.startsWith("`oidcc-"))) {
    expect(result, name).toMatch(/^(PASSED|(WARNING|REVIEW|SKIPPED|not run): .+)$/);
  }
});

test("each file that is named is there, and each file with tests is named", () => {
  const named = new Set([...guide.matchAll(/\]\(\.\.\/(test\/[^)]+)\)/g)].map(([, path = ""]) => path));
  for (const path of named) expect(existsSync(new URL(`../../../${path}`, import.meta.url)), path).toBe(true);
  const files = readdirSync(new URL(`../../../${folder}/`, import.meta.url)).map((name) => `${folder}/${name}`);
  const withTests = files.filter((path) => /\btest(\.each)?\(/.test(read(path)));
  expect(withTests.length).toBeGreaterThan(10);
  expect(withTests.filter((path) => !named.has(path))).toEqual([]);
});

test("README leads there", () => {
  expect(read("README.md").includes("](docs/conformance.md)")).toBe(true);
});
