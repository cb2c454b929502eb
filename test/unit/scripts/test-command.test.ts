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

const { REQUIREMENTS, findMissing, installLine } = await loadScript<RequirementsModule>("requirements.mjs");
const { summarize, formatSummary } = await loadScript<ReportModule>("report.mjs");

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
  "/usr/share/lemonldap-ng/portal/templates",
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
      "liblemonldap-ng-portal-perl",
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
