import { UsherError } from "../../lib/errors.ts";
import type { SendResult } from "../../lib/send.ts";
import type { CloudEvent } from "../../operate/events/cloud-event.ts";
import type { EventHub } from "../../operate/events/event-hub.ts";
import type { EventStore } from "../../store/contract/room-store.ts";
import type { Sender } from "./sender.ts";
import type { Webhooks } from "./webhooks.ts";

/** An event that was given up. */
export interface DeadLetterView {
  readonly id: string;
  readonly event: CloudEvent;
  readonly reason: string;
  readonly attempts: number;
  readonly atMs: number;
}

/** As it is kept, in JSON. */
export interface Letter {
  readonly webhook: string;
  readonly event: CloudEvent;
  readonly reason: string;
  readonly attempts: number;
  readonly at_ms: number;
}

export interface DeadLettersPage {
  readonly letters: readonly DeadLetterView[];
  /** Behind which the next page begins; null for the last one. */
  readonly nextCursor: string | null;
}

/** Of JSON in a page, beyond the first letter. */
const pageBytesMax = 1_048_576;
const lettersPerRead = 25;
/** A line keeps those of all webhooks. A page that has looked at so many lines and letters ends, however few it has. */
const readsPerPageMax = 200;

/** The dead letters of a webhook: those of no room first, then room by room, in each the oldest first. */
export function createDeadLetters({
  store,
  hub,
  webhooks,
  sender,
}: {
  readonly store: EventStore;
  readonly hub: Pick<EventHub, "lines">;
  readonly webhooks: Webhooks;
  readonly sender: Sender;
}) {
  return {
    /**
     * A page may be short, or empty, though there are more: `nextCursor` says so.
     *
     * @param cursor the id of a letter, which may be gone @throws UsherError `not_found`
     */
    async page(id: string, { limit, cursor }: { limit: number; cursor: Place | null }): Promise<DeadLettersPage> {
      webhooks.find(id);
      const letters: DeadLetterView[] = [];
      let bytes = 0;
      let reads = 0;
      let last = cursor;
      for (const line of linesFrom(cursor?.line ?? "")) {
        for (let isEnd = false; !isEnd; ) {
          if (reads++ === readsPerPageMax) return { letters, nextCursor: last === null ? null : idOf(last) };
          const after = last?.line === line ? last.seq : 0;
          const rows = await store.deadLetters(line, after, lettersPerRead);
          for (const { seq, text } of rows) {
            const { webhook, event, reason, attempts, at_ms: atMs } = JSON.parse(text) as Letter;
            if (webhook === id) {
              bytes += Buffer.byteLength(text);
              const isFull = letters.length === limit || (letters.length > 0 && bytes > pageBytesMax);
              if (isFull && last !== null) return { letters, nextCursor: idOf(last) };
              letters.push({ id: idOf({ line, seq }), event, reason, attempts, atMs });
            }
            last = { line, seq };
          }
          isEnd = rows.length < lettersPerRead;
        }
        last = { line, seq: Number.MAX_SAFE_INTEGER };
      }
      return { letters, nextCursor: null };
    },
    /** Sends a dead letter again, once; one that is accepted is gone. @throws UsherError `not_found` */
    async replay(id: string, letterId: string): Promise<SendResult> {
      const webhook = webhooks.find(id);
      const place = readPlace(letterId);
      const isThere = place !== null && hub.lines.some(({ name }) => name === place.line);
      const [row] = isThere ? await store.deadLetters(place.line, place.seq - 1, 1) : [];
      const letter = row?.seq === place?.seq && row !== undefined ? (JSON.parse(row.text) as Letter) : null;
      if (place === null || letter?.webhook !== id) {
        throw new UsherError("not_found", "there is no such dead letter of this webhook");
      }
      const result = await sender.sendTo(id, webhook, letter.event);
      if (result.isAccepted) await store.removeDeadLetter(place.line, place.seq);
      return result;
    },
  };

  /** By their names, since rooms come and go between two pages. */
  function linesFrom(first: string): string[] {
    const names = hub.lines.map(({ name }) => name);
    return names.filter((name) => name >= first).sort((a, b) => (a < b ? -1 : 1));
  }
}

/** Where a letter is kept: a line, and the number in it. */
export interface Place {
  readonly line: string;
  readonly seq: number;
}

function idOf({ line, seq }: Place): string {
  return `${line}.${seq}`;
}

/** Null for a text that is the id of no letter. */
export function readPlace(text: string): Place | null {
  const [, line, seq = ""] = /^([a-z0-9~*-]{1,64})\.(\d{1,16})$/.exec(text) ?? [];
  return line === undefined || !Number.isSafeInteger(Number(seq)) ? null : { line, seq: Number(seq) };
}
