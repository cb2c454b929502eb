import type { RoomEvent } from "../../store/contract/room-store.ts";
import type { EventType } from "./event-types.ts";

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
    case "refusals":
      return event.isMany ? "usher.room.joins_refused" : "usher.room.joins_refused_ended";
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
