/** Reads a whole number as people type it: in the digits of their language, and with whatever stands between thousands. */

/** The zeros of the digits that the languages of the pages have: Arabic, Persian, Devanagari, and the wide ones of Japan. */
const zeros = [0x0660, 0x06f0, 0x0966, 0xff10];

/** Null for what is none, or too large to be exact. */
export function readNumber(text: string): number | null {
  const plain = text.replace(/[\s.,'’٬،\u200e\u200f\u061c]/g, "").replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = zeros.find((each) => code >= each && code < each + 10);
    return zero === undefined ? digit : String(code - zero);
  });
  const value = /^\d{1,15}$/.test(plain) ? Number(plain) : 0;
  return value > 0 ? value : null;
}
