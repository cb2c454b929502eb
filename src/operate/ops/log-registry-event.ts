import type { Logger } from "../../lib/logger.ts";
import type { AdminKeyEvent, ClientEvent, KeyEvent, RegisteredRoomEvent, RegistryEvent } from "../../registry/index.ts";

type Event = RegistryEvent | AdminKeyEvent | ClientEvent | RegisteredRoomEvent | KeyEvent;

/** What deserves an operator's attention, in words; all else is logged without. */
const words: Partial<Record<Event["event"], readonly [level: "warn" | "error", message: string]>> = {
  "admin_key.shadowed": [
    "warn",
    "an admin key of the configuration has the id of one that was made by the admin API, and is in force; DELETE removes the other",
  ],
  "client.shadowed": [
    "warn",
    "a client of the configuration file has the id of one that was made by the admin API, and is in force; DELETE removes the other",
  ],
  "client.unusable": [
    "warn",
    "a client that was made by the admin API does not fit the configuration file of this process, and is left out here",
  ],
  "room.shadowed": [
    "warn",
    "the configuration file, or another issuer, has a room of this id, which was made by the admin API; the settings there are in force",
  ],
  "room.unusable": ["warn", "a room that was made by the admin API does not fit this process, and is left out here"],
  "key.upkeep_failed": ["error", "the keys could not be looked after"],
  "registry.unreadable": [
    "error",
    "the rooms, clients and keys in the store cannot be read: is another Usher newer? What was known stays in force",
  ],
  "registry.file_failed": [
    "error",
    "the copy of rooms, clients and keys beside the secrets file cannot be read or written; only the store keeps them",
  ],
};
const beforeItsTime = ["warn", "before its time: what others kept may not be accepted"] as const;

/** Says what happens to an issuer's rooms, clients and keys, and to the admin keys of all, and who did it. */
export function logRegistryEvent(event: Event & { readonly issuer?: string }, logger: Logger): void {
  const [level, message] = words[event.event] ?? ("forced" in event ? beforeItsTime : ["info"]);
  logger[level](event, message);
}
