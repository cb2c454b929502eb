/** Logins whose client is to be told that the admission has ended: `ATTEMPTS:ADMITTED_MS:SUB:CLIENT`, by when they are due. */

import type { AdmissionRecord } from "../ports/records.ts";
import { addMember, membersBetween, removeHighest, removeMember, setScore, sizeOf } from "../ports/scored-set.ts";
import { afterColon, clientOf, leadingNumber, textOf } from "../ports/texts.ts";
import type { Room } from "../room.ts";

const maxAttempts = 9;
const firstRetryMs = 30_000;
const maxEndedLogins = 100_000;

/** Lines up the clients that want to be told that the admission is over. */
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

/** A login as it was handed out this time. */
interface HandedOut {
  readonly id: string;
  readonly isLast: boolean;
}

/** Forgets those that were told, and hands out those that are due. */
export function takeEndedLogins(room: Room, told: readonly string[], limit: number): HandedOut[] {
  for (const id of told) removeMember(room.endedLogins, id);
  const taken: HandedOut[] = [];
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
