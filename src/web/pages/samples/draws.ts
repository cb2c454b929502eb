import { formatTime } from "../../../config/index.ts";
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
  randomnessOf,
  receiptSeedOf,
  roundOfDraw,
  seedOf,
  signReceipt,
} from "../../../room/draw-recipe/index.ts";
import { showDraw } from "../render/variables.ts";
import type { DrawView } from "../types.ts";
import type { SampleRoom } from "./sample.ts";

/** A draw as its page shows it, and the record that the page checks. */
export interface SampleDraw {
  readonly draw: DrawView;
  readonly record: DrawDocument;
}

export type SampleDrawName = "drawn" | "committed" | "stranger" | "closing" | "fallback" | "plain" | "cancelled";

/** Of the made-up draws: known to everybody, so that nobody mistakes them for others. */
const secret = new Uint8Array(32);
const entry = 31_415;
export const sampleEntries = 48_213;
const numbers = { first: 1, last: 48_216, gaps: [[7_001, 7_003]] as const, entries: sampleEntries };
/** A round that the League of Entropy has really published, on 23 August 2023. */
const round = 1_000;
const signature = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";
/** So that this is the round of the draw. */
const closesMs = publishedMs(quicknet, 2 * round - roundOfDraw(quicknet, publishedMs(quicknet, round)));

/** The draws of the samples, which were drawn by the recipe: what their page checks is right. */
export function sampleDraws(room: Pick<SampleRoom, "id">): Record<SampleDrawName, SampleDraw> {
  const name = { room: room.id, edition: 1, id: 1 };
  const owner = { issuer: "https://queue.example.com", room: room.id, edition: 1 };
  const key = createReceiptKey(receiptSeedOf(secret));
  const seed = seedOf(secret, name);
  const commitment = commitmentOf(name, seed);
  const announced: PublishedBeacon = {
    chain: quicknet.hash,
    public_key: quicknet.publicKey,
    genesis: quicknet.genesisSec,
    period: quicknet.periodSec,
    round,
    published_at: formatTime(publishedMs(quicknet, round)),
    signature: null,
    randomness: null,
    fallback: null,
  };
  const randomness = randomnessOf(signature);
  const toCome: DrawFacts = {
    id: name.id,
    stage: "committed",
    commitment,
    first: 1,
    last: null,
    gaps: [],
    voids: [],
    entries: null,
    opens_at: formatTime(closesMs - 5_000),
    closes_at: formatTime(closesMs),
    seed: null,
    beacon: announced,
  };
  const drawn: DrawFacts = {
    ...toCome,
    ...numbers,
    stage: "drawn",
    voids: [
      {
        reference: "KZPRWBTG",
        reason: "Three entries within a second from one address.",
        at: formatTime(closesMs - 600_000),
        restored_at: null,
        numbers: numbers.gaps,
      },
    ],
    seed,
    beacon: { ...announced, signature, randomness },
  };
  const beaconOutcome = { chain: quicknet.hash, round, randomness };
  const { positionOf } = createOrder({ ...name, ...numbers, seed, beacon: beaconOutcome });

  const receipt = signReceipt(key, {
    iss: owner.issuer,
    sub: `${room.id}.k3Jx0dPq`,
    room: room.id,
    edition: 1,
    draw: 1,
    entry,
    commitment,
    beacon: { chain: quicknet.hash, round },
    iat: Math.floor(closesMs / 1_000) - 600,
  });
  const undrawn = { entry, position: null, receipt };

  return {
    drawn: of(drawn, { entry, position: positionOf(entry), receipt }),
    committed: of(toCome, undrawn),
    stranger: of({ ...toCome, first: null, beacon: null }, null),
    closing: of({ ...toCome, stage: "closing" }, undrawn),
    fallback: of({ ...drawn, beacon: { ...announced, fallback: "unavailable" } }, null),
    plain: of({ ...drawn, beacon: null }, null),
    cancelled: of({ ...toCome, stage: "cancelled" }, null),
  };

  function of(facts: DrawFacts, visitorEntry: DrawView["own"]): SampleDraw {
    const draws = [publishDraw(key, owner, facts)];
    const documentFields = {
      order: "random",
      recipe: ["docs/draw.md"],
      updated_at: formatTime(closesMs + 60_000),
    } as const;
    const record = { ...owner, ...documentFields, draws };
    const draw = showDraw(record, visitorEntry);
    if (draw === null) throw new Error("the record has no draw");
    return { draw, record };
  }
}
