import { SetupError, StoreUnavailableError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Random } from "../../lib/random.ts";
import { createClient } from "./client.ts";
import { connect } from "./connect.ts";
import { foreignName } from "./foreign-name.ts";
import { createKeys } from "./keys.ts";
import { createRunner } from "./runner.ts";
import { checkServer, messageOf } from "./server-checks.ts";
import { persistenceFindings } from "./server-facts.ts";
import { nameServer } from "./server-name.ts";

export interface InspectOptions {
  readonly url: string;
  /** Begins every key. */
  readonly prefix: string;
  /** Whose it should be; null: its ticket keys are not known here. */
  readonly installation: { readonly issuers: readonly string[]; readonly ticketKeys: readonly string[] | null };
  readonly random: Random;
  readonly logger: Logger;
  /** This machine's clock, with which the server's is compared. */
  readonly nowMs: () => number;
}

/** As in the gateway: more than this between clocks is worth a warning. */
const skewMaxMs = 2_000;

/** Looks at a server as a gateway does at its start, and whether it keeps what it has over a restart. Changes nothing. */
export async function inspectRedis({ url, prefix, installation, random, logger, nowMs }: InspectOptions) {
  const server = nameServer(url);
  const client = createClient({ url, random, logger, commandTimeoutMs: 2_000 });
  try {
    const failure = await connect(client, server);
    if (failure !== null) return { faults: [notReached(failure)], warnings: [] };
    const sentMs = nowMs();
    const keys = createKeys(prefix);
    const { warnings, nowMs: theirsMs } = await checkServer(createRunner(client, null), keys, server);
    const offMs = Math.abs(theirsMs - (sentMs + nowMs()) / 2);
    const clock =
      offMs > skewMaxMs
        ? [
            `${server.name} has a clock ${Math.round(offMs / 1_000)} s off this one: run chrony or another NTP client on both`,
          ]
        : [];
    const persistence = persistenceFindings(await client.info("persistence"), server);
    const named = await client.hmget(keys.installation, "issuers", "ticket_keys");
    const foreign = foreignName(server, installation, named);
    return {
      faults: foreign === null ? [] : [foreign],
      warnings: [...warnings, ...persistence.map(({ text }) => text), ...clock],
    };
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
}
