import { createHash } from "node:crypto";
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { CachedKeys, createKeyFile, readKeyFiles } from "../../../../../src/room/replica/keys.ts";
import { tempDirOfTest } from "../../../../support/temp-dir-of-test.ts";

const nameOf = (index: number) =>
  createHash("sha256").update(`${index}`).digest().subarray(0, 16).toString("base64url");
const keysUpTo = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: nameOf(index), number: index + 1, isAgain: index % 7 === 0 }));

test("known keys are found by their names and told in order, and cost what docs/invitations.md says", () => {
  const known = new CachedKeys();
  const keys = keysUpTo(20_000);
  expect(keys.filter((key) => known.learn(key))).toHaveLength(keys.length);
  expect(keys.filter((key) => known.learn(key))).toEqual([]);
  expect(known.size).toBe(keys.length);
  for (const { name, number } of keys.filter((_, index) => index % 97 === 0)) expect(known.numberOf(name)).toBe(number);
  expect(known.numberOf(nameOf(20_001))).toBe(0);
  expect(isDeepStrictEqual(known.slice(0, 60_000), keys)).toBe(true);
  expect(known.slice(10, 12)).toEqual(keys.slice(10, 12));
  expect(known.bytes / known.size).toBeGreaterThanOrEqual(32);
  expect(known.bytes / known.size).toBeLessThanOrEqual(64);
  const again = { name: nameOf(3), number: 60_000, isAgain: true };
  expect(known.learn(again)).toBe(true);
  expect([known.numberOf(again.name), known.size]).toEqual([60_000, keys.length]);
  expect(known.slice(3, 4)).toEqual([again]);
  expect(known.learn({ ...again, name: "short" })).toBe(false);
  known.clear();
  expect([known.size, known.numberOf(again.name)]).toEqual([0, 0]);
});

test("the file of keys is added to, goes on after a restart, and begins anew with another edition", () => {
  const directory = tempDirOfTest("keys");
  const path = join(directory, "host-1.shop.keys");
  const open = () => createKeyFile(directory, "host-1", "shop", (error) => expect.fail(String(error)));
  const known = new CachedKeys();
  const add = (file: ReturnType<typeof open>, edition: number, from: number, to: number) => {
    const news = keysUpTo(to).slice(from);
    for (const key of news) known.learn(key);
    file.add(edition, news, known);
  };
  const file = open();
  expect(file.resume(5)).toEqual([]);
  add(file, 5, 0, 3);
  add(file, 5, 3, 10);
  expect(readKeyFiles(directory, "shop")).toEqual([{ edition: 5, keys: keysUpTo(10) }]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  file.close();
  // A row that the machine did not write to its end.
  appendFileSync(path, Buffer.alloc(11));
  const later = open();
  expect(later.resume(5)).toEqual(keysUpTo(10));
  add(later, 5, 10, 12);
  expect(readKeyFiles(directory, "shop")).toEqual([{ edition: 5, keys: keysUpTo(12) }]);
  expect(later.resume(6)).toEqual([]);
  known.clear();
  add(later, 6, 0, 1);
  expect(readKeyFiles(directory, "shop")).toEqual([{ edition: 6, keys: keysUpTo(1) }]);
  expect(readKeyFiles(directory, "op")).toEqual([]);
  later.forget();
  expect(readKeyFiles(directory, "shop")).toEqual([]);
});

test("a file of keys that cannot be written is told, and written whole when it can be", () => {
  const directory = tempDirOfTest("keys");
  const failures: unknown[] = [];
  writeFileSync(join(directory, "file"), "");
  const file = createKeyFile(join(directory, "file"), "host-1", "shop", (error) => failures.push(error));
  const known = new CachedKeys();
  const [key] = keysUpTo(1);
  if (key === undefined) throw new Error("no key");
  known.learn(key);
  file.add(1, [key], known);
  expect(failures).toHaveLength(1);
  expect(readFileSync(join(directory, "file"), "utf8")).toBe("");
});
