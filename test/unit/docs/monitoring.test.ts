/** deploy/monitoring speaks of metrics that there are, and each alert has a test and says where to read on. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { makeTempDir } from "../../support/temp-dir.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = `${root}/deploy/monitoring`;
const read = (file: string) => readFileSync(file, "utf8");

interface Alert {
  readonly alert: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
const { groups } = parse(read(`${folder}/usher.rules.yml`)) as { groups: { rules: Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);

test("rules, configuration and the tests of the rules are what Prometheus takes, and the first tests pass", async () => {
  const run = (...args: string[]) => execFileSync("promtool", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  expect(run("check", "rules", "--lint-fatal", "usher.rules.yml")).toContain("SUCCESS");
  expect(run("check", "config", "--syntax-only", "prometheus.yml")).toContain("SUCCESS");
  // All of them pass in the long test beside this one.
  const all = parse(read(`${folder}/usher.rules.test.yml`)) as { tests: unknown[] };
  const few = await makeTempDir("rules");
  try {
    const file = join(few.path, "few.yml");
    const first = { ...all, rule_files: [`${folder}/usher.rules.yml`], tests: all.tests.slice(0, 2) };
    writeFileSync(file, JSON.stringify(first));
    expect(run("test", "rules", file)).toContain("SUCCESS");
  } finally {
    await few.remove();
  }
});

test("docs/monitoring.md turns runbooks into links, all of them, by a command that leaves the rules what they are", async () => {
  const [, script = ""] = /`sed -i '([^']+)' usher\.rules\.yml`/.exec(read(`${root}/docs/monitoring.md`)) ?? [];
  const copy = await makeTempDir("rules");
  try {
    const file = join(copy.path, "usher.rules.yml");
    writeFileSync(file, read(`${folder}/usher.rules.yml`));
    execFileSync("sed", ["-i", script, file]);
    const turned = parse(read(file)) as { groups: { rules: { annotations: Record<string, string> }[] }[] };
    const links = turned.groups.flatMap(({ rules }) => rules).map(({ annotations }) => annotations.runbook_url);
    expect(links).toHaveLength(alerts.length);
    for (const link of links) expect(link).toMatch(/^https:\/\/wiki\.example\.com\/usher\/docs\/[\w-]+\.md#[\w-]+$/);
    const checked = execFileSync("promtool", ["check", "rules", "--lint-fatal", file], {
      encoding: "utf8",
      stdio: "pipe",
    });
    expect(checked).toContain("SUCCESS");
  } finally {
    await copy.remove();
  }
});

test("each alert is shown to fire", () => {
  const tests = read(`${folder}/usher.rules.test.yml`).split("- eval_time:");
  const fires = tests.filter((each) => each.includes("exp_labels")).map((each) => /alertname: (\w+)/.exec(each)?.[1]);
  expect(new Set(fires)).toEqual(new Set(alerts.map(({ alert }) => alert)));
});

test("each alert has a severity and names what to do", () => {
  for (const { labels, annotations } of alerts) {
    expect(["critical", "warning"]).toContain(labels.severity);
    // That the heading is there is seen by the test of links.
    expect(annotations.runbook).toMatch(/^docs\/when-things-fail\.md#[\w-]+$/);
  }
});

test("alerts and dashboard name metrics that docs/metrics.md has", () => {
  const documented = new Set(
    [...read(`${root}/docs/metrics.md`).matchAll(/^\| `(usher_\w+)` \| (\w+)/gm)].flatMap(([, name = "", type]) => [
      name,
      ...(type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : []),
    ]),
  );
  for (const file of ["usher.rules.yml", "grafana-dashboard.json"]) {
    const named = [...read(`${folder}/${file}`).matchAll(/\busher_\w+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !documented.has(name))).toEqual([]);
  }
});
