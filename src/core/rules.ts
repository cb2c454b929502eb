/** The settings in force, laid out as the rules go by them, with the defaults of an `adaptive` inlet. */
import type { InletSettings, RoomSettings } from "../store/contract/room-settings.ts";
import type { Room } from "./room.ts";

/** Of an `adaptive` inlet; nothing for others. */
function setAdaptive(room: Room, inlet: InletSettings): void {
  if (inlet.type !== "adaptive") return;
  const limit = inlet.outflowPerMinute ?? 1;
  const floor = Math.min(limit, inlet.floorPerMinute ?? Math.max(1, Math.floor(limit / 100)));
  room.rateFloor = floor;
  room.rateStart = Math.min(limit, Math.max(floor, inlet.startPerMinute ?? Math.floor(limit / 10)));
  room.rateStep = inlet.stepPerMinute ?? Math.max(1, Math.floor(limit / 50));
  room.targetMs = inlet.latencyMs ?? null;
  room.targetTimes = inlet.timesBaseline ?? null;
  if (room.targetMs === null && room.targetTimes === null) room.targetTimes = 3;
  room.errorLimit = inlet.errorRate ?? 0.05;
  room.decideEveryMs = inlet.decideEveryMs ?? 10_000;
}

function setInlet(room: Room, inlet: InletSettings): void {
  room.inletType = inlet.type;
  room.limit = inlet.outflowPerMinute;
  setAdaptive(room, inlet);
  room.maxActive = inlet.maxActive;
  room.startsAtMs = inlet.startsAtMs;
  room.endsAtMs = inlet.endsAtMs;
  const shared = inlet.sharedOutflow;
  room.sharedId = shared === null ? "" : shared.id;
  room.sharedLimit = shared !== null ? shared.outflowPerMinute : null;
  room.sharedWeight = shared !== null ? (inlet.weight ?? shared.weight) : null;
  const gate = inlet.gate;
  room.unhealthyAfter = gate !== null ? gate.unhealthyAfter : null;
  room.healthyAfter = gate !== null ? gate.healthyAfter : null;
}

export function setRules(room: Room, settings: RoomSettings): void {
  setInlet(room, settings.inlet);
  room.prequeueAtMs = settings.schedule.prequeueAtMs;
  room.opensAtMs = settings.schedule.opensAtMs;
  room.closesAtMs = settings.schedule.endsAtMs;
  room.whenIdle = settings.whenIdle;
  room.whenEnded = settings.whenEnded;
  room.maxWaiting = settings.maxWaiting;
  const draw = settings.draw ?? null;
  room.drawOrder = draw === null ? "" : draw.order;
  room.drawBeacon = draw === null ? "" : draw.beacon;
  room.durationMs = settings.admission.durationMs;
  room.maxDurationMs = settings.admission.maxDurationMs;
  room.claimWithinMs = settings.admission.claimWithinMs;
  room.loginsPerAdmission = settings.admission.loginsPerAdmission;
  room.addressesPerAdmission = settings.admission.addressesPerAdmission ?? null;
  room.logRowsMax = settings.logRowsMax ?? null;
}
