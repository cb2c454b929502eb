import type { JoinRange, KeyedJoin, KeyedRange } from "../../store/contract/room-store.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import type { Place } from "../tickets/ticket.ts";

/** The place of a key, as its ticket names it. */
export interface KeyPlace {
  readonly sub: string;
  readonly edition: number;
  readonly position: number;
  readonly joinedMs: number;
}

type Answer = KeyPlace | NonNullable<JoinRange["refusal"]>;

interface Waiting {
  readonly names: readonly string[];
  readonly callers: { resolve(answer: Answer): void; reject(error: unknown): void }[];
}

/** The store's bound. */
const maxBatch = 500;

export type KeyedJoins = ReturnType<typeof createKeyedJoins>;

/** How visitors with keys come to their place: as joins do, gathered into batches, in which each key stands once. */
export function createKeyedJoins(room: SyncedRoom, learnRange: (range: JoinRange, count: number) => Promise<void>) {
  /** By the first of its names. */
  const queue = new Map<string, Waiting>();
  let isUnderWay = false;

  async function takeBatches(): Promise<void> {
    while (queue.size > 0) {
      const batch = [...queue.values()].slice(0, maxBatch);
      for (const { names } of batch) queue.delete(names[0] ?? "");
      await takeBatch(batch);
    }
    isUnderWay = false;
  }

  async function takeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const range = await ask(batch.map(({ names }) => ({ names, place: placeOf(cachedNumber(names)) })));
      const unsure: Waiting[] = [];
      for (const [index, waiting] of batch.entries()) {
        const answer = answerOf(range, index);
        // The store cannot tell whether a place is over whose position a draw gives.
        const isUnsure =
          typeof answer === "object" && cachedNumber(waiting.names) !== answer.position && isDrawn(answer);
        if (isUnsure) unsure.push(waiting);
        else for (const { resolve } of waiting.callers) resolve(answer);
      }
      if (unsure.length > 0) await takeSure(unsure, range);
    } catch (error) {
      for (const { callers } of batch) for (const { reject } of callers) reject(error);
    }
  }

  /** Asks again for places that were drawn, now that their numbers are known. */
  async function takeSure(batch: readonly Waiting[], before: KeyedRange): Promise<void> {
    const numbers = new Map(before.places.map(({ name, number }) => [name, number]));
    const numberOf = (names: readonly string[]) => Math.max(...names.map((name) => numbers.get(name) ?? 0));
    const range = await ask(batch.map(({ names }) => ({ names, place: placeOf(numberOf(names)) })));
    for (const [index, { callers }] of batch.entries())
      for (const { resolve } of callers) resolve(answerOf(range, index));
  }

  async function ask(keys: readonly KeyedJoin[]): Promise<KeyedRange> {
    const range = await room.run("joinKeys", { prefix: `${room.id}.`, keys });
    await learnRange(range, keys.filter((_, index) => isNew(range, index)).length);
    // On disk before the visitor learns of it, as positions are.
    room.replica.learnKeys(
      range.edition,
      range.places.filter(({ number }) => number > 0),
    );
    return range;
  }

  function cachedNumber(names: readonly string[]): number {
    return Math.max(...names.map((name) => room.replica.keyNumber(name)));
  }

  function placeOf(number: number) {
    const edition = room.state?.edition ?? 0;
    if (number === 0) return null;
    const { position, entry = null } = room.replica.place<Place>({ edition, position: number });
    return { position, entry };
  }

  function isDrawn({ position }: KeyPlace): boolean {
    return (placeOf(position)?.entry ?? null) !== null;
  }

  function answerOf({ edition, places, refusal }: KeyedRange, index: number): Answer {
    const { name, number, joinedMs } = places[index] ?? { name: "", number: 0, joinedMs: 0 };
    return number === 0 ? (refusal ?? "full") : { sub: `${room.id}.${name}`, edition, position: number, joinedMs };
  }

  function isNew({ first, places }: KeyedRange, index: number): boolean {
    const number = places[index]?.number ?? 0;
    return number === 0 || number >= first;
  }

  return {
    /** @throws to everyone of a batch that failed: whether it was taken is then unknown, and the next try shows it */
    next(names: readonly string[]): Promise<Answer> {
      return new Promise((resolve, reject) => {
        const first = names[0] ?? "";
        const waiting = queue.get(first) ?? { names, callers: [] };
        waiting.callers.push({ resolve, reject });
        queue.set(first, waiting);
        if (isUnderWay) return;
        isUnderWay = true;
        setImmediate(() => void takeBatches());
      });
    },
  };
}
