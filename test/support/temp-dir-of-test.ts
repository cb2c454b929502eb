import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** A new temporary folder for the test that runs now, removed when it has finished; while tests are only declared, when all of them have. */
export function tempDirOfTest(purpose: string): string {
  const path = mkdtempSync(join(tmpdir(), `usher-${purpose}-`));
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    onTestFinished(remove);
  } catch {
    afterAll(remove);
  }
  return path;
}
