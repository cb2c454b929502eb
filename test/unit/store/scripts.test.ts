import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createKeys, roomKeyNames } from "../../../src/store/redis/keys.ts";
import { composeScript, readLibrary, readLua } from "../../../src/store/redis/script-texts.ts";
import { type ScriptSpec, scripts } from "../../../src/store/redis/scripts.ts";

const folder = new URL("../../../src/store/redis/lua/", import.meta.url);
const specs: ScriptSpec<unknown>[] = Object.values(scripts);
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".lua"));
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");
const library = readLibrary();
const compose = (spec: ScriptSpec<unknown>) => composeScript(library, spec.lua ?? readLua(spec.name), spec.keys);
/** That a text of Lua declares, within its functions too, but for those functions that begin a line: these are shared. */
function variablesOf(lua: string): string[] {
  const lists = lua.matchAll(
    /\blocal (?!function)([\w, ]+?)\s*(?:=|$)|\bfunction\b[^(\n]*\(([^)]*)\)|\bfor ([\w, ]+?) (?:in|=)/gm,
  );
  const functions = lua.matchAll(/(?<!^)\blocal function (\w+)/g);
  const names = [...lists].flatMap(([, locals = "", parameters = "", loop = ""]) => [locals, parameters, loop]);
  return [...names.flatMap((list) => list.match(/\w+/g) ?? []), ...Array.from(functions, ([, name = ""]) => name)];
}

const others = [
  "group",
  "group_log",
  "answers",
  "fingerprints",
  "installation",
  "document",
  "record",
  "grant",
  "audit",
  "watchers",
  "processes",
];

