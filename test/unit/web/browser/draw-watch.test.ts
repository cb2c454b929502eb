/** When a page with an entry number asks for its place, and how often it looks at the status until then. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isDrawOver, pollForDrawMs } from "../../../../src/room/public-status/pacing.ts";

interface Watched {
  readonly phase: string;
  readonly draw: { readonly id: number; readonly stage: string } | null;
}

interface DrawWatch {
  sync(status: Watched & { readonly gaps: readonly [number, number][] }, entry: number): void;
}

/** Written for browsers, whose types are not those of tests. */
const { watchDraw } = (await import(new URL("../../../../src/web/browser/draw-watch.ts", import.meta.url).href)) as {
  watchDraw(url: string, take: (place: object) => void): DrawWatch;
};

const draw = (stage: string, id = 1) => ({ id, stage });

describe("the draw is over", () => {
  test.each([
    ["prequeue", draw("committed"), false],
    ["paused", draw("committed"), false],
    ["open", draw("closing"), false],
    ["open", draw("closed"), false],
    ["paused", draw("closed"), false],
    ["open", draw("drawn"), true],
    ["paused", draw("drawn"), true],
    ["open", draw("cancelled"), true],
    // The next one is announced behind it.
    ["open", draw("committed", 2), true],
    ["open", null, true],
  ] as const)("%s, %j: %s", (phase, told, isOver) => {
    expect(isDrawOver({ phase, draw: told })).toBe(isOver);
  });
});

describe("the place", () => {
  const answers: Response[] = [];
  const asked: string[] = [];
  beforeEach(() => {
    answers.length = 0;
    asked.length = 0;
    vi.stubGlobal("fetch", async (url: string) => {
      asked.push(url);
      const answer = answers.shift();
      if (answer === undefined) throw new TypeError("no connection");
      return answer;
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const drawn = { phase: "open", draw: draw("drawn"), gaps: [] };

  test.each([
    ["committed", [[3, 9]], 1],
    ["closing", [[1, 3]], 1],
    ["committed", [[4, 9]], 0],
    ["closed", [[1, 2]], 0],
  ] as const)("is asked for while it is %s with the gaps %j: %d times", (stage, gaps, times) => {
    const watch = watchDraw("/rooms/tickets/tickets/me", () => {});
    watch.sync({ phase: "prequeue", draw: draw(stage), gaps: gaps.map(([from, to]) => [from, to]) }, 3);
    expect(asked).toHaveLength(times);
  });

  test("is asked for once at a time, and again after a failure", async () => {
    const taken: unknown[] = [];
    const watch = watchDraw("/rooms/tickets/tickets/me", (place) => taken.push(place));
    watch.sync({ phase: "open", draw: draw("closed"), gaps: [] }, 3);
    expect(asked).toEqual([]);
    watch.sync(drawn, 3);
    watch.sync(drawn, 3);
    expect(asked).toEqual(["/rooms/tickets/tickets/me"]);
    await settle();
    answers.push(new Response("{}", { status: 503 }));
    watch.sync(drawn, 3);
    await settle();
    expect(taken).toEqual([]);
    const place = { state: "waiting", position: 7, entry: 3 };
    answers.push(Response.json(place));
    watch.sync(drawn, 3);
    await settle();
    expect(taken).toEqual([place]);
    expect(asked).toHaveLength(3);
  });
});

describe("the next poll", () => {
  const poll = { floor_ms: 2_000, ceiling_ms: 40_000, divisor: 10, spread_ms: 10_000 };
  const nextPollMs = (isDrawing: boolean, people: number, opensInMs: number | null) =>
    pollForDrawMs(poll, isDrawing, people, opensInMs, Math.random);
  const range = (next: () => number) => {
    const all = Array.from({ length: 400 }, next);
    return [Math.min(...all), Math.max(...all)] as const;
  };

  test("while the order is drawn, all ask within the same span", () => {
    const [least, most] = range(() => nextPollMs(true, 1_000_000, null));
    expect(least).toBeGreaterThanOrEqual(2_000);
    expect(most).toBeLessThanOrEqual(12_000);
    expect(most - least).toBeGreaterThan(8_000);
  });

  test("hours before the opening, all ask as seldom as may be, whatever their number", () => {
    const [least, most] = range(() => nextPollMs(false, 10, 3 * 3_600_000));
    expect(least).toBeGreaterThan(27_000);
    expect(most).toBeLessThanOrEqual(52_000);
  });

  test("just before it, nobody asks before the doors are open, and all soon after", () => {
    const [least, most] = range(() => nextPollMs(false, 1_000_000, 5_000));
    expect(least).toBeGreaterThanOrEqual(5_000);
    expect(most).toBeLessThanOrEqual(15_000);
  });

  test("without a time, a small room is looked at more often than a large one", () => {
    expect(range(() => nextPollMs(false, 40, null))[1]).toBeLessThan(3_000);
    expect(range(() => nextPollMs(false, 1_000_000, null))[0]).toBeGreaterThan(27_000);
  });
});
