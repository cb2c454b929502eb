/** The rows that have all words that are wanted, in whatever case and order. */
export function rowsWith<Row>(
  rows: readonly Row[],
  wanted: string,
  wordsOf: (row: Row) => readonly (string | null)[],
): readonly Row[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = wordsOf(row).join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
