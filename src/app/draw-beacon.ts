import { settingsOf, type UsherConfig } from "../config/index.ts";
import { createBeaconClient } from "../features/beacon/beacon-client.ts";
import { beaconSettings } from "../features/beacon/settings.ts";
import type { Logger } from "../lib/logger.ts";
import type { Beacon } from "../room/index.ts";

interface BeaconParts {
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  /** Told of each round, whether it could be fetched. */
  readonly onFetch: (isFetched: boolean) => void;
}

/** The public random numbers that draws may use. */
export function createDrawBeacon(config: UsherConfig, { logger, stopping, onFetch }: BeaconParts): Beacon {
  const { urls, timeoutMs, chain } = settingsOf(config, beaconSettings);
  const configured = chain && {
    hash: chain.hash,
    publicKey: chain.publicKey,
    genesisSec: chain.genesis,
    periodSec: chain.period,
  };
  const client = createBeaconClient({
    timeoutMs,
    ...(urls && { mirrors: urls }),
    ...(configured && { chain: configured }),
  });
  return {
    chain: client.chain,
    async fetch(round, of) {
      const answer = await client.fetchRound(round, stopping, of);
      onFetch(answer.isAvailable);
      if (answer.isAvailable) return { round, signature: answer.signature, randomness: answer.randomness };
      logger.warn({ event: "beacon.failed", round, failures: answer.failures });
      return null;
    },
  };
}
