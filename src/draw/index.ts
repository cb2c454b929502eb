/**
 * The draw: how the entry numbers of a prequeue become places in line, as a recipe that anybody may repeat (docs/draw.md).
 * Pure functions of public data, and of the draw key where a seed is made; it knows no room, no store and no network, and
 * runs in browsers. Where draws are held is the business of `waiting-room/`; `cli/` and `browser/` check them.
 */
export { createEntryNumbers, type EntryNumbers, type NumberRange, type NumberRecord } from "./numbers.ts";
export { createOrder, type DrawRecord, type Order } from "./order.ts";
export { type BeaconOutcome, beaconTextOf, commitmentOf, type DrawName, keyOf, type RoundValue } from "./outcome.ts";
export { createPermutation, type Permutation } from "./permutation.ts";
export { receiptSeedOf, seedOf } from "./seed.ts";
