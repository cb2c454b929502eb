import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("./lua/", import.meta.url);
/** A subtree of fewer functions is made at once: the closure that would make it later costs as much. */
const lazyFrom = 4;

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
  readonly text: string;
  readonly words: readonly string[];
  readonly isFunction: boolean;
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
      const [, functionWord, name] = /^local (function )?(\w+)/.exec(text) ?? [];
      if (name === undefined) continue;
      if (library.has(name)) throw new TypeError(`two parts of the Lua scripts define ${name}`);
      library.set(name, { name, text, words: wordsOf(text), isFunction: functionWord !== undefined });
    }
  }
  return library;
}

function luaFiles(name: string): string[] {
  const files = readdirSync(new URL(`${name}/`, folder)).filter((file) => file.endsWith(".lua"));
  return files.map((file) => `${name}/${file.replace(/\.lua$/, "")}`);
}

/**
 * Puts a script together: the tables `key` and `arg` of what it uses, the shared variables and functions it uses, and its own text.
 * It has none but those, and makes most of its functions when they are first needed: Redis runs a script from its first line at
 * every call, and making functions is the dearest part of many.
 *
 * Functions are members of tables, not variables: a function of Lua has 200 variables at most, and each variable that one uses of
 * another is a link in a list that it goes through whenever a function is made.
 *
 * @param extraKeys that it is given, though it does not name them
 */
export function composeScript(library: LuaLibrary, scriptText: string, extraKeys: readonly string[] = []): ScriptText {
  const lua = withoutComments(scriptText);
  const used = definitionsFor(library, lua);
  const variables = used.filter(({ isFunction }) => !isFunction);
  const values = new Set([lua, ...used.map(({ text }) => text)].flatMap(valuesIn));
  const tree = dominatorTree(
    [lua, ...variables.map(({ text }) => text)].flatMap(wordsOf),
    new Map(used.filter(({ isFunction }) => isFunction).map((definition) => [definition.name, definition])),
  );
  const functions = functionTable("fn", tree, new Map(), values);
  const link = (text: string) => withTables(text, functions.tables);
  const body = withoutUnusedFields([...variables.map(({ text }) => link(text)), functions.text, link(lua)].join("\n"));
  const keys = [...new Set([...extraKeys, ...membersOf("key", body)])];
  const args = membersOf("arg", body);
  const text = [...tableOf("key", "KEYS", keys), ...tableOf("arg", "ARGV", args), "local fn", body].join("\n");
  return { text, sha1: createHash("sha1").update(text).digest("hex"), keys, args };
}

/** Functions, each with those that are only called through it. */
type FunctionTree = readonly { readonly definition: Definition; readonly within: FunctionTree }[];

/**
 * The dominator tree of the functions that call each other, by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
 *
 * @param entry words by which some are called from outside
 * @throws TypeError where functions call each other in a circle
 */
function dominatorTree(entry: readonly string[], functions: ReadonlyMap<string, Definition>): FunctionTree {
  const root = "";
  const callersOf = new Map<string, string[]>();
  const order: string[] = [];
  const visiting = new Set<string>();
  const visit = (name: string, words: readonly string[]) => {
    callersOf.set(name, []);
    visiting.add(name);
    for (const word of new Set(words)) {
      if (!functions.has(word) || word === name) continue;
      if (visiting.has(word)) throw new TypeError(`${word} of the Lua scripts is part of a circle`);
      if (!callersOf.has(word)) visit(word, functions.get(word)?.words ?? []);
      callersOf.get(word)?.push(name);
    }
    visiting.delete(name);
    order.unshift(name);
  };
  visit(root, entry);
  const rank = new Map(order.map((name, index) => [name, index]));
  const rankOf = (name: string) => rank.get(name) ?? 0;
  const dominators = new Map([[root, root]]);
  const common = (one: string, other: string): string => {
    if (one === other) return one;
    const [nearer, farther] = rankOf(one) < rankOf(other) ? [one, other] : [other, one];
    return common(nearer, dominators.get(farther) ?? root);
  };
  // No circles: in this order all callers come before what they call.
  for (const name of order.slice(1)) dominators.set(name, (callersOf.get(name) ?? []).reduce(common));
  const within = (dominator: string): FunctionTree =>
    order
      .filter((name) => name !== root && dominators.get(name) === dominator)
      .flatMap((name) => {
        const definition = functions.get(name);
        return definition === undefined ? [] : [{ definition, within: within(name) }];
      });
  return within(root);
}

interface FunctionTable {
  readonly text: string;
  /** The tables that hold functions, by the names of these. */
  readonly tables: ReadonlyMap<string, string>;
}

