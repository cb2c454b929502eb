/** A tab that is held, with a made-up browser and server around it: how it claims, and when it gives way. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

/** A module that is written for browsers, whose types are not those of tests. */
async function load<Module>(name: string): Promise<Module> {
  return (await import(new URL(`../../../../src/web/browser/${name}`, import.meta.url).href)) as Module;
}

const { createEntry } = await load<{ createEntry(options: object): { start(afterMs: number): void } }>("entry.ts");
const { createClaim } = await load<{ createClaim(url: string): () => Promise<object> }>("claim.ts");

/** What the server says at a time, in milliseconds from the start. */
interface Server {
  /** What holds the visitor; null when they are admitted. */
  heldBy(ms: number): string | null;
  /** What it answers a claim with; default: 200. */
  refusal?: (ms: number) => { status: number; retryAfterSec?: number } | null;
}

const startMs = Date.UTC(2030, 0, 1);
const memory = "usher.entry";

beforeEach(() => {
  vi.useFakeTimers({ now: startMs });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** @param reloadsBefore how often in a row this tab has asked for the page, the last time just now */
async function visit({ heldBy, refusal = () => null }: Server, forMs: number, reloadsBefore = 0) {
  const stored = new Map([[memory, JSON.stringify({ at: startMs, n: reloadsBefore })]]);
  const claims: number[] = [];
  const reloads: number[] = [];
  const nowMs = () => Date.now() - startMs;
  let admittedMs: number | null = null;
  let isIn = false;
  vi.stubGlobal("document", { visibilityState: "visible" });
  vi.stubGlobal("navigator", { onLine: true });
  // As the build has it for the page of a held place.
  vi.stubGlobal("FOR_HELD", true);
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.stubGlobal("fetch", async () => {
    claims.push(nowMs());
    const refused = refusal(nowMs());
    if (refused !== null) {
      const { status, retryAfterSec } = refused;
      const headers = retryAfterSec === undefined ? undefined : { "retry-after": String(retryAfterSec) };
      return Response.json({ error: "made_up" }, { status, ...(headers && { headers }) });
    }
    const by = heldBy(nowMs());
    if (by === null) admittedMs ??= nowMs();
    return Response.json({ state: by === null ? "admitted" : "served", held_by: by, ahead: 0, poll_after_ms: 2_000 });
  });

  function load(): void {
    if (heldBy(nowMs()) === null) {
      admittedMs ??= nowMs();
      isIn = true;
      return;
    }
    let isOpen = true;
    const entry = createEntry({
      key: memory,
      doorEntry: { isAtDoor: () => isOpen, claim: createClaim("/claim"), takeAnswer: () => {} },
      // A page that was left does nothing any more.
      silentMs: () => (isOpen ? 0 : Infinity),
      askFirst: () => {},
    });
    const replace = () => {
      isOpen = false;
      reloads.push(nowMs());
      setTimeout(load, 50);
    };
    vi.stubGlobal("location", { href: "https://queue.example.com/authorize", replace });
    entry.start(2_000);
  }

  load();
  await vi.advanceTimersByTimeAsync(forMs);
  return { claims, reloads, isIn, admittedMs };
}

/** The shortest pause between two of these times, in milliseconds. */
const shortest = (times: readonly number[]) =>
  Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));

describe("a held page", () => {
  test("comes in as soon as it is admitted, however often the tab has been loaded before", async () => {
    const { reloads, admittedMs, isIn } = await visit({ heldBy: (ms) => (ms < 8_000 ? "limit" : null) }, 20_000, 9);
    expect(admittedMs).toBeLessThan(11_000);
    expect([reloads, isIn]).toEqual([[admittedMs], true]);
  });

  test("stays while what holds it changes, and comes in at once after that", async () => {
    const heldBy = (ms: number) => (ms >= 28_000 ? null : Math.floor(ms / 5_000) % 2 === 1 ? "limit" : "capacity");
    const { claims, reloads, admittedMs, isIn } = await visit({ heldBy }, 60_000, 1);
    expect([reloads, isIn]).toEqual([[admittedMs], true]);
    expect(admittedMs).toBeLessThan(31_000);
    expect(claims.length).toBeGreaterThan(10);
  });

  test.each([408, 425, 429, 502])(
    "takes a %i as a server that is not there: it stays, and asks less often",
    async (status) => {
      const { claims, reloads } = await visit({ heldBy: () => "limit", refusal: () => ({ status }) }, 120_000);
      expect(reloads).toEqual([]);
      expect(shortest(claims)).toBeGreaterThanOrEqual(3_000);
      expect(claims.length).toBeLessThan(12);
    },
  );

  test.each([
    [20, 20_000],
    [86_400, 120_000],
  ])("leaves a server alone that asks for %i s, two minutes at most", async (retryAfterSec, pauseMs) => {
    const refusal = (ms: number) => (ms < 3_000 ? { status: 429, retryAfterSec } : null);
    const { claims, reloads } = await visit({ heldBy: () => "limit", refusal }, 130_000);
    expect(reloads).toEqual([]);
    expect((claims[1] ?? 0) - (claims[0] ?? 0)).toBeGreaterThanOrEqual(pauseMs);
    expect((claims[1] ?? 0) - (claims[0] ?? 0)).toBeLessThanOrEqual(pauseMs + 300);
  });

  test.each([401, 404, 405, 409])(
    "after a %i it claims no more before it was loaded anew, ever more slowly",
    async (status) => {
      const { claims, reloads } = await visit({ heldBy: () => "limit", refusal: () => ({ status }) }, 120_000);
      expect(Math.abs(claims.length - reloads.length)).toBeLessThanOrEqual(1);
      expect(reloads.length).toBeGreaterThanOrEqual(5);
      expect(reloads.length).toBeLessThanOrEqual(9);
      expect((reloads.at(-1) ?? 0) - (reloads.at(-2) ?? 0)).toBeGreaterThan(20_000);
    },
  );

  test("a proxy's page in place of an answer costs it nothing", async () => {
    vi.stubGlobal("fetch", async () => new Response("<h1>Sign in to this network</h1>"));
    expect(await createClaim("/claim")()).toEqual({ result: "failed", againMs: 3_000 });
    vi.stubGlobal("fetch", async () => Response.json({ ok: true }));
    expect(await createClaim("/claim")()).toEqual({ result: "failed", againMs: 3_000 });
    vi.stubGlobal("fetch", async () => new Response("<h1>Forbidden</h1>", { status: 403 }));
    expect(await createClaim("/claim")()).toEqual({ result: "failed", againMs: 3_000 });
  });
});
