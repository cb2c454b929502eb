/** The pages of reference name all there is, and nothing that there is not: metrics, log events, error codes, commands. */
import { EventEmitter } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { featureCommands } from "../../../src/features/commands.ts";
import { features } from "../../../src/features/index.ts";
import { errorStatuses } from "../../../src/lib/errors.ts";
import { addCommands, type StoreTools, type Terminal } from "../../../src/operate/commands/index.ts";
import type { RunningFeature } from "../../../src/operate/feature.ts";
import { loadFeatures } from "../../../src/operate/features.ts";
import { plainEvents } from "../../../src/operate/ops/log-events.ts";
import { createMetrics, type MetricsOptions } from "../../../src/operate/ops/metrics.ts";

/** Stands for all that runs: whatever is asked of it is as much, and has no entries. */
const nothing: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === Symbol.iterator ? () => [].values() : nothing),
  apply: () => nothing,
});
const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");
const files = readdirSync(`${root}/src`, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => read(`src/${file}`));
const source = files.join("\n");

/** The rows of a page's tables whose first cell holds a name in code, as cells. */
function rowsOf(page: string): string[][] {
  return read(page)
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .slice(2, -2)
        .split(/ \| | \|$/)
        .map((cell) => cell.trim()),
    );
}

/** The names in a cell. */
const names = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
const sorted = (values: Iterable<string>) => [...new Set(values)].sort();