/**
 * Lua that fills the table `table` with functions. One that leads to several others makes those in a table of their own when it is
 * first called, and is then replaced by itself.
 *
 * @param outer the tables of the functions outside
 * @param values names of functions that are passed as values: these are made at once, since their receiver would call the maker each time
 */
function functionTable(
  table: string,
  tree: FunctionTree,
  outer: FunctionTable["tables"],
  values: ReadonlySet<string>,
): FunctionTable {
  const listed = listFunctions(tree, values);
  const tables = new Map([...outer, ...listed.map(({ definition }) => [definition.name, table] as const)]);
  const members = listed.map(({ definition: { name, text }, within }, index) => {
    const textFor = (known: FunctionTable["tables"]) => `function${withTables(text.slice(text.indexOf("(")), known)}`;
    if (within.length === 0) return `${name} = ${textFor(tables).trimEnd()},`;
    const inner = functionTable(`${table}_${index}`, within, tables, values);
    // Not `...`: with that, Lua has a variable `arg` of its own.
    const parameters = (/\(([^)]*)\)/.exec(text)?.[1] ?? "").split(",").filter((word) => word.trim() !== "");
    const passed = parameters.map((_, at) => `_${at}`).join(", ");
    const own = `local ${table}_${index}\n${inner.text}\n${table}.${name} = ${textFor(inner.tables).trimEnd()}`;
    return `${name} = function(${passed})\n${own}\nreturn ${table}.${name}(${passed})\nend,`;
  });
  return { text: [`${table} = {`, ...members, "}"].join("\n"), tables };
}

/** The members of one table. A subtree that is made at once stands beside its root. */
function listFunctions(tree: FunctionTree, values: ReadonlySet<string>): FunctionTree {
  return tree.flatMap(({ definition, within }) => {
    const isMadeLater = sizeOf(within) >= lazyFrom && !values.has(definition.name);
    return isMadeLater ? [{ definition, within }] : [{ definition, within: [] }, ...listFunctions(within, values)];
  });
}

function sizeOf(tree: FunctionTree): number {
  return tree.reduce((sum, { within }) => sum + 1 + sizeOf(within), 0);
}

/** Names that stand for themselves, without a call or an assignment. */
function valuesIn(lua: string): string[] {
  return lua.replaceAll(/"[^"]*"|'[^']*'|\.\w+/g, " ").match(/[A-Za-z_]\w*\b(?!\s*[(=])/g) ?? [];
}

/** Names of functions, with the tables that hold them. What stands before a `=` names a member. */
function withTables(lua: string, tables: ReadonlyMap<string, string>): string {
  return lua.replaceAll(/"[^"\n]*"|'[^'\n]*'|\.?[A-Za-z_]\w*(\s*=(?!=))?/g, (word, assigned?: string) => {
    const table = assigned === undefined ? tables.get(word) : undefined;
    return table === undefined ? word : `${table}.${word}`;
  });
}

/** What a text uses, and what that uses: variables in an order in which each comes after those that it names itself. */
function definitionsFor(library: LuaLibrary, scriptText: string): Definition[] {
  const found = new Set<Definition>();
  const find = (words: readonly string[]) => {
    for (const word of words) {
      const definition = library.get(word);
      if (definition === undefined || found.has(definition)) continue;
      found.add(definition);
      find(definition.words);
    }
  };
  find(wordsOf(scriptText));
  const ordered = new Set<Definition>();
  const add = (definition: Definition) => {
    if (definition.isFunction) return;
    for (const word of definition.words) {
      const other = library.get(word);
      if (other !== undefined && other !== definition && !ordered.has(other)) add(other);
    }
    ordered.add(definition);
  };
  for (const definition of found) add(definition);
  return [...ordered, ...[...found].filter(({ isFunction }) => isFunction)];
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

/** Drops the fields that the script does not name from the tables of fields: Lua makes these tables anew at every call, too. */
function withoutUnusedFields(lua: string): string {
  const member = /^ {2}\["(\w+)"\] = .*\n/gm;
  const named = new Set(lua.replaceAll(member, "").match(/\w+/g));
  return lua.replaceAll(member, (line, name: string) => (named.has(name) ? line : ""));
}

/** Names of variables: neither texts nor members are. */
function wordsOf(lua: string): string[] {
  return lua.replaceAll(/"[^"]*"|'[^']*'|\.\w+/g, " ").match(/[A-Za-z_]\w*/g) ?? [];
}

/** Redis reads the whole text of a script, and Lua needs no words; empty lines stay in their place. */
function withoutComments(lua: string): string {
  return lua.replaceAll(/^\s*--.*$/gm, "");
}
