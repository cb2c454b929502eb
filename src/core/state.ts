/** What is reported of a room. */
import type { AdaptiveState, RoomState } from "../store/contract/room-state.ts";
import { adaptiveState } from "./adaptive/adapt.ts";
import { absentPlaces } from "./advances.ts";
import { enteringShare, pendingPlaces, peopleAtDoor } from "./batches.ts";
import { liveCount, liveLapses } from "./capacity.ts";
import { isLimited } from "./clocks.ts";
import { planLimit } from "./groups.ts";
import { phaseOf, phaseReason } from "./holds.ts";
import { measuredOutflow, progressOf } from "./progress.ts";
import { joinPeak } from "./recovery/gaps.ts";
import type { Room } from "./room.ts";
import { presenceOf } from "./statistics/presence.ts";

/** The state but for settings and draws, which a store has as JSON. */
export interface ReportedState extends Omit<RoomState, "settings" | "draws" | "voids" | "adaptive"> {
  readonly adaptive: AdaptiveState | null;
}

export function reportState(room: Room): ReportedState {
  return {
    incarnation: room.incarnation,
    incarnationStartedMs: room.incarnationStartedMs,
    server: { runId: room.runId, runsBefore: room.runsBefore, lostMs: room.lostMs },
    edition: room.edition,
    phase: phaseOf(room),
    phaseReason: phaseReason(room),
    basePhase: room.basePhase,
    phaseSinceMs: room.phaseSinceMs,
    holds: room.holds,
    scheduleMarkMs: room.scheduleMarkMs,
    idleEndedMs: room.idleEndedMs,
    version: room.version,
    stock: { left: room.stockLeft, asOfMs: room.stockAsOfMs, mark: room.stockMark },
    queued: room.queued,
    voidedEntries: room.voidedEntries,
    serving: room.serving,
    gaps: room.gaps.filter((gap) => gap.to > room.serving),
    expiredThrough: room.expiredThrough,
    liveAdmissions: liveCount(room),
    liveLapses: liveLapses(room),
    pending: pendingPlaces(room),
    readyToEnter: peopleAtDoor(room),
    enteringShare: enteringShare(room),
    absent: absentPlaces(room),
    counts: room.counts,
    progress: progressOf(room),
    outflowPerMinute: measuredOutflow(room),
    adaptive: adaptiveState(room),
    planLimitPerMinute: planLimit(room),
    limitChangedMs: room.limitChangedMs,
    joinsPerSecondPeak: joinPeak(room),
    healthReportedMs: room.health.reportedMs,
    flowMs: room.flowMs,
    claimMs: room.claimMs,
    nowMs: room.atMs,
    holdRemainingMs: isLimited(room) ? Math.max(0, room.holdUntilMs - room.flowMs) : 0,
    statisticsSlot: room.statistics.slot,
    presence: presenceOf(room),
    events: { last: room.eventLast, told: room.told, toldDraws: room.toldDraws },
    log: { last: room.logLast, sealed: { seq: room.logSealedSeq, hash: room.logSealedHash } },
  };
}
