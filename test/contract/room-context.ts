import type { StoreHarness } from "./harness.ts";
import type { RoomDriver, SettingsSketch } from "./room-driver.ts";

/** What each part of the contract gets. */
export interface RoomContext {
  readonly harness: StoreHarness;
  /** A room of its own, not opened yet. */
  room(sketch?: SettingsSketch): RoomDriver;
  /** How often a property is tried: a store in this process is so much faster than one behind a connection. */
  runs(inProcess: number, elsewhere: number): number;
  /** Whether what takes many steps, and shows nothing more of the store's bindings, is left to others. */
  readonly isBrief: boolean;
}

export type RoomTest = (context: RoomContext) => void;
