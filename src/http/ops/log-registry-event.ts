import type { Logger } from "../../lib/logger.ts";
import type { ClientEvent, KeyEvent, RegisteredRoomEvent, RegistryEvent } from "../../registry/index.ts";
import { logClientEvent } from "./log-client-event.ts";
import { logKeyEvent } from "./log-key-event.ts";
import { logRegisteredRoomEvent } from "./log-registered-room-event.ts";

/** Says what happens to an issuer's rooms, clients and keys. Never a secret. */
export function logRegistryEvent(
  event: (RegistryEvent | ClientEvent | RegisteredRoomEvent | KeyEvent) & { readonly issuer: string },
  logger: Logger,
): void {
  if ("clientId" in event) logClientEvent(event, logger);
  else if ("room" in event) logRegisteredRoomEvent(event, logger);
  else if ("kid" in event || event.event === "key.upkeep_failed") logKeyEvent(event, logger);
  else if (event.event === "registry.changed") {
    const { version, bySelf, issuer } = event;
    logger.info({ event: "registry.changed", issuer, version, by: bySelf ? "this process" : "another process" });
  } else if (event.event === "registry.unreadable") {
    logger.error(
      { event: event.event, issuer: event.issuer, err: event.error },
      "the rooms, clients and keys in the store cannot be read: is another Usher newer? What was known stays in force",
    );
  } else {
    logger.error(
      { event: event.event, issuer: event.issuer, err: event.error },
      "the copy of rooms, clients and keys beside the secrets file cannot be read or written; only the store keeps them",
    );
  }
}
