/**
 * The draw: how the entry numbers of a prequeue become places in line, as a recipe that anybody may repeat (docs/draw.md).
 * Pure functions of public data, and of the draw key where a seed is made; it knows no room, no store and no network, and
 * runs in browsers. `room/` holds the draws; `cli/` and `browser/` check them. The check of a
 * beacon's signature is not exported here: it is large, so its users import beacon-signature.ts.
 */
export { type BeaconChain, publishedMs, quicknet, randomnessOf, roundOfDraw } from "./beacon-chain.ts";
export type { Check, CheckName, CheckStatus, DrawReport, FoundPlace } from "./checks.ts";
export {
  type DrawDocument,
  type DrawFacts,
  type PublishedBeacon,
  type PublishedDraw,
  readDrawDocument,
} from "./document.ts";
export { type DrawOwner, publishDraw } from "./draw-statement.ts";
export { ShapeError } from "./fields.ts";
export { createReceiptKey, type ReceiptKey } from "./jws.ts";
export { createEntryNumbers } from "./numbers.ts";
export { createOrder, type DrawRecord, type Order } from "./order.ts";
export { type BeaconOutcome, commitmentOf, keyOf } from "./outcome.ts";
export { type Receipt, readReceipt, signReceipt } from "./receipt.ts";
export { drawRecipe } from "./recipe.ts";
export { receiptSeedOf, seedOf } from "./seed.ts";
export { type VerifyDrawOptions, verifyDraw } from "./verify-draw.ts";
