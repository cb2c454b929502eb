import { createRedisHarness } from "./redis-harness.ts";
import { describeRoomStore, roomStoreHalves } from "./room-store.contract.ts";

describeRoomStore("redis", createRedisHarness, { parts: roomStoreHalves.plays });
