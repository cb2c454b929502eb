/**
 * Completion in a real bash, and in a real zsh and fish where they are installed, as the program prints it. Without these, the shape
 * of their scripts is tested.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findProgram } from "../../support/processes.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { runUsher } from "../../support/usher-command.ts";

/** What the command prints, by its words. */
const printed = new Map<string, string>();
const usher = (...args: string[]) => printed.get(args.join(" ")) ?? "";
const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];

let folder: TempDir;
let scripts: TempDir;
beforeAll(async () => {
  [folder, scripts] = await Promise.all([makeTempDir("completion"), makeTempDir("completion-scripts")]);
  for (const args of [["--help"], ...names.map((shell) => ["completion", shell])])
    printed.set(args.join(" "), (await runUsher(args)).printed);
});
afterAll(() => Promise.all([folder.remove(), scripts.remove()]));

/** Each answers what its shell offers for the last word. */
const shells = {
  bash(...words: string[]): string[] {
    const run = `${usher("completion", "bash")}\ncomplete -p usher >&2 || exit 1
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _usher; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["--norc", "-c", run, "bash", "usher", ...words], { encoding: "utf8", stdio }).split(
      "\n",
    );
  },

  // Its completion system runs in a line that is edited; what it is given is seen here by what offers it.
  zsh(...words: string[]): string[] {
    const run = `compdef() { [[ $1 == _usher && $2 == usher ]] || exit 1 }; _files() { : }
_describe() { local each; for each in "\${(@P)2}"; do each="\${each%%:*}"; [[ $each == "$words[CURRENT]"* ]] && print -r -- "$each"; done; true }
${usher("completion", "zsh")}
words=("$@"); CURRENT=$#; _usher`;
    return execFileSync("zsh", ["-f", "-c", run, "zsh", "usher", ...words], { encoding: "utf8", stdio }).split("\n");
  },

  fish(...words: string[]): string[] {
    const run = `${usher("completion", "fish")}\ncomplete -C "$argv"`;
    const line = ["usher", ...words].join(" ");
    // Where there are no files, none is offered.
    const printed = execFileSync("fish", ["--no-config", "-c", run, line], {
      encoding: "utf8",
      stdio,
      cwd: folder.path,
    });
    return printed.split("\n").map((text) => text.split("\t")[0] ?? "");
  },
};
type Shell = keyof typeof shells;
const names = Object.keys(shells) as Shell[];
const isInstalled = (shell: Shell) => findProgram(shell) !== undefined;

describe.each(names)("%s", (shell) => {
  const offered = (...words: string[]) =>
    shells[shell](...words)
      .filter((word) => word !== "")
      .sort();

  test.runIf(isInstalled(shell))("offers every command of the help, each once", () => {
    const listed = [...usher("--help").matchAll(/^ {2}([a-z][a-z-]+)/gm)].map(([, name]) => name);
    expect(listed).toContain("audit");
    const found = offered("");
    expect(found).toEqual(expect.arrayContaining(listed.filter((name) => name !== "help")));
    expect(new Set(found).size).toBe(found.length);
  });

  test.runIf(isInstalled(shell)).each([
    [["aud"], ["audit"]],
    [["audit", "e"], ["export"]],
    [["audit", "export", "--o"], ["--out"]],
    [["audit", "list", "--room", "open", "--fol"], ["--follow"]],
    [["rate", "open", "--from"], ["--from-file"]],
    [["completion", "b"], ["bash"]],
    [
      ["completion", ""],
      ["bash", "fish", "zsh"],
    ],
    [["check", "--wit"], ["--without-secrets"]],
    [["nothing-like-it"], []],
  ])("%j is completed by %j", (words, expected) => {
    const found = offered(...words);
    // Options are offered with what has none by some shells, and by others only behind a hyphen.
    expect(found.filter((word) => (words.at(-1) === "" ? !word.startsWith("-") : true))).toEqual(expected);
  });

  test.runIf(isInstalled(shell))("offers nothing of ours behind an option with a value", () => {
    expect(offered("audit", "export", "--out", "").filter((word) => word === "--from" || word === "audit")).toEqual([]);
  });

  test.runIf(isInstalled(shell))("reads the script without a fault", () => {
    const file = join(scripts.path, shell);
    writeFileSync(file, usher("completion", shell));
    expect(execFileSync(shell, ["-n", file], { encoding: "utf8" })).toBe("");
  });

  test("has all commands of the help in its script, and closes what it opens", () => {
    const script = usher("completion", shell);
    for (const [, name = ""] of usher("--help").matchAll(/^ {2}([a-z][a-z-]+)/gm)) {
      if (name !== "help") expect(script).toMatch(new RegExp(`[' "]${name}[' ":]`));
    }
    const count = (pattern: RegExp) => [...script.matchAll(pattern)].length;
    if (shell === "fish") expect(count(/^\s*(function|for|switch)\b/gm)).toBe(count(/^\s*end$/gm));
    else expect([count(/\bcase "/g), count(/; do$/gm)]).toEqual([count(/^\s*esac$/gm), count(/^\s*done$/gm)]);
  });
});

test("another shell is refused with those that there are", async () => {
  const { code, failure } = await runUsher(["completion", "csh"]);
  expect([code, failure]).toEqual([2, expect.stringMatching(/Allowed choices are bash, zsh, fish/)]);
});
