/**
 * How a page gives way to what the server has for the visitor: the way in, or another page. It asks for itself
 * again while somebody is looking, and ever more slowly while that leads nowhere.
 */
import type { ClaimAnswer } from "./claim.ts";
import { createReentryMemory, exposeRefusedCookies, reloadPage } from "./re-entry.ts";
import { timeoutMs } from "./status-poll.ts";

export interface EntryOptions {
  /** What it remembers in this tab is kept under this name. */
  key: string;
  /** For pages that may be held: while held, the page claims instead, at the pace that the server sets. */
  heldPlace?: HeldPlace;
  /** The longest pause between two attempts that lead nowhere, in milliseconds; default: half a minute. */
  pauseMsMax?: number;
  /** When this origin last gave a good answer. */
  lastAnswerMs(): number;
  /** Finds out whether this origin answers; `retry` is called when it has. */
  askFirst(): void;
}

export interface HeldPlace {
  isHeld(): boolean;
  /** See `createClaim`. */
  claim(): Promise<ClaimAnswer>;
}

export function createEntry({ key, pauseMsMax = 30_000, lastAnswerMs, askFirst, ...options }: EntryOptions) {
  const memory = createReentryMemory(key);
  /** Undefined once the server has another page for this visitor than that of a held place. */
  let { heldPlace } = options;
  /** On this device's clock; Infinity while there is nothing to ask for. */
  let dueMs = Infinity;
  let timer = 0;
  let isClaiming = false;

  function retry(): void {
    clearTimeout(timer);
    if (dueMs === Infinity || document.visibilityState === "hidden") return;
    const nowMs = Date.now();
    if (nowMs < dueMs) timer = setTimeout(retry, dueMs - nowMs);
    else if (heldPlace?.isHeld()) void claimHeldPlace(heldPlace);
    // A phone that just woke up may have no connection yet, and a browser's error page would take this page's
    // place: ask first, and enter when that was answered.
    else if (nowMs - lastAnswerMs() > (navigator.onLine ? timeoutMs : 1_000)) askFirst();
    else enter();
  }

  async function claimHeldPlace({ claim }: HeldPlace): Promise<void> {
    if (isClaiming) return;
    isClaiming = true;
    const answer = await claim();
    isClaiming = false;
    if (answer.result === "admitted") {
      dueMs = Date.now();
      // A visitor who looked away meanwhile enters when they look again.
      if (document.visibilityState !== "hidden") enter();
      return;
    }
    if (dueMs === Infinity) return;
    if (answer.result === "other") {
      heldPlace = undefined;
      dueMs = Date.now() + backoffMs(memory.read());
    } else dueMs = Date.now() + answer.againMs + 300 * Math.random();
    retry();
  }

  function enter(): void {
    memory.note(true);
    reloadPage();
    // Should the way in be blocked by a dead connection, this page stays: try again.
    dueMs = Date.now() + timeoutMs;
    retry();
  }

  /**
   * At least a second between two entries, doubling up to the longest pause while they lead nowhere. A held place asks as
   * often as the server says, or it would lose its turn.
   */
  function pauseMs(): number {
    const last = memory.read();
    if (last === null) return 3_000;
    return Math.max(0, heldPlace?.isHeld() ? last.at + 1_000 - Date.now() : backoffMs(last));
  }

  /** Milliseconds until this page may ask for itself again. */
  function backoffMs(last: { at: number; n: number } | null): number {
    return last === null ? 0 : last.at + Math.min(pauseMsMax, 1_000 * 2 ** last.n) - Date.now();
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
