import { describe, expect, it } from "vitest";
import { loadScript } from "../../support/load-script.ts";

interface Requirement {
  name: string;
  packageName: string;
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
interface ReportModule {
  summarize(report: unknown, exitCode: number): { passed: number; failed: number; skipped: number };
  formatSummary(summary: { passed: number; failed: number; skipped: number }): string;
}

interface SelectionModule {
  toVitestArgs(args: string[]): string[];
  isSelection(args: string[]): boolean;
}
interface Report {
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; failureMessages: string[] }[];
  }[];
}
interface SecondRunModule {
  filesToRunAgain(report: Report | null): string[];
  mergeReports(first: Report, second: Report | null): Report;
  describeAccidents(files: string[], merged: Report): string[];
}
interface SlowestModule {
  describeSlowest(files: { file: string; cpuMs: number }[], runnerMs: number): string;
}

const { REQUIREMENTS, findMissing, installLine } = await loadScript<RequirementsModule>("requirements.mjs");
const { summarize, formatSummary } = await loadScript<ReportModule>("report.mjs");
const { toVitestArgs, isSelection } = await loadScript<SelectionModule>("test-selection.mjs");
const { filesToRunAgain, mergeReports, describeAccidents } = await loadScript<SecondRunModule>("second-run.mjs");
const { describeSlowest } = await loadScript<SlowestModule>("slowest-reporter.mjs");

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
  "/usr/share/wordpress/wp-includes/version.php",
  "/usr/bin/promtool",
  "/usr/bin/prometheus",
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
      "php-cgi php wordpress",
      "prometheus",
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

describe("the last line of npm test", () => {
  const file = (status: string, ...tests: string[]) => ({
    status,
    assertionResults: tests.map((test) => ({ status: test })),
  });

  it("counts tests", () => {
    const report = { testResults: [file("passed", "passed", "passed"), file("failed", "passed", "failed", "pending")] };
    const summary = summarize(report, 1);
    expect(formatSummary(summary)).toBe("3 passed, 1 failed, 1 skipped");
  });

  it("mentions skipped tests only if there are any", () => {
    expect(formatSummary(summarize({ testResults: [file("passed", "passed")] }, 0))).toBe("1 passed, 0 failed");
  });

  it.each([
    ["a file that can't be loaded", { testResults: [file("passed", "passed"), file("failed")] }, "1 passed, 1 failed"],
    ["an error outside any test", { testResults: [file("passed", "passed")] }, "1 passed, 1 failed"],
    ["a run that ended without a report", null, "0 passed, 1 failed"],
  ])("does not hide %s", (_, report, line) => {
    expect(formatSummary(summarize(report, 1))).toBe(line);
  });
});

describe("what the commands run", () => {
  it.each([
    ["npm test", [], ["--project=!*-long"]],
    ["npm run test:long", ["--long"], ["--project=*-long"]],
    ["npm run test:all", ["--all"], []],
    ["npm test -- test/e2e/keys", ["test/e2e/keys"], ["test/e2e/keys"]],
    ["npm run test:long -- -t gaps", ["--long", "-t", "gaps"], ["--project=*-long", "-t", "gaps"]],
  ])("%s", (_, given, args) => {
    expect(toVitestArgs(given)).toEqual(args);
  });

  it("are two halves that have every test file between them", async () => {
    const { default: config } = await import("../../../vitest.config.ts");
    const names = (config.test?.projects ?? []).map((project) => (project as { test: { name: string } }).test.name);
    const short = names.filter((name) => !name.endsWith("-long"));
    expect(short).toEqual(["unit", "contract", "e2e", "browser", "fault"]);
    expect(names.filter((name) => name.endsWith("-long"))).toEqual(short.map((name) => `${name}-long`));
  });
});

describe("the second run", () => {
  const report = (files: Record<string, string>, failure = "AssertionError: expected 1 to be 2"): Report => ({
    testResults: Object.entries(files).map(([path, status]) => ({
      name: `/usher/test/${path}`,
      status,
      assertionResults: [{ status, failureMessages: status === "failed" ? [failure] : [] }],
    })),
  });
  const one = "/usher/test/browser/one.test.ts";

  it("is of the few files that failed beside real programs, and of nothing else", () => {
    expect(filesToRunAgain(report({ "browser/one.test.ts": "failed", "e2e/two.test.ts": "passed" }))).toEqual([one]);
    expect(filesToRunAgain(report({ "browser/one.test.ts": "passed" }))).toEqual([]);
    expect(filesToRunAgain(report({ "browser/one.test.ts": "failed", "unit/two.test.ts": "failed" }))).toEqual([]);
    expect(filesToRunAgain(report({ "contract/two.test.ts": "failed" }))).toEqual([]);
    const four = Object.fromEntries([1, 2, 3, 4].map((n) => [`e2e/${n}.test.ts`, "failed"]));
    expect(filesToRunAgain(report(four))).toEqual([]);
    expect(filesToRunAgain(null)).toEqual([]);
  });

  it("is of any file in which all that failed was ended for its time", () => {
    const name = "unit/two.test.ts";
    const ended = report({ [name]: "failed" }, "Error: Hook timed out in 60000ms.");
    expect(filesToRunAgain(ended)).toEqual([`/usher/test/${name}`]);
    ended.testResults[0]?.assertionResults.push({ status: "failed", failureMessages: ["AssertionError: no"] });
    expect(filesToRunAgain(ended)).toEqual([]);
    const broken = report({ [name]: "failed" });
    expect(
      filesToRunAgain({ testResults: broken.testResults.map((file) => ({ ...file, assertionResults: [] })) }),
    ).toEqual([]);
  });

  it("takes the place of the first, file by file, and is told", () => {
    const first = report({
      "browser/one.test.ts": "failed",
      "e2e/two.test.ts": "failed",
      "unit/three.test.ts": "passed",
    });
    const merged = mergeReports(first, report({ "browser/one.test.ts": "passed", "e2e/two.test.ts": "failed" }));
    expect(formatSummary(summarize(merged, 1))).toBe("2 passed, 1 failed");
    expect(describeAccidents(filesToRunAgain(first), merged)).toEqual([
      `Failed at first, and passed when it ran again, alone: ${one}`,
    ]);
  });

  it("changes nothing where it has no report", () => {
    const first = report({ "browser/one.test.ts": "failed" });
    expect(mergeReports(first, null)).toEqual(first);
    expect(describeAccidents([one], mergeReports(first, null))).toEqual([]);
  });

  it("is not made for a part of the tests that somebody chose", () => {
    expect([[], ["--all"], ["--long"]].map(isSelection)).toEqual([false, false, false]);
    expect([["test/e2e/keys"], ["--all", "-t", "gaps"]].map(isSelection)).toEqual([true, true]);
  });
});

describe("the list of the files that cost most", () => {
  it("names ten, the most expensive first, and the sum of all", () => {
    const files = Array.from({ length: 12 }, (_, i) => ({ file: `test/unit/${i}.test.ts`, cpuMs: 12_000 - i * 1_000 }));
    const lines = describeSlowest(files, 2_000).split("\n");
    expect(lines).toHaveLength(11);
    expect(lines[0]).toBe("CPU time: 80.0 s, of these vitest itself 2.0 s. The 10 files that cost most:");
    expect(lines[1]).toBe("    12.0 s  test/unit/0.test.ts");
    expect(lines[10]).toBe("     3.0 s  test/unit/9.test.ts");
  });
});
