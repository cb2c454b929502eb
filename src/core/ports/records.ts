/** What is found by a key: records, texts, and answers to operators' requests. In Redis hashes. */
import type { AdmissionEnd, AdmittedVia, DrawnEntry } from "../../store/contract/room-places.ts";
import type { StepAnswer } from "../../store/contract/room-state.ts";

/** An `Admission` as it is kept. */
export interface AdmissionRecord {
  readonly sub: string;
  readonly edition: number;
  readonly position: number;
  readonly entry: DrawnEntry | null;
  /** See `Admission`. */
  usedPosition: number;
  readonly via: AdmittedVia;
  readonly admittedMs: number;
  /** What was reported; see `wallExpiresMs`. */
  expiresMs: number;
  /** When it began and ends on the flow clock, which decides. */
  admittedFlowMs: number;
  expiresFlowMs: number;
  /** Until when, on the flow clock, the site must have seen the visitor; null: it has, or it need not. */
  visitByFlowMs: number | null;
  ended: AdmissionEnd | null;
  logins: string[];
  taken: string[] | null;
  addresses: string[] | null;
  /** Claim clock at the admission, and no earlier than the place was joined: its last window begins by then. */
  readonly claimMs: number;
}

export interface Records<Id extends string | number, R> {
  readonly isCollection?: true;
  readonly byId: Map<Id, R>;
}

export function createRecords<Id extends string | number, R>(): Records<Id, R> {
  return { byId: new Map() };
}

export function readRecord<Id extends string | number, R>(records: Records<Id, R>, id: Id): R | null {
  return records.byId.get(id) ?? null;
}

export function writeRecord<Id extends string | number, R>(records: Records<Id, R>, id: Id, record: R): void {
  records.byId.set(id, record);
}

export function forgetRecord<Id extends string | number, R>(records: Records<Id, R>, id: Id): void {
  records.byId.delete(id);
}

export function countRecords<Id extends string | number, R>(records: Records<Id, R>): number {
  return records.byId.size;
}

/** Texts by name. In Redis a hash. */
export interface NamedTexts {
  readonly isCollection?: true;
  readonly byName: Map<string, string>;
}

export function createNamedTexts(): NamedTexts {
  return { byName: new Map() };
}

export function readText(texts: NamedTexts, name: string): string | null {
  return texts.byName.get(name) ?? null;
}

export function writeText(texts: NamedTexts, name: string, text: string): void {
  texts.byName.set(name, text);
}

export function forgetText(texts: NamedTexts, name: string): void {
  texts.byName.delete(name);
}

// Answers to operators' requests, by the request's id. In Redis a key of its own for each, which expires.

interface StoredAnswer {
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
