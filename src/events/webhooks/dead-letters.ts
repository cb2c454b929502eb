import type { EventStore } from "../../store/contract/room-store.ts";
import type { CloudEvent } from "../cloud-event.ts";

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

const lettersPerLine = 1_000;

/** Those of one webhook, oldest first. */
export async function lettersOf(
  store: EventStore,
  lines: readonly { readonly name: string }[],
  webhook: string,
): Promise<(DeadLetterView & { line: string; seq: number })[]> {
  const pages = await Promise.all(
    lines.map(async ({ name }) => {
      const letters = await store.deadLetters(name, 0, lettersPerLine);
      return letters.flatMap(({ seq, text }) => {
        const { event, reason, attempts, at_ms: atMs, webhook: of } = JSON.parse(text) as Letter;
        return of === webhook ? [{ id: `${name}.${seq}`, line: name, seq, event, reason, attempts, atMs }] : [];
      });
    }),
  );
  return pages.flat().sort((a, b) => a.atMs - b.atMs || a.seq - b.seq);
}
