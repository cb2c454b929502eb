import { createRedisHarness } from "./redis-harness.ts";
import { describeRoomStore, roomStoreHalves } from "./room-store.contract.ts";

const { "bypass links": bypass, moves } = roomStoreHalves.steps;
// Of these, the short file tries their properties a few times only.
describeRoomStore("redis", createRedisHarness, { parts: { ...roomStoreHalves.plays, "bypass links": bypass, moves } });
