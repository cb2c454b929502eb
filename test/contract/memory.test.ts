import { createMemoryHarness } from "./memory-harness.ts";
import { describeRoomStore } from "./room-store.contract.ts";

describeRoomStore("memory", createMemoryHarness);
