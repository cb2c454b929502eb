import { readRoomTimes } from "../checks/room-times.ts";
import { joinRate } from "../schema/joins-per-address.ts";
import { messageSettings } from "../schema/room-message.ts";
import type { GateDocument, ProbeDocument, RoomDocument, SharedOutflowDocument } from "../schema/room-schema.ts";
import type { InletConfig, RoomConfig } from "./config.ts";

/** Builds a room out of its checked document. */
export function assembleRoom(room: RoomDocument, sharedOutflows: readonly SharedOutflowDocument[]): RoomConfig {
  const { times, timeZone } = readRoomTimes(room);
  const { id, inlet, admission } = room;
  return {
    id,
    settings: {
      title: room.title ?? id,
      ...toMessage(room),
      inlet: {
        type: inlet.type,
        outflowPerMinute: inlet.outflow_per_minute ?? null,
        maxActive: inlet.max_active ?? null,
        startsAtMs: times.inletStartsAtMs ?? null,
        endsAtMs: times.inletEndsAtMs ?? null,
        sharedOutflow: toSharedOutflow(inlet, sharedOutflows),
        gate: inlet.gate ? gateSettings(inlet.gate) : null,
        ...toAdaptive(inlet),
      },
      schedule: {
        prequeueAtMs: times.prequeueAtMs ?? null,
        opensAtMs: times.opensAtMs ?? null,
        endsAtMs: times.endsAtMs ?? null,
      },
      ...(typeof timeZone === "string" && { timeZone }),
      whenIdle: room.when_idle,
      whenEnded: room.when_ended,
      maxWaiting: room.max_waiting ?? null,
      draw: room.draw,
      admission: {
        durationMs: admission.duration,
        maxDurationMs: admission.max_duration ?? null,
        claimWithinMs: admission.claim_within,
        loginsPerAdmission: admission.logins_per_admission,
        ...(admission.addresses_per_admission != null && { addressesPerAdmission: admission.addresses_per_admission }),
      },
      ...toAdmissionLog(room),
      waitingStatus: room.waiting_status,
      joinsPerAddress: joinRate(room.joins_per_address),
    },
    language: room.language ?? null,
    waysIn: {
      targets: room.targets,
      admissionToken: {
        audience: room.admission_token.audience ?? null,
        validityMs: room.admission_token.validity,
      },
      allowedOrigins: room.allowed_origins,
      exemptPaths: room.verify.exempt,
    },
  };
}

/** A text alone has no details: an earlier build reads the same file, and the two should agree on it. */
function toMessage({ message: written }: RoomDocument) {
  if (written === undefined) return { message: null };
  const { message, messageDetails } = messageSettings(written);
  const isText = written.severity === "information" && written.texts[0]?.language === null;
  return isText ? { message } : { message, messageDetails };
}

/** Only what is written: an earlier build reads the same file, and the two should agree on it. */
function toAdmissionLog({ admission_log }: RoomDocument) {
  return admission_log.max_entries === undefined ? {} : { logRowsMax: admission_log.max_entries };
}

/** The rooms of one keep the same limit each, since each room's settings travel by themselves. */
function toSharedOutflow(
  { shared_outflow: id, weight }: RoomDocument["inlet"],
  sharedOutflows: readonly SharedOutflowDocument[],
): InletConfig["sharedOutflow"] {
  const shared = sharedOutflows.find((candidate) => candidate.id === id);
  return shared === undefined
    ? null
    : { id: shared.id, outflowPerMinute: shared.outflow_per_minute, weight: weight ?? 1 };
}

/** Only what is written: an earlier build reads the same file, and the two should agree on rooms of other types. */
function toAdaptive(inlet: RoomDocument["inlet"]): Partial<InletConfig> {
  const { floor_per_minute, start_per_minute, step_per_minute, latency_ms, times_baseline, error_rate } = inlet;
  const { decide_every, probe } = inlet;
  return {
    ...(typeof floor_per_minute === "number" && { floorPerMinute: floor_per_minute }),
    ...(typeof start_per_minute === "number" && { startPerMinute: start_per_minute }),
    ...(typeof step_per_minute === "number" && { stepPerMinute: step_per_minute }),
    ...(typeof latency_ms === "number" && { latencyMs: latency_ms }),
    ...(typeof times_baseline === "number" && { timesBaseline: times_baseline }),
    ...(typeof error_rate === "number" && { errorRate: error_rate }),
    ...(typeof decide_every === "number" && { decideEveryMs: decide_every }),
    ...(probe && { probe: probeSettings(probe) }),
  };
}

/** A gate as a room's settings have it. */
export function gateSettings(gate: GateDocument): NonNullable<InletConfig["gate"]> {
  return {
    healthUrl: gate.health_url,
    intervalMs: gate.interval,
    timeoutMs: gate.timeout,
    unhealthyAfter: gate.unhealthy_after,
    healthyAfter: gate.healthy_after,
  };
}

/** A probe as a room's settings have it. */
export function probeSettings({ url, interval, timeout }: ProbeDocument): NonNullable<InletConfig["probe"]> {
  return { url, intervalMs: interval, timeoutMs: timeout };
}
