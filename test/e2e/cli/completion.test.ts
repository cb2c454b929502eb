/** Completion in a real bash, as the program prints it. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const main = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));
const usher = (...args: string[]) => execFileSync(process.execPath, [main, ...args], { encoding: "utf8" });
const script = usher("completion", "bash");

/** What bash offers for the last word. */
function offered(...words: string[]): string[] {
  const run = `${script}\ncomplete -p usher >&2 || exit 1
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _usher; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const printed = execFileSync("bash", ["--norc", "-c", run, "bash", "usher", ...words], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return printed.split("\n").filter((word) => word !== "");
}

test("offers every command of the help", () => {
  const listed = [...usher("--help").matchAll(/^ {2}([a-z][a-z-]+)/gm)].map(([, name]) => name);
  expect(listed).toContain("serve");
  expect(offered("")).toEqual(expect.arrayContaining(listed.filter((name) => name !== "help")));
});

test.each([
  [["aud"], ["audit"]],
  [
    ["audit", ""],
    ["list", "undo", "export", "--help"],
  ],
  [["audit", "export", "--o"], ["--out"]],
  [["audit", "list", "--room", "open", "--fol"], ["--follow"]],
  [["audit", "export", "--out", ""], []],
  [["rate", "open", "--from"], ["--from-file"]],
  [["completion", "b"], ["bash"]],
  [["nothing-like-it"], []],
])("%j is completed by %j", (words, expected) => {
  expect(offered(...words)).toEqual(expected);
});

test("another shell is refused with those that there are", () => {
  expect(() => execFileSync(process.execPath, [main, "completion", "csh"], { stdio: "pipe" })).toThrow(
    /Allowed choices are bash/,
  );
});
