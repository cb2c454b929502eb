import { createOrder } from "../../src/room/draw-recipe/index.ts";

/** CPU time that the order of a draw takes: its tables, and every entry's place. */
export function measureDraw(entries: number): { readonly entries: number; readonly cpuSec: number } {
  const record = {
    room: "line",
    edition: 1,
    id: 1,
    seed: "5e".repeat(32),
    first: 1,
    last: entries,
    gaps: [],
    beacon: null,
  };
  const before = process.cpuUsage();
  const { positionOf } = createOrder(record);
  let sum = 0;
  for (let number = 1; number <= entries; number++) sum += positionOf(number);
  const { user, system } = process.cpuUsage(before);
  // Each place once: a sum that is known, so that no work can be left out.
  if (sum !== (entries * (entries + 1)) / 2) throw new Error("the places are not those of all entries");
  return { entries, cpuSec: (user + system) / 1_000_000 };
}
