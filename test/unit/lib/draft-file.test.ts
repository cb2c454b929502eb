/** What a draft becomes is whole or not there, whoever writes beside it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { draftOf } from "../../../src/lib/draft-file.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";

let folder: TempDir;
beforeEach(async () => {
  folder = await makeTempDir("drafts");
});
afterEach(() => folder.remove());

const written = (path: string, text: string) => {
  const draft = draftOf(path);
  writeFileSync(draft.path, text, { flag: "wx" });
  return draft;
};

test("of several that are written at once the first is put in place, where none is replaced", () => {
  const path = join(folder.path, "file");
  const drafts = ["one", "two", "three"].map((text) => written(path, text));
  expect(readdirSync(folder.path)).toHaveLength(3);
  const [first, ...others] = drafts;
  first?.put(false);
  for (const other of others) expect(() => other.put(false)).toThrow(expect.objectContaining({ code: "EEXIST" }));
  for (const draft of drafts) draft.drop();
  expect(readdirSync(folder.path)).toEqual(["file"]);
  expect(readFileSync(path, "utf8")).toBe("one");
});

test("replaces what is there in one step, and leaves nothing beside it", () => {
  const path = join(folder.path, "file");
  writeFileSync(path, "before");
  const draft = written(path, "after");
  expect(readFileSync(path, "utf8")).toBe("before");
  draft.put(true);
  draft.drop();
  expect([readdirSync(folder.path), readFileSync(path, "utf8")]).toEqual([["file"], "after"]);
});

test("is dropped without a fault where nothing was written, or nothing can be", () => {
  draftOf(join(folder.path, "file")).drop();
  writeFileSync(join(folder.path, "no-folder"), "");
  draftOf(join(folder.path, "no-folder", "file")).drop();
});
