const lengthMax = 200;

/** Whatever a stranger sent, for a log: at most 200 characters of it, none that controls a terminal; without query and fragment. */
export function shownText(text: string): string {
  return text
    .slice(0, lengthMax)
    .replace(/[?#].*$/s, "")
    .replace(/[^\x20-\x7e]/g, "\ufffd");
}
