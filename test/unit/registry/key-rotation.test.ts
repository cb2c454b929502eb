import fc from "fast-check";
import { expect, test } from "vitest";
import { keysRotate } from "./key-rotation-walk.ts";
import { createKeyWorld, day, hour } from "./key-world.ts";

test("every key that signed is verified with while that is shown, and none signs before all have known it for a minute", async () => {
  await fc.assert(keysRotate, { numRuns: 15 });
});

test("a signing key is published a day before it signs and a day after its last token has lapsed", async () => {
  const world = createKeyWorld();
  const one = world.process({ wanted: ["ES256"] });
  await one.keys.start();
  one.keys.stop();
  const kids = () => one.keys.current.signing.filter(({ alg }) => alg === "ES256").map(({ kid }) => kid);
  const [old = ""] = kids();
  const { key } = await one.keys.generate("signing", "ES256", "op");
  await one.keys.step("stage", key.kid, "op", false);
  world.clock.advance(day - 1);
  await expect(one.keys.step("promote", key.kid, "op", false)).rejects.toThrow(/relying parties/);
  world.clock.advance(1);
  await one.keys.step("promote", key.kid, "op", false);
  expect(kids()).toEqual([key.kid, old]);
  world.clock.advance(day + hour - 1);
  await expect(one.keys.step("retire", old, "op", false)).rejects.toThrow(/is still shown/);
  world.clock.advance(1);
  await one.keys.step("retire", old, "op", false);
  expect(kids()).toEqual([key.kid]);
});
