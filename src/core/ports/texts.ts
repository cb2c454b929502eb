/** Texts of numbers, and texts taken apart. */

/** Without loss. */
export function textOf(value: number): string {
  return String(value);
}

/** The client's name in a login, which wants to be told of the end; null for none. */
export function clientOf(login: string): string | null {
  return /^[^:]*:(.+)$/.exec(login)?.[1] ?? null;
}

/** The number that a text begins with, before its first colon. */
export function leadingNumber(text: string): number {
  return Number(text.slice(0, text.indexOf(":")));
}

/** What of a text is behind its first colon. */
export function afterColon(text: string): string {
  return text.slice(text.indexOf(":") + 1);
}
