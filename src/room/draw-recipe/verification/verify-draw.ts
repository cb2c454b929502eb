/** Checks what was published of draws: all that can be checked offline. */
import { type BeaconChain, publishedMs, quicknet, randomnessOf, roundOfDraw } from "../beacon-chain.ts";
import type { VerifyRound } from "../beacon-signature.ts";
import {
  type DrawDocument,
  faultOfStatement,
  type PublishedBeacon,
  type PublishedDraw,
  recordOf,
} from "../document.ts";
import { commitmentOf } from "../keys.ts";
import { createEntryNumbers, createOrder, faultOfNumbers } from "../order.ts";
import { checkReceipts, type FoundPlace } from "./check-receipts.ts";
import { checkVoids } from "./check-voids.ts";
import { type Check, fail, judge, warn } from "./checks.ts";

export interface VerifyDrawOptions {
  /** `verifyRound` of beacon-signature.ts, which is too long for pages that can load it later. */
  readonly verifyRound: VerifyRound;
  /** The thumbprint of the key that the draws are to be signed with, where it is known from elsewhere. */
  readonly keyThumbprint?: string;
  /** The place in line that the waiting page reported, to be compared with the one that the only receipt has. */
  readonly position?: number;
}

export type DrawReport = ReturnType<typeof verifyDraw>;

/** Checks all that can be checked of the published document, offline, and where the holders of receipts stand. */
export function verifyDraw(
  document: DrawDocument,
  receipts: readonly string[],
  { verifyRound, keyThumbprint, position }: VerifyDrawOptions,
) {
  const { draws } = document;
  const orders = new Map(
    draws.map((draw) => {
      const record = recordOf(document, draw);
      return [draw.id, record && createOrder(record)];
    }),
  );
  const ofReceipts = checkReceipts(document, orders, receipts);
  const { places } = ofReceipts;
  const checks: readonly Check[] = [
    ...checkContents(document),
    ...draws.flatMap((draw) => [...checkDraw(document, draw, verifyRound, keyThumbprint)]),
    ...ofReceipts.checks,
    ...(position === undefined ? [] : [checkPlace(places, position)]),
  ];
  /** Whether nothing failed; there may be warnings. */
  const isGenuine = checks.every(({ status }) => status !== "failed");
  return { isGenuine, checks, places };
}

/** There must be something to check, and no number may be in two draws. */
function checkContents({ draws, order }: DrawDocument): Check[] {
  if (draws.length === 0) {
    const reason = order === "arrival" ? "places go by arrival in this room" : "none was announced yet";
    return [fail("contents", null, `The document has no draw that could be checked: ${reason}`)];
  }
  const faults: string[] = [];
  let reached = { id: 0, last: 0 };
  for (const { id, first, last } of draws) {
    if (id <= reached.id) faults.push(`Draw ${id} comes behind draw ${reached.id}`);
    if (first !== null && first <= reached.last) faults.push(`Draws ${reached.id} and ${id} share numbers`);
    reached = { id, last: last ?? reached.last };
  }
  return faults.map((fault) => fail("contents", null, fault));
}

function checkPlace(places: readonly FoundPlace[], reported: number): Check {
  const [place, ...others] = places;
  if (place === undefined || others.length > 0) {
    return fail("place", null, "A place can be compared with that of one receipt only: give one that can be read");
  }
  const { draw, position, entry } = place;
  if (position === null)
    return fail("place", draw, `Entry ${entry} has no place that could be compared with ${reported}`);
  const fault = position === reported ? null : `Entry ${entry} has place ${position}, and ${reported} was reported`;
  return judge("place", draw, fault, `Entry ${entry} has the place that was reported, ${reported}`);
}

/** Checks one draw of a document by itself. @param keyThumbprint of the key that it is to be signed with, where that is known */
function* checkDraw(
  document: DrawDocument,
  draw: PublishedDraw,
  verifyRound: VerifyRound,
  keyThumbprint: string | undefined,
): Generator<Check> {
  const { id, receipt_key } = draw;
  yield judge("record", id, faultOfStatement(document, draw), "The room has signed what is said of the draw");
  if (keyThumbprint !== undefined) {
    const isSame = receipt_key.kid === keyThumbprint;
    const fault = isSame ? null : `It is signed with the key ${receipt_key.kid}, not with ${keyThumbprint}`;
    yield judge("key", id, fault, "It is signed with the key that you named");
  }
  yield checkSeed(document, draw);
  yield* checkNumbers(draw);
  yield* checkVoids(draw);
  yield* checkBeacon(draw, verifyRound);
}

