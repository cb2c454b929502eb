import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadScript } from "../../support/load-script.ts";

interface Requirement {
  name: string;
  packageName: string;
  usedIn: string[];
}
interface Machine {
  env: Record<string, string>;
  exists(file: string): boolean;
  isExecutable(file: string): boolean;
}
interface RequirementsModule {
  REQUIREMENTS: Requirement[];
  findMissing(requirements: Requirement[], machine: Machine): Requirement[];
  installLine(missing: Requirement[]): string;
}
interface NeedsModule {
  neededBy(modules: Set<string>): Requirement[];
}
interface TestFile {
  file: string;
  kind: string;
  isLong: boolean;
  reason: string | null;
}
interface Options {
  tier: string;
  names: string[];
  kinds: string[];
  seed: number;
  minutes: number | null;
  vitest: string[];
}
interface OptionsModule {
  readTestOptions(args: string[], nowMs?: number): Options;
}
interface FilesModule {
  listTestFiles(root: string): TestFile[];
  selectTestFiles(files: TestFile[], wanted: Pick<Options, "tier" | "names" | "kinds">): TestFile[];
  orderBySeed(files: { file: string }[], seed: number): { file: string }[];
  importedBy(root: string, files: string[]): Set<string>;
}
interface SummaryModule {
  summarize(
    run: { results: object[]; uncaught: number; notRun: string[] },
    cpu: { preparedMs: number; runnerMs: number },
  ): { hasFailed: boolean; lines: string[] };
}

const { REQUIREMENTS, findMissing, installLine, neededBy } = await loadScript<RequirementsModule & NeedsModule>(
  "requirements.mjs",
);
const { readTestOptions } = await loadScript<OptionsModule>("test-options.mjs");
const { listTestFiles, selectTestFiles, orderBySeed, importedBy } = await loadScript<FilesModule>("test-files.mjs");
const { summarize } = await loadScript<SummaryModule>("test-summary.mjs");
const root = fileURLToPath(new URL("../../..", import.meta.url));
const allFiles = listTestFiles(root);

function missing(files: string[], env: Record<string, string> = {}): string[] {
  const has = (file: string) => files.includes(file);
  const machine = { env: { PATH: "/usr/bin:/bin", ...env }, exists: has, isExecutable: has };
  return findMissing(REQUIREMENTS, machine).map(({ packageName }) => packageName);
}

const EVERYTHING = [
  "/usr/bin/redis-server",
  "/usr/bin/faketime",
  "/usr/bin/openssl",
  "/usr/sbin/nginx",
  "/usr/sbin/varnishd",
  "/usr/bin/chromium",
  "/usr/sbin/apache2",
  "/usr/lib/apache2/modules/mod_auth_openidc.so",
  "/usr/bin/caddy",
  "/usr/share/lemonldap-ng/portal/templates",
  ...["authlib", "flask", "requests"].map((name) => `/usr/lib/python3/dist-packages/${name}`),
  "/usr/bin/pip3",
  "/usr/share/wordpress/wp-includes/version.php",
  "/usr/bin/promtool",
  "/usr/bin/prometheus",
  "/usr/bin/mvn",
  "/usr/bin/javac",
  "/usr/sbin/mariadbd",
];

describe("the requirements of npm test", () => {
  it("are met, with daemons outside PATH", () => {
    expect(missing(EVERYTHING)).toEqual([]);
  });

  it("are all named at once, in one line that installs them", () => {
    const all = [
      "redis-server",
      "faketime",
      "openssl",
      "nginx-light",
      "varnish",
      "chromium",
      "apache2-bin",
      "libapache2-mod-auth-openidc",
      "caddy",
      "liblemonldap-ng-portal-perl",
      "python3-authlib python3-flask python3-requests",
      "python3-pip",
      "php-cgi php wordpress",
      "prometheus",
      "maven default-jdk-headless",
      "mariadb-server-core",
    ];
    expect(missing([])).toEqual(all);
    expect(installLine(REQUIREMENTS)).toBe(
      `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${all.join(" ")}`,
    );
  });

  it("take a browser from the environment", () => {
    const rest = EVERYTHING.filter((file) => !file.includes("chromium"));
    expect(missing([...rest, "/opt/chrome"], { CHROMIUM_PATH: "/opt/chrome" })).toEqual([]);
    expect(missing(EVERYTHING, { CHROMIUM_PATH: "/opt/chrome" })).toEqual(["chromium"]);
  });
});

