import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSlotMarkers } from "../../../../../src/web/pages/render/templates.ts";

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary-ascii", minLength: 100, maxLength: 900 }),
);

test("whatever stands between and in the slots, gzip carries exactly the plain page", () => {
  const piece = fc.record({ text: anyText, slot: fc.nat(3) });
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }),
      anyText,
      fc.array(anyText, { minLength: 4, maxLength: 4 }),
      (pieces, end, values) => {
        const markers = createSlotMarkers();
        const template = markers.compile(pieces.map(({ text, slot }) => text + markers.marker(slot)).join("") + end);
        const expected = Buffer.from(pieces.map(({ text, slot }) => text + values[slot]).join("") + end);
        expect(template.fill(values, false).whole().equals(expected)).toBe(true);
        expect(gunzipSync(template.fill(values, true).whole()).equals(expected)).toBe(true);
      },
    ),
  );
});

test("a slot may hold more than one stored block can", () => {
  const markers = createSlotMarkers();
  const template = markers.compile(`<p>${markers.marker(0)}</p>`);
  const long = "é".repeat(100_000);
  expect(gunzipSync(template.fill([long], true).whole()).toString()).toBe(`<p>${long}</p>`);
});

test("filling for one visitor leaves nothing behind for the next", () => {
  const markers = createSlotMarkers();
  const template = markers.compile(`a${markers.marker(0)}b`);
  const first = template.fill(["secret"], false);
  expect(template.fill(["x"], false).whole().toString()).toBe("axb");
  expect(first.whole().toString()).toBe("asecretb");
});
