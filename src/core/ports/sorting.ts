/** Sorts in place. Those of which neither is before the other come in any order. */
export function sortBy<T>(list: T[], isBefore: (a: T, b: T) => boolean): void {
  list.sort((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0));
}
