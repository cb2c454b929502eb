import { formatTime } from "../../config/index.ts";
import type { Logger } from "../../lib/logger.ts";
import type { ClientEvent } from "../../registry/index.ts";

/** Says what operators do with the clients of an issuer at run time. Never a secret. */
export function logClientEvent(event: ClientEvent & { readonly issuer: string }, logger: Logger): void {
  const fields = { event: event.event, issuer: event.issuer, client_id: event.clientId };
  switch (event.event) {
    case "client.created":
    case "client.updated":
    case "client.deleted":
      logger.info({ ...fields, admin: event.admin });
      break;
    case "client.secret_rotated": {
      const { admin, previousExpiresMs } = event;
      const expires_at = previousExpiresMs === null ? null : formatTime(previousExpiresMs);
      logger.info({ ...fields, admin, previous_secret_expires_at: expires_at });
      break;
    }
    case "client.shadowed":
      logger.warn(
        fields,
        "a client of the configuration file has the id of one that was made by the admin API, and is in force; DELETE removes the other",
      );
      break;
    case "client.unusable":
      logger.warn(
        { ...fields, faults: event.faults },
        "a client that was made by the admin API does not fit the configuration file of this process, and is left out here",
      );
  }
}
