import type { RoomState } from "../room-store.ts";
import { outflowLimit } from "./clocks.ts";
import type { RoomData } from "./data.ts";
import { measuredOutflow } from "./outflow.ts";
import { joinPeak } from "./recovery.ts";
import { countBelow } from "./scored-set.ts";

/** The public state of the room. */
export function roomState(name: string, room: RoomData): RoomState {
  const { life, lifeStartedMs, edition, phase, phaseReason, version, settings, queued, serving, expiredThrough } = room;
  const { flowMs, claimMs } = room;
  return {
    room: name,
    life,
    lifeStartedMs,
    edition,
    phase,
    phaseReason,
    version,
    settings,
    queued,
    serving,
    gaps: room.gaps.filter((gap) => gap.to > serving),
    expiredThrough,
    liveAdmissions: room.live.order.length - countBelow(room.live, room.atMs + 1),
    outflowPerMinute: measuredOutflow(room),
    joinsPerSecondPeak: joinPeak(room),
    flowMs,
    claimMs,
    nowMs: room.atMs,
    holdRemainingMs: outflowLimit(room) === null ? 0 : Math.max(0, room.holdUntilMs - flowMs),
  };
}
