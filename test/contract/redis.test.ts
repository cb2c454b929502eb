/**
 * Goal: the bindings of the Redis store: each operation with each of its answers, several clients at once, losses. Method: the parts of
 * the contract that ask for these. redis.long.test.ts runs all parts.
 */
import { expect, it } from "vitest";
import { createAnswerWatch } from "./answers.ts";
import { describeAuditStore } from "./audit-store.contract.ts";
import { describeJoinCounts } from "./join-counts.contract.ts";
import { describeOidcAdapter } from "./oidc-adapter.contract.ts";
import { describeProcessStore } from "./process-store.contract.ts";
import { createDatabaseHarness, createRedisHarness } from "./redis-harness.ts";
import { bindings, describeRoomStore } from "./room-store.contract.ts";
import { describeSharedDocuments } from "./shared-documents.contract.ts";
import { describeWatcherStore } from "./watcher-store.contract.ts";

const answers = createAnswerWatch();

describeRoomStore("redis", async () => answers.watched(await createRedisHarness()), { parts: bindings, isBrief: true });

it("redis has answered each operation in each way there is", () => {
  expect(answers.missing()).toEqual([]);
});

describeOidcAdapter("redis", createRedisHarness);
describeAuditStore("redis", createDatabaseHarness);
describeProcessStore("redis", createDatabaseHarness);
describeSharedDocuments("redis", createRedisHarness);
describeWatcherStore("redis", createDatabaseHarness);
describeJoinCounts("redis", createDatabaseHarness);
