import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { checkModule, type Needs } from "./import-boundary/rules.ts";
import { readSource } from "./import-boundary/source-facts.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const manifest: { dependencies: Record<string, string> } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const dependencies = new Set(Object.keys(manifest.dependencies));

function sources(): string[] {
  const src = join(root, "src");
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(src, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

/** What features need, by the text of their feature.ts. */
function needsOfFeatures(): Needs {
  const found = new Map<string, readonly string[]>();
  for (const file of sources()) {
    const [, name] = /^features\/([^/]+)\/feature\.ts$/.exec(file) ?? [];
    if (name === undefined) continue;
    const list = /\bneeds: \[([^\]]*)\]/.exec(readFileSync(join(root, "src", file), "utf8"))?.[1] ?? "";
    found.set(
      name,
      [...list.matchAll(/"([^"]+)"/g)].map(([, needed = ""]) => needed),
    );
  }
  return found;
}

/** The modules of src that are loaded with one, and the packages. */
function loadedWith(file: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const waiting = [join(root, "src", file)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    for (const { specifier, isTypeOnly, isDynamic } of readSource(readFileSync(path, "utf8"), path).imports) {
      if (specifier === null || isTypeOnly || isDynamic) continue;
      if (specifier.startsWith(".")) waiting.push(join(dirname(path), specifier));
      else loaded.add(specifier);
    }
  }
  return loaded;
}

describe("the import boundaries", () => {
  it("are kept by every module of src", () => {
    const [files, needs] = [sources(), needsOfFeatures()];
    expect(files).toContain("store/contract/room-store.ts");
    expect(
      files.flatMap((file) => checkModule(file, readFileSync(join(root, "src", file), "utf8"), dependencies, needs)),
    ).toEqual([]);
  });

  it("keep what runs a gateway out of the list of features' commands, so that usher starts at once", () => {
    const loaded = [...loadedWith("features/commands.ts")].map((path) => relative(join(root, "src"), path));
    expect(loaded).toContain("features/commands.ts");
    expect(
      loaded.filter((file) =>
        /^(core|store|room\/(?!public-status|draw-recipe|admission-log)|registry|oidc|web|operate\/(?!commands))\//.test(
          file,
        ),
      ),
    ).toEqual([]);
    const packages = ["koa", "ioredis", "oidc-provider", "prom-client", "zod", "yaml"];
    expect(packages.filter((name) => loadedWith("features/commands.ts").has(name))).toEqual([]);
  });
});

