import { statusMessage } from "../render/message-json.ts";
import { paceJson } from "../render/pace-json.ts";
import type { WaitingView } from "../types.ts";
import type { SampleRoom } from "./room.ts";
import type { Sample } from "./sample.ts";

export const usualPace: NonNullable<WaitingView["pace"]> = {
  steps: [],
  placesPerMinute: 100,
  spread: 0.1,
  extraSec: 0,
  note: null,
};

/** The answer of `GET /rooms/{room}/status` under which a sample's page stays what it is. */
export function sampleStatusJson(sample: Sample, room: SampleRoom, nowMs: number): object {
  const { status } = sample;
  const view = sample.kind === "waiting" ? sample.view : undefined;
  const notice = sample.kind === "notice" ? sample.notice : undefined;
  const visitor = sample.kind === "waiting" ? sample.visitor : undefined;
  const opensAtMs = view?.opensAtMs ?? notice?.opensAtMs ?? null;
  const entryAtMs = notice?.entryAtMs ?? null;
  const isoTime = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());
  return {
    room: room.id,
    title: view?.room.title ?? room.title,
    phase: status.phase,
    phase_reason: view?.pausedReason ?? null,
    availability: status.availability,
    edition: visitor?.edition ?? 1,
    serving: status.serving,
    queued: Math.max(6_000, visitor?.position ?? 0),
    waiting: 1_412,
    gaps: [],
    outflow_limit: 100,
    outflow_per_minute: 100,
    draw: status.drawStage === undefined ? null : { id: 1, stage: status.drawStage },
    pace: paceJson(view?.pace ?? usualPace),
    held_until: status.heldForMs === null ? null : isoTime(nowMs + status.heldForMs),
    // A notice counts down to when the line begins; the doors open then, or later.
    prequeue_at: entryAtMs === null ? null : isoTime(opensAtMs),
    opens_at: isoTime(entryAtMs ?? opensAtMs),
    ends_at: null,
    ...statusMessage(view === undefined ? (notice?.message ?? null) : view.message),
    poll: room.poll,
    updated_at: isoTime(view?.updatedAtMs ?? nowMs),
  };
}
