import type { DrawChain } from "../../src/store/contract/room-store.ts";

/** A chain that nobody runs. */
export function drandChain(name: string): DrawChain {
  return { hash: `hash of ${name}`, publicKey: `key of ${name}`, genesisSec: 1_692_803_367, periodSec: 3 };
}
