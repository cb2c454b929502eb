/** How a screen asks the gateway: what it shows and keeps up to date, what an operator submits, and lists that come in pages. */
import { useEffect, useRef, useState } from "preact/hooks";
import { isPassing, type Problem, ProblemError } from "./api.ts";

/** The latest answer of the gateway, and what has gone wrong since. */
export interface RequestState<Answer> {
  /** Null before the first answer. It stays where a later request fails. */
  readonly answer: Answer | null;
  readonly problem: Problem | null;
  /** When the answer came, by `performance.now()`; null before the first. */
  readonly receivedMs: number | null;
  /** Sends the request again, for what was just changed. */
  reload(): Promise<void>;
}

/** How long after a failure that may pass by itself. */
const retryMs = 5_000;

/** Sends a request as a screen opens, and never shows the answer to an earlier one. @param send throws `ProblemError` */
export function useRequest<Answer>(
  send: () => Promise<Answer>,
  {
    of,
    everyMs,
  }: {
    /** The request is sent again whenever one of these changes, and the answer for the ones before is dropped. */
    readonly of: readonly (string | number)[];
    /** How often it is sent again while the page is visible; never where it is left out. */
    readonly everyMs?: number;
  },
): RequestState<Answer> {
  const [latest, setLatest] = useState<{ readonly answer: Answer; readonly receivedMs: number } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const count = useRef(0);
  const retry = useRef<ReturnType<typeof setTimeout>>();

  const load = async () => {
    clearTimeout(retry.current);
    count.current += 1;
    const number = count.current;
    try {
      const answer = await send();
      if (number !== count.current) return;
      setLatest({ answer, receivedMs: performance.now() });
      setProblem(null);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (number !== count.current) return;
      setProblem(error.problem);
      if (isPassing(error.problem)) retry.current = setTimeout(() => void load(), retryMs);
    }
  };
  useEffect(() => {
    setLatest(null);
    setProblem(null);
    void load();
    const timer = everyMs === undefined ? undefined : setInterval(() => document.hidden || void load(), everyMs);
    return () => {
      count.current += 1;
      clearTimeout(retry.current);
      clearInterval(timer);
    };
  }, of);

  return { answer: latest?.answer ?? null, problem, receivedMs: latest?.receivedMs ?? null, reload: load };
}

/** One request of an operator's at a time, and why it was refused. */
interface Submission {
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  /** @returns null where it was refused, which `problem` explains, or where another is under way */
  submit<Answer>(send: () => Promise<Answer>): Promise<Answer | null>;
}

export function useSubmission(): Submission {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const submit: Submission["submit"] = async (send) => {
    if (isBusy) return null;
    setBusy(true);
    setProblem(null);
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      setProblem(error.problem);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, submit };
}

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
