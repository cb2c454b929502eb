import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ScriptSpec } from "./scripts.ts";

/** A script ready to be sent. */
export interface ScriptText {
  readonly text: string;
  readonly sha1: string;
}

/**
 * Puts a script together: the tables `key` and `arg`, the shared parts, the file itself. The files lie in `lua/`
 * beside this module; the build copies them.
 *
 * @param replaced Texts that stand in for shared parts; only tests, which move the clock, give any.
 */
export function composeScript(
  spec: ScriptSpec<string, string, unknown>,
  replaced: Readonly<Record<string, string>> = {},
): ScriptText {
  const parts = spec.uses.map((name) => replaced[name] ?? readLua(`lib/${name}.lua`));
  const text = [
    table("key", "KEYS", spec.keys),
    table("arg", "ARGV", spec.args),
    ...parts.map(withoutComments),
    withoutComments(readLua(`${spec.name}.lua`)),
  ].join("\n");
  return { text, sha1: createHash("sha1").update(text).digest("hex") };
}

function table(name: string, source: string, names: readonly string[]): string {
  const members = names.map((member, index) => `["${member}"]=${source}[${index + 1}]`);
  return `local ${name} = { ${members.join(", ")} }`;
}

function readLua(path: string): string {
  return readFileSync(new URL(`./lua/${path}`, import.meta.url), "utf8");
}

/** Line numbers in error messages stay those of the files' parts; only the words go. */
function withoutComments(lua: string): string {
  return lua.replaceAll(/^\s*--.*$/gm, "");
}