describe("what a selection needs", () => {
  const needed = (...files: string[]) => neededBy(importedBy(root, files)).map(({ name }) => name);

  it("is what its tests start, straight or through others", () => {
    expect(needed("test/unit/lib/deadline.test.ts")).toEqual([]);
    expect(needed("test/contract/redis.test.ts")).toContain("redis-server");
    expect(needed("test/contract/redis.test.ts")).not.toContain("chromium (or CHROMIUM_PATH)");
    expect(needed("test/browser/check.test.ts")).toContain("chromium (or CHROMIUM_PATH)");
  });

  it("is named for each program that a module of the tests looks up", () => {
    const optional = ["test/e2e/programs/debian-package.long.test.ts", "test/unit/scripts/test-command.test.ts"];
    const modules = importedBy(
      root,
      allFiles.map(({ file }) => file),
    );
    const starters = [...modules].filter(
      (file) => /findProgram\("|executablePath:|need\("/.test(read(file)) && !optional.includes(file),
    );
    expect(starters.length).toBeGreaterThan(8);
    expect(starters.filter((file) => neededBy(importedBy(root, [file])).length === 0)).toEqual([]);
  });

  it("is all that the list has, for all tests, but for what went with a feature", () => {
    const used = REQUIREMENTS.filter(({ usedIn }) => usedIn.some((file) => existsSync(join(root, file))));
    expect(needed(...allFiles.map(({ file }) => file))).toEqual(used.map(({ name }) => name));
  });
});

describe("the arguments of npm test", () => {
  const nowMs = Date.UTC(2026, 10, 29, 23, 59);
  const usual = { tier: "quick", names: [], kinds: [], seed: 20_786, minutes: null, vitest: [] };

  it.each<[string, string[], Partial<Options>]>([
    ["npm test", [], {}],
    ["npm test -- webhooks", ["webhooks"], { names: ["webhooks"] }],
    ["npm test -- --project unit draw", ["--project", "unit", "draw"], { kinds: ["unit"], names: ["draw"] }],
    ["npm run test:long -- -t gaps", ["--long", "-t", "gaps"], { tier: "long", vitest: ["-t", "gaps"] }],
    ["npm run test:long -- --seed 7", ["--long", "--seed", "7"], { tier: "long", seed: 7 }],
    ["npm run test:all -- --minutes=38", ["--all", "--minutes=38"], { tier: "all", minutes: 38 }],
    ["an option of vitest", ["--bail=1"], { vitest: ["--bail=1"] }],
  ])("%s", (_, args, differences) => {
    expect(readTestOptions(args, nowMs)).toMatchObject({ ...usual, ...differences });
  });

  it.each([
    [["--seed"], '--seed takes a whole number, and not ""'],
    [["--long", "--minutes", "soon"], '--minutes takes a whole number, and not "soon"'],
    [["--minutes", "3"], "--minutes is for the long tests"],
    [["--project", "units"], '--project takes one of unit, contract, e2e, browser, fault, and not "units"'],
  ])("%j is refused", (args, message) => {
    expect(() => readTestOptions(args)).toThrow(message);
  });
});

describe("the files of a run", () => {
  const pick = (wanted: Partial<Options>) =>
    selectTestFiles(allFiles, { tier: "quick", names: [], kinds: [], ...wanted }).map(({ file }) => file);

  it("are the quick ones or the long ones, and every file is one of them", async () => {
    expect([...pick({}), ...pick({ tier: "long" })].sort()).toEqual(pick({ tier: "all" }));
    expect(pick({}).filter((file) => file.includes(".long."))).toEqual([]);
    const { default: config } = await import("../../../vitest.config.ts");
    const projects = (config.test?.projects ?? []).map((project) => (project as { test: { name: string } }).test.name);
    const kinds = [...new Set(allFiles.map(({ kind, isLong }) => (isLong ? `${kind}-long` : kind)))];
    expect(kinds.filter((kind) => !projects.includes(kind))).toEqual([]);
    expect(new Set(selectTestFiles(allFiles, { tier: "quick", names: [], kinds: [] }).map(({ kind }) => kind))).toEqual(
      new Set(["unit", "contract", "e2e", "browser", "fault"]),
    );
  });

  it("are those of a feature, by a part of their paths; long ones where a name has no others", () => {
    expect(pick({ names: ["draw"] }).length).toBeGreaterThan(2);
    expect(
      pick({ names: ["draw"], kinds: ["unit"] }).every((file) => /^test\/(features\/[^/]+\/)?unit\//.test(file)),
    ).toBe(true);
    expect(pick({ names: ["outflow.long"] })).toEqual(["test/fault/outflow.long.test.ts"]);
  });

  it("say what makes each long one long", () => {
    expect(allFiles.filter(({ isLong, reason }) => isLong && reason === null)).toEqual([]);
  });

  it("come in another order each day, so that where a third is run three days run all", () => {
    const files = Array.from({ length: 50 }, (_, i) => ({ file: `${i}.long.test.ts` }));
    const days = [20_786, 20_787, 20_788].map((seed) => orderBySeed(files, seed));
    expect(days[0]).toEqual(orderBySeed([...files].reverse(), 20_786));
    expect(new Set(days.map((day) => day[0]?.file)).size).toBe(3);
    for (const day of days) expect(new Set(day)).toEqual(new Set(files));
    expect(new Set(days.flatMap((day) => day.slice(0, 17))).size).toBe(50);
    expect(orderBySeed([], 1)).toEqual([]);
  });
});

describe("the last lines of npm test", () => {
  const file = (passed: number, failed = 0, more: object = {}) => ({
    file: `test/unit/${passed}.test.ts`,
    kind: "unit",
    passed,
    failed,
    skipped: 0,
    wasRun: true,
    cpuMs: passed * 1_000,
    ...more,
  });
  const cpu = { preparedMs: 30_000, runnerMs: 2_000 };
  const run = (results: object[], uncaught = 0, notRun: string[] = []) => summarize({ results, uncaught, notRun }, cpu);

  it("name the ten files that cost most, each kind, the CPU time of all, and what passed", () => {
    const results = Array.from({ length: 12 }, (_, i) => file(i + 1));
    const { hasFailed, lines } = run([...results, file(3, 0, { kind: "fault", cpuMs: 500, skipped: 2 })]);
    expect(hasFailed).toBe(false);
    expect(lines).toEqual([
      "CPU time of the 10 files that cost most:",
      ...Array.from({ length: 10 }, (_, i) => `${(12 - i).toFixed(1).padStart(8)} s  test/unit/${12 - i}.test.ts`),
      "unit         78 tests in  12 files     78.0 s",
      "fault         3 tests in   1 files      0.5 s",
      "CPU time: 110.5 s in all (installing and building 30.0, the runner 2.0, the tests with all that they start 78.5)",
      "81 passed, 0 failed, 2 skipped",
    ]);
  });

  it.each([
    ["a test that failed", run([file(2, 1)]), "2 passed, 1 failed"],
    ["an error outside any test", run([file(2)], 1), "2 passed, 1 failed"],
    ["a run of nothing", run([]), "0 passed, 0 failed"],
  ])("do not hide %s", (_, { hasFailed, lines }, last) => {
    expect(hasFailed).toBe(true);
    expect(lines.at(-1)).toBe(last);
  });

  it("say for which long files no time was left", () => {
    const { lines } = run([file(2)], 0, ["test/fault/one.long.test.ts"]);
    expect(lines.at(-3)).toBe("Not run, for want of time or of what they need: test/fault/one.long.test.ts");
  });
});

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