function checkSeed({ room, edition }: DrawDocument, { id, stage, seed, commitment }: PublishedDraw): Check {
  if (stage === "drawn") {
    if (seed === null) return fail("seed", id, "The draw is done, and its seed was not revealed");
    const isOther = commitmentOf({ room, edition, id }, seed) !== commitment;
    const fault = "The seed is not the one that was committed to: its SHA-256 is not the commitment";
    return judge("seed", id, isOther ? fault : null, "The seed is the one that was committed to");
  }
  if (seed !== null) return fail("seed", id, `The seed is known, and the draw is not done (${stage})`);
  return stage === "cancelled"
    ? warn("seed", id, "The draw was cancelled: nothing was drawn")
    : warn("seed", id, `The draw is not done (${stage}): of the order nothing can be checked yet`);
}

/** Nothing while the last number is not known. */
function* checkNumbers({ id, stage, first, last, gaps, entries }: PublishedDraw): Generator<Check> {
  if (first === null || last === null || entries === null) {
    const isDue = stage === "closed" || stage === "drawn";
    if (isDue) yield fail("numbers", id, "The first number, the last one or how many took part is missing");
    return;
  }
  const impossible = faultOfNumbers({ first, last, gaps });
  if (impossible !== null) return yield fail("numbers", id, `The numbers cannot be: ${impossible}`);
  const counted = createEntryNumbers({ first, last, gaps }).entries;
  const fault =
    counted === entries
      ? null
      : `${first}…${last} without the numbers that nobody holds are ${counted} entries, and ${entries} are said to have taken part`;
  yield judge("numbers", id, fault, `${entries} took part, with the numbers ${first}…${last}`);
}

const fairToVisitorsOnly = "the order is fair among visitors, whom nobody can favour but the operator";

/** What the document says of the public beacon, as far as the draw has come. */
function* checkBeacon(draw: PublishedDraw, verifyRound: VerifyRound): Generator<Check> {
  const { id, beacon, stage } = draw;
  if (beacon === null) return yield warn("beacon", id, `No public beacon was announced: ${fairToVisitorsOnly}`);
  const { chain: hash, public_key: publicKey, genesis: genesisSec, period: periodSec, round } = beacon;
  const chain = { hash, publicKey, genesisSec, periodSec };
  yield checkChain(id, chain);
  const isAnnouncedOnly = draw.closes_at === null && (stage === "committed" || stage === "cancelled");
  if (round !== null && !isAnnouncedOnly) {
    const well = `Round ${round} is the first that is published six seconds after the last entry, or later`;
    yield judge("round", id, faultOfRound(round, draw.closes_at, beacon.published_at, chain), well);
  }
  if (stage !== "drawn") return;
  if (beacon.fallback === null) {
    const well = `The chain has signed round ${round}, and the random number is its signature's`;
    yield judge("beacon", id, faultOfValue(beacon, chain, verifyRound), well);
  } else if (beacon.signature === null && beacon.randomness === null) {
    yield warn("beacon", id, `The public beacon was announced, and could not be had in time: ${fairToVisitorsOnly}`);
  } else yield fail("beacon", id, "The beacon is said to have been unavailable, and its value is there");
}

function checkChain(id: number, chain: BeaconChain): Check {
  if (chain.hash !== quicknet.hash) {
    const text = `The beacon is the chain ${chain.hash}, which this program does not know: see for yourself whose it is`;
    return warn("chain", id, text);
  }
  const isGenuine = (["publicKey", "genesisSec", "periodSec"] as const).every((name) => chain[name] === quicknet[name]);
  const fault = "The chain is called quicknet, and its public key, its beginning or its period is not quicknet's";
  return judge("chain", id, isGenuine ? null : fault, "The beacon is drand's quicknet");
}

function faultOfRound(round: number, closesAt: string | null, publishedAt: string | null, chain: BeaconChain) {
  if (closesAt === null)
    return "It is not said until when entries were taken, so that any round could have been chosen";
  const due = roundOfDraw(chain, Date.parse(closesAt));
  if (round !== due) return `Entries were taken until ${closesAt}: the round must be ${due}, and is ${round}`;
  return publishedAt === null || Date.parse(publishedAt) === publishedMs(chain, round)
    ? null
    : `Round ${round} was published at another time than ${publishedAt}`;
}

function faultOfValue({ round, signature, randomness }: PublishedBeacon, chain: BeaconChain, verifyRound: VerifyRound) {
  if (round === null || signature === null || randomness === null) {
    return "A public beacon was announced, and its round, signature or random number is missing";
  }
  if (!verifyRound(chain, round, signature)) return `The chain has not signed round ${round} with this signature`;
  return randomnessOf(signature) === randomness ? null : "The random number is not SHA-256 of the beacon's signature";
}
