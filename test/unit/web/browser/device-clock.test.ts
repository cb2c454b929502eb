/** What scripts make of the device's clock, which may be wrong by years, and be set at any time. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readStatus } from "../../../../src/room/public-status/status.ts";
import { goodStatus } from "../../../support/good-status.ts";

const src = fileURLToPath(new URL("../../../../src/", import.meta.url));
/** Where scripts of browsers are. */
const isScript = /^(web\/browser|operate\/console|features\/[\w-]+\/(browser|console))\/.*\.tsx?$/;

/**
 * Every use of the device's clock, and what makes it right: `shown` to a person; `corrected` by the time of an answer; `kept` from one page to
 * the next and compared with itself alone, where another time than expected counts as nothing; `unread` by anybody.
 */
const uses: Readonly<Record<string, readonly string[]>> = {
  "features/site-tag/browser/tag/admission.ts": ["kept", "kept"],
  "features/site-tag/browser/tag/mount.ts": ["corrected"],
  // `unread`: the tag's short name for it.
  "features/site-tag/browser/tag/watch.ts": ["unread", "corrected"],
  "operate/console/charts/plot.tsx": ["shown", "shown"],
  "operate/console/desk/bypass-control.tsx": ["corrected"],
  "operate/console/frame/live.ts": ["shown"],
  "web/browser/device-key.ts": ["unread"],
  "web/browser/entry.ts": ["kept"],
  "web/browser/later/life.ts": ["shown"],
  "web/browser/tries.ts": ["kept"],
};

test("the device's clock is read for a reason each time", () => {
  const found = readdirSync(src, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => isScript.test(name))
    .flatMap((name) => {
      const times =
        readFileSync(join(src, name), "utf8").match(/\bDate\.now\b|\bdeviceMs\(\)|\bnew Date\(\)|\bDate\(\)/g) ?? [];
      return times.map(() => name);
    });
  // All but what went with a feature.
  const isThere = (name: string) => !name.startsWith("features/") || existsSync(join(src, name));
  const expected = Object.entries(uses).filter(([name]) => isThere(name));
  expect(found.sort()).toEqual(expected.flatMap(([name, reasons]) => reasons.map(() => name)));
});

async function load<Module>(name: string): Promise<Module> {
  return (await import(new URL(`../../../../src/web/browser/${name}`, import.meta.url).href)) as Module;
}
interface Poll {
  schedule(ms: number): void;
  askSoon(): void;
  askFirst(): void;
  silentMs(): number;
}
const { createStatusPoll } = await load<{ createStatusPoll(options: object): Poll }>("status-poll.ts");
const { createEntry } = await load<{ createEntry(options: object): { start(ms: number): void; retry(): void } }>(
  "entry.ts",
);

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) });
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("FOR_HELD", false);
});
afterEach(() => {
  // In this order: a timer that is put back is one of the moved clock.
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const hourMs = 3_600_000;
/** Retry-After counts for two minutes, and nothing makes a page wait longer. */
const pauseMsMax = 120_000;
const what = fc.oneof(
  fc.record({ setByMs: fc.integer({ min: -20_000 * hourMs, max: 20_000 * hourMs }) }),
  fc.record({ passMs: fc.integer({ min: 0, max: 90_000 }) }),
  fc.record({ does: fc.constantFrom("looks", "turn", "fails", "answers", "asks to be left alone") }),
);

test("however the clock is set, no pause is longer than its ceiling, and a turn leads in", async () => {
  const run = fc.asyncProperty(fc.array(what, { maxLength: 25 }), async (steps) => {
    vi.clearAllTimers();
    const memory = new Map<string, string>();
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => memory.get(key) ?? null,
      setItem: (key: string, value: string) => memory.set(key, value),
    });
    let entries = 0;
    vi.stubGlobal("location", { href: "https://queue.test/authorize", replace: () => entries++ });
    let answer = () => Response.json(goodStatus);
    let asked = 0;
    vi.stubGlobal("fetch", async () => {
      asked++;
      return answer();
    });
    const pauses: number[] = [];
    const { setTimeout: plain } = globalThis;
    vi.stubGlobal("setTimeout", (work: () => void, ms: number) => {
      pauses.push(ms);
      return plain(work, ms);
    });
    const poll = createStatusPoll({
      read: async (ask: (url: string) => Promise<unknown>) => readStatus(await ask("/status")),
      take: () => {},
      nextMs: () => 30_000,
      floorMs: () => 2_000,
      settled: () => entry.retry(),
    });
    const entry = createEntry({ key: "usher.entry", silentMs: poll.silentMs, askFirst: poll.askFirst });
    poll.schedule(0);
    for (const step of steps) {
      if ("setByMs" in step) vi.setSystemTime(Date.now() + step.setByMs);
      else if ("passMs" in step) await vi.advanceTimersByTimeAsync(step.passMs);
      else if (step.does === "looks") poll.askSoon();
      else if (step.does === "turn") entry.start(0);
      else if (step.does === "answers") answer = () => Response.json(goodStatus);
      else if (step.does === "fails") answer = () => new Response(null, { status: 502 });
      else answer = () => new Response(null, { status: 503, headers: { "retry-after": "3600" } });
    }
    const before = [asked, entries];
    answer = () => Response.json(goodStatus);
    entry.start(0);
    await vi.advanceTimersByTimeAsync(2 * pauseMsMax);
    expect(asked).toBeGreaterThan(before[0] ?? 0);
    expect(entries).toBeGreaterThan(before[1] ?? 0);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(pauseMsMax);
    vi.stubGlobal("setTimeout", plain);
  });
  await fc.assert(run, { numRuns: 25 });
});
