import { formatTime } from "../../config/index.ts";
import type { Logger } from "../../lib/logger.ts";
import type { ClientEvent, KeyEvent, RegisteredRoomEvent, RegistryEvent } from "../../registry/index.ts";

type Event = RegistryEvent | ClientEvent | RegisteredRoomEvent | KeyEvent;

/** What deserves an operator's attention, in words; all else is logged without. */
const words: Partial<Record<Event["event"], readonly [level: "warn" | "error", message: string]>> = {
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

/** Says what happens to an issuer's rooms, clients and keys, and who did it. Never a secret. */
export function logRegistryEvent(event: Event & { readonly issuer: string }, logger: Logger): void {
  const isForced = "isForced" in event && event.isForced;
  const [level, message] = words[event.event] ?? (isForced ? beforeItsTime : ["info"]);
  logger[level](fieldsOf(event), message);
}

/** Members that the log takes as they are. Of others it knows nothing, so that none can bring a secret into it. */
const logged = ["event", "issuer", "room", "kid", "purpose", "alg", "version", "faults"] as const;

/** As the log names them. */
function fieldsOf(event: Event): object {
  const all = event as Event & {
    readonly [name in (typeof logged)[number]]?: unknown;
  } & {
    readonly clientId?: string;
    readonly previousExpiresMs?: number | null;
    readonly isForced?: boolean;
    readonly bySelf?: boolean;
    readonly error?: unknown;
    readonly admin?: string | null;
  };
  const { clientId, previousExpiresMs, isForced, bySelf, error, admin } = all;
  return {
    ...Object.fromEntries(logged.filter((name) => all[name] !== undefined).map((name) => [name, all[name]])),
    ...(clientId !== undefined && { client_id: clientId }),
    ...(admin != null && { admin }),
    ...(previousExpiresMs !== undefined && {
      previous_secret_expires_at: previousExpiresMs === null ? null : formatTime(previousExpiresMs),
    }),
    ...(isForced === true && { forced: true }),
    ...(bySelf !== undefined && { by: bySelf ? "this process" : "another process" }),
    ...("error" in event && { err: error }),
  };
}
