/** What the page of a draw checks in the visitor's browser. */
import { expect, test } from "vitest";
import { verifyRound } from "../../../../src/room/draw-recipe/beacon-signature.ts";
import type { DrawDocument } from "../../../../src/room/draw-recipe/index.ts";
import { checkAll, findPlace } from "../../../../src/web/browser/draw-checks.ts";
import { documentOf, positionOf, receiptText, tampered } from "../../room/draw-recipe/made-draw.ts";

const outcomesOf = (document: DrawDocument, receipt = receiptText()) =>
  Object.fromEntries([...checkAll(document, 1, receipt, verifyRound)].map(({ thing, outcome }) => [thing, outcome]));
const allRight = { record: "ok", seal: "ok", numbers: "ok", beacon: "ok", receipt: "ok", order: "ok" };

test("a right draw is right in every point", () => {
  expect(outcomesOf(documentOf())).toEqual(allRight);
  const { receipt, ...others } = allRight;
  expect(outcomesOf(documentOf(), "")).toEqual(others);
});

test("without a public beacon there is nothing of it to be right", () => {
  const { beacon, receipt, ...others } = allRight;
  expect(outcomesOf(documentOf({ beacon: null }), "")).toEqual(others);
});

test("the place of each number is the one of the recipe; numbers that nobody holds, or that came later, have none", () => {
  const document = documentOf();
  for (let number = 1; number <= 40; number++) {
    const isGap = [7, 20, 21].includes(number);
    expect(findPlace(document, 1, number)).toBe(isGap ? null : positionOf(number));
  }
  expect(findPlace(document, 1, 41)).toBeNull();
  expect(findPlace(document, 2, 1)).toBeNull();
});

test.each([
  ["seal", tampered((draw) => Object.assign(draw, { seed: "0".repeat(64) }))],
  ["numbers", tampered((draw) => Object.assign(draw, { last: 41 }))],
  ["beacon", tampered(({ beacon }) => Object.assign(beacon, { randomness: "0".repeat(64) }))],
  ["record", tampered((draw) => Object.assign(draw, { closes_at: "2023-08-23T16:00:00.000Z" }))],
])("a change of the %s is found", (thing, document) => {
  expect(outcomesOf(document)).toMatchObject({ [thing]: "failed", record: "failed" });
});

test("a receipt that was changed is found", () => {
  expect(outcomesOf(documentOf(), receiptText({ entry: 18 }))).toEqual({ ...allRight, receipt: "failed" });
});

test("gaps far longer than what is between them hold nothing up", () => {
  const gaps = [[3, 2 ** 50]] as const;
  const document = documentOf({ last: 2 ** 50 + 1, entries: 3, gaps });
  expect(outcomesOf(document, "")).toMatchObject({ numbers: "ok", order: "ok" });
});

test.each([
  { last: 2 ** 50, entries: 2 ** 50 },
  { last: 2 ** 53 - 1, entries: 2 ** 53 - 4 },
  { last: 2 ** 32 + 4, entries: 2 ** 32 + 1 },
  { gaps: [[9, 3]] },
])("%j cannot be: it fixes no order", (change) => {
  const document = tampered((draw) => Object.assign(draw, change));
  expect(outcomesOf(document)).toMatchObject({ numbers: "failed" });
  expect(outcomesOf(document).order).not.toBe("ok");
  expect(findPlace(document, 1, 1)).toBeNull();
});

test("before the draw there is no order to check", () => {
  const { order, ...others } = outcomesOf(
    documentOf({ stage: "committed", seed: null, last: null, entries: null, gaps: [] }),
    "",
  );
  expect(order).toBe("failed");
  expect(Object.values(others)).not.toContain("failed");
});
