/** A draw as a room would publish it: 40 numbers of which 3 nobody holds, with quicknet's round 1000 as its beacon. */
import {
  commitmentOf,
  createOrder,
  createReceiptKey,
  type DrawDocument,
  type DrawFacts,
  type PublishedBeacon,
  publishDraw,
  publishedMs,
  quicknet,
  type Receipt,
  receiptSeedOf,
  seedOf,
  signReceipt,
} from "../../../../src/room/draw-recipe/index.ts";
import { testKey } from "./keys.ts";
import { recordedRounds } from "./recorded-rounds.ts";

const secret = testKey("draw key");
export const receiptKey = createReceiptKey(receiptSeedOf(secret));
export const otherKey = createReceiptKey(receiptSeedOf(testKey("another draw key")));

const name = { room: "autumn-tour", edition: 2, id: 1 };
const owner = { issuer: "https://queue.example.com", room: name.room, edition: name.edition };
const seed = seedOf(secret, name);
const closesMs = publishedMs(quicknet, 1_000) - 6_500;

export const [round] = recordedRounds;

export const beacon: PublishedBeacon = {
  chain: quicknet.hash,
  public_key: quicknet.publicKey,
  genesis: quicknet.genesisSec,
  period: quicknet.periodSec,
  round: round.round,
  published_at: new Date(publishedMs(quicknet, round.round)).toISOString(),
  signature: round.signature,
  randomness: round.randomness,
  fallback: null,
};

export const facts: DrawFacts = {
  id: name.id,
  stage: "drawn",
  commitment: commitmentOf(name, seed),
  first: 1,
  last: 40,
  gaps: [
    [7, 7],
    [20, 21],
  ],
  voids: [],
  entries: 37,
  opens_at: new Date(closesMs - 5_000).toISOString(),
  closes_at: new Date(closesMs).toISOString(),
  seed,
  beacon,
};

/** The facts with a change, signed by the room: what an operator could publish. */
export function documentOf(change: Partial<DrawFacts> = {}, { key = receiptKey, of = owner } = {}): DrawDocument {
  return {
    ...of,
    order: "random",
    draws: [publishDraw(key, of, { ...facts, ...change })],
    recipe: ["The entries are permuted by a key that the seed and the public beacon make."],
    updated_at: new Date(closesMs + 60_000).toISOString(),
  };
}

/** The document with a change in its draw that the room has not signed: what somebody on the way could make of it. */
export function tampered(change: (draw: { [field: string]: unknown; beacon: Record<string, unknown> }) => void) {
  const document = structuredClone(documentOf());
  change(document.draws[0] as never);
  return document;
}

export const positionOf = createOrder({
  ...name,
  first: 1,
  last: 40,
  gaps: facts.gaps,
  seed,
  beacon: { chain: quicknet.hash, round: round.round, randomness: round.randomness },
}).positionOf;

/** As the visitor has it in the prequeue. */
export const receipt: Receipt = {
  iss: owner.issuer,
  sub: "visitor-17",
  room: name.room,
  edition: name.edition,
  draw: name.id,
  entry: 17,
  commitment: facts.commitment,
  beacon: { chain: quicknet.hash, round: round.round },
  iat: Math.floor(closesMs / 1_000) - 600,
};

/** As the visitor has it after the draw. */
export const drawnReceipt: Receipt = { ...receipt, entries: 37, position: positionOf(17) };

export function receiptText(change: Partial<Receipt> = {}, key = receiptKey): string {
  return signReceipt(key, { ...drawnReceipt, ...change });
}
