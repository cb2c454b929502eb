/** What was used up, on disk: bounded in files and records, and nothing that counts is lost by it. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createUsedFile, usedMost } from "../../../src/store/redis/used-records.ts";
import { tempDirOfTest } from "../../support/temp-dir-of-test.ts";

const startMs = 1_800_000_000_000;

async function folder() {
  const directory = await tempDirOfTest("used-file");
  const failures: unknown[] = [];
  const open = (processName: string, nowMs = startMs) =>
    createUsedFile({
      directory,
      processName,
      storeName: null,
      nowMs: () => nowMs,
      onFailure: (error) => void failures.push(error),
    });
  return { directory, failures, open };
}
const gone = (expiresMs: number) => ({ how: "gone" as const, expiresMs });

test("the files of processes that are gone are removed when nothing in them counts any more", async () => {
  const { directory, open } = await folder();
  for (let index = 0; index < 20; index++) {
    const entry = gone(startMs + (index < 19 ? 1_000 : 60_000));
    const file = open(`pod-${index}`);
    file.add("AuthorizationCode:a", entry, new Map([["AuthorizationCode:a", entry]]));
    file.close();
  }
  expect(readdirSync(directory)).toHaveLength(20);
  expect([...open("late", startMs + 2_000).left.keys()]).toEqual(["AuthorizationCode:a"]);
  expect(readdirSync(directory)).toEqual(["pod-19.used"]);
});

test("a process whose file another has removed writes it anew, with all that counts", async () => {
  const { directory, failures, open } = await folder();
  const file = open("one");
  file.add("OneTimeLink:old", gone(startMs + 1_000), new Map([["OneTimeLink:old", gone(startMs + 1_000)]]));
  open("two", startMs + 2_000);
  expect(existsSync(join(directory, "one.used"))).toBe(false);
  const entry = gone(startMs + 90_000);
  file.add("OneTimeLink:new", entry, new Map([["OneTimeLink:new", entry]]));
  file.close();
  expect([...open("two", startMs + 2_000).left.keys()]).toEqual(["OneTimeLink:new"]);
  expect(failures).toEqual([]);
});

test("of more than a process remembers, what expires last is read", async () => {
  const { directory, open } = await folder();
  const lines = (from: number) =>
    Array.from({ length: usedMost }, (_, index) => `${startMs + 1 + from + index} gone RefreshToken:${from + index}\n`);
  writeFileSync(join(directory, "one.used"), lines(usedMost).join(""));
  writeFileSync(join(directory, "two.used"), lines(0).join(""));
  const { left } = open("three");
  expect(left.size).toBe(usedMost);
  expect(left.has(`RefreshToken:${usedMost - 1}`)).toBe(false);
  expect(left.has(`RefreshToken:${2 * usedMost - 1}`)).toBe(true);
});
