import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ScriptSpec } from "./scripts.ts";

/** Parts that functions of all others use: the state, and the bindings of its collections. They come first. */
const everywhere = ["prelude", "ports", "count-log", "position-set"];

/** A script ready to be sent. */
export interface ScriptText {
  readonly text: string;
  readonly sha1: string;
}

/**
 * Puts a script together: the tables `key` and `arg`, the functions it uses of the shared parts, the file itself. The
 * files lie in `lua/` beside this module; the build copies them.
 *
 * @param replaced Texts that stand in for shared parts; only tests, which move the clock, give any.
 */
export function composeScript(
  spec: ScriptSpec<string, string, unknown>,
  replaced: Readonly<Record<string, string>> = {},
): ScriptText {
  const parts = spec.uses.map((name) => withoutComments(replaced[name] ?? readLua(partFile(name))));
  const own = withoutComments(readLua(`${spec.name}.lua`));
  const outer = Math.max(...everywhere.map((name) => spec.uses.indexOf(name))) + 1;
  const [used, rest] = withoutUnused([parts.slice(0, outer).join("\n"), parts.slice(outer).join("\n")], own);
  const text = [
    table("key", "KEYS", spec.keys),
    table("arg", "ARGV", spec.args),
    ...(outer === 0 ? [rest, own] : [used, withinFunction(`${rest}\n${own}`)]),
  ].join("\n");
  return { text, sha1: createHash("sha1").update(text).digest("hex") };
}

function table(name: string, source: string, names: readonly string[]): string {
  const members = names.map((member, index) => `["${member}"]=${source}[${index + 1}]`);
  return `local ${name} = { ${members.join(", ")} }`;
}

/** Where a shared part lies: in lib/, or where its name says. */
export function partFile(name: string): string {
  return name.includes("/") ? `${name}.lua` : `lib/${name}.lua`;
}

function readLua(path: string): string {
  return readFileSync(new URL(`./lua/${path}`, import.meta.url), "utf8");
}

/**
 * Leaves out what is not used: Redis runs a script from its first line at every call, and makes all of its functions
 * anew. What a part defines begins at the beginning of a line, and uses nothing that comes after; so what is used is
 * known from the end on.
 */
function withoutUnused(texts: readonly string[], own: string): string[] {
  const used = new Set(wordsOf(own));
  const keptOf = (text: string) => {
    const kept: string[] = [];
    for (const block of text.split(/^(?=\S)(?!end\b|[}\])])/m).toReversed()) {
      const defined = /^local (?:function )?(\w+)/.exec(block)?.[1];
      if (defined !== undefined && !used.has(defined)) continue;
      for (const word of wordsOf(block)) used.add(word);
      kept.push(block);
    }
    return kept.toReversed().join("");
  };
  return texts.toReversed().map(keptOf).toReversed();
}

/**
 * What most functions use, `everywhere`, stays outside of the function that holds the others. To Lua each variable that one
 * function uses of another is a link in a list that it goes through, from the latest on, for every function that is made;
 * what comes from outside is at hand. That is a tenth of the time of a script.
 */
function withinFunction(lua: string): string {
  return `return (function()\n${lua}\nend)()`;
}

function wordsOf(lua: string): string[] {
  return lua.match(/[A-Za-z_]\w*/g) ?? [];
}

/** Redis reads the whole text of a script, and Lua needs no words; empty lines stay in their place. */
function withoutComments(lua: string): string {
  return lua.replaceAll(/^\s*--.*$/gm, "");
}
