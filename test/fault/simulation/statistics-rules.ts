/** What the statistics of the whole day say, against what the room has counted. */
import type { RoomCountName } from "../../../src/room/statistics/room-statistics.ts";
import type { WaitingRoom } from "../../../src/room/waiting-room.ts";
import { RuleBroken } from "./rules.ts";

const minuteMs = 60_000;
const counted: readonly Exclude<RoomCountName, "served">[] = [
  "joined",
  "entered",
  "bypassed",
  "passed",
  "completed",
  "loggedOut",
  "revoked",
  "expired",
  "noShows",
  "left",
];
/** Of a loss, what was remembered is in the counters and in no step. A place that is late is a no-show less, so only these never shrink. */
const growing = new Set<string>(["joined", "entered", "bypassed", "passed"]);

/** @param beganMs when the simulated day began, by the wall clock @throws RuleBroken */
export async function judgeStatistics(room: WaitingRoom, beganMs: number, nowMs: number): Promise<void> {
  await room.refresh();
  const counts = room.state?.counts;
  if (counts === undefined) return;
  for (const stepMs of [10_000, minuteMs]) {
    // A clock that was set may have put rows an hour aside.
    const fromMs = Math.floor((beganMs - 120 * minuteMs) / minuteMs) * minuteMs;
    const toMs = Math.ceil((nowMs + 120 * minuteMs) / minuteMs) * minuteMs;
    const steps = await room.statistics({ fromMs, toMs, stepMs });
    const hasLoss = steps.some((step) => step.hasLoss);
    for (const name of counted) {
      const sum = steps.reduce((total, step) => total + (step.counts?.[name] ?? 0), 0);
      const isRight = hasLoss ? !growing.has(name) || sum <= counts[name] : sum === counts[name];
      if (isRight) continue;
      throw new RuleBroken(
        `statistics: ${name} of all steps of ${stepMs} ms is ${sum}, and the room has ${counts[name]}`,
      );
    }
  }
}
