/** Lists of the admin API: read as a whole, and searched in. */

interface Page {
  readonly next_cursor: string | null;
}

/** As many as the API gives at once. */
const limit = 500;

/** All pages of a list. @param ask throws `ProblemError` */
export async function allPages<Answer extends Page>(
  ask: (query: { limit: number; cursor?: string }) => Promise<Answer>,
): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Answer = await ask({ limit, ...(cursor !== undefined && { cursor }) });
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}

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
