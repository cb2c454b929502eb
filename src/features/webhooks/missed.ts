import { formatTime } from "../../config/index.ts";
import type { CloudEvent, Line } from "../../operate/events/cloud-event.ts";
import type { RoomEvent } from "../../store/contract/room-store.ts";

/**
 * Tells a receiver that a line has forgotten events before they were delivered to it.
 *
 * @param after the number up to which it has had them @param next the oldest that is there
 */
export function missedEvent(webhook: string, line: Line, after: number, next: RoomEvent): CloudEvent {
  const { name, room, issuer: source } = line;
  // Numbers of events are no less than ten times their time.
  const times = { after: formatTime(Math.floor(after / 10)), before: formatTime(next.atMs) };
  return {
    specversion: "1.0",
    id: `${name}.missed.${after}-${next.seq}`,
    source,
    type: "usher.webhook.events_missed",
    subject: room === null ? `webhooks/${webhook}` : `rooms/${room}`,
    time: times.before,
    datacontenttype: "application/json",
    data: { ...(room !== null && { room }), webhook, ...times },
  };
}
