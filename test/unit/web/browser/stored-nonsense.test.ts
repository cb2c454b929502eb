/** What a browser has stored may be of another script, of another time, or cut off: it is none, and nothing is repeated or put off for good by it. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";

async function load<Module>(name: string): Promise<Module> {
  return (await import(new URL(`../../../../src/web/browser/${name}`, import.meta.url).href)) as Module;
}
const { createEntry } = await load<{ createEntry(options: object): { start(ms: number): void } }>("entry.ts");
const { isAnotherTry } = await load<{ isAnotherTry(key: string): boolean }>("tries.ts");
const { endSpentSubscriptions, readNote } = await load<{
  endSpentSubscriptions(folder: string): Promise<void>;
  readNote(folder: string): Promise<unknown>;
}>("push-subscription.ts");

const nowMs = Date.UTC(2030, 0, 1);
const nonsense = [
  "",
  "cut off {",
  "null",
  "7",
  '"x"',
  "{}",
  "[]",
  "[null]",
  '["5"]',
  `[${nowMs},"x"]`,
  '{"at":null,"n":1}',
];
let memory: Map<string, string>;

beforeEach(() => {
  vi.useFakeTimers({ now: nowMs });
  memory = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => memory.get(key) ?? null,
    setItem: (key: string, value: string) => memory.set(key, value),
  });
  vi.stubGlobal("document", { visibilityState: "visible" });
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("FOR_HELD", false);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each(nonsense)("a page that loads itself anew stops after some tries, though %j was stored", (item) => {
  memory.set("usher.check", item);
  const tries = Array.from({ length: 8 }, () => isAnotherTry("usher.check"));
  expect(tries).toEqual([true, true, true, true, false, false, false, false]);
});

test.each([...nonsense, `{"at":"${nowMs}","n":2}`, `{"at":${nowMs},"n":"x"}`, `{"at":${nowMs},"n":{}}`])(
  "a page enters within seconds, and not without a pause, though %j was stored",
  async (item) => {
    memory.set("usher.entry", item);
    const entriesMs: number[] = [];
    vi.stubGlobal("location", { href: "https://queue.test/authorize", replace: () => entriesMs.push(Date.now()) });
    const entry = createEntry({ key: "usher.entry", silentMs: () => 0, askFirst: () => {} });
    entry.start(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(entriesMs.length).toBeGreaterThan(0);
    // The same page again, as often as it leads nowhere.
    for (let pages = 0; pages < 6; pages++) {
      createEntry({ key: "usher.entry", silentMs: () => 0, askFirst: () => {} }).start(0);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(entriesMs.filter((ms) => ms > nowMs + 10_000).length).toBeLessThan(3);
  },
);

const folderOf = (index: number) => `https://queue.test/rooms/room-${index}/push/`;

/** Of so many rooms that a browser has notes of, those that are left once the last is new. */
async function notesLeft(count: number, answer: () => Response): Promise<number> {
  const notes = new Set(Array.from({ length: count }, (_, index) => `${folderOf(index)}note`));
  vi.stubGlobal("caches", {
    open: async () => ({
      keys: async () => [...notes].map((url) => ({ url })),
      delete: async (url: string) => notes.delete(url),
    }),
  });
  vi.stubGlobal("navigator", { serviceWorker: { getRegistration: async () => undefined } });
  vi.stubGlobal("fetch", async () => answer());
  await endSpentSubscriptions(folderOf(count - 1));
  return notes.size;
}

test("a room's notifications end by its own words alone", async () => {
  const html = { headers: { "content-type": "text/html" } };
  for (const status of [401, 404, 200, 511]) {
    expect(await notesLeft(25, () => new Response("<h1>Sign in</h1>", { status, ...html })), String(status)).toBe(25);
    expect(await notesLeft(25, () => Response.json({}, { status })), String(status)).toBe(25);
  }
  expect(await notesLeft(25, () => Response.json({ error: "no_ticket" }, { status: 401 }))).toBe(20);
  expect(await notesLeft(25, () => Response.json({ state: "expired" }))).toBe(20);
});

test.each([null, 7, "x", [], {}, { page: 1, language: "en" }, { page: "https://queue.test/authorize" }])(
  "%j is no note for a worker",
  async (stored) => {
    vi.stubGlobal("caches", { open: async () => ({ match: async () => Response.json(stored) }) });
    expect(await readNote(folderOf(1))).toBeUndefined();
  },
);

test("a note is what it says, and none is none", async () => {
  const note = { page: "https://queue.test/authorize", language: "de" };
  vi.stubGlobal("caches", { open: async () => ({ match: async () => Response.json(note) }) });
  expect(await readNote(folderOf(1))).toEqual(note);
  vi.stubGlobal("caches", { open: async () => ({ match: async () => undefined }) });
  expect(await readNote(folderOf(1))).toBeUndefined();
});
