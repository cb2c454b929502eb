import { expect, it } from "vitest";
import { describeAuditStore } from "./audit-store.contract.ts";
import { describeJoinCounts } from "./join-counts.contract.ts";
import { createMemoryHarness } from "./memory-harness.ts";
import { describeOidcAdapter } from "./oidc-adapter.contract.ts";
import { describeProcessStore } from "./process-store.contract.ts";
import { describeRoomStore } from "./room-store.contract.ts";
import { describeSharedDocuments } from "./shared-documents.contract.ts";
import { describeWatcherStore } from "./watcher-store.contract.ts";

describeRoomStore("memory", createMemoryHarness, { triesShare: 0.1 });
describeOidcAdapter("memory", createMemoryHarness);
describeAuditStore("memory", () => createMemoryHarness({ isShared: true }));
describeProcessStore("memory", () => createMemoryHarness({ isShared: true }));
describeSharedDocuments("memory", () => createMemoryHarness({ isShared: true }));
describeWatcherStore("memory", () => createMemoryHarness({ isShared: true }));
describeJoinCounts("memory", () => createMemoryHarness({ isShared: true }));

it("of one process never settles: there is nobody else to ask", async () => {
  const harness = await createMemoryHarness();
  const { documents } = harness.store;
  expect(await documents.exchange("a", { version: 5, text: "kept in a file" })).toBe("unchanged");
  expect(await documents.replace("a", "a6", 5)).toEqual({ result: "ok", version: 6 });
  await harness.wipe();
  expect(await documents.replace("a", "a7", 6)).toEqual({ result: "conflict" });
  expect(await documents.replace("a", "a1", 0)).toEqual({ result: "ok", version: 1 });
  await harness.close();
});
