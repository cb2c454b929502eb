/** The message for a word that is none of the allowed ones. */
export function unknownWord(kind: string, word: string, allowed: readonly string[]): string {
  const meant = suggest(word, allowed);
  return `unknown ${kind}${meant === null ? "" : `, did you mean ${meant}?`}; allowed: ${allowed.join(", ")}`;
}

/** The allowed word that was probably meant; null when none is near. */
export function suggest(word: string, allowed: readonly string[]): string | null {
  const plain = normalize(word);
  const ranked = allowed
    .map((candidate) => ({ candidate, distance: editDistance(plain, normalize(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(1, Math.floor(plain.length / 3)) ? best.candidate : null;
}

/** `outflowPerMinute` and `outflow-per-minute` are near `outflow_per_minute`. */
function normalize(word: string): string {
  return word.slice(0, 64).toLowerCase().replace(/[_-]/g, "");
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, substitution, swap));
    }
  }
  return at(a.length, b.length);
}
