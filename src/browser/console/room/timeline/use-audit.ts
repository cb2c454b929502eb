import { useEffect, useState } from "preact/hooks";
import type { AdminAnswers } from "../../../../client/index.ts";
import { type Problem, ProblemError, take } from "../../api/api.ts";
import { useConsole } from "../../context.ts";

export type Row = AdminAnswers["AuditRow"];

/** What was done in a room, the latest first. */
export interface Audit {
  /** Null before they are known. */
  readonly rows: readonly Row[] | null;
  readonly problem: Problem | null;
}

const rowsShown = 20;
/** Rows come into the audit a moment after the answer. */
const readAfterMs = 700;

/** What others do may change nothing of the room that is heard: a call, a bypass link, admissions that end. */
const readAgainMs = 10_000;

/**
 * Read as the screen opens, again every ten seconds, and soon after something may have been done.
 *
 * @param read another number: something may have been done
 */
export function useAudit(room: string, read: number): Audit {
  const { api } = useConsole();
  const [rows, setRows] = useState<readonly Row[] | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    let isWanted = true;
    const look = async () => {
      try {
        const told = await take(api.ask.GET("/admin/audit", { params: { query: { room, limit: rowsShown } } }));
        if (!isWanted) return;
        setRows(told.rows.filter((row): row is Row => row.kind === "request"));
        setProblem(null);
      } catch (error) {
        if (isWanted && error instanceof ProblemError) setProblem(error.problem);
      }
    };
    const timer = setTimeout(() => void look(), rows === null ? 0 : readAfterMs);
    // Nobody looks at a hidden page.
    const again = setInterval(() => document.hidden || void look(), readAgainMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
      clearInterval(again);
    };
  }, [room, read]);
  return { rows, problem };
}
