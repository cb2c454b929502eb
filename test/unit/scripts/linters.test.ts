/** What becomes of a linter of deploy/ that finds nothing, finds something, or cannot be had. */
import { expect, test } from "vitest";
// @ts-expect-error: a script without types
import { ARTEFACTS, LINTERS, runLinter } from "../../../scripts/lib/linters/index.mjs";
// @ts-expect-error: a script without types
import { capture, programInPath } from "../../../scripts/lib/linters/tools.mjs";

const shell = (script: string) => ({
  get: async () => programInPath("sh", "it is everywhere"),
  lint: (program: string) => capture(program, ["-c", script]),
});

test("one that finds nothing is clean", async () => {
  expect(await runLinter(shell("echo 3 files"))).toEqual({ outcome: "clean", text: "3 files\n" });
});

test("what one finds is told, of both outputs", async () => {
  const { outcome, text } = await runLinter(shell("echo a fault; echo in line 3 >&2; exit 2"));
  expect([outcome, text.split("\n").sort()]).toEqual(["findings", ["", "a fault", "in line 3"]]);
});

test("one that hangs has not passed", async () => {
  const { code } = await capture("/bin/sh", ["-c", "exec sleep 60"], { timeoutMs: 50 });
  expect(code).not.toBe(0);
});

test("one that cannot be had says why", async () => {
  const linter = { get: async () => programInPath("no-such-linter", "no registry has it"), lint: capture };
  expect(await runLinter(linter)).toEqual({
    outcome: "unavailable",
    text: "no-such-linter is not in PATH; no registry has it",
  });
});

test("a linter that is at fault itself is no lack of one", async () => {
  await expect(runLinter({ ...shell(""), lint: () => Promise.reject(new TypeError("x")) })).rejects.toThrow("x");
});

test("each has a name of its own and is for an artefact", () => {
  const names = LINTERS.map(({ name }: { name: string }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(ARTEFACTS).toContain("aws");
});
