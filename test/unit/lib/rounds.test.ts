import { expect, test, vi } from "vitest";
import { createRounds } from "../../../src/lib/rounds.ts";

test("what fails since its room has gone is no failure; a room that is there is told of", async () => {
  vi.useFakeTimers();
  try {
    let rooms = ["stays", "goes"];
    const failed: string[] = [];
    const rounds = createRounds<string>({
      rooms: () => rooms,
      random: { fraction: () => 0 },
      async look(room) {
        rooms = ["stays"];
        throw new Error(`nothing of ${room}`);
      },
      onFailure: (room) => failed.push(room),
    });
    rounds.start();
    await vi.advanceTimersByTimeAsync(10);
    expect(failed).toEqual(["stays"]);
    await rounds.stop();
  } finally {
    vi.useRealTimers();
  }
});
