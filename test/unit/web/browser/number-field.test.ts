import { expect, test } from "vitest";
import { readNumber } from "../../../../src/web/browser/number-field.ts";

test.each([
  ["31415", 31_415],
  [" 31,415 ", 31_415],
  ["31.415", 31_415],
  ["31 415", 31_415],
  ["31\u202f415", 31_415],
  ["31’415", 31_415],
  ["٣١٬٤١٥", 31_415],
  ["۳۱۴۱۵", 31_415],
  ["३१,४१५", 31_415],
  ["３１４１５", 31_415],
  ["\u200f31415", 31_415],
  ["", null],
  ["0", null],
  ["-5", null],
  ["1e3", null],
  ["twelve", null],
  ["1234567890123456", null],
])("%j is %s", (text, number) => {
  expect(readNumber(text)).toBe(number);
});
