/**
 * How a page gives way to what the server has for the visitor: the way in, or another page. It asks for itself
 * again while somebody is looking, and ever more slowly while that leads nowhere.
 */
import { createReentryMemory, exposeRefusedCookies, reloadPage } from "./re-entry.ts";
import { timeoutMs } from "./status-poll.ts";

export interface EntryOptions {
  /** What it remembers in this tab is kept under this name. */
  key: string;
  /** Whether the place was held back at the door: then the server says how often to ask. */
  isHeld(): boolean;
  /** When this origin last gave a good answer. */
  lastAnswerMs(): number;
  /** Finds out whether this origin answers; `retry` is called when it has. */
  askFirst(): void;
}

export function createEntry({ key, isHeld, lastAnswerMs, askFirst }: EntryOptions) {
  const memory = createReentryMemory(key);
  /** On this device's clock; Infinity while there is nothing to ask for. */
  let dueMs = Infinity;
  let timer = 0;

  function retry(): void {
    clearTimeout(timer);
    if (dueMs === Infinity || document.visibilityState === "hidden") return;
    const nowMs = Date.now();
    if (nowMs < dueMs) timer = setTimeout(retry, dueMs - nowMs);
    // A phone that just woke up may have no connection yet, and a browser's error page would take this page's
    // place: ask first, and enter when that was answered.
    else if (nowMs - lastAnswerMs() > (navigator.onLine ? timeoutMs : 1_000)) askFirst();
    else enter();
  }

  function enter(): void {
    memory.note(!isHeld());
    reloadPage();
    // Should the way in be blocked by a dead connection, this page stays: try again.
    dueMs = Date.now() + timeoutMs;
    retry();
  }

  /**
   * At least a second between two entries, doubling up to 30 s while they lead nowhere. A held place asks as often as
   * the server says, or it would lose its turn at the door.
   */
  function pauseMs(): number {
    const last = memory.read();
    if (last === null) return 3_000;
    const pauseMs = isHeld() ? 1_000 : Math.min(30_000, 1_000 * 2 ** last.n);
    return Math.max(0, last.at + pauseMs - Date.now());
  }

  return {
    retry,
    /** Asks after this time, if nothing is to be asked for already. */
    start(afterMs: number): void {
      if (dueMs === Infinity) dueMs = Date.now() + Math.max(afterMs, pauseMs());
      retry();
    },
    stop(): void {
      dueMs = Infinity;
    },
    isPending: () => dueMs !== Infinity,
    /** The visitor wants it now. */
    force(): void {
      memory.note(false);
      reloadPage();
    },
    /** For a page that was just loaded. */
    exposeRefusedCookies: () => exposeRefusedCookies(memory.read() !== null),
  };
}
