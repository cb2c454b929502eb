import { expect, it } from "vitest";
import { systemRandom } from "../../../src/lib/clock-and-random.ts";
import { reconnectDelayMs } from "../../../src/store/redis/client.ts";

it("reconnects after some 50 ms at first and no more than 3 s, with jitter", () => {
  const delays = (fraction: number) =>
    [1, 2, 5, 10, 1_000].map((n) => reconnectDelayMs(n, { ...systemRandom, fraction: () => fraction }));
  expect(delays(0)).toEqual([25, 50, 400, 1_000, 1_000]);
  expect(delays(0.999)).toEqual([75, 150, 1_199, 2_998, 2_998]);
});
