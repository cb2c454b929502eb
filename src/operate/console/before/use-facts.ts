import { take } from "../api/api.ts";
import { useConsole } from "../context.ts";
import { mayDo } from "../parts/roles.ts";
import { type Asked, useAsked } from "../parts/use-asked.ts";
import type { Facts, Told } from "./lines.ts";

/** How often what changes by itself is asked for; the rest changes by people alone. */
const oftenMs = 3_000;
const seldomMs = 30_000;

/** Whatever the checklist goes by. Webhooks and keys are told to admins for all rooms alone. */
export function useFacts(room: string) {
  const { api, nowMs, principal } = useConsole();
  const { ask } = api;
  const params = { path: { room } };
  const isAdmin = mayDo(principal.role, "admin") && principal.rooms === null;
  const all = { params: { query: { limit: 500 } } };
  const answers = {
    room: useAsked(() => take(ask.GET("/admin/rooms/{room}", { params })), { of: [room], everyMs: oftenMs }),
    checks: useAsked(() => take(ask.GET("/admin/rooms/{room}/checks", { params })), { of: [room], everyMs: oftenMs }),
    rehearsal: useAsked(() => take(ask.GET("/admin/rooms/{room}/rehearsal", { params })), {
      of: [room],
      everyMs: oftenMs,
    }),
    webhooks: useAsked(async () => (isAdmin ? (await take(ask.GET("/admin/webhooks", all))).webhooks : null), {
      of: [room],
      everyMs: seldomMs,
    }),
    keys: useAsked(async () => (isAdmin ? (await take(ask.GET("/admin/api-keys", all))).keys : null), {
      of: [room],
      everyMs: seldomMs,
    }),
  };
  const known = toldBy(answers.room);
  const facts: Facts = {
    room: known !== null && "phase" in known.answer ? { answer: known.answer, atMs: known.atMs } : null,
    checks: toldBy(answers.checks),
    rehearsal: toldBy(answers.rehearsal),
    webhooks: toldBy(answers.webhooks),
    keys: toldBy(answers.keys),
    nowMs,
  };
  const problem = Object.values(answers).find((each) => each.problem !== null)?.problem ?? null;
  return { facts, problem, checks: answers.checks };
}

function toldBy<Answer>({ answer, atMs }: Asked<Answer | null>): Told<Answer> {
  return answer === null || atMs === null ? null : { answer, atMs };
}
