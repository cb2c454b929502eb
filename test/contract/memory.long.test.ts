import { createMemoryHarness } from "./memory-harness.ts";
import { describeRoomStore, roomStoreHalves } from "./room-store.contract.ts";

describeRoomStore("memory", createMemoryHarness, { parts: roomStoreHalves.plays });
