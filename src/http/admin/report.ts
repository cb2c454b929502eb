import type { WaitingRoom } from "../../room/index.ts";
import { type End, ends, type Report } from "./bodies.ts";

/** Admissions that are ended at the same time. */
const concurrencyMax = 32;

/**
 * Applies a site's report of visitors who are done. Safe to repeat: an ended admission keeps its end, and exits without
 * a `sub` are counted once for each `requestId`. Answers how many of those were counted (no more than were live), how
 * many admissions on record have ended in each way, at any time, and which have no record.
 */
export async function carryOutReport(room: WaitingRoom, report: Report, requestId: string | null, admin: string) {
  // First, since it alone may be refused: an Idempotency-Key of another request.
  const exited =
    report.exited === undefined
      ? 0
      : ((await room.operations.step({ step: "exited", count: report.exited }, requestId, admin)).exited ?? 0);
  const counts = { completed: 0, abandoned: 0, revoked: 0 };
  const unknown: string[] = [];
  const named = ends.flatMap((end) => [...new Set(report[end])].map((sub): [string, End] => [sub, end]));
  await forEachConcurrently(named, async ([sub, end]) => {
    const admission = await room.admissions.end(sub, end);
    if (admission === null) unknown.push(sub);
    else if (admission.ended === end) counts[end]++;
  });
  // Should the store be away since, the number of the live is a little old.
  await room.catchUp();
  return {
    exited,
    ...counts,
    unknown,
    live_admissions: room.state?.liveAdmissions ?? null,
  };
}

async function forEachConcurrently<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: concurrencyMax }, async () => {
      // All take from one iterator.
      for (const item of rest) await run(item);
    }),
  );
}
