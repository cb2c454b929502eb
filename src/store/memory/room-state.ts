import { adaptiveState } from "../../core/adaptive/adapt.ts";
import { absentPlaces } from "../../core/advances.ts";
import { enteringShare, pendingPlaces, peopleAtDoor } from "../../core/batches.ts";
import { liveCount, liveLapses } from "../../core/capacity.ts";
import { isLimited } from "../../core/clocks.ts";
import { planLimit } from "../../core/groups.ts";
import { phaseOf, phaseReason } from "../../core/holds.ts";
import { measuredOutflow } from "../../core/outflow.ts";
import { progressOf } from "../../core/progress.ts";
import { joinPeak } from "../../core/recovery/gaps.ts";
import type { RoomState } from "../contract/room-store.ts";
import { logState } from "./admission-log.ts";
import type { GroupData, RoomData } from "./data.ts";

/** The public state of the room. */
export function roomState(room: RoomData, group: GroupData | null): RoomState {
  const { incarnation, incarnationStartedMs, edition, basePhase, version, queued, serving, expiredThrough } = room;
  const { scheduleMarkMs, idleEndedMs, limitChangedMs, flowMs, claimMs } = room;
  const adaptive = adaptiveState(room);
  return {
    room: room.name,
    incarnation,
    incarnationStartedMs: incarnationStartedMs,
    edition,
    phase: phaseOf(room),
    phaseReason: phaseReason(room),
    basePhase,
    holds: [...room.holds],
    scheduleMarkMs,
    idleEndedMs,
    version,
    settings: settingsOf(room),
    draws: room.draws.map(({ atFlowMs: _, ...draw }) => ({ ...draw, gaps: [...draw.gaps] })),
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
    ...(adaptive && { adaptive }),
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

function settingsOf({ effective, file, liveChanges }: RoomData): RoomState["settings"] {
  return { effective: JSON.parse(effective), file: JSON.parse(file), live: JSON.parse(liveChanges) };
}
