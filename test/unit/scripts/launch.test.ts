import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadScript } from "../../support/load-script.ts";

interface Package {
  version?: string;
  integrity?: string;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

const { toCommandLine } = await loadScript<{ toCommandLine(args: string[]): string[] }>("command-line.mjs");
const { isInstalled } = await loadScript<{ isInstalled(lock: string, installed: string): boolean }>("install.mjs");

describe("the arguments of npm start", () => {
  it.each([
    [[], ["demo"]],
    [
      ["--config", "x.yaml"],
      ["serve", "--config", "x.yaml"],
    ],
    [["--config=x.yaml"], ["serve", "--config=x.yaml"]],
    [
      ["serve", "--config", "x.yaml"],
      ["serve", "--config", "x.yaml"],
    ],
    [["demo"], ["demo"]],
    [
      ["--crowd", "200"],
      ["demo", "--crowd", "200"],
    ],
    [
      ["preview", "--config", "x.yaml"],
      ["preview", "--config", "x.yaml"],
    ],
    [
      ["verify-draw", "draw.json"],
      ["verify-draw", "draw.json"],
    ],
    [
      ["report", "--url", "http://127.0.0.1:3000", "--room", "tickets"],
      ["report", "--url", "http://127.0.0.1:3000", "--room", "tickets"],
    ],
    [
      ["verify-log", "log.ndjson"],
      ["verify-log", "log.ndjson"],
    ],
    // Every command that the documents name, whatever its options.
    ...[
      ["init"],
      ["doctor", "--config", "x.yaml"],
      ["check", "x.yaml", "--without-secrets"],
      ["rehearse", "tickets"],
      ["keys", "list"],
    ].map((args) => [args, args]),
    [["usher.yaml"], ["demo", "usher.yaml"]],
    [["help"], ["help"]],
    [["--help"], ["--help"]],
    [["--version"], ["--version"]],
    [["--other"], ["demo", "--other"]],
  ])("%j become %j", (args, expected) => {
    expect(toCommandLine(args)).toEqual(expected);
  });
});

describe("what is installed", () => {
  let dir = "";

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "usher-install-"));
  });

  afterAll(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  const wanted = {
    "": {},
    "node_modules/koa": { version: "3.0.0", integrity: "sha512-a" },
    "node_modules/vitest": { version: "4.0.0", integrity: "sha512-b", dev: true },
    "node_modules/only-elsewhere": { version: "1.0.0", integrity: "sha512-c", optional: true },
  };
  const complete = {
    "node_modules/koa": { version: "3.0.0", integrity: "sha512-a", resolved: "somewhere" },
    "node_modules/vitest": { version: "4.0.0", integrity: "sha512-b", dev: true },
  };

  function check(installed: object | string | null): boolean {
    const lockFile = join(dir, "package-lock.json");
    const installedFile = join(dir, "installed.json");
    writeFileSync(lockFile, JSON.stringify({ packages: wanted }));
    rmSync(installedFile, { force: true });
    if (installed !== null) {
      writeFileSync(installedFile, typeof installed === "string" ? installed : JSON.stringify({ packages: installed }));
    }
    return isInstalled(lockFile, installedFile);
  }

  it("is complete without the optional packages of other platforms", () => {
    expect(check(complete)).toBe(true);
  });

  it.each<[string, object | string | null]>([
    ["nothing", null],
    ["half a file", '{"packages": {'],
    ["no development dependencies", { "node_modules/koa": complete["node_modules/koa"] }],
    ["another version", { ...complete, "node_modules/koa": { version: "2.0.0", integrity: "sha512-a" } }],
    ["another content", { ...complete, "node_modules/koa": { version: "3.0.0", integrity: "sha512-x" } }],
  ])("is not complete with %s", (_, installed) => {
    expect(check(installed)).toBe(false);
  });
});

describe("package-lock.json", () => {
  // npm leaves out platform packages that a registry did not offer to whoever wrote the file, and then `npm ci` refuses it.
  it("names the optional packages of every platform, so that npm ci accepts it everywhere", () => {
    const file = fileURLToPath(new URL("../../../package-lock.json", import.meta.url));
    const { packages }: { packages: Record<string, Package> } = JSON.parse(readFileSync(file, "utf8"));
    const absent = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      ),
    );
    expect(absent).toEqual([]);
  });
});
