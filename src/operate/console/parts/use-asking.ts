import { useState } from "preact/hooks";
import { type Problem, ProblemError } from "../api/api.ts";

export interface Asking {
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  /** @returns null where it was refused, which `problem` says */
  ask<Answer>(question: () => Promise<Answer>): Promise<Answer | null>;
}

/** One question at a time, and what became of it. */
export function useAsking(): Asking {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const ask: Asking["ask"] = async (question) => {
    if (isBusy) return null;
    setBusy(true);
    setProblem(null);
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      setProblem(error.problem);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, ask };
}
