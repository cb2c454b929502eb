import { type BeaconChain, publishedMs, quicknet, randomnessOf, roundOfDraw } from "./beacon-chain.ts";
import type { VerifyRound } from "./beacon-signature.ts";
import { type Check, judge, warn } from "./checks.ts";
import type { PublishedBeacon, PublishedDraw } from "./document.ts";
import type { BeaconOutcome } from "./outcome.ts";

const fairToVisitorsOnly = "the order is fair among visitors, whom nobody can favour but the operator";

/** Checks what the document says of the public beacon, as far as the draw has come. */
export function checkBeacon(draw: PublishedDraw, verifyRound: VerifyRound): Check[] {
  const { id, beacon, stage } = draw;
  if (beacon === null) return [warn("beacon", id, `No public beacon was announced: ${fairToVisitorsOnly}`)];
  const chain = chainOf(beacon);
  const checks = [checkChain(id, chain)];
  const isAnnouncedOnly = draw.closes_at === null && (stage === "committed" || stage === "cancelled");
  if (beacon.round !== null && !isAnnouncedOnly)
    checks.push(judge("round", id, faultOfRound(draw, beacon, chain), roundText(beacon)));
  if (stage === "drawn") checks.push(checkValue(id, beacon, chain, verifyRound));
  return checks;
}

/** What of the beacon goes into the key. Undefined while that is not known. */
export function outcomeOf(beacon: PublishedBeacon | null): BeaconOutcome | undefined {
  if (beacon === null) return null;
  if (beacon.fallback !== null) return "fallback";
  const { chain, round, randomness } = beacon;
  return round === null || randomness === null ? undefined : { chain, round, randomness };
}

function chainOf({ chain, public_key, genesis, period }: PublishedBeacon): BeaconChain {
  return { hash: chain, publicKey: public_key, genesisSec: genesis, periodSec: period };
}

function checkChain(id: number, chain: BeaconChain): Check {
  if (chain.hash !== quicknet.hash) {
    const text = `The beacon is the chain ${chain.hash}, which this program does not know: see for yourself whose it is`;
    return warn("chain", id, text);
  }
  const isGenuine =
    chain.publicKey === quicknet.publicKey &&
    chain.genesisSec === quicknet.genesisSec &&
    chain.periodSec === quicknet.periodSec;
  const fault = isGenuine
    ? null
    : "The chain is called quicknet, and its public key, its beginning or its period is not quicknet's";
  return judge("chain", id, fault, "The beacon is drand's quicknet");
}

function faultOfRound({ closes_at }: PublishedDraw, { round, published_at }: PublishedBeacon, chain: BeaconChain) {
  if (round === null) return "No round is named";
  if (closes_at === null)
    return "It is not said until when entries were taken, so that any round could have been chosen";
  const due = roundOfDraw(chain, Date.parse(closes_at));
  if (round !== due) return `Entries were taken until ${closes_at}: the round must be ${due}, and is ${round}`;
  return published_at === null || Date.parse(published_at) === publishedMs(chain, round)
    ? null
    : `Round ${round} was published at another time than ${published_at}`;
}

function roundText({ round }: PublishedBeacon): string {
  return `Round ${round} is the first that is published six seconds after the last entry, or later`;
}

function checkValue(id: number, beacon: PublishedBeacon, chain: BeaconChain, verifyRound: VerifyRound): Check {
  const { round, signature, randomness, fallback } = beacon;
  if (fallback !== null) {
    return signature === null && randomness === null
      ? warn("beacon", id, `The public beacon was announced, and could not be had in time: ${fairToVisitorsOnly}`)
      : judge("beacon", id, "The beacon is said to have been unavailable, and its value is there", "");
  }
  return judge(
    "beacon",
    id,
    faultOfValue(),
    `The chain has signed round ${round}, and the random number is its signature's`,
  );

  function faultOfValue(): string | null {
    if (round === null || signature === null || randomness === null) {
      return "A public beacon was announced, and its round, signature or random number is missing";
    }
    if (!verifyRound(chain, round, signature)) return `The chain has not signed round ${round} with this signature`;
    return randomnessOf(signature) === randomness ? null : "The random number is not SHA-256 of the beacon's signature";
  }
}
