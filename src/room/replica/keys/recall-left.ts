import type { RoomMemory } from "../../../store/contract/room-store.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";

/** At most so many keys are offered at once; as the store demands. */
export const keysPerMemory = 2_000;

/** What the checkpoints hold, and the keys that were left beside them, each with a memory of its edition. */
export function recallLeft(
  checkpoints: Pick<Checkpoints, "recall" | "keysLeft">,
  room: string,
  incarnation: string | null,
): RoomMemory[] {
  const memories = checkpoints.recall(room, incarnation);
  const left = memories.length === 0 ? [] : checkpoints.keysLeft(room);
  const withKeys = left.flatMap(({ edition, keys }) => {
    const memory = memories.find((each) => each.edition === edition);
    if (memory === undefined) return [];
    return Array.from({ length: Math.ceil(keys.length / keysPerMemory) }, (_, part) => {
      return { ...memory, keys: keys.slice(part * keysPerMemory, (part + 1) * keysPerMemory) };
    });
  });
  return [...memories, ...withKeys];
}
