import { describeOidcAdapter } from "./oidc-adapter.contract.ts";
import { createRedisHarness } from "./redis-harness.ts";
import { describeRoomStore, roomStoreHalves } from "./room-store.contract.ts";
import { describeSharedDocuments } from "./shared-documents.contract.ts";

describeRoomStore("redis", createRedisHarness, { parts: roomStoreHalves.steps, triesShare: 0.2 });
describeOidcAdapter("redis", createRedisHarness);
describeSharedDocuments("redis", createRedisHarness);
