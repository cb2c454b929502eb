/** Sorts in place. Those of which neither is before the other come in any order. */
export function sortBy<T>(list: T[], isBefore: (a: T, b: T) => boolean): void {
  list.sort((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0));
}

/** The index of the first that is not before what is looked for; all that are before it come first. */
export function firstIndex<T>(list: readonly T[], isBefore: (entry: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
