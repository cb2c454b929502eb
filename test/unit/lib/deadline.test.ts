import { describe, expect, it } from "vitest";
import { withDeadline } from "../../../src/lib/deadline.ts";

/** Work that ends only when it is told to, for the reason it is told. */
const untilTold = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });

describe("work with a deadline", () => {
  it("answers what it comes to, and leaves nothing behind at what may end it", async () => {
    const ending = new AbortController();
    let heard = 0;
    const signal = Object.assign(ending.signal, {
      removeEventListener: () => void heard++,
    });
    await expect(withDeadline(60_000, signal, async () => 7)).resolves.toBe(7);
    expect(heard).toBe(1);
  });

  it("ends by itself", async () => {
    const running = withDeadline(5, new AbortController().signal, untilTold);
    await expect(running).rejects.toMatchObject({ name: "TimeoutError", message: "took longer than 5 ms" });
  });

  it.each(["before", "after"])("ends for the reason it is told %s it begins", async (when) => {
    const ending = new AbortController();
    if (when === "before") ending.abort("closing");
    const running = withDeadline(60_000, ending.signal, untilTold);
    ending.abort("closing");
    await expect(running).rejects.toBe("closing");
  });
});
