/** Answers to operators' requests, by the request's id. In Redis a key of its own for each, which expires. */
import type { StepAnswer } from "../../store/contract/room-steps.ts";

export interface KeptAnswer {
  /** The step, to tell a reused id. */
  readonly step: string;
  readonly answer: StepAnswer;
  /** Now. */
  readonly expiresMs: number;
}

export interface Answers {
  readonly isCollection?: true;
  readonly byRequest: Map<string, KeptAnswer>;
}

const prunedPerWrite = 10;

export function createAnswers(): Answers {
  return { byRequest: new Map() };
}

export function readAnswer(answers: Answers, requestId: string): KeptAnswer | null {
  return answers.byRequest.get(requestId) ?? null;
}

export function writeAnswer(answers: Answers, requestId: string, kept: KeptAnswer, nowMs: number): void {
  answers.byRequest.delete(requestId);
  answers.byRequest.set(requestId, kept);
  let looked = 0;
  for (const [id, { expiresMs }] of answers.byRequest) {
    if (expiresMs > nowMs || looked++ >= prunedPerWrite) return;
    answers.byRequest.delete(id);
  }
}
