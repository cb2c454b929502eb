import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchFiles } from "../../../../src/features/preview/watch.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";

let folder: TempDir;
let watch: { stop(): void } | undefined;
beforeEach(async () => {
  folder = await makeTempDir("watched");
});
afterEach(async () => {
  watch?.stop();
  await folder.remove();
});

/** At once: a look in between would find a file that is not whole yet, and then another change. */
async function put(file: string, text: string): Promise<void> {
  const aside = join(folder.path, "aside");
  await writeFile(aside, text);
  await rename(aside, file);
}

test("hears of files that change, come and go, in folders within folders, and of nothing else", async () => {
  const file = join(folder.path, "usher.yaml");
  const inner = join(folder.path, "views", "styles");
  await mkdir(inner, { recursive: true });
  await put(file, "a");
  const changed = vi.fn(async () => {});
  watch = await watchFiles(() => [file, join(folder.path, "views"), join(folder.path, "logo.svg")], changed, 20);
  const calls = () => changed.mock.calls.length;
  // A look in the middle of a change sees a part of it, and the next one the rest.
  const settled = async () => {
    for (let before = -1; before !== calls(); await pause(200)) before = calls();
  };
  const hears = async (act: () => Promise<unknown>) => {
    const before = calls();
    await act();
    await expect.poll(calls).toBeGreaterThan(before);
    await settled();
  };
  await hears(() => put(file, "abc"));
  await hears(() => put(join(inner, "extra.css"), "p{}"));
  await hears(() => put(join(folder.path, "logo.svg"), "<svg/>"));
  const before = calls();
  await put(join(folder.path, "other.txt"), "x");
  await settled();
  expect(calls()).toBe(before);
  await hears(() => rm(join(inner, "extra.css")));
});

test("does not take for a change that other files are to be looked at", async () => {
  const [first, second] = [join(folder.path, "first"), join(folder.path, "second")];
  await put(second, "x");
  const paths = [first];
  const changed = vi.fn(async () => {
    paths.push(second);
  });
  watch = await watchFiles(() => paths, changed, 20);
  await put(first, "a");
  await expect.poll(() => changed.mock.calls.length).toBe(1);
  // A few looks later.
  await pause(200);
  expect(changed).toHaveBeenCalledTimes(1);
  // The next change of it is one. What comes before the first look at it is none: again, then.
  let text = "x";
  const isHeard = async () => {
    text += "y";
    await put(second, text);
    await pause(100);
    return changed.mock.calls.length > 1;
  };
  await expect.poll(isHeard).toBe(true);
});
