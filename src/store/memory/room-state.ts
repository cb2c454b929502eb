import type { RoomState } from "../contract/room-store.ts";
import { adaptiveState } from "./adaptive.ts";
import { logState } from "./admission-log.ts";
import { absentPlaces } from "./advances.ts";
import { enteringShare, pendingPlaces, peopleAtDoor } from "./batches.ts";
import { liveCount, liveLapses } from "./capacity.ts";
import { isLimited } from "./clocks.ts";
import type { GroupData, RoomData } from "./data.ts";
import { toDraw } from "./draws.ts";
import { planLimit } from "./groups.ts";
import { measuredOutflow } from "./outflow.ts";
import { phaseOf, phaseReason } from "./phases.ts";
import { progressOf } from "./progress.ts";
import { joinPeak } from "./recovery.ts";

/** The public state of the room. */
export function roomState(room: RoomData, group: GroupData | null): RoomState {
  const { life, lifeStartedMs, edition, basePhase, version, settings, queued, serving, expiredThrough } = room;
  const { scheduleMarkMs, idleEndedMs, limitChangedMs, flowMs, claimMs } = room;
  return {
    room: room.name,
    incarnation: life,
    incarnationStartedMs: lifeStartedMs,
    edition,
    phase: phaseOf(room),
    phaseReason: phaseReason(room),
    basePhase,
    holds: [...room.holds],
    scheduleMarkMs,
    idleEndedMs,
    version,
    settings,
    draws: room.draws.map(toDraw),
    queued,
    serving,
    gaps: room.gaps.filter((gap) => gap.to > serving),
    expiredThrough,
    liveAdmissions: liveCount(room),
    liveLapses: liveLapses(room),
    pending: pendingPlaces(room),
    readyToEnter: peopleAtDoor(room),
    enteringShare: enteringShare(room),
    absent: absentPlaces(room),
    counts: { ...room.counts },
    progress: progressOf(room),
    outflowPerMinute: measuredOutflow(room),
    ...adaptiveState(room),
    planLimitPerMinute: planLimit(room, group),
    limitChangedMs,
    joinsPerSecondPeak: joinPeak(room),
    healthReportedMs: room.health.reportedMs,
    flowMs,
    claimMs,
    nowMs: room.atMs,
    holdRemainingMs: isLimited(room) ? Math.max(0, room.holdUntilMs - flowMs) : 0,
    log: logState(room),
  };
}
