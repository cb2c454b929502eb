import { fileURLToPath } from "node:url";
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

interface Report {
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
}
interface RetryModule {
  filesToRetry(report: Report | null, uncaught: number | null): string[];
  withRetry(report: Report, second: Report | null): Report;
  describeUnsteady(report: Report, files: string[]): string;
}

const { REQUIREMENTS, findMissing, installLine } = await loadScript<RequirementsModule>("requirements.mjs");
const { summarize, formatSummary } = await loadScript<ReportModule>("report.mjs");
const { filesToRetry, withRetry, describeUnsteady } = await loadScript<RetryModule>("retry.mjs");

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
  "/usr/bin/chromium",
  "/usr/sbin/apache2",
  "/usr/lib/apache2/modules/mod_auth_openidc.so",
  "/usr/bin/caddy",
  "/usr/share/lemonldap-ng/portal/templates",
  ...["authlib", "flask", "requests"].map((name) => `/usr/lib/python3/dist-packages/${name}`),
  "/usr/share/wordpress/wp-includes/version.php",
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
      "chromium",
      "apache2-bin",
      "libapache2-mod-auth-openidc",
      "caddy",
      "liblemonldap-ng-portal-perl",
      "python3-authlib python3-flask python3-requests",
      "php-cgi php wordpress",
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

describe("the retry of failed files", () => {
  const name = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  const report = (...files: [path: string, status: string][]): Report => ({
    testResults: files.map(([path, status]) => ({
      name: name(path),
      status,
      assertionResults: [{ status, fullName: `of ${path}` }],
    })),
  });
  const passed: [string, string] = ["test/e2e/a.test.ts", "passed"];
  const failed = (path: string): [string, string] => [path, "failed"];

  it.each([
    ["a few files that measure time", [failed("test/browser/b.test.ts"), failed("test/fault/c.test.ts")], 2],
    ["one more than a few", ["b", "c", "d", "e"].map((file) => failed(`test/browser/${file}.test.ts`)), 0],
    ["a unit test", [failed("test/unit/a.test.ts")], 0],
    ["a contract test beside another", [failed("test/contract/a.test.ts"), failed("test/e2e/b.test.ts")], 0],
    ["nothing", [], 0],
  ])("of %s", (_, files, count) => {
    expect(filesToRetry(report(passed, ...files), 0)).toEqual(count === 0 ? [] : files.map(([path]) => path));
  });

  it("is not taken of a run without a report", () => {
    expect(filesToRetry(null, 0)).toEqual([]);
  });

  it.each([1, null])("is not taken of a run with errors that no test caught: %s", (uncaught) => {
    expect(filesToRetry(report(failed("test/e2e/a.test.ts")), uncaught)).toEqual([]);
  });

  it("counts instead of the first, and says what was unsteady", () => {
    const first = report(passed, failed("test/e2e/b.test.ts"));
    const both = withRetry(first, report(["test/e2e/b.test.ts", "passed"]));
    expect(formatSummary(summarize(both, 0))).toBe("2 passed, 0 failed");
    expect(describeUnsteady(first, ["test/e2e/b.test.ts"])).toContain("  test/e2e/b.test.ts: of test/e2e/b.test.ts\n");
  });

  it.each([
    ["fails again", report(failed("test/e2e/b.test.ts"))],
    ["makes no report", null],
  ])("that %s leaves the run failed", (_, second) => {
    const both = withRetry(report(passed, failed("test/e2e/b.test.ts")), second);
    expect(formatSummary(summarize(both, 1))).toBe("1 passed, 1 failed");
  });
});
