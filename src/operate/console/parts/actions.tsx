/** What an operator does to a room, and how it is taken back. */

import { useRef, useState } from "preact/hooks";
import type { AdminAnswers } from "../../client/index.ts";
import { type Api, type Problem, ProblemError, take, takeNothing } from "../api/api.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ConfirmDialog, ProblemNote } from "./elements.tsx";

export type Step = "pause" | "resume" | "open" | "prequeue" | "idle" | "end" | "passthrough" | "reset";
type SettingsChange = AdminAnswers["RoomSettingsChange"];

/** What was done. The ids of its requests, in their order, are those of its rows in the audit. */
interface Done {
  readonly requestIds: readonly string[];
  /** What the gateway says of a change that it carried out. */
  readonly warnings?: readonly string[];
}

/** What a step would do, and the token that confirms it. */
export interface Confirmation {
  readonly would: string;
  readonly confirm: string;
  /** Whether it then waits for a second person. */
  readonly takesTwo: boolean;
}

type Answering<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;

async function doneBy<Data>(sent: Answering<Data>): Promise<Done> {
  let requestIds: readonly string[] = [];
  const recorded = sent.then((answered) => {
    const id = answered.response.headers.get("X-Request-Id");
    if (id !== null) requestIds = [id];
    return answered;
  });
  await take(recorded);
  return { requestIds };
}

/** A session that was made with a key is asked as people are. */
function asking(confirm: string | undefined) {
  return confirm === undefined ? { Prefer: "confirmation" } : { Confirm: confirm };
}

/** @throws ProblemError */
export function step({ ask }: Api, room: string, name: Step, confirm?: string): Promise<Done> {
  const headers = asking(confirm);
  return doneBy(ask.POST(`/admin/rooms/{room}/${name}`, { params: { path: { room } }, headers }));
}

/** Gives the second word for a step that another person asked for. @throws ProblemError */
export function approve({ ask }: Api, room: string, approval: string, confirm?: string): Promise<Done> {
  const headers = asking(confirm);
  const params = { path: { room, approval } };
  return doneBy(ask.POST("/admin/rooms/{room}/approvals/{approval}/approve", { params, headers }));
}

/** Declines a step that waits, or withdraws the own one. @throws ProblemError */
export async function decline({ ask }: Api, room: string, approval: string): Promise<Done> {
  await takeNothing(ask.DELETE("/admin/rooms/{room}/approvals/{approval}", { params: { path: { room, approval } } }));
  return { requestIds: [] };
}

/** @throws ProblemError */
export function change({ ask }: Api, room: string, body: SettingsChange): Promise<Done> {
  return doneBy(ask.PATCH("/admin/rooms/{room}", { params: { path: { room } }, body }));
}

/** A change whose members are known by the schema alone: the gateway checks them. @throws ProblemError */
export async function changeByForm({ ask }: Api, room: string, body: Readonly<Record<string, unknown>>): Promise<Done> {
  const bodySerializer = () => JSON.stringify(body);
  const sent = ask.PATCH("/admin/rooms/{room}", { params: { path: { room } }, body: {}, bodySerializer });
  const done = await doneBy(sent);
  const { data } = await sent;
  return { ...done, warnings: data?.warnings ?? [] };
}

/** @param attempt asked for again by the same name, it is carried out once @throws ProblemError */
export function callNext({ ask }: Api, room: string, by: number, attempt: string): Promise<Done> {
  const params = { path: { room }, header: { "Idempotency-Key": attempt } };
  return doneBy(ask.POST("/admin/rooms/{room}/serving", { params, body: { increment_by: by } }));
}

/** @param remaining how many are left to sell; null: the number is taken away @throws ProblemError */
export function setStock({ ask }: Api, room: string, remaining: number | null): Promise<Done> {
  return doneBy(ask.PUT("/admin/rooms/{room}/stock", { params: { path: { room } }, body: { remaining } }));
}

