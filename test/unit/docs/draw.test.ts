/** The figures of docs/draw.md are those that the recipe gives. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { keyOf } from "../../../src/room/draw-recipe/index.ts";
import * as made from "../room/draw-recipe/made-draw.ts";

const guide = readFileSync(new URL("../../../docs/draw.md", import.meta.url), "utf8");
const blocks = [...guide.matchAll(/```(?:sh)?\n([\s\S]*?)```/g)].map(([, text = ""]) => text);

test("the command for the commitment gives the commitment", () => {
  const command = blocks.find((text) => text.includes("sha256sum")) ?? "";
  const commitment = execFileSync("sh", ["-c", command], { encoding: "utf8" }).slice(0, 64);
  expect([commitment, guide.includes(`gives \`${commitment}\``)]).toEqual([made.facts.commitment, true]);
});

test("key and places of the example are those of the recipe", () => {
  const { seed, entries } = made.facts;
  const { chain } = made.beacon;
  const { round, randomness } = made.round;
  const parts = { room: "autumn-tour", edition: 2, id: 1, seed: seed ?? "", entries: entries ?? 0 };
  const key = Buffer.from(keyOf({ ...parts, beacon: { chain, round, randomness } })).toString("hex");
  const places = [1, 2, 3, 17, 40].map(made.positionOf);
  expect(guide).toContain(`\`${randomness}\`) the key is\n\`${key}\``);
  expect(guide).toContain(`have the places ${places.slice(0, -1).join(", ")} and ${places.at(-1)}.`);
});
