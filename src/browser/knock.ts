/**
 * A page that is held at the door asks to enter without being loaded anew: it is asked for itself when the answer is
 * another than that it is held, and by what.
 */
import { timeoutMs } from "./status-poll.ts";

/** POST /rooms/{room}/tickets/me/knock, as far as the page reads it. */
interface KnockAnswer {
  held_by: string | null;
  poll_after_ms: number;
}

const pauseMsMin = 1_000;
/** Whoever has not asked for 5 s is not at the door any more: so the pause stays shorter while the server may be there. */
const failurePauseMs = 3_000;

/**
 * @param heldBy what the page says that it is held by
 * @returns a function that asks, and answers in how many milliseconds to ask again; null when the page has to give way
 */
export function createKnock(url: string, heldBy: string): () => Promise<number | null> {
  let failures = 0;
  return async () => {
    const giveUp = new AbortController();
    const timeout = setTimeout(() => giveUp.abort(), timeoutMs);
    try {
      const response = await fetch(url, { method: "POST", signal: giveUp.signal });
      // The server is there, and knows better than this page.
      if (response.status >= 400 && response.status < 500) return null;
      if (!response.ok) throw new Error(String(response.status));
      const answer = (await response.json()) as KnockAnswer;
      failures = 0;
      return answer.held_by === heldBy ? Math.max(pauseMsMin, answer.poll_after_ms) : null;
    } catch {
      // No connection, or a proxy's own words: this page is the better one to look at.
      failures++;
      return Math.min(30_000, failurePauseMs * 2 ** Math.max(0, failures - 3));
    } finally {
      clearTimeout(timeout);
    }
  };
}
