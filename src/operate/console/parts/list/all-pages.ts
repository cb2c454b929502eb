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
