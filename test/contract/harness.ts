import type { Store } from "../../src/store/contract/store.ts";

/** What the contract suites need of a store under test. One harness serves one test file. */
export interface StoreHarness {
  readonly store: Store;
  /** Another client of the same store, for concurrency. */
  second(): Promise<Store>;
  /** Moves the store's clock, forwards or back. Time stands still otherwise. */
  advance(ms: number): Promise<void>;
  nowMs(): number;
  /** Empties the store under the same run id. */
  wipe(): Promise<void>;
  /** Takes a snapshot, for `restore`. */
  save(): Promise<void>;
  /** Puts the snapshot back, under another run id. */
  restore(): Promise<void>;
  /** Puts the snapshot back under the same run id. */
  restoreInPlace(): Promise<void>;
  close(): Promise<void>;
}

export type HarnessFactory = () => Promise<StoreHarness>;
