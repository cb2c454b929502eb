// Long: measures seconds of a slowed browser, alone on the machine.
/**
 * Goal: a proof of work holds an honest visitor with a slow phone up for less than two seconds in all.
 * Method: Chromium whose renderer, workers included, is stopped for 50 of each 60 ms while the page is loaded, the work is done, and
 * the waiting page comes. The throttling of the DevTools protocol slows the page's own thread alone, so it is tried beside it. What else runs on the
 * machine only ever adds to the time: so it runs when nothing else of the tests does, and one round of visits of several has to show it.
 * Machines differ, and so does one from hour to hour: times are those of the one on which docs/checks.md was measured, by what an attempt takes.
 */
import { pbkdf2Sync } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStore, startWorld, type World } from "../e2e/world.ts";
import { type BorrowedChromium, borrowChromium } from "../support/chromium.ts";

const visits = 9;
const roundsMax = 4;
const limitMs = 2_000;
const [onMs, offMs] = [10, 50];
/** An attempt there, and how many show what one takes here. */
const usualAttemptMs = 0.2;
const attempts = 1_000;

let world: World;
let chromium: BorrowedChromium;
beforeAll(async () => {
  const rooms = [{ id: "asked", settings: { check: { type: "proof_of_work" } } }];
  [world, chromium] = await Promise.all([startWorld({ store: memoryStore, rooms }), borrowChromium()]);
});
afterAll(() => Promise.all([world?.stop(), chromium?.refund()]));

/** Of the renderers that this test's browser has started. */
async function renderers(): Promise<number[]> {
  const parents = new Map<number, number>();
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!pid) continue;
    const [stat, command] = await Promise.all(
      ["stat", "cmdline"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")),
    );
    parents.set(pid, Number(/\) \S (\d+)/.exec(stat ?? "")?.[1]));
    if (command?.includes("--type=renderer")) found.push(pid);
  }
  const isOurs = (pid: number | undefined): boolean => pid === process.pid || (!!pid && isOurs(parents.get(pid)));
  return found.filter(isOurs);
}

async function slowDown(): Promise<() => void> {
  const pids = await renderers();
  expect(pids.length).toBeGreaterThan(0);
  const send = (signal: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, signal);
  };
  let timer: NodeJS.Timeout;
  const turn = (runs: boolean) => {
    send(runs ? "SIGCONT" : "SIGSTOP");
    timer = setTimeout(() => turn(!runs), runs ? onMs : offMs);
  };
  turn(false);
  return () => {
    clearTimeout(timer);
    send("SIGCONT");
  };
}

async function slowThread(page: Page): Promise<() => void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  return () => {};
}

/** @returns how long the visitor waited for the place, in milliseconds */
async function visit(slow: (page: Page) => Promise<() => void>): Promise<number> {
  const page = await (await chromium.browser.newContext()).newPage();
  const release = await slow(page);
  const startMs = performance.now();
  await page.goto(String(world.relyingParty("asked").startLogin().url), { waitUntil: "commit" });
  await page.locator("main[data-position]").waitFor({ state: "attached" });
  const tookMs = performance.now() - startMs;
  release();
  await page.context().close();
  return tookMs;
}

/** How slow this machine is now: 1 where an attempt takes what it usually does. */
function slowness(): number {
  const startMs = performance.now();
  for (let attempt = 0; attempt < attempts; attempt++) pbkdf2Sync("password", `salt ${attempt}`, 1_000, 32, "sha256");
  return Math.max(1, (performance.now() - startMs) / attempts / usualAttemptMs);
}

test.each([
  ["stopped for five sixths of the time", slowDown],
  ["throttled six times by the DevTools protocol", slowThread],
])("a browser that is %s has its place within two seconds", async (_, slow) => {
  const medians: number[] = [];
  do {
    const tookMs: number[] = [];
    const times = slowness();
    while (tookMs.length < visits) tookMs.push(await visit(slow));
    medians.push(Math.round((tookMs.sort((a, b) => a - b)[Math.floor(visits / 2)] as number) / times));
  } while (Math.min(...medians) >= limitMs && medians.length < roundsMax);
  expect(Math.min(...medians), `of the medians ${medians} ms`).toBeLessThan(limitMs);
});
