import { expect, test } from "vitest";
import { RequestNotes } from "../../../../src/operate/admin-api/audit/request-notes.ts";

const inverse = { method: "PATCH", path: "/rooms/shop", body: {} } as const;

test("a row of the audit has neither secrets nor what stands behind the ? of a probe's address, and no way back to them", () => {
  const notes = new RequestNotes();
  const url = "https://shop.example.test/health?token=of-the-site";
  notes.changed(
    { gate: { health_url: url }, max: 1 },
    { gate: { health_url: `${url}2` }, max: 2, client_secret: "s3" },
    inverse,
  );
  expect(JSON.stringify(notes.changes)).not.toMatch(/of-the-site|s3/);
  expect(notes.changes).toContainEqual({ member: "/max", from: 1, to: 2 });
  expect(notes.changes).toContainEqual({
    member: "/gate/health_url",
    from: "https://shop.example.test/health?***",
    to: "https://shop.example.test/health?***",
  });
  expect(notes.inverse).toBeNull();
  const open = new RequestNotes();
  open.changed({ max: 1, url: "https://a.test/" }, { max: 2, url: "https://b.test/" }, inverse);
  expect([open.changes.length, open.inverse]).toEqual([2, inverse]);
});
