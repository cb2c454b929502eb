/** The elements of a page that a script fills, by their ids. */

/** An element of the page; where it is missing, one that nobody sees. */
export function part(id: string): HTMLElement {
  return document.getElementById(id) ?? document.createElement("p");
}

export function say(id: string, text: string): void {
  const element = part(id);
  // Unchanged text is left alone, or a screen reader might read it again.
  if (element.textContent !== text) element.textContent = text;
}

/** A moment in words and for programs. @param epochMs null where the words name none */
export function sayMoment(id: string, text: string, epochMs: number | null): void {
  say(id, text);
  (part(id) as HTMLTimeElement).dateTime = epochMs === null ? "" : new Date(epochMs).toISOString();
}

/** The same that src/pages/locales/bidi.ts does with words from outside that stand inside others. */
export function isolate(text: string): string {
  const isRightToLeft =
    document.documentElement.dir === "rtl" || /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text);
  return isRightToLeft ? `\u2068${text}\u2069` : text;
}
