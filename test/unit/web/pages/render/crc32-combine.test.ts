import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { crc32Combine, crc32Shift } from "../../../../../src/web/pages/render/templates.ts";

test("the CRC of two strings in a row follows from the CRC of each", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5_000 }), fc.uint8Array({ maxLength: 5_000 }), (a, b) => {
      const combined = crc32Combine(crc32(a), crc32(b), crc32Shift(b.length));
      expect(combined).toBe(crc32(Buffer.concat([a, b])));
    }),
  );
});

test("an empty string changes nothing", () => {
  expect(crc32Combine(0x1234_5678, 0, crc32Shift(0))).toBe(0x1234_5678);
});
