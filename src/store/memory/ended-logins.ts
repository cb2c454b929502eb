import { membersBetween, removeMember, setScore } from "../../core/ports/scored-set.ts";
import type { EndedLogin } from "../contract/room-store.ts";
import type { AdmissionRecord, RoomData } from "./data.ts";

const maxAttempts = 9;
const firstRetryMs = 30_000;
const maxEndedLogins = 100_000;

/** Lines up the clients that want to be told that the admission is over. */
export function lineUpEnded(room: RoomData, { sub, admittedMs, logins }: AdmissionRecord): void {
  const { endedLogins, flowMs } = room;
  for (const login of logins) {
    const clientId = /^[^:]*:(.+)$/.exec(login)?.[1];
    if (clientId === undefined) continue;
    const member = `0:${admittedMs}:${sub}:${clientId}`;
    if (!endedLogins.scores.has(member)) setScore(endedLogins, member, flowMs);
    const last = endedLogins.order.at(-1);
    if (last !== undefined && endedLogins.order.length > maxEndedLogins) removeMember(endedLogins, last.member);
  }
}

/** Forgets those that were told, and hands out those that are due. */
export function takeEndedLogins(room: RoomData, told: readonly string[], limit: number): EndedLogin[] {
  const { endedLogins, flowMs } = room;
  for (const id of told) removeMember(endedLogins, id);
  return membersBetween(endedLogins, 0, flowMs, limit).map((member) => {
    removeMember(endedLogins, member);
    const [, attempts = "", rest = ""] = /^(\d+):(.*)$/.exec(member) ?? [];
    const attempt = Number(attempts) + 1;
    const id = `${attempt}:${rest}`;
    if (attempt < maxAttempts) setScore(endedLogins, id, flowMs + firstRetryMs * 2 ** (attempt - 1));
    return { id, isLast: attempt === maxAttempts };
  });
}
