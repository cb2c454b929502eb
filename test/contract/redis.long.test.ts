// Long: plays minutes of a room on Redis, tick by tick.
import { createRedisHarness } from "./redis-harness.ts";
import { describeRoomStore } from "./room-store.contract.ts";

describeRoomStore("redis", createRedisHarness);
