import { Readable } from "node:stream";
import type { Context } from "koa";
import { expect, test } from "vitest";
import { boundJson, readForm, readJson } from "../../../../src/web/middleware/read-body.ts";

const items = (count: number) => Array.from({ length: count }, () => 0);
const members = (count: number) => Object.fromEntries(items(count).map((value, index) => [`m${index}`, value]));
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

/** A request with this body, of whatever type is asked for. */
const contextWith = (body: string) =>
  ({ req: Readable.from([Buffer.from(body)]), is: () => true }) as unknown as Context;
const jsonOf = (bytes: number) => JSON.stringify("x".repeat(bytes - 2));
const tooLarge = { code: "body_too_large", status: 413 };

test("a body of at most 64 kB is read, and less where a route takes less", async () => {
  expect(await readJson(contextWith(jsonOf(65_536)))).toHaveLength(65_534);
  await expect(readJson(contextWith(jsonOf(65_537)))).rejects.toMatchObject(tooLarge);
  expect(await readForm(contextWith("x".repeat(65_536)))).toHaveLength(65_536);
  await expect(readForm(contextWith("x".repeat(65_537)))).rejects.toMatchObject(tooLarge);
  await expect(readJson(contextWith(jsonOf(101)), 100)).rejects.toMatchObject(tooLarge);
});

test.each([
  ["a list", items(1_000), { a: [items(1_001)] }, "a[0]: expected a list of at most 1000 items"],
  ["an object", members(200), { inlet: members(201) }, "inlet: expected an object of at most 200 members"],
  ["the body", members(200), members(201), "body: expected an object of at most 200 members"],
  ["levels", nested(32), nested(33), "body: nested deeper than 32 levels"],
])("%s: so many, and no more wherever that stands", (_, most, tooMuch, message) => {
  expect(() => boundJson(most)).not.toThrow();
  expect(() => boundJson(tooMuch)).toThrow(message);
});

test("what is neither list nor object is left alone", () => {
  for (const value of [null, 1, "x".repeat(100_000), true]) expect(() => boundJson(value)).not.toThrow();
});

test("a body that is deep, however deep, does not exhaust the stack", () => {
  expect(() => boundJson(JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`))).toThrow("nested deeper");
});
