// Long: each case is a process of its own; process.test.ts has the codes that the program ends with, test/unit/operate/commands the commands.
import { readFileSync } from "node:fs";
import { cp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startProcess } from "../../support/processes.ts";
import { makeTempDir } from "../../support/temp-dir.ts";

const inRoot = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const run = (...args: string[]) => runIn(inRoot(""), ...args);

async function runIn(folder: string, ...args: string[]) {
  const main = join(folder, "dist", "main.js");
  const running = startProcess({ name: "usher", command: process.execPath, args: [main, ...args] });
  const { code } = await running.exited;
  return { code, stdout: running.stdout(), output: running.output() };
}

test("--version and --help answer and end with 0", async () => {
  const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  expect(await run("--version")).toMatchObject({ code: 0, stdout: `${version}\n` });
  const help = await run("--help");
  expect(help.code).toBe(0);
  expect(help.stdout).toMatch(/serve[\s\S]*demo/);
});

test("a mistyped command is answered in a few lines, with where the commands are listed", async () => {
  const { output } = await run("stauts");
  expect(output).toMatch(/unknown command 'stauts'[\s\S]*usher --help lists the commands/);
  expect(output.trim().split("\n").length).toBeLessThanOrEqual(4);
});

test.each([
  [["serve"], 2],
  [["unknown"], 2],
  [["serve", "--config", "there-is-no-such-file.yaml"], 1],
] as const)("%j says what is wrong and ends with %i", async (args, expected) => {
  const { code, output } = await run(...args);
  expect(code).toBe(expected);
  expect(output).toMatch(/--config|unknown|there is no such file/);
  expect(output).not.toMatch(/\n\s+at /);
});

test.each([[["demo", "usher.yaml"]], [["--config", "usher.yaml"]], [["usher.yaml"]]])(
  "%j says which command a configuration file is for",
  async (args) => {
    const { code, output } = await run(...args);
    expect(code).toBe(2);
    expect(output).toContain("did you mean usher serve usher.yaml?");
  },
);

test.each([["0"], ["1001"], ["many"]])("a crowd of %s is none that can come", async (crowd) => {
  const { code, output } = await run("demo", "--crowd", crowd);
  expect([code, output]).toEqual([2, expect.stringContaining("expected 1 to 1000 visitors")]);
});

test("demo says what to do where there is no demonstration, as in the image", async () => {
  const folder = await makeTempDir("installed");
  const isDemo = (file: string) => /[\\/]dist[\\/]demo$/.test(file);
  await cp(inRoot("dist"), join(folder.path, "dist"), { recursive: true, filter: (file) => !isDemo(file) });
  await cp(inRoot("package.json"), join(folder.path, "package.json"));
  await symlink(inRoot("node_modules"), join(folder.path, "node_modules"));
  const { code, output } = await runIn(folder.path, "demo");
  expect([code, output]).toEqual([1, expect.stringMatching(/npm start in a clone .*usher serve --config FILE/)]);
  expect(output).not.toMatch(/\n\s+at /);
  await folder.remove();
});

test("a faulty configuration file ends the program with all its faults and exit code 1", async () => {
  const folder = await makeTempDir("faulty");
  const file = join(folder.path, "usher.yaml");
  await writeFile(
    file,
    "issuer: ftp://x\nrooms: [{ id: A }]\nclients: [{ client_id: a, room: nowhere }]\ncolour: red\n",
  );
  const { code, output } = await run("serve", "--config", file);
  expect(code).toBe(1);
  for (const path of ["issuer", "rooms[0].id", "clients[0].redirect_uris", "clients[0].room", "colour"]) {
    expect(output).toContain(path);
  }
  await folder.remove();
});
