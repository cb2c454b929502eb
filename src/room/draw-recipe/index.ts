/**
 * The draw: how the entry numbers of a prequeue become places in line, as a recipe that anybody may repeat (docs/draw.md).
 * Pure functions of public data, and of the draw key where a seed is made; it knows no room, no store and no network, and
 * runs in browsers. `room/draw/` keeps the draws; `features/verify-draw/` and `web/browser/` check them. The check of a
 * beacon's signature is not exported here: it is large, so its users import beacon-signature.ts.
 */
export { type BeaconChain, publishedMs, quicknet, randomnessOf, roundOfDraw } from "./beacon-chain.ts";
export * from "./document.ts";
export { createReceiptKey, type ReceiptKey } from "./jws.ts";
export { type BeaconOutcome, commitmentOf, keyOf, receiptSeedOf, seedOf } from "./keys.ts";
export { createEntryNumbers, createOrder, type DrawRecord, type Order } from "./order.ts";
export { type Receipt, readReceipt, signReceipt } from "./receipt.ts";
export { drawRecipe } from "./recipe.ts";
export { ShapeError } from "./shape.ts";
export type { FoundPlace } from "./verification/check-receipts.ts";
export type { Check, CheckName, CheckStatus } from "./verification/checks.ts";
export { type DrawReport, type VerifyDrawOptions, verifyDraw } from "./verification/verify-draw.ts";
