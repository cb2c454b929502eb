import { take } from "../api/api.ts";
import { type RequestState, useRequest } from "../api/requests.ts";
import { gatewayTimeOf, mayDo, useConsole } from "../frame/console.ts";
import type { Answered, Facts } from "./lines.ts";

/** How often what changes by itself is asked for; the rest changes by people alone. */
const oftenMs = 3_000;
const seldomMs = 30_000;

/** Whatever the checklist goes by. Keys are listed to admins for all rooms alone. */
export function useFacts(room: string) {
  const { api, features, nowMs, elapsedMs, principal } = useConsole();
  const { ask } = api;
  const params = { path: { room } };
  const isAdmin = mayDo(principal.role, "admin") && principal.rooms === null;
  const all = { params: { query: { limit: 500 } } };
  const answers = {
    room: useRequest(() => take(ask.GET("/admin/rooms/{room}", { params })), { of: [room], everyMs: oftenMs }),
    keys: useRequest(async () => (isAdmin ? (await take(ask.GET("/admin/api-keys", all))).keys : null), {
      of: [room],
      everyMs: seldomMs,
    }),
  };
  function answerOf<Answer>({ answer, receivedMs }: RequestState<Answer | null>): Answered<Answer> {
    const now = { nowMs, elapsedMs };
    return answer === null || receivedMs === null ? null : { answer, atMs: gatewayTimeOf(now, receivedMs) };
  }
  const found = answerOf(answers.room);
  const details = found !== null && "phase" in found.answer ? { answer: found.answer, atMs: found.atMs } : null;
  const facts: Facts = {
    room: details,
    keys: answerOf(answers.keys),
    nowMs,
  };
  // The list of features never changes, and so the order of hooks does not.
  const added = features.flatMap(({ useChecklist }) => useChecklist?.(room, details?.answer ?? null) ?? []);
  const problem = [...Object.values(answers), ...added].find((each) => each.problem !== null)?.problem ?? null;
  return { facts, added, problem };
}
