import { expect, test } from "vitest";
import { createRecoveryClient } from "../../../../src/room/replica/recovery-client.ts";
import type { RoomReplica } from "../../../../src/room/replica/room-replica.ts";
import type { RoomStore } from "../../../../src/store/contract/room-store.ts";
import { manualSettings } from "../../../support/room-settings.ts";
import { someMemory } from "./memories.ts";

/**
 * What a process with these checkpoints offers a room that goes on: their queue counters, null for no memory.
 *
 * @param later the checkpoint that begins a recovery
 */
async function offered(queued: readonly number[], later?: number): Promise<(number | null)[]> {
  const offers: (number | null)[] = [];
  let number = 1;
  const contribute: RoomStore["contribute"] = async ({ memory }) => {
    offers.push(memory?.queued ?? null);
    if (memory !== null && memory.queued === later) number = 2;
    return { incarnation: `run.${number}`, remainingMs: number === 1 ? 0 : 2_500 };
  };
  const memories = queued.map((each) => ({ ...someMemory, queued: each }));
  const replica = { seen: null, seenBeforeRestart: null, hasMemory: memories.length > 0, recall: () => memories };
  const client = createRecoveryClient(() => ({ contribute }) as RoomStore, replica as unknown as RoomReplica, {
    room: "tickets",
    fileSettings: manualSettings,
    isNewRoom: false,
  });
  await client.run(async (incarnation) =>
    incarnation === `run.${number}` ? { result: "ok", value: undefined } : { result: "recover" },
  );
  expect(client.incarnation).toBe(`run.${number}`);
  return offers;
}

test("a process without a memory learns the incarnation", async () => {
  expect(await offered([])).toEqual([null]);
});

test("each checkpoint is offered once to a room that goes on, or to the recovery that the first of them begins", async () => {
  expect(await offered([10, 20, 15])).toEqual([null, 10, 20, 15]);
  expect(await offered([20, 10, 15], 20)).toEqual([null, 20, 10, 15]);
});

test("what was offered before a checkpoint began a recovery is offered to that recovery, too", async () => {
  expect(await offered([10, 20, 15], 20)).toEqual([null, 10, 20, 15, 10, 20, 15]);
});
