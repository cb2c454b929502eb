import { SetupError, StoreUnavailableError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Random } from "../../lib/random.ts";
import { createClient } from "./client.ts";
import { connect } from "./connect.ts";
import { createKeys } from "./keys.ts";
import { createRunner } from "./runner.ts";
import { checkServer, messageOf } from "./server-checks.ts";
import { nameServer } from "./server-name.ts";

export interface InspectOptions {
  readonly url: string;
  readonly random: Random;
  readonly logger: Logger;
  /** This machine's clock, with which the server's is compared. */
  readonly nowMs: () => number;
}

/** As in the gateway: more than this between clocks is worth a warning. */
const skewMaxMs = 2_000;

/** Looks at a server as a gateway does at its start, and whether it keeps what it has over a restart. Changes nothing. */
export async function inspectRedis({ url, random, logger, nowMs }: InspectOptions) {
  const server = nameServer(url);
  const client = createClient({ url, random, logger, commandTimeoutMs: 2_000 });
  try {
    const failure = await connect(client, server);
    if (failure !== null) return { faults: [notReached(failure)], warnings: [] };
    const askedMs = nowMs();
    const { warnings, nowMs: theirsMs } = await checkServer(createRunner(client), createKeys("usher:"), server);
    const offMs = Math.abs(theirsMs - (askedMs + nowMs()) / 2);
    const clock =
      offMs > skewMaxMs
        ? [
            `${server.name} has a clock ${Math.round(offMs / 1_000)} s off this one: run chrony or another NTP client on both`,
          ]
        : [];
    return { faults: [], warnings: [...warnings, ...persistenceWarnings(await client.info("persistence")), ...clock] };
  } catch (error) {
    if (error instanceof SetupError) return { faults: [error.message], warnings: [] };
    if (error instanceof StoreUnavailableError) return { faults: [notReached(messageOf(error.cause))], warnings: [] };
    throw error;
  } finally {
    client.disconnect();
  }

  function notReached(reason: string): string {
    return `${server.name} does not answer (${reason}): start it, and see that ${server.cli} PING reaches it from here`;
  }

  function persistenceWarnings(info: string): string[] {
    const value = (name: string) => new RegExp(`^${name}:(\\w+)`, "m").exec(info)?.[1];
    if (value("aof_enabled") === "0") {
      return [
        `${server.name} writes no append-only file, so a restart loses what came after its last snapshot, and every room recovers for some seconds: ` +
          `${server.cli} CONFIG SET appendonly yes, and the same in its redis.conf`,
      ];
    }
    if (value("aof_last_write_status") !== "err") return [];
    return [`${server.name} could not write its append-only file: make room on its disk`];
  }
}
