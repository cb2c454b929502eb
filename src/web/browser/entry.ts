/**
 * Reloads the page when the server has something else for the visitor: the login, or another page. It reloads only while
 * the tab is visible, and backs off while reloads return the same page. The number of recent reloads is stored for the tab, because
 * each reload starts a new page.
 */
import { blurMs, entryPauseMs, entryPauseMsMax, timeoutMs } from "../../room/public-status/pacing.ts";
import { attempt } from "../pages/shared/wording.ts";
import type { ClaimAnswer } from "./claim.ts";
import { isSeen } from "./page-parts.ts";

export interface EntryAtDoor {
  isAtDoor(): boolean;
  claim(): Promise<ClaimAnswer>;
  /** Shows what came of a claim. */
  takeAnswer(answer: ClaimAnswer): void;
}

/** When this tab last asked for a page again, and how often in a row. */
interface Attempts {
  at: number;
  n: number;
}

const forgetAfterMs = 60_000;

/** Whether it is for a page that may be held. */
declare const FOR_HELD: boolean;

export function createEntry({
  key,
  doorEntry,
  pauseMsMax = entryPauseMsMax,
  silentMs,
  askFirst,
}: {
  /** Key in the tab's session storage. */
  key: string;
  /** For pages of visitors whose turn has come but who must wait for a limit: they claim without reloading, at the server's pace. */
  doorEntry?: EntryAtDoor;
  /** The longest pause between two attempts that lead nowhere, in milliseconds. */
  pauseMsMax?: number;
  /** For how long this origin has given no good answer. */
  silentMs(): number;
  /** Finds out whether this origin answers; `retry` is called when it has. */
  askFirst(): void;
}) {
  /** Runs evenly, and goes on in the next page of the tab where nobody has set the device's clock meanwhile. */
  const beganMs = Date.now() - performance.now();
  const clockMs = () => beganMs + performance.now();
  /** Infinity while there is nothing to ask for. */
  let dueMs = Infinity;
  let timer = 0;
  let isClaiming = false;

  function retry(): void {
    clearTimeout(timer);
    if (dueMs === Infinity || !isSeen()) return;
    const nowMs = clockMs();
    if (nowMs < dueMs) timer = setTimeout(retry, dueMs - nowMs);
    else if (claimAtDoor && doorEntry?.isAtDoor()) void claimAtDoor(doorEntry);
    // A phone that just woke up may have no connection yet, and a browser's error page would take this page's
    // place: ask first, and enter when that was answered.
    else if (silentMs() > (navigator.onLine ? timeoutMs : 1_000)) askFirst();
    else enter();
  }

  // The build leaves it out where no place is held.
  const claimAtDoor =
    FOR_HELD &&
    (async ({ claim, takeAnswer }: EntryAtDoor): Promise<void> => {
      if (isClaiming) return;
      isClaiming = true;
      const answer = await claim();
      isClaiming = false;
      takeAnswer(answer);
      if (answer.result === "admitted") {
        dueMs = clockMs();
        // A visitor who looked away meanwhile enters when they look again.
        if (isSeen()) enter();
        return;
      }
      if (dueMs === Infinity) return;
      if (answer.result === "other") {
        // The server has another page for this visitor.
        doorEntry = undefined;
        dueMs = clockMs() + backoffMs(readAttempts());
      } else dueMs = clockMs() + answer.againMs + blurMs * Math.random();
      retry();
    });

  function enter(): void {
    reload((readAttempts()?.n ?? 0) + 1);
    // Should the way in be blocked by a dead connection, this page stays: try again.
    dueMs = clockMs() + timeoutMs;
    retry();
  }

  /**
   * At least a second between two entries, doubling up to the longest pause while they lead nowhere. A held place asks as
   * often as the server says, or it would lose its turn.
   */
  function pauseMs(): number {
    const last = readAttempts();
    if (last === null) return 3_000;
    return Math.max(0, FOR_HELD && doorEntry?.isAtDoor() ? last.at + 1_000 - clockMs() : backoffMs(last));
  }

  /** Milliseconds until this page may ask for itself again. */
  function backoffMs(last: Attempts | null): number {
    return last === null ? 0 : last.at + entryPauseMs(last.n, pauseMsMax) - clockMs();
  }

  /** Null where storage is closed to us. */
  function readAttempts(): Attempts | null {
    try {
      const { at, n } = JSON.parse(sessionStorage.getItem(key) ?? "{}") as Attempts;
      const sinceMs = clockMs() - at;
      // Whatever else stands there is nothing, or would be text to reckon with.
      return sinceMs >= 0 && sinceMs < forgetAfterMs && Number.isFinite(at + n) ? { at, n } : { at: 0, n: 0 };
    } catch {
      return null;
    }
  }

  function reload(n: number): void {
    try {
      sessionStorage.setItem(key, JSON.stringify({ at: clockMs(), n }));
    } catch {
      // Without storage, the pause is a fixed time.
    }
    reloadPage();
  }

  return {
    retry,
    /** Asks after this time, if nothing is to be asked for already. */
    start(afterMs: number): void {
      if (dueMs === Infinity) dueMs = clockMs() + Math.max(afterMs, pauseMs());
      retry();
    },
    stop(): void {
      dueMs = Infinity;
    },
    isPending: () => dueMs !== Infinity,
    /** The visitor wants it now. */
    force: () => reload(0),
  };
}

/** Asks for this same address again, in place: the history does not grow. */
function reloadPage(): void {
  // Without the fragment, which would make this a jump within the page.
  location.replace(location.href.split("#")[0] ?? "");
}

/**
 * For a page that was just loaded. A browser that blocks storage also refuses cookies, and the visitor would lose the place
 * without noticing. So the page reloads at once: the server sees whether the cookie came back, and explains if not. Once per
 * tab, since the answer may be this same page.
 */
export function exposeRefusedCookies(): void {
  const mark = "usher.asked";
  const isClosed = attempt(() => !sessionStorage, true);
  if ((!isClosed && navigator.cookieEnabled) || window.name === mark) return;
  window.name = mark;
  reloadPage();
}
