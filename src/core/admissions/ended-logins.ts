/**
 * Logins whose client is to be notified that the admission has ended: `ATTEMPTS:ADMITTED_MS:SUB:CLIENT`, by when they are due. A login
 * names its client behind a colon; each client is lined up once. An ended admission that a memory brings is lined up again: after
 * a loss nobody knows who was notified.
 */
import type { EndedLogin } from "../../store/contract/room-store.ts";
import type { AdmissionRecord } from "../ports/records.ts";
import { addMember, membersBetween, removeHighest, removeMember, setScore, sizeOf } from "../ports/scored-set.ts";
import { afterColon, clientOf, leadingNumber, textOf } from "../ports/texts.ts";
import type { Room } from "../room.ts";

const maxAttempts = 9;
const firstRetryMs = 30_000;
const maxEndedLogins = 100_000;

/** Lines up the clients that want to be notified that the admission is over. */
export function lineUpEnded(room: Room, record: AdmissionRecord): void {
  for (const login of record.logins) {
    const client = clientOf(login);
    if (client !== null) {
      const member = `0:${textOf(record.admittedMs)}:${record.sub}:${client}`;
      addMember(room.endedLogins, member, room.flowMs);
      if (sizeOf(room.endedLogins) > maxEndedLogins) removeHighest(room.endedLogins);
    }
  }
}

/** How long after so many attempts the next one comes. */
function retryMsAfter(attempt: number): number {
  let retryMs = firstRetryMs;
  let doubled = 1;
  while (doubled < attempt) {
    retryMs *= 2;
    doubled++;
  }
  return retryMs;
}

/** Forgets those whose client was notified, and hands out those that are due. */
export function takeEndedLogins(room: Room, notified: readonly string[], limit: number): EndedLogin[] {
  for (const id of notified) removeMember(room.endedLogins, id);
  const taken: EndedLogin[] = [];
  for (const member of membersBetween(room.endedLogins, 0, room.flowMs, limit)) {
    removeMember(room.endedLogins, member);
    const attempt = leadingNumber(member) + 1;
    const id = `${textOf(attempt)}:${afterColon(member)}`;
    const isLast = attempt >= maxAttempts;
    if (!isLast) setScore(room.endedLogins, id, room.flowMs + retryMsAfter(attempt));
    taken.push({ id, isLast });
  }
  return taken;
}
