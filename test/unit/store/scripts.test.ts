import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createKeys, roomKeyNames } from "../../../src/store/redis/keys.ts";
import { composeScript, partFile } from "../../../src/store/redis/script-texts.ts";
import { type ScriptSpec, scripts } from "../../../src/store/redis/scripts.ts";

const folder = new URL("../../../src/store/redis/lua/", import.meta.url);
const specs: ScriptSpec<string, string, unknown>[] = Object.values(scripts);
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".lua"));
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");
const mentioned = (text: string, table: string) =>
  [...text.matchAll(new RegExp(`\\b${table}\\.(\\w+)|\\b${table}\\['(\\w+)'\\]`, "g"))].map((m) => m[1] ?? m[2] ?? "");

describe("the table of scripts", () => {
  it("names every Lua file and no other", () => {
    const named = new Set(specs.flatMap((spec) => [`${spec.name}.lua`, ...spec.uses.map(partFile)]));
    expect([...named].toSorted()).toEqual(files.toSorted());
  });

  it.each(specs.map((spec) => [spec.name, spec] as const))("declares just what %s uses", (name, spec) => {
    const own = read(`${name}.lua`);
    const { text } = composeScript(spec);
    const body = text.split("\n").slice(2).join("\n");
    expect(mentioned(own, "arg").every((arg) => spec.args.includes(arg))).toBe(true);
    expect(spec.args.every((arg) => mentioned(body, "arg").includes(arg))).toBe(true);
    expect(spec.keys.filter((key) => !mentioned(body, "key").includes(key) && name !== "check-server")).toEqual([]);
    expect(mentioned(body, "key").filter((key) => !spec.keys.includes(key))).toEqual([]);
  });

  it("takes of the shared parts what a script uses, and all of that", () => {
    for (const spec of specs) {
      const { text } = composeScript(spec);
      const defined = [...text.matchAll(/^local function (\w+)/gm)].map((m) => m[1] ?? "");
      for (const name of defined) expect(text.split(new RegExp(`\\b${name}\\b`)).length, name).toBeGreaterThan(2);
      const whole = spec.uses.map((name) => read(partFile(name))).join("\n");
      const missing = [...whole.matchAll(/^local (?:function )?(\w+)/gm)]
        .map((m) => m[1] ?? "")
        .filter((name) => !new RegExp(`^local (function )?${name}\\b`, "m").test(text))
        .filter((name) => new RegExp(`(?<![.'\\w])${name}\\(`).test(text));
      expect(missing, spec.name).toEqual([]);
    }
  });

  it("takes the time from Redis alone", () => {
    const timely = files.filter((name) => /redis\.call\('TIME'/.test(read(name)));
    // `contribute` names an incarnation by it, in microseconds.
    expect(timely.toSorted()).toEqual(["contribute.lua", "lib/clock.lua"]);
    for (const spec of specs) expect(spec.args.filter((arg) => /now|time/.test(arg))).toEqual([]);
  });

  it("never uses commands that look through the whole store, nor unbounded loops", () => {
    for (const name of files) {
      const text = read(name);
      expect(text, name).not.toMatch(/'(KEYS|SCAN|HGETALL|SMEMBERS|FLUSHALL|FLUSHDB)'/);
      expect(text, name).not.toMatch(/while true|repeat/);
    }
  });

  it("opens every file with a header", () => {
    for (const name of files) expect(read(name), name).toMatch(/^-- [A-Z].*\n/);
    for (const spec of specs) expect(read(`${spec.name}.lua`), spec.name).toMatch(/^--.*KEYS: /m);
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
