// Long: plays minutes of a room, tick by tick.
import { createMemoryHarness } from "./memory-harness.ts";
import { describeRoomStore, plays } from "./room-store.contract.ts";

describeRoomStore("memory", createMemoryHarness, { parts: plays });
