import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inRoot } from "./paths.mjs";

const HEARTBEAT_MS = 2_000;
const STALE_AFTER_MS = 30_000;
const POLL_MS = 200;
const TAKEOVER_POLL_MS = 20;
const WAIT_MAX_MS = 15 * 60_000;

/**
 * Does `work` while no other launcher in this folder does. The lock is a directory, because making one either
 * succeeds or fails. Its owner touches it while it works; a lock whose owner is gone is taken over.
 */
export async function withLock(work, { dir = inRoot(".usher", "launch.lock"), onWait = () => undefined } = {}) {
  const owner = JSON.stringify({ pid: process.pid, host: hostname(), token: randomBytes(12).toString("hex") });
  const deadlineMs = Date.now() + WAIT_MAX_MS;
  let isTold = false;
  while (!take(dir, owner)) {
    if (isStale(dir)) {
      clear(dir);
      await sleep(TAKEOVER_POLL_MS);
      continue;
    }
    if (Date.now() > deadlineMs) {
      throw new Error(`another start holds ${dir} for too long; remove that folder if there is none`);
    }
    if (!isTold) {
      onWait();
      isTold = true;
    }
    await sleep(POLL_MS);
  }
  const heartbeat = setInterval(() => touch(dir), HEARTBEAT_MS);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if (readOwner(dir) === owner) {
      rmSync(dir, { recursive: true, force: true });
    }
  }
}

function take(dir, owner) {
  mkdirSync(join(dir, ".."), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(dir);
  } catch (error) {
    if (error.code === "EEXIST") {
      return false;
    }
    throw error;
  }
  writeFileSync(join(dir, "owner"), owner);
  return true;
}

function isStale(dir) {
  const stats = statSync(dir, { throwIfNoEntry: false });
  const isSilent = stats !== undefined && Date.now() - stats.mtimeMs > STALE_AFTER_MS;
  return isSilent || isDead(readOwner(dir));
}

/** Whether the owner was a process of this machine that runs no more. */
function isDead(owner) {
  try {
    const { pid, host } = JSON.parse(owner ?? "{}");
    if (host === hostname()) {
      process.kill(pid, 0);
    }
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

/**
 * Removes a stale lock, unless another process is about to: between looking and removing, it could have
 * removed this one and taken a fresh one.
 */
function clear(dir) {
  const guard = `${dir}.takeover`;
  try {
    mkdirSync(guard);
  } catch {
    const stats = statSync(guard, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > STALE_AFTER_MS) {
      rmSync(guard, { recursive: true, force: true });
    }
    return;
  }
  try {
    if (isStale(dir)) {
      rmSync(dir, { recursive: true, force: true });
    }
  } finally {
    rmSync(guard, { recursive: true, force: true });
  }
}

function readOwner(dir) {
  try {
    return readFileSync(join(dir, "owner"), "utf8");
  } catch {
    return null;
  }
}

function touch(dir) {
  try {
    utimesSync(dir, new Date(), new Date());
  } catch {
    // Somebody removed the lock by hand; the work goes on.
  }
}
