import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("./lua/", import.meta.url);
/** Parts that functions of all others use: the state, and the bindings of its collections. They come first. */
const everywhere = new Set(["generated/fields", "lib/prelude", "lib/ports", "lib/count-log", "lib/position-set"]);

/** A function of Lua has 200 variables at most. Those beyond stand in a function within, which may use 60 of what is outside of it. */
const variablesMax = 195;

/** A script ready to be sent. */
export interface ScriptText {
  readonly text: string;
  readonly sha1: string;
  /** Names of the keys and arguments that it uses, in the order in which it takes them. */
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** What a shared part defines, from the beginning of a line on. */
interface Definition {
  readonly name: string;
  readonly part: string;
  readonly text: string;
  readonly words: readonly string[];
}

/** The shared parts of scripts: what `lua/lib` and `lua/generated` define, by name. */
export type LuaLibrary = ReadonlyMap<string, Definition>;

/**
 * Reads the shared parts. They lie beside this module; the build copies them.
 *
 * @param replaced texts that stand in for shared parts, by name; only tests, which move the clock, give any
 * @throws TypeError where two parts define one name
 */
export function readLibrary(replaced: Readonly<Record<string, string>> = {}): LuaLibrary {
  const library = new Map<string, Definition>();
  for (const part of ["lib", "generated"].flatMap((name) => luaFiles(name))) {
    const lua = withoutComments(replaced[part] ?? readLua(part));
    for (const text of lua.split(/^(?=local )/m)) {
      const name = /^local (?:function )?(\w+)/.exec(text)?.[1];
      if (name === undefined) continue;
      if (library.has(name)) throw new TypeError(`two parts of the Lua scripts define ${name}`);
      library.set(name, { name, part, text, words: wordsOf(text) });
    }
  }
  return library;
}

function luaFiles(name: string): string[] {
  const files = readdirSync(new URL(`${name}/`, folder)).filter((file) => file.endsWith(".lua"));
  return files.map((file) => `${name}/${file.replace(/\.lua$/, "")}`);
}

/**
 * Puts a script together: the tables `key` and `arg` of what it uses, the shared functions it uses, and its own text.
 * It has none but those: Redis runs a script from its first line at every call, and makes all of its functions anew.
 *
 * @param extraKeys that it is given, though it does not name them
 */
export function composeScript(library: LuaLibrary, scriptText: string, extraKeys: readonly string[] = []): ScriptText {
  const lua = withoutComments(scriptText);
  const used = definitionsFor(library, lua);
  const textOf = (definitions: readonly Definition[]) => definitions.map(({ text }) => text).join("\n");
  const inner = used.filter(({ part }) => !everywhere.has(part));
  const last = inner.slice(variablesMax);
  const nested = last.length === 0 ? lua : withinFunction(`${textOf(last)}\n${lua}`);
  const within = withinFunction(`${textOf(inner.slice(0, variablesMax))}\n${nested}`);
  const body = `${textOf(used.filter(({ part }) => everywhere.has(part)))}\n${within}`;
  const keys = [...new Set([...extraKeys, ...membersOf("key", body)])];
  const args = membersOf("arg", body);
  const text = [...tableOf("key", "KEYS", keys), ...tableOf("arg", "ARGV", args), body].join("\n");
  return { text, sha1: createHash("sha1").update(text).digest("hex"), keys, args };
}

/** What a text uses, and what that uses, in an order in which each comes after what it uses. */
function definitionsFor(library: LuaLibrary, scriptText: string): Definition[] {
  const ordered = new Set<Definition>();
  const visiting = new Set<string>();
  const add = (word: string) => {
    const definition = library.get(word);
    if (definition === undefined || ordered.has(definition)) return;
    if (visiting.has(word)) throw new TypeError(`${word} of the Lua scripts is part of a circle`);
    visiting.add(word);
    for (const used of definition.words) if (used !== word) add(used);
    ordered.add(definition);
  };
  for (const word of wordsOf(scriptText)) add(word);
  return [...ordered];
}

function tableOf(name: string, source: string, names: readonly string[]): string[] {
  const members = names.map((member, index) => `["${member}"]=${source}[${index + 1}]`);
  return names.length === 0 ? [] : [`local ${name} = { ${members.join(", ")} }`];
}

function membersOf(table: string, lua: string): string[] {
  const found = lua.matchAll(new RegExp(`\\b${table}(?:\\.|\\[')(\\w+)`, "g"));
  return [...new Set(Array.from(found, ([, member = ""]) => member))];
}

/** The text of a file below `lua/`. */
export function readLua(path: string): string {
  return readFileSync(new URL(`${path}.lua`, folder), "utf8");
}

/**
 * What most functions use, `everywhere`, stays outside of the function that holds the others. To Lua each variable that one
 * function uses of another is a link in a list that it goes through, from the latest on, for every function that is made;
 * what comes from outside is at hand. That is a tenth of the time of a script.
 */
function withinFunction(lua: string): string {
  return `return (function()\n${lua}\nend)()`;
}

/** Names of variables: neither texts nor members are. */
function wordsOf(lua: string): string[] {
  return lua.replaceAll(/"[^"]*"|'[^']*'|\.\w+/g, " ").match(/[A-Za-z_]\w*/g) ?? [];
}

/** Redis reads the whole text of a script, and Lua needs no words; empty lines stay in their place. */
function withoutComments(lua: string): string {
  return lua.replaceAll(/^\s*--.*$/gm, "");
}
