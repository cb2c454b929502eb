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
const others = [
  "group",
  "group_log",
  "answers",
  "fingerprints",
  "installation",
  "document",
  "record",
  "grant",
  "index",
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

  it("takes of the shared parts what a script uses, and all of that, in an order that Lua knows", () => {
    for (const spec of specs) {
      const { text, keys } = compose(spec);
      const defined = [...text.matchAll(/^local (?:function )?(\w+)/gm)].map((m) => m[1] ?? "");
      const hasKeyless = spec.keys !== undefined && keys.length === spec.keys.length;
      const words = text.match(/\w+/g) ?? [];
      const times = (name: string) => words.filter((word) => word === name).length;
      const once = defined.filter((each) => (each !== "key" || !hasKeyless) && times(each) < 2);
      expect(once, spec.name).toEqual([]);
      for (const name of library.keys()) {
        if (!text.includes(`${name}(`)) continue;
        const at = text.search(new RegExp(`(?<![.'\\w])${name}\\(`));
        if (at >= 0) expect(text.search(new RegExp(`^local (function )?${name}\\b`, "m")), name).toBeLessThan(at);
        if (at >= 0) expect(defined, spec.name).toContain(name);
      }
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
