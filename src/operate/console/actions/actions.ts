/** What an operator does to a room, and how it is taken back. */

import type { AdminAnswers } from "../../client/index.ts";
import type { Api, Problem } from "../api/api.ts";
import { ProblemError, take, takeNothing } from "../api/api.ts";

export type Step = "pause" | "resume" | "open" | "prequeue" | "idle" | "end" | "passthrough" | "reset";
export type SettingsChange = AdminAnswers["RoomSettingsChange"];

/** What was done. The ids of its requests, in their order, are those of its rows in the audit. */
export interface Done {
  readonly requestIds: readonly string[];
  /** What the gateway says of a change that it carried out. */
  readonly warnings?: readonly string[];
}

/** What a step would do, and the token by which it is done. */
export interface Asked {
  readonly would: string;
  readonly confirm: string;
}

type Answering<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;

async function doneBy<Data>(asking: Answering<Data>): Promise<Done> {
  let requestIds: readonly string[] = [];
  const noted = asking.then((answered) => {
    const id = answered.response.headers.get("X-Request-Id");
    if (id !== null) requestIds = [id];
    return answered;
  });
  await take(noted);
  return { requestIds };
}

/** @throws ProblemError */
export function step({ ask }: Api, room: string, name: Step, confirm?: string): Promise<Done> {
  // A session that was made with a key is asked as people are.
  const headers = confirm === undefined ? { Prefer: "confirmation" } : { Confirm: confirm };
  return doneBy(ask.POST(`/admin/rooms/{room}/${name}`, { params: { path: { room } }, headers }));
}

/** Gives the second word for a step that another person asked for. @throws ProblemError */
export function approve({ ask }: Api, room: string, approval: string, confirm?: string): Promise<Done> {
  const headers = confirm === undefined ? { Prefer: "confirmation" } : { Confirm: confirm };
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
  const asking = ask.PATCH("/admin/rooms/{room}", { params: { path: { room } }, body: {}, bodySerializer });
  const done = await doneBy(asking);
  const { data } = await asking;
  return { ...done, warnings: data?.warnings ?? [] };
}

/** @param attempt asked for again by the same name, it is carried out once @throws ProblemError */
export function callNext({ ask }: Api, room: string, by: number, attempt: string): Promise<Done> {
  const params = { path: { room }, header: { "Idempotency-Key": attempt } };
  return doneBy(ask.POST("/admin/rooms/{room}/serving", { params, body: { increment_by: by } }));
}

/** @param remaining how many are left to sell; null: the number is taken away @throws ProblemError */
export function tellStock({ ask }: Api, room: string, remaining: number | null): Promise<Done> {
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
export function askedBy({ answer }: Problem): Asked | null {
  if (answer?.error !== "confirmation_required") return null;
  return { would: answer.would ?? "", confirm: answer.confirm ?? "" };
}

const looksMax = 10;
const lookAgainMs = 300;

/** Takes back what was done, the latest first. @throws ProblemError */
export async function undo(api: Api, room: string, { requestIds }: Done): Promise<void> {
  for (const requestId of [...requestIds].reverse()) await undoRequest(api, room, requestId);
}

/** Rows come into the audit a moment after the answer. @throws ProblemError */
async function undoRequest(api: Api, room: string, requestId: string): Promise<void> {
  for (let look = 0; look < looksMax; look++) {
    const { rows } = await take(api.ask.GET("/admin/audit", { params: { query: { room, limit: 20 } } }));
    const row = rows.find((each) => each.kind === "request" && each.request_id === requestId);
    if (row !== undefined) return undoRow(api, row.seq);
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
  throw new ProblemError({ status: 404, text: null, answer: null });
}

/** @throws ProblemError */
export async function undoRow({ ask }: Api, row: number): Promise<void> {
  await take(ask.POST("/admin/audit/{row}/undo", { params: { path: { row } } }));
}
