/**
 * No quick test measures real milliseconds: it would fail where the machine is busy. Fake timers, counts and the order of things show the
 * same; and what has to wait for seconds is a `*.long.test.ts`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
const kinds = ["unit", "contract", "e2e", "browser", "fault", "features"];

/** By file, why it has to measure. */
const exceptions: Readonly<Record<string, string>> = {
  "e2e/events/live.test.ts": "a gateway that stops would wait for streams that it does not end, for seconds",
};

/** The assertions of a file that something took less than so long. */
function measurements(text: string): string[] {
  // Its clock is moved by the test.
  if (/useFakeTimers|page\.clock/.test(text)) return [];
  const moments = [...text.matchAll(/(\w+) = (?:performance|Date)\.now\(\)/g)].map(([, name]) => name);
  const durations = [...text.matchAll(/(\w+) = (?:performance|Date)\.now\(\) - (\w+)/g)].flatMap(([, name, moment]) =>
    moments.includes(moment) ? [name] : [],
  );
  return [...text.matchAll(/expect\(([^;]*?)\)\s*\.toBeLessThan(?:OrEqual)?\([\d_\w]+\)/g)].flatMap(
    ([all, what = ""]) => {
      const direct = /(?:performance|Date)\.now\(\) - (\w+)/.exec(what)?.[1];
      const isMeasured = moments.includes(direct) || durations.includes(what) || /hrtime/.test(what);
      return isMeasured ? [all] : [];
    },
  );
}

const files = kinds.flatMap((kind) =>
  readdirSync(join(root, kind), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.long\.test\.ts$/.test(name))
    .map((name) => `${kind}/${name}`),
);

test("no quick test asserts that something took less than so many milliseconds", () => {
  expect(files.length).toBeGreaterThan(500);
  const found = files
    .filter((file) => !(file in exceptions) && file !== "unit/real-milliseconds.test.ts")
    .flatMap((file) => measurements(readFileSync(join(root, file), "utf8")).map((each) => `${file}: ${each}`));
  expect(found).toEqual([]);
});

describe("the check", () => {
  test.each([
    "const beganMs = performance.now(); await work(); expect(performance.now() - beganMs).toBeLessThan(500);",
    "const began = Date.now(); work(); expect(Date.now() - began).toBeLessThanOrEqual(timeoutMs);",
    "const since = Date.now(); work(); const tookMs = Date.now() - since; expect(tookMs).toBeLessThan(1_000);",
  ])("finds: %s", (text) => expect(measurements(text)).toHaveLength(1));

  test.each([
    "vi.useFakeTimers(); const began = Date.now(); expect(Date.now() - began).toBeLessThan(500);",
    "const began = Date.now(); expect(Date.now() - began).toBeGreaterThan(500);",
    "const nowMs = Date.now(); expect(token.exp).toBeLessThan(nowMs);",
  ])("leaves alone: %s", (text) => expect(measurements(text)).toEqual([]));
});
