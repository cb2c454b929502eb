import { useEffect, useRef, useState } from "preact/hooks";
import { isPassing, type Problem, ProblemError } from "../api/api.ts";

/** What the gateway answered last, and what went wrong since. */
export interface Asked<Answer> {
  /** Null before the first answer. It stays where a later question fails. */
  readonly answer: Answer | null;
  readonly problem: Problem | null;
  /** When the answer came, by `performance.now()`; null before the first. */
  readonly atMs: number | null;
  /** Asks again, for what was just changed. */
  again(): Promise<void>;
}

interface AskedOptions {
  /** Asked again whenever one of these changes; what was answered for the ones before is forgotten. */
  readonly of: readonly (string | number)[];
  /** Asked again so often while the page is seen; never where it is left out. */
  readonly everyMs?: number;
}

/** After an answer that another one may take the place of by itself. */
const tryAgainMs = 5_000;

/** Asks the gateway as a screen opens, and shows no answer of an earlier question. @param question throws `ProblemError` */
export function useAsked<Answer>(question: () => Promise<Answer>, { of, everyMs }: AskedOptions): Asked<Answer> {
  const [answer, setAnswer] = useState<{ readonly told: Answer; readonly atMs: number } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const latest = useRef(0);
  const retry = useRef<ReturnType<typeof setTimeout>>();

  const ask = async () => {
    clearTimeout(retry.current);
    latest.current += 1;
    const asked = latest.current;
    try {
      const told = await question();
      if (asked !== latest.current) return;
      setAnswer({ told, atMs: performance.now() });
      setProblem(null);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (asked !== latest.current) return;
      setProblem(error.problem);
      if (isPassing(error.problem)) retry.current = setTimeout(() => void ask(), tryAgainMs);
    }
  };
  useEffect(() => {
    setAnswer(null);
    setProblem(null);
    void ask();
    const timer = everyMs === undefined ? undefined : setInterval(() => document.hidden || void ask(), everyMs);
    return () => {
      latest.current += 1;
      clearTimeout(retry.current);
      clearInterval(timer);
    };
  }, of);

  return { answer: answer?.told ?? null, problem, atMs: answer?.atMs ?? null, again: ask };
}
