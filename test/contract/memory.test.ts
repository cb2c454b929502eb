import { createMemoryHarness } from "./memory-harness.ts";
import { describeOidcAdapter } from "./oidc-adapter.contract.ts";
import { describeRoomStore } from "./room-store.contract.ts";

describeRoomStore("memory", createMemoryHarness);
describeOidcAdapter("memory", createMemoryHarness);
