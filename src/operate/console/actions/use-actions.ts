import { useRef, useState } from "preact/hooks";
import { type Problem, ProblemError } from "../api/api.ts";
import { useConsole } from "../context.ts";
import { texts as frameTexts } from "../texts/frame.ts";
import { type Done, undo } from "./actions.ts";

/** What was just done, and until when it is offered to take it back. */
export interface Recent {
  readonly text: string;
  readonly done: Done;
  /** By `performance.now()`; null where there is no way back. */
  readonly undoUntilMs: number | null;
}

export interface Actions {
  readonly isBusy: boolean;
  readonly recent: Recent | null;
  readonly problem: Problem | null;
  /** How many were carried out: what depends on them is read anew. */
  readonly count: number;
  /** @param text says what was done @returns what the gateway refused; `busy` where another goes on, and nothing was done */
  carryOut(text: string, act: () => Promise<Done>, isUndoable?: boolean): Promise<"done" | "busy" | Problem>;
  undoRecent(): void;
}

const undoMs = 10_000;

/** One action at a time, with its problem and its way back. */
export function useActions(room: string): Actions {
  const { api, speech } = useConsole();
  const [isBusy, setBusy] = useState(false);
  // A render is too late for the second of two quick clicks.
  const isActing = useRef(false);
  const [recent, setRecent] = useState<Recent | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [count, setCount] = useState(0);

  const carryOut: Actions["carryOut"] = async (text, act, isUndoable = false) => {
    if (isActing.current) return "busy";
    isActing.current = true;
    setBusy(true);
    setProblem(null);
    try {
      const done = await act();
      setRecent({ text, done, undoUntilMs: isUndoable ? performance.now() + undoMs : null });
      setCount((before) => before + 1);
      return "done";
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const refusal = error.problem.answer?.error;
      // A question is no problem: whoever asked for it shows it. Nor is a step that waits for a second person.
      if (refusal === "approval_required") {
        setRecent({ text: speech.text(frameTexts.awaitsApproval), done: { requestIds: [] }, undoUntilMs: null });
      } else if (refusal !== "confirmation_required") setProblem(error.problem);
      return error.problem;
    } finally {
      isActing.current = false;
      setBusy(false);
    }
  };

  const undoRecent = () => {
    if (recent === null) return;
    const { done } = recent;
    void carryOut(speech.text(frameTexts.undone), async () => {
      await undo(api, room, done);
      return { requestIds: [] };
    });
  };
  return { isBusy, recent, problem, count, carryOut, undoRecent };
}
