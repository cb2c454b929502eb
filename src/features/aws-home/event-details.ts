import type { WaitingRoom } from "../../room/index.ts";
import type { EventFigures, RoomEvent } from "../../store/contract/room-events.ts";
import { readLogin } from "./home.ts";

/** What their stack puts on its event bus, in its words. */
export interface BusEvent {
  readonly type: "token_generated" | "session_updated" | "automatic_serving_counter_incr" | "waiting_room_metrics";
  readonly detail: Readonly<Record<string, string | number>>;
}

/**
 * The events of the interface that an event of the room is; none for most.
 *
 * @param eventId of the interface
 * @param before the figures of a minute earlier; undefined where they are not known
 * @throws StoreUnavailableError
 */
export async function busEventsOf(
  room: WaitingRoom,
  eventId: string,
  event: RoomEvent,
  before: EventFigures | undefined,
): Promise<BusEvent[]> {
  switch (event.kind) {
    case "admission": {
      const requestId = await requestIdOf(room, event.sub);
      return requestId === null
        ? []
        : [{ type: "token_generated", detail: { event_id: eventId, request_id: requestId } }];
    }
    case "admission_ended": {
      const { end: status } = event;
      if (status !== "completed" && status !== "abandoned") return [];
      const requestId = await requestIdOf(room, event.sub);
      if (requestId === null) return [];
      return [{ type: "session_updated", detail: { event_id: eventId, request_id: requestId, status } }];
    }
    case "figures":
      return [...incrementOf(room, event.figures, before), metricsOf(room, eventId, event.figures)];
    default:
      return [];
  }
}

/** Null for a visitor who came in another way. */
async function requestIdOf({ admissions }: WaitingRoom, sub: string): Promise<string | null> {
  const cached = admissions.cached(sub)?.admission;
  const known = cached === undefined ? null : readLogin(cached);
  // This process may have learnt of the admission before it was claimed again by the interface.
  const admission = known === null ? await admissions.find(sub) : null;
  return (known ?? (admission && readLogin(admission)))?.requestId ?? null;
}

/** What the inlet itself has served in the last minute. An operator's own steps are among it. */
function incrementOf(room: WaitingRoom, now: EventFigures, before: EventFigures | undefined): BusEvent[] {
  const isAutomatic = room.settings.inlet.type !== "manual";
  if (!isAutomatic || before === undefined || before.edition !== now.edition || now.serving <= before.serving)
    return [];
  return [
    {
      type: "automatic_serving_counter_incr",
      detail: {
        previous_serving_counter_position: before.serving,
        increment_by: now.serving - before.serving,
        current_serving_counter_position: now.serving,
      },
    },
  ];
}

/** All figures but one are texts there. */
function metricsOf({ state }: WaitingRoom, eventId: string, figures: EventFigures): BusEvent {
  return {
    type: "waiting_room_metrics",
    detail: {
      event_id: eventId,
      num_active_tokens: figures.liveAdmissions,
      total_num_tokens: String(figures.entered + figures.passed + figures.bypassed),
      queue_counter: String(figures.queued),
      serving_number: String(figures.serving),
      completed_sessions: String(state?.counts.completed ?? 0),
      abandoned_sessions: String(state?.counts.abandoned ?? 0),
    },
  };
}
