import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const scripts = readdirSync(join(root, "scripts")).filter((name) => name.endsWith(".mjs"));
/** Makes this Node.js an old one, before anything else is loaded. */
const pretend = `data:text/javascript,${encodeURIComponent(
  'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.18.3" } });',
)}`;

test.each(scripts)("scripts/%s asks for the version before it imports anything else", (name) => {
  const [first] = readFileSync(join(root, "scripts", name), "utf8").match(/^import .*$/m) ?? [];
  expect(first).toBe('import "./lib/node-version.mjs";');
});

test("a script says in a line that Node.js is too old", async () => {
  const [code, output] = await run(["--import", pretend, join("scripts", "trace.mjs")]);
  expect([code, output.trim().split("\n")]).toEqual([
    1,
    [expect.stringMatching(/needs Node\.js 20\.19 or later.*20\.18\.3/)],
  ]);
});

test("the program says so before anything is imported that an old Node.js cannot read", async () => {
  const imports = readFileSync(join(root, "src/main.ts"), "utf8").match(/^import .*$/gm);
  expect(imports).toEqual(['import { readFileSync } from "node:fs";']);
  const [code, output] = await run(["--import", "tsx", "--import", pretend, "src/main.ts", "--version"]);
  expect([code, output.trim().split("\n")]).toEqual([1, [expect.stringMatching(/needs Node\.js 20\.19/)]]);
});

function run(args: readonly string[]): Promise<[code: number, output: string]> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: root }, (_error, stdout, stderr) =>
      resolve([child.exitCode ?? -1, stdout + stderr]),
    );
  });
}
