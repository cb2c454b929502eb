import { z } from "zod";
import { settingsOf } from "../../config/index.ts";
import { timeOrNone, timeOrNull } from "../../operate/admin-api/bodies.ts";
import { featureHealth, featureModule, type Gateway } from "../../operate/feature.ts";
import { type Attention, seconds, warning } from "../../operate/health/attention/attention.ts";
import { createBeaconClient } from "./beacon-client.ts";
import { beaconSettings } from "./settings.ts";

const time = z.number().nullable().catch(null);
/** When the last round of the beacon was fetched, and when one could not be. */
const fetches = z.object({ fetched_ms: time, failed_ms: time }).catch({ fetched_ms: null, failed_ms: null });
type Fetches = z.output<typeof fetches>;

/** For so long after a failure this is shown as not well. */
const shownMs = 3_600_000;

export const beaconHealth = featureHealth({
  self: fetches,
  attention(selves, nowMs): Attention[] {
    const failedMs = lastOf(selves, "failed_ms") ?? 0;
    if (failedMs <= (lastOf(selves, "fetched_ms") ?? 0) || nowMs - failedMs >= shownMs) return [];
    const text = `The public random numbers for draws could not be fetched ${seconds(nowMs - failedMs)} ago. See that the gateways reach a mirror of the beacon before a draw needs it.`;
    return [warning({ code: "beacon_fails", text })];
  },
  member: "beacon",
  answer: z.object({ fetched_at: timeOrNone, failed_at: timeOrNone }),
  answerOf: (selves) => ({
    fetched_at: timeOrNull(lastOf(selves, "fetched_ms")),
    failed_at: timeOrNull(lastOf(selves, "failed_ms")),
  }),
});

function lastOf(selves: readonly Fetches[], member: keyof Fetches): number | null {
  const times = selves.flatMap((self) => self[member] ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

/** The rooms of a gateway draw with public random numbers: they say which round they wait for, and until when. */
export const beaconInGateway = featureModule({
  start({ config, rooms, clock, logger }: Gateway) {
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
    const stopping = new AbortController();
    const last: Fetches = { fetched_ms: null, failed_ms: null };
    rooms.useBeacon({
      chain: client.chain,
      async fetch(round, of) {
        const answer = await client.fetchRound(round, stopping.signal, of);
        last[answer.isAvailable ? "fetched_ms" : "failed_ms"] = clock.now();
        if (answer.isAvailable) return { round, signature: answer.signature, randomness: answer.randomness };
        logger.warn({ event: "beacon.failed", round, failures: answer.failures });
        return null;
      },
    });
    return {
      describe: (): Fetches => ({ ...last }),
      stop: async () => stopping.abort(),
    };
  },
  health: beaconHealth,
});
