import { describeOidcAdapter } from "./oidc-adapter.contract.ts";
import { createRedisHarness } from "./redis-harness.ts";
import { describeRoomStore } from "./room-store.contract.ts";

describeRoomStore("redis", createRedisHarness);
describeOidcAdapter("redis", createRedisHarness);
