import { createRedisHarness } from "./redis-harness.ts";
import { describeRoomStore } from "./room-store.contract.ts";

describeRoomStore("redis", createRedisHarness);