/** Voids all entries of a block, for everybody to read why. @throws ProblemError */
export function voidEntries({ ask }: Api, room: string, block: string, reason: string): Promise<Done> {
  return doneBy(
    ask.POST("/admin/rooms/{room}/draw/voids", { params: { path: { room } }, body: { blocks: [block], reason } }),
  );
}

/** @throws ProblemError */
export function restoreEntries({ ask }: Api, room: string, reference: string): Promise<Done> {
  return doneBy(ask.DELETE("/admin/rooms/{room}/draw/voids/{reference}", { params: { path: { room, reference } } }));
}

/** What the gateway asks before a dangerous step; null for another problem. */
export function confirmationOf({ answer }: Problem): Confirmation | null {
  if (answer?.error !== "confirmation_required") return null;
  return { would: answer.would ?? "", confirm: answer.confirm ?? "", takesTwo: answer.takes_two === true };
}

const looksMax = 10;
const lookAgainMs = 300;

/** Takes back what was done, the latest first. @throws ProblemError */
async function undo(api: Api, room: string, { requestIds }: Done, confirm?: string): Promise<void> {
  for (const requestId of [...requestIds].reverse()) await undoRequest(api, room, requestId, confirm);
}

/** Rows come into the audit a moment after the answer. @throws ProblemError */
async function undoRequest(api: Api, room: string, requestId: string, confirm?: string): Promise<void> {
  for (let look = 0; look < looksMax; look++) {
    const { rows } = await take(api.ask.GET("/admin/audit", { params: { query: { room, limit: 20 } } }));
    const row = rows.find((each) => each.kind === "request" && each.request_id === requestId);
    if (row !== undefined) return undoRow(api, row.seq, confirm);
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
  throw new ProblemError({ status: 404, text: null, answer: null });
}

/** @throws ProblemError */
export async function undoRow({ ask }: Api, row: number, confirm?: string): Promise<void> {
  await take(ask.POST("/admin/audit/{row}/undo", { params: { path: { row } }, headers: asking(confirm) }));
}

/** Takes something back. @param confirm answers what the gateway asked before it @throws ProblemError */
type Back = (confirm?: string) => Promise<void>;

/** What was just done. It is said, and can be taken back where there is a way, until a moment of `performance.now()`. */
interface Recent {
  readonly text: string;
  readonly done: Done;
  readonly isUndoable: boolean;
  readonly untilMs: number;
}

export interface Actions {
  readonly isBusy: boolean;
  /** Since when the one that is under way is, by `performance.now()`; null where none is. */
  readonly sinceMs: number | null;
  readonly recent: Recent | null;
  readonly problem: Problem | null;
  /** How many were carried out: what depends on them is read anew. */
  readonly count: number;
  /** @param text says what was done @returns what the gateway refused; `busy` where another goes on, and nothing was done */
  carryOut(text: string, act: () => Promise<Done>, isUndoable?: boolean): Promise<"done" | "busy" | Problem>;
  /** What the gateway asks before something is taken back: a room that would end again, say. Null for nothing. */
  readonly question: { readonly confirmation: Confirmation; readonly back: Back } | null;
  undo(back: Back, confirm?: string): Promise<void>;
  undoRecent(): void;
  /** What was done, or went wrong, is not said any more. */
  dismiss(): void;
}

const sayMs = 10_000;
/** So long nobody waits for an answer without a word. */
const unansweredMs = 5_000;

/** One action at a time, with its problem and its way back. */
export function useActions(room: string): Actions {
  const { api, speech } = useConsole();
  const [sinceMs, setSince] = useState<number | null>(null);
  // A render is too late for the second of two quick clicks.
  const isActing = useRef(false);
  const [recent, setRecent] = useState<Recent | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [count, setCount] = useState(0);
  const [question, setQuestion] = useState<Actions["question"]>(null);

  const carryOut: Actions["carryOut"] = async (text, act, isUndoable = false) => {
    if (isActing.current) return "busy";
    isActing.current = true;
    setSince(performance.now());
    setRecent(null);
    setProblem(null);
    const say = (said: string, done: Done, canUndo: boolean) => {
      // A warning is read at leisure.
      const untilMs = (done.warnings ?? []).length > 0 ? Number.POSITIVE_INFINITY : performance.now() + sayMs;
      setRecent({ text: said, done, isUndoable: canUndo, untilMs });
      setCount((before) => before + 1);
    };
    try {
      say(text, await act(), isUndoable);
      return "done";
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const refusal = error.problem.answer?.error;
      // A request for confirmation is not an error: the caller shows it. Nor is a step that waits for a second person's approval.
      if (refusal === "approval_required") {
        say(speech.text(frameTexts.awaitsApproval), { requestIds: [] }, false);
      } else if (refusal !== "confirmation_required") setProblem(error.problem);
      return error.problem;
    } finally {
      isActing.current = false;
      setSince(null);
    }
  };

  const undoBy: Actions["undo"] = async (back, confirm) => {
    setQuestion(null);
    const answer = await carryOut(speech.text(frameTexts.undone), async () => {
      await back(confirm);
      return { requestIds: [] };
    });
    const confirmation = typeof answer === "object" ? confirmationOf(answer) : null;
    if (confirmation !== null) setQuestion({ confirmation, back });
  };
  const undoRecent = () => {
    if (recent !== null) void undoBy((confirm) => undo(api, room, recent.done, confirm));
  };
  const dismiss = () => {
    setQuestion(null);
    setRecent(null);
    setProblem(null);
  };
  const isBusy = sinceMs !== null;
  return { isBusy, sinceMs, recent, problem, count, question, carryOut, undo: undoBy, undoRecent, dismiss };
}

/** Over the foot of the page, wherever it is scrolled: what is under way, what was just done, and for ten seconds the way back. */
export function RecentBar({ actions }: { readonly actions: Actions }) {
  const { elapsedMs, speech } = useConsole();
  const { isBusy, problem, question, undoRecent, dismiss } = actions;
  const leftMs = (actions.recent?.untilMs ?? 0) - elapsedMs;
  const recent = leftMs > 0 ? actions.recent : null;
  return (
    <div class={recent || isBusy || problem ? "recent" : "recent unseen"}>
      {problem && <ProblemNote problem={problem} speech={speech} />}
      <span role="status">
        {recent?.text}
        {recent?.done.warnings?.map((warning) => (
          <span class="warned" key={warning} dir="auto">
            {warning}
          </span>
        ))}
        <UnderWay actions={actions} />
      </span>
      {recent?.isUndoable && (
        <button type="button" disabled={isBusy} onClick={undoRecent}>
          {speech.text(frameTexts.undo)}
          {Number.isFinite(leftMs) && <span aria-hidden="true"> ({Math.ceil(leftMs / 1_000)})</span>}
        </button>
      )}
      {(problem || (recent && !Number.isFinite(leftMs))) && (
        <button type="button" onClick={dismiss}>
          {speech.text(frameTexts.close)}
        </button>
      )}
      {question && (
        <ConfirmDialog
          title={speech.text(frameTexts.undo)}
          would={question.confirmation.would}
          takesTwo={question.confirmation.takesTwo}
          typed={null}
          onConfirm={() => void actions.undo(question.back, question.confirmation.confirm)}
          onCancel={dismiss}
        />
      )}
    </div>
  );
}

/** That something is under way, and after five seconds that nobody has answered: for a `role="status"`. */
export function UnderWay({ actions: { sinceMs } }: { readonly actions: Actions }) {
  const { elapsedMs, speech } = useConsole();
  if (sinceMs === null) return null;
  const openMs = elapsedMs - sinceMs;
  // Most are answered before it could be said aloud.
  if (openMs < unansweredMs) return <span aria-hidden="true">{speech.text(frameTexts.underWay)}</span>;
  return <span>{speech.text(frameTexts.unanswered, { age: speech.age(openMs) })}</span>;
}
