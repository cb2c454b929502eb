import { noCounts } from "../../../../src/core/room.ts";
import type { RoomMemory } from "../../../../src/store/contract/room-store.ts";
import { manualSettings } from "../../../support/room-settings.ts";

/** What a process remembers of a manual room with a few visitors. */
export const someMemory: RoomMemory = {
  edition: 5,
  queued: 100,
  serving: 40,
  expiredThrough: 10,
  gaps: [],
  version: 3,
  basePhase: "open",
  holds: [],
  scheduleMarkMs: 0,
  idleEndedMs: 0,
  settings: { effective: manualSettings, file: manualSettings, live: {} },
  claimMs: 7,
  joinsPerSecondPeak: 2,
  counts: noCounts,
  liveLapses: [],
  admissions: [],
  moves: [],
  keys: [],
};
