/**
 * The number of words of a list that are looked up among the allowed ones: more wrong ones are one mistake, made many
 * times.
 */
export const searchedMax = 10;

/** The message for a word that is none of the allowed ones. */
export function unknownWord(kind: string, word: string, allowed: readonly string[]): string {
  return `unknown ${kind}${didYouMean(word, allowed)}; allowed: ${allowed.join(", ")}`;
}

/** A question behind another message; empty when no word is near. */
export function didYouMean(word: string, allowed: readonly string[]): string {
  const meant = suggest(word, allowed);
  return meant === null ? "" : `, did you mean ${meant}?`;
}

/** No word that is allowed anywhere is longer. */
const lengthMax = 64;

/** The allowed word that was probably meant; null when none is near. */
export function suggest(word: string, allowed: readonly string[]): string | null {
  if (word.length > lengthMax) return null;
  const plain = normalize(word);
  let best: string | null = null;
  let tooFar = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const candidate of allowed) {
    const distance = editDistance(plain, normalize(candidate), tooFar);
    if (distance < tooFar) [best, tooFar] = [candidate, distance];
  }
  return best;
}

/** `outflowPerMinute` and `outflow-per-minute` are near `outflow_per_minute`. */
function normalize(word: string): string {
  return word.toLowerCase().replace(/[_-]/g, "");
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other; some number from `tooFar` up
 * as soon as it is clear that there are so many.
 */
function editDistance(a: string, b: string, tooFar: number): number {
  // What one has more than the other has to be inserted.
  if (Math.abs(a.length - b.length) >= tooFar) return tooFar;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  let lastLeast = 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const substitution = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (beforeLast[j - 2] as number) + 1 : tooFar;
      const distance = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, substitution, swap);
      row.push(distance);
      least = Math.min(least, distance);
    }
    // Each row is made of the two before it.
    if (least >= tooFar && lastLeast >= tooFar) return tooFar;
    [beforeLast, last, lastLeast] = [last, row, least];
  }
  return last[b.length] as number;
}
