/** The types of events. A test compares them with docs/webhooks.md. */
import type { RoomEvent } from "../store/contract/room-store.ts";

export const eventTypes = [
  "usher.room.phase_changed",
  "usher.room.hold_began",
  "usher.room.hold_ended",
  "usher.room.edition_began",
  "usher.room.settings_changed",
  "usher.room.sold_out",
  "usher.room.sold_out_ended",
  "usher.room.full",
  "usher.room.full_ended",
  "usher.room.draw_changed",
  "usher.room.log_sealed",
  "usher.room.recovered",
  "usher.room.figures",
  "usher.admission.began",
  "usher.admission.ended",
  "usher.room.created",
  "usher.room.updated",
  "usher.room.deleted",
  "usher.client.created",
  "usher.client.updated",
  "usher.client.deleted",
  "usher.key.changed",
  "usher.admin_key.created",
  "usher.admin_key.rotated",
  "usher.admin_key.revoked",
  "usher.webhook.created",
  "usher.webhook.updated",
  "usher.webhook.deleted",
  "usher.process.ready",
  "usher.process.not_ready",
  "usher.webhook.test",
  "usher.webhook.events_missed",
] as const;
export type EventType = (typeof eventTypes)[number];

/** What a webhook without a choice of its own is sent: all but what comes often. */
export const usualTypes: readonly string[] = eventTypes.filter(
  (type) => type !== "usher.room.figures" && !type.startsWith("usher.admission."),
);

/** The type of an event of a room. */
export function typeOf(event: Exclude<RoomEvent, { kind: "other" }>): EventType {
  switch (event.kind) {
    case "phase":
      return "usher.room.phase_changed";
    case "hold":
      return event.isSet ? "usher.room.hold_began" : "usher.room.hold_ended";
    case "edition":
      return "usher.room.edition_began";
    case "settings":
      return "usher.room.settings_changed";
    case "sold_out":
      return event.isSoldOut ? "usher.room.sold_out" : "usher.room.sold_out_ended";
    case "full":
      return event.isFull ? "usher.room.full" : "usher.room.full_ended";
    case "draw":
      return "usher.room.draw_changed";
    case "log_sealed":
      return "usher.room.log_sealed";
    case "recovered":
      return "usher.room.recovered";
    case "figures":
      return "usher.room.figures";
    case "admission":
      return "usher.admission.began";
    case "admission_ended":
      return "usher.admission.ended";
  }
}

/** Whether a type is meant by one of these: each is a type, or the beginning of some with a `*` behind it. */
export function isAmong(type: string, wanted: readonly string[]): boolean {
  return wanted.some((each) => (each.endsWith("*") ? type.startsWith(each.slice(0, -1)) : type === each));
}

/** The first of these that means no type; undefined for none. */
export function unknownType(wanted: readonly string[]): string | undefined {
  return wanted.find((each) => !eventTypes.some((type) => isAmong(type, [each])));
}
