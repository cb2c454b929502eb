/** When checkpoints are written so that they outlive the machine. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { tempDirOfTest } from "../../../support/temp-dir-of-test.ts";
import { someMemory } from "./memories.ts";

const jsonFile = "../../../../src/lib/json-file.ts";
const synced: boolean[] = [];
let areWritesFailing = false;
let createCheckpoints: typeof import("../../../../src/room/replica/checkpoints/checkpoints.ts")["createCheckpoints"];

beforeAll(async () => {
  // The files of this kind of test share their modules.
  vi.resetModules();
  const real = await vi.importActual<typeof import("../../../../src/lib/json-file.ts")>(jsonFile);
  vi.doMock(jsonFile, () => ({
    ...real,
    replaceJsonFile(path: string, value: unknown, isSynced = false) {
      synced.push(isSynced);
      if (areWritesFailing) throw new Error("no space left on device");
      real.replaceJsonFile(path, value, isSynced);
    },
  }));
  ({ createCheckpoints } = await import("../../../../src/room/replica/checkpoints/checkpoints.ts"));
});

afterAll(() => {
  vi.doUnmock(jsonFile);
  vi.resetModules();
});

test("a write that was to outlive the machine, and failed, is made up for as such by the next one", () => {
  const directory = join(tempDirOfTest("checkpoints"), "checkpoints");
  const checkpoints = createCheckpoints({ directory, processName: "a", isNewInstallation: false, onFailure() {} });
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 1 }, someMemory);
  areWritesFailing = true;
  checkpoints.flush();
  checkpoints.flush();
  areWritesFailing = false;
  checkpoints.flush();
  checkpoints.put("tickets", { incarnation: "incarnation-1", flowMs: 2 }, { ...someMemory, queued: 1 });
  checkpoints.flush();
  checkpoints.close();
  expect(synced).toEqual([true, true, true, false, false]);
});
