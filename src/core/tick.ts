/** Keeps the room moving: inlet, lapses and pruning, each bounded. Nothing is counted twice, however many call. */
import { adaptRate } from "./adaptive/adapt.ts";
import { logCounts, logSituation } from "./admission-log.ts";
import { lapseAdmissions, pruneEnded } from "./admissions/admissions.ts";
import { expireAdvances } from "./advances.ts";
import { pruneUnaccounted } from "./capacity.ts";
import { peopleWaiting } from "./clocks.ts";
import { publishNews } from "./events/tell.ts";
import { recordDemand } from "./groups.ts";
import { runInlet } from "./inlet.ts";
import { pruneLog } from "./limiter.ts";
import { prunePendingClaims } from "./pending-claims.ts";
import { sizeOf } from "./ports/scored-set.ts";
import type { Room } from "./room.ts";

export const maxPerTick = 500;

export function moveRoom(room: Room): void {
  prunePendingClaims(room, 1_000);
  pruneLog(room);
  lapseAdmissions(room, maxPerTick);
  pruneUnaccounted(room);
  recordDemand(room, peopleWaiting(room) > 0 || sizeOf(room.pendingClaims) > 0);
  adaptRate(room);
  runInlet(room);
  expireAdvances(room, maxPerTick);
  pruneEnded(room, maxPerTick);
  logSituation(room);
  logCounts(room);
  publishNews(room);
}
