import type { Logger } from "../../lib/logger.ts";
import type { RegisteredRoomEvent } from "../../registry/index.ts";

/** Says what operators do with the rooms of an issuer at run time. */
export function logRegisteredRoomEvent(event: RegisteredRoomEvent & { readonly issuer: string }, logger: Logger): void {
  const fields = { event: event.event, issuer: event.issuer, room: event.room };
  switch (event.event) {
    case "room.created":
    case "room.updated":
    case "room.deleted":
      logger.info({ ...fields, admin: event.admin });
      break;
    case "room.shadowed":
      logger.warn(
        fields,
        "the configuration file, or another issuer, has a room of this id, which was made by the admin API; the settings there are in force",
      );
      break;
    case "room.unusable":
      logger.warn(
        { ...fields, faults: event.faults },
        "a room that was made by the admin API does not fit this process, and is left out here",
      );
  }
}