describe("docs/metrics.md", () => {
  const rows = rowsOf("docs/metrics.md");

  test("names every metric with its type, and no other", async () => {
    const events = new EventEmitter();
    const loaded = await loadFeatures(features);
    const metrics = createMetrics({
      rooms: { all: [], get: () => undefined, events } as unknown as MetricsOptions["rooms"],
      store: { commandCounts: new Map(), onRoundTrip() {}, breaker: null },
      readiness: () => null,
      version: "1.2.3",
      adminKeys: { views: [] },
      homes: [],
      failingSecrets: () => 0,
      areCheckpointsFailing: () => false,
      skewMs: () => 0,
      streams: { count: 0 },
      addMore: (read) => {
        for (const { module } of loaded) module.addMetrics?.(read, nothing as RunningFeature);
      },
    });
    const types = [...(await metrics.render()).matchAll(/^# TYPE (usher_\S+) (\w+)$/gm)];
    expect(types.length).toBeGreaterThan(30);
    const documented = rows.map(([name, type]) => `${names(name).join()} ${type}`);
    expect(documented.sort()).toEqual(types.map(([, name, type]) => `${name} ${type}`).sort());
  });

  test("has every metric that another page names", () => {
    const pages = ["operations", "flow", "when-things-fail", "deploy"]
      .map((name) => read(`docs/${name}.md`))
      .join("\n");
    const named = [...pages.matchAll(/`(usher_\w+)`/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(8);
    const known = rows.flatMap(([cell]) => names(cell));
    expect(named.filter((name) => !known.includes(name) && name !== "usher_token")).toEqual([]);
  });

  test("names the labels of those that have their own list", () => {
    const declared = [...source.matchAll(/"(usher_\w+)",\s*"[^"]*",\s*\[([^\]]*)\]/g)];
    const listed = [...source.matchAll(/name: "(usher_\w+)",\s*help: "[^"]*",\s*labelNames: \[([^\]]*)\]/g)];
    expect(declared.length + listed.length).toBeGreaterThan(15);
    for (const [, name = "", labels = ""] of [...declared, ...listed]) {
      const row = rows.find(([cell]) => names(cell)[0] === name);
      expect([name, names(row?.[2])]).toEqual([name, [...labels.matchAll(/"(\w+)"/g)].map(([, label = ""]) => label)]);
    }
  });
});

describe("docs/log-events.md", () => {
  const rows = rowsOf("docs/log-events.md");

  test("names every event that is logged, and no other", () => {
    const found = [...source.matchAll(/\bevent:\s*\|?\s*("[a-z_]+\.[a-z_]+"(?:\s*\|\s*"[a-z_]+\.[a-z_]+")*)/g)];
    const logged = found.flatMap(([, list = ""]) => [...list.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name));
    logged.push(...Object.keys(plainEvents));
    expect(logged.length).toBeGreaterThan(60);
    expect(rows.flatMap(([cell]) => names(cell)).sort()).toEqual(sorted(logged));
  });

  test("has every event that another page names", () => {
    const settings = read("docs/configuration.md");
    const pages = [
      "operations",
      "flow",
      "when-things-fail",
      "deploy",
      "upgrade",
      "secrets",
      "keys",
      "clients",
      "rooms",
    ];
    const named = pages
      .flatMap((name) => [
        ...read(`docs/${name}.md`).matchAll(
          /`((?:bypass|client|config|gateway|joins|key|marks|oidc|registry|room|secrets|settings|store|views)\.[a-z_]+)`/g,
        ),
      ])
      .map(([, name = ""]) => name)
      .filter((name) => !settings.includes(`\`${name}`));
    expect(named.length).toBeGreaterThan(10);
    const known = rows.flatMap(([cell]) => names(cell));
    expect(named.filter((name) => !known.includes(name) && name !== "store.url")).toEqual([]);
  });

  test("tells the level that a line is written with", () => {
    const levelOf = new Map(rows.flatMap(([cell, level]) => names(cell).map((name) => [name, level])));
    const written = [...source.matchAll(/logger\.(\w+)\(\s*\{\s*(?:\.\.\.\w+,\s*)?event: "([a-z_]+\.[a-z_]+)"/g)];
    expect(written.length).toBeGreaterThan(25);
    for (const [, level, name = ""] of written) expect([name, levelOf.get(name)]).toEqual([name, level]);
    for (const [name, [level]] of Object.entries(plainEvents)) {
      expect([name, levelOf.get(name)]).toEqual([name, level]);
    }
  });
});

describe("docs/error-codes.md", () => {
  const rows = new Map(rowsOf("docs/error-codes.md").map(([code, status]) => [names(code).join(), status ?? ""]));

  test("names every code, and no other", () => {
    const codes = Object.keys(errorStatuses);
    // Those that are not thrown: see src/web/forward-auth/verify.ts.
    for (const code of ["admission_required", "crawler_unconfirmed"]) expect(source).toContain(`error: "${code}"`);
    expect([...rows.keys()].sort()).toEqual(sorted([...codes, "admission_required", "crawler_unconfirmed"]));
  });

  test("names what pages of links say alone, with the status", () => {
    const page = read("docs/error-codes.md").replaceAll("\n", " ");
    const said = [...source.matchAll(/^ {2}((?:bypass|move)_\w+): \{ status: ([45]\d\d),/gm)];
    expect(said.length).toBeGreaterThan(4);
    for (const [, code = "", status = ""] of said) {
      expect(page, code).toMatch(new RegExp(`\`${code}\`(?:(?!\\(\\d)[^)])*\\(${status}`));
    }
  });

  test("tells the usual status of each code, and each other one that it is thrown with", () => {
    for (const [code, status] of Object.entries(errorStatuses)) {
      expect(`${code} ${rows.get(code)}`).toContain(String(status));
    }
    const thrown = [
      ...source.matchAll(/UsherError\(\s*"(\w+)",(?:(?!UsherError\(|\);\n)[\s\S]){0,300}?\bstatus: (\d{3})/g),
    ];
    expect(thrown.length).toBeGreaterThan(1);
    for (const [, code = "", status = ""] of thrown) expect(`${code} ${rows.get(code)}`).toContain(status);
  });
});

describe("docs/commands.md", () => {
  const page = read("docs/commands.md");

  /** Those of command.ts are added where the program runs. */
  const ofProgram = read("src/app/command.ts");
  const program = new Command("usher");
  addCommands(program, {} as Terminal, {} as StoreTools, featureCommands);
  const flags = (command: Command): string[] => [
    ...command.options.map(({ long }) => long ?? ""),
    ...command.commands.flatMap(flags),
  ];
  /** Of all commands that ask a gateway or read a configuration, and explained once. */
  const common = ["--url", "--context", "--json", "--config"];

  test("has a row for every command, which names its subcommands and options", () => {
    expect(program.commands.length).toBeGreaterThan(15);
    for (const command of program.commands) {
      const row = page.split("\n").find((line) => new RegExp(`^\\| \`usher ${command.name()}\\b`).test(line)) ?? "";
      const named = [...command.commands.map((each) => `\`${each.name()}`), ...flags(command)];
      // Contexts have a section.
      const where = command.name() === "context" ? page : row;
      const missing = named.filter((name) => !common.includes(name) && !where.includes(name));
      expect([command.name(), row === "" ? ["no row"] : missing]).toEqual([command.name(), []]);
    }
    const others = [...ofProgram.matchAll(/\.command\("([a-z-]+)/g)].map(([, name = ""]) => name);
    expect(others).toEqual(["serve", "demo"]);
    for (const name of others) expect(page).toMatch(new RegExp(`^\\| \`usher ${name}\\b`, "m"));
  });

  test("names no command and no option that there is not", () => {
    const rows = [...page.matchAll(/^\| `usher ([a-z-]+)/gm)].map(([, name = ""]) => name);
    const others = [...ofProgram.matchAll(/\.command\("([a-z-]+)/g)].map(([, name = ""]) => name);
    expect(sorted(rows)).toEqual(sorted([...program.commands.map((command) => command.name()), ...others]));
    const ofOthers = [...ofProgram.matchAll(/\.(?:requiredO|o)ption\(\s*"(--[a-z-]+)/g)].map(([, name = ""]) => name);
    const ofUsher = page.replace(/^\| `npm .*$/gm, "");
    const documented = [...ofUsher.matchAll(/(--[a-z][a-z-]+)/g)].map(([, name = ""]) => name);
    expect(sorted(documented.filter((name) => name !== "--help"))).toEqual(sorted([...flags(program), ...ofOthers]));
  });

  test("names every script of package.json, and no other", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const documented = [...page.matchAll(/^\| `npm (?:run )?([\w:]+)` \|/gm)].map(([, name = ""]) => name);
    expect(sorted(documented)).toEqual(Object.keys(scripts).sort());
  });
});

test("every variable of the environment that Usher reads is in docs/configuration.md", () => {
  const used = [...source.matchAll(/\b(USHER_[A-Z_]+)\b/g)].map(([, name = ""]) => name);
  const documented = rowsOf("docs/configuration.md").flatMap(([cell]) =>
    names(cell).filter((name) => /^USHER_/.test(name)),
  );
  expect(sorted(documented)).toEqual(sorted(used));
});