describe("the check of import boundaries", () => {
  it.each([
    ["lib/a.ts", 'import { x } from "../config/index.ts";'],
    ["config/a.ts", 'import type { RoomSettings } from "../store/contract/room-store.ts";'],
    ["config/secrets/a.ts", 'export * from "../../web/index.ts";'],
    ["config/a.ts", 'import { pino } from "pino";'],
    ["store/contract/room-store.ts", 'import { systemClock } from "../lib/clock.ts";'],
    ["store/contract/room-claim.ts", 'import { x } from "../../lib/clock.ts";'],
    ["core/a.ts", 'import { x } from "../lib/clock.ts";'],
    ["core/a.ts", 'import { readFileSync } from "node:fs";'],
    ["core/a.ts", 'import { x } from "../store/contract/room-store.ts";'],
    ["store/contract/room-state.ts", 'import type { Admission } from "../memory/admissions.ts";'],
    ["store/memory/a.ts", 'import type { OidcAdapter } from "../../oidc/adapter.ts";'],
    ["store/memory/a.ts", 'import { x } from "../redis/keys.ts";'],
    ["store/memory/a.ts", 'import type { T } from "../../room/ticket.ts";'],
    ["store/shared.ts", "export const x = 1;"],
    ["room/a.ts", 'import type { Store } from "../store/memory/index.ts";'],
    ["room/a.ts", 'const x = await import("../oidc/gate.ts");'],
    ["room/a.ts", 'type T = import("../web/index.ts").T;'],
    ["room/a.ts", 'import { createServer } from "node:http";'],
    ["oidc/a.ts", 'import { x } from "../web/index.ts";'],
    ["oidc/a.ts", 'export type { OidcAdapter } from "../store/contract/room-store.ts";'],
    ["web/a.ts", 'import "../store/memory/index.ts";'],
    ["app/command.ts", 'import { startSite } from "../demo/site.ts";'],
    ["app/app.ts", 'import "../web/browser/waiting.ts";'],
    ["features/a/package/x.ts", 'import { x } from "../../../config/index.ts";'],
    ["features/a/package/x.ts", 'import Koa from "koa";'],
    ["features/a/browser/x.ts", 'import { x } from "../x.ts";'],
    ["oidc/a.ts", 'import { x } from "../features/a/package/index.ts";'],
    ["web/browser/a.ts", 'import { x } from "../../lib/clock.ts";'],
    ["web/browser/a.ts", 'import { x } from "../pages/index.ts";'],
    ["web/pages/shared/a.ts", 'import type { x } from "../types.ts";'],
    ["web/pages/shared/a.ts", 'import { x } from "node:crypto";'],
    ["web/pages/a.ts", 'import texts from "../../../views/locales/en.json";'],
    ["web/browser/a.ts", 'import { x } from "node:crypto";'],
    ["room/draw-recipe/a.ts", 'import { x } from "../lib/clock.ts";'],
    ["room/draw-recipe/a.ts", 'import { x } from "node:crypto";'],
    ["room/draw-recipe/a.ts", 'import { jwtVerify } from "jose";'],
    ["room/a.ts", 'import { x } from "../features/beacon/beacon-client.ts";'],
    ["room/a.ts", 'import { sha256 } from "@noble/hashes/sha2.js";'],
    ["lib/a.ts", 'import { x } from "../../test/support/x.ts";'],
    ["operate/console/a.ts", 'import { x } from "../../features/a/console/x.tsx";'],
    ["features/a/console/x.tsx", 'import { x } from "../feature.ts";'],
    ["features/a/console/x.tsx", 'import { x } from "../../../operate/admin-api/index.ts";'],
    ["features/a/console/x.tsx", 'import { pino } from "pino";'],
    ["features/a/feature.ts", 'import { x } from "./console/x.tsx";'],
    ["app/app.ts", 'import { x } from "../features/screens.ts";'],
    ["room/a.ts", 'import type { Redis } from "ioredis";'],
    ["app/app.ts", 'import { Redis } from "ioredis";'],
    ["store/redis/a.ts", 'import Provider from "oidc-provider";'],
    ["store/redis/a.ts", 'import { type Adapter, errors } from "oidc-provider";'],
    ["web/a.ts", 'import Provider from "oidc-provider/lib/provider.js";'],
    ["app/command.ts", 'import Koa from "koa";'],
    ["main.ts", 'import { startApp } from "./config/index.ts";'],
    ["room/a.ts", 'import type { Context } from "koa";'],
    ["web/a.ts", 'import passport from "passport";'],
    ["web/a.ts", 'import { test } from "vitest";'],
    ["lib/a.ts", "const name = 'x'; await import(name);"],
    ["lib/a.ts", 'const x = require("fs");'],
    ["app/app.ts", "const level = process.env.LEVEL;"],
    ["app/app.ts", "const { env } = process;"],
    ["app/app.ts", 'const e = globalThis.process["env"];'],
    ["app/app.ts", 'import { env } from "node:process";'],
    ["web/a.ts", "process.exit(1);"],
    ["oidc/a.ts", "const now = Date.now;"],
    ["oidc/a.ts", "const now = new Date();"],
    ["room/a.ts", "setTimeout(f, Math.random());"],
    ["config/a.ts", "globalThis.Math.random();"],
    ["web/a.ts", 'console.log("x");'],
    ["room/a.ts", "const { log } = console;"],
    ["operate/commands/a.ts", 'import { featureCommands } from "../../features/commands.ts";'],
    ["web/a.ts", 'import type { x } from "../features/plan/plan.ts";'],
    ["features/a/a.ts", 'import { x } from "../b/b.ts";'],
    ["features/a/a.ts", 'import { x } from "../../store/redis/index.ts";'],
    ["features/a/a.ts", 'import { x } from "../../app/app.ts";'],
  ])("catches, in %s: %s", (file, code) => {
    expect(checkModule(file, code, dependencies)).toHaveLength(1);
  });

  it("lets a feature import of those that it needs", () => {
    const code = 'import { x } from "../b/b.ts"; import { y } from "./c/d.ts"; import { z } from "../../web/index.ts";';
    expect(checkModule("features/a/a.ts", code, dependencies, new Map([["a", ["b"]]]))).toEqual([]);
    expect(checkModule("features/index.ts", 'import { a } from "./a/feature.ts";', dependencies)).toEqual([]);
  });

  it.each([
    [
      "config/a.ts",
      'import { z } from "zod"; import { readFile } from "node:fs/promises"; import { x } from "../lib/random.ts";',
    ],
    ["store/contract/room-store.ts", 'import type { Clock } from "../../lib/clock.ts";'],
    ["core/a.ts", 'import type { Gap } from "../store/contract/room-state.ts"; import { x } from "./limiter.ts";'],
    [
      "store/memory/a.ts",
      'import type { Adapter } from "oidc-provider"; import type { X } from "../contract/room-store.ts";',
    ],
    ["store/redis/scripts/a.ts", 'import { Redis } from "ioredis"; import { type Adapter } from "oidc-provider";'],
    ["oidc/a.ts", 'import Provider from "oidc-provider"; import type Koa from "koa";'],
    ["room/inlet/a.ts", 'import type { RoomStore } from "../../store/contract/room-store.ts";'],
    ["web/a.ts", 'import { x } from "../oidc/index.ts"; import Koa from "koa";'],
    [
      "app/command.ts",
      'import { x } from "./app.ts"; process.env.X; process.exit(1); console.log(1); await import(demo);',
    ],
    ["room/draw-recipe/a.ts", 'import { sha256 } from "@noble/hashes/sha2.js";'],
    ["web/pages/a.ts", 'import type texts from "../../../views/locales/en.json";'],
    ["web/browser/a.ts", 'import { x } from "../pages/shared/wording.ts";'],
    [
      "features/a/console/x.tsx",
      'import "preact"; import { x } from "../../../operate/console/context.ts"; Date.now();',
    ],
    ["features/screens.ts", 'import { x } from "./a/console/x.tsx";'],
    [
      "features/beacon/a.ts",
      'import { x } from "../../room/draw-recipe/index.ts"; import { y } from "../../lib/clock.ts";',
    ],
    ["lib/a.ts", "Date.now(); Math.random(); new Date();"],
    ["web/browser/a.ts", "console.log(Date.now());"],
    [
      "web/a.ts",
      'const text = "process.env Date.now()"; // console.log(new Date())\nnew Date(5); options.console; clock.now();',
    ],
  ])("lets pass, in %s: %s", (file, code) => {
    expect(checkModule(file, code, dependencies)).toEqual([]);
  });
});
