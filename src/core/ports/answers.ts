/** Answers to operators' requests, by the request's id. In Redis a key of its own for each, which expires. */
import type { StepAnswer } from "../../store/contract/room-steps.ts";

export interface StoredAnswer {
  /** The step, to tell a reused id. */
  readonly step: string;
  readonly answer: StepAnswer;
  /** Now. */
  readonly expiresMs: number;
}

export interface Answers {
  readonly isCollection?: true;
  readonly byRequest: Map<string, StoredAnswer>;
}

const prunedPerWrite = 10;

export function createAnswers(): Answers {
  return { byRequest: new Map() };
}

export function readAnswer(answers: Answers, requestId: string): StoredAnswer | null {
  return answers.byRequest.get(requestId) ?? null;
}

export function writeAnswer(answers: Answers, requestId: string, stored: StoredAnswer, nowMs: number): void {
  answers.byRequest.delete(requestId);
  answers.byRequest.set(requestId, stored);
  let looked = 0;
  for (const [id, { expiresMs }] of answers.byRequest) {
    if (expiresMs > nowMs || looked++ >= prunedPerWrite) return;
    answers.byRequest.delete(id);
  }
}
