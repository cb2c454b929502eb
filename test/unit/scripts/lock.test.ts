import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadScript } from "../../support/load-script.ts";

interface LockModule {
  withLock<T>(work: () => T | Promise<T>, options: { dir: string; onWait?: () => void }): Promise<T>;
}

const { withLock } = await loadScript<LockModule>("lock.mjs");
const run = promisify(execFile);
const MODULE = new URL("../../../scripts/lib/lock.mjs", import.meta.url).href;

let parent = "";
let dir = "";

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "usher-lock-"));
  dir = join(parent, "launch.lock");
});

afterEach(() => {
  rmSync(parent, { recursive: true, force: true });
});

function leaveLock(owner: string | null, ageMs = 0): void {
  mkdirSync(dir);
  if (owner !== null) {
    writeFileSync(join(dir, "owner"), owner);
  }
  const time = new Date(Date.now() - ageMs);
  utimesSync(dir, time, time);
}

async function deadPid(): Promise<number> {
  const { stdout } = await run(process.execPath, ["-p", "process.pid"]);
  return Number(stdout);
}

describe("the lock of the launcher", () => {
  it("answers what the work answers and leaves nothing", async () => {
    expect(await withLock(() => existsSync(dir), { dir })).toBe(true);
    expect(readdirSync(parent)).toEqual([]);
  });

  it("is released when the work fails", async () => {
    const work = () => Promise.reject(new Error("no"));
    await expect(withLock(work, { dir })).rejects.toThrow("no");
    expect(readdirSync(parent)).toEqual([]);
  });

  it("lets one process work at a time, also when they all find a stale lock", async () => {
    const log = join(parent, "log");
    leaveLock(JSON.stringify({ pid: await deadPid(), host: hostname(), token: "gone" }));
    const script = `
      import { appendFileSync } from "node:fs";
      const { withLock } = await import(process.argv[1]);
      await withLock(async () => {
        appendFileSync(process.argv[3], "in\\n");
        await new Promise((done) => setTimeout(done, 50));
        appendFileSync(process.argv[3], "out\\n");
      }, { dir: process.argv[2] });`;
    const start = () => run(process.execPath, ["--input-type=module", "-e", script, MODULE, dir, log]);
    await Promise.all(Array.from({ length: 6 }, start));
    expect(readFileSync(log, "utf8")).toBe("in\nout\n".repeat(6));
    expect(readdirSync(parent)).toEqual(["log"]);
  });

  it("is taken over from an owner that has not touched it for long", async () => {
    leaveLock(JSON.stringify({ pid: 1, host: "elsewhere", token: "x" }), 60_000);
    expect(await withLock(() => "done", { dir })).toBe("done");
  });

  it.each([
    ["of another machine", JSON.stringify({ pid: 999_999_999, host: "elsewhere", token: "x" })],
    ["that runs", JSON.stringify({ pid: process.pid, host: hostname(), token: "x" })],
    ["that is being written", '{"pid":'],
    ["not yet written", null],
  ])("is respected while fresh: an owner %s", async (_, owner) => {
    leaveLock(owner);
    let waited = 0;
    const release = () => {
      waited += 1;
      setTimeout(() => rmSync(dir, { recursive: true }), 30);
    };
    expect(await withLock(() => "done", { dir, onWait: release })).toBe("done");
    expect(waited).toBe(1);
  });
});
