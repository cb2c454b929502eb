// Long: promtool plays hours of metrics for each alert; they change when the rules do.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../../deploy/monitoring", import.meta.url));

test("each alert of the rules fires where it should, and not where nothing is wrong", () => {
  const args = ["test", "rules", "usher.rules.test.yml"];
  expect(execFileSync("promtool", args, { cwd: folder, encoding: "utf8", stdio: "pipe" })).toContain("SUCCESS");
});
