/** Hebrew, Arabic and the other scripts that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Words from outside (a room's title, a code) for the inside of a sentence, between marks that keep their direction from
 * turning what stands around them (U+2068 and U+2069, Unicode UAX 9). In a page from left to right most need none.
 */
export function isolate(text: string, dir: "ltr" | "rtl"): string {
  return dir === "rtl" || rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}