describe("the table of scripts", () => {
  it("names every Lua file and no other", () => {
    const named = specs.filter(({ lua }) => lua === undefined).map((spec) => `${spec.name}.lua`);
    expect(named.toSorted()).toEqual(files.filter((name) => !name.includes("/")).toSorted());
  });

  it.each(specs.map((spec) => [spec.name, spec] as const))("gives %s keys that there are", (_name, spec) => {
    expect(compose(spec).keys.filter((key) => ![...roomKeyNames, ...others].includes(key))).toEqual([]);
  });

  it.each(specs.map((spec) => [spec.name, spec] as const))("gives %s what it uses, and no more", (_name, spec) => {
    const { text, keys } = compose(spec);
    const code = text.replaceAll(/"[^"\n]*"|'[^'\n]*'/g, "''");
    const variables = [...code.matchAll(/^local (?:function )?(\w+)/gm)].map((match) => match[1] ?? "");
    const hasKeyless = spec.keys !== undefined && keys.length === spec.keys.length;
    const words = code.match(/\w+/g) ?? [];
    const isUsed = (name: string) => words.filter((word) => word === name).length > 1;
    const unused = variables.filter((name) => !isUsed(name) && name !== "fn" && (name !== "key" || !hasKeyless));
    expect(unused).toEqual([]);
    const made = [...code.matchAll(/^(\w+) = function/gm)].map((match) => match[1] ?? "");
    expect(new Set(made).size).toBe(made.length);
    for (const { name, isFunction } of library.values()) {
      if (isFunction) expect(code, name).not.toMatch(new RegExp(`(?<![.\\w])${name}\\(`));
      if (isFunction && code.includes(`.${name}(`)) expect(made).toContain(name);
    }
  });

  it("makes what one function alone leads to when that is first called", () => {
    const lua = (name: string, body: string) => `local function ${name}(a, b)\n  ${body}\nend\n`;
    const functions = [lua("one", "return 1"), lua("two", "return one()"), lua("three", "return two() + one()")];
    const all = [
      ...functions,
      lua("four", "return three(a)"),
      lua("five", "return four(a) + b"),
      lua("six", "return 6"),
    ];
    const { text } = composeScript(readLibrary({ "lib/clock": all.join("") }), "return five(1, 2) + six()");
    expect(text.split("\n").filter((line) => line.trim() !== "")).toEqual([
      "local fn",
      "fn = {",
      "six = function(a, b)",
      "  return 6",
      "end,",
      "five = function(_0, _1)",
      "local fn_1",
      "fn_1 = {",
      "four = function(a, b)",
      "  return fn_1.three(a)",
      "end,",
      "three = function(a, b)",
      "  return fn_1.two() + fn_1.one()",
      "end,",
      "two = function(a, b)",
      "  return fn_1.one()",
      "end,",
      "one = function(a, b)",
      "  return 1",
      "end,",
      "}",
      "fn.five = function(a, b)",
      "  return fn_1.four(a) + b",
      "end",
      "return fn.five(_0, _1)",
      "end,",
      "}",
      "return fn.five(1, 2) + fn.six()",
    ]);
  });

  it("makes at once what is handed on: it would else be made again by each who calls it", () => {
    const functions = "local function one() return 1 end\nlocal function two() return one() end\n";
    const chain = ["three() return two()", "four() return three()", "five() return four()", "six() return five()"];
    const all = functions + chain.map((text) => `local function ${text} end\n`).join("");
    const compose = (lua: string) => composeScript(readLibrary({ "lib/clock": all }), lua).text;
    expect(compose("return six()")).toMatch(/six = function\(\)\nlocal fn_0/);
    expect(compose("return pcall(six)")).toMatch(/six = function\(\) return fn.five\(\) end,/);
  });

  it("has no variable that is named like a shared function, nor a script one that is named like anything shared", () => {
    for (const [name, { text }] of library) {
      expect(
        variablesOf(text).filter((one) => one !== name && library.get(one)?.isFunction),
        name,
      ).toEqual([]);
    }
    for (const spec of specs) {
      const text = spec.lua ?? readLua(spec.name);
      expect(
        variablesOf(text).filter((one) => library.has(one)),
        spec.name,
      ).toEqual([]);
    }
  });

  it("takes no two definitions of one name", () => {
    expect(() => readLibrary({ "lib/clock": "local function clamp_step() end" })).toThrow("clamp_step");
  });

  it("takes the time from Redis alone", () => {
    const timely = files.filter((name) => /redis\.call\('TIME'/.test(read(name)));
    // An incarnation is named by it, in microseconds.
    expect(timely.toSorted()).toEqual(["lib/clock.lua", "lib/server.lua"]);
    for (const spec of specs) expect(compose(spec).args.filter((arg) => /now|time/.test(arg))).toEqual([]);
  });

  it("never uses commands that look through the whole store, nor unbounded loops", () => {
    for (const name of files) {
      const text = read(name);
      expect(text, name).not.toMatch(/'(KEYS|SCAN|HGETALL|SMEMBERS|FLUSHALL|FLUSHDB)'/);
      expect(text, name).not.toMatch(/while true|\brepeat\b/);
    }
  });

  it("opens every file with a header", () => {
    for (const name of files) expect(read(name), name).toMatch(/^-- [A-Z].*\n/);
  });
});

describe("keys", () => {
  it("share one hash tag per room", () => {
    const keys = createKeys("usher:");
    const noGroup = Object.values(keys.group("tickets", ""));
    const all = [...Object.values(keys.room("tickets")), ...noGroup, keys.request("tickets", "id{x}")];
    expect(all).toHaveLength(roomKeyNames.length + 3);
    expect(new Set(all).size).toBe(all.length);
    for (const key of all) expect(/\{([^}]*)\}/.exec(key)?.[1]).toBe("tickets");
    for (const key of all) expect(key.startsWith("usher:")).toBe(true);
  });

  it("of a shared outflow are the same for all its rooms", () => {
    const keys = createKeys("usher:");
    expect(keys.group("one", "shop")).toEqual(keys.group("two", "shop"));
    expect(new Set([...Object.values(keys.group("one", "shop")), ...Object.values(keys.group("one", "x"))]).size).toBe(
      4,
    );
  });
});
