/** How a terminal and a pipe show the changes in a row of the audit. */
import { expect, test } from "vitest";
import { describeChanges, type Row, rowCells } from "../../../../src/operate/commands/records/audit-command.ts";

const changes = [
  { member: "/message", from: null },
  { member: "/message/severity", to: "warning" },
  { member: "/message/text", to: "x".repeat(90) },
];
const row = {
  kind: "request",
  seq: 3,
  at: "2030-01-01T00:00:00.000Z",
  principal: null,
  method: "PATCH",
  route: "/rooms/:room",
  room: "shop",
  error: null,
  status: 200,
  changes,
} as unknown as Row;

test("changes are cut at a terminal alone", () => {
  expect(rowCells(row, false).at(-1)).toBe(describeChanges(changes));
  expect(rowCells(row, true).at(-1)).toMatch(/^.{79}…$/);
});

test("a member that was null is left out where its own members follow, and no value is", () => {
  expect(describeChanges(changes)).toBe(
    `/message/severity: nothing → "warning"; /message/text: nothing → "${"x".repeat(90)}"`,
  );
  expect(describeChanges([{ member: "/message", from: null }])).toBe("/message: null → nothing");
  const replaced = [
    { member: "/message", from: "old" },
    { member: "/message/text", to: "new" },
  ];
  expect(describeChanges(replaced)).toBe('/message: "old" → nothing; /message/text: nothing → "new"');
});
