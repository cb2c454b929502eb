import type { RoomDriver } from "../room-driver.ts";

interface Person {
  readonly position: number;
  dueMs: number;
  /** When the store first refused this person, and how many were said to be before it at most. */
  heldMs: number | null;
  rank: number;
}

export interface Entry {
  readonly position: number;
  readonly atMs: number;
  readonly servedMs: number;
  /** 0 for those who were let in at once. */
  readonly waitedMs: number;
  readonly rank: number;
}

export interface CrowdOptions {
  /** Whether this visitor never shows up. */
  readonly isAbsent?: (position: number) => boolean;
  /** How long after being served a visitor shows up. */
  readonly delayMs?: (position: number) => number;
}

/**
 * Visitors of one room, who look every second whether they are served, then claim, and claim again when the answer
 * said. `act` is called whenever the clock has moved.
 */
export function createCrowd(room: RoomDriver, { isAbsent, delayMs }: CrowdOptions = {}) {
  const ready = new Map<number, Person>();
  const entries: Entry[] = [];
  const servedMs = new Map<number, number>();
  let range = { edition: 0, joinedMs: 0 };
  let queued = 0;
  let served = 0;
  let lastTickMs = 0;
  const nowMs = () => room.harness.nowMs();

  function meet(serving: number): void {
    for (; served < Math.min(serving, queued); served++) {
      const position = served + 1;
      servedMs.set(position, nowMs());
      if (isAbsent?.(position)) continue;
      ready.set(position, { position, dueMs: nowMs() + (delayMs?.(position) ?? 0), heldMs: null, rank: 0 });
    }
  }

  async function claim(person: Person): Promise<void> {
    const answer = await room.claim(room.place(range, person.position));
    if (answer.result === "held") {
      person.heldMs ??= nowMs();
      person.rank = Math.max(person.rank, answer.rank);
      person.dueMs = nowMs() + answer.retryMs;
    } else if (answer.result === "admitted") {
      const waitedMs = nowMs() - (person.heldMs ?? nowMs());
      const { position, rank } = person;
      entries.push({ position, rank, waitedMs, atMs: nowMs(), servedMs: servedMs.get(position) ?? 0 });
      ready.delete(position);
    } else if (answer.result === "paused") person.dueMs = nowMs() + 1_000;
    else throw new Error(`the claim of ${person.position} was answered ${answer.result}`);
  }

  return {
    room,
    entries,
    ready,
    async join(count: number): Promise<void> {
      const joined = await room.join(count);
      range = joined;
      queued = joined.last;
      meet(joined.serving);
    },
    async act(): Promise<void> {
      if (nowMs() - lastTickMs >= 1_000) {
        lastTickMs = nowMs();
        meet((await room.state()).serving);
      }
      // All at once, in their order: one connection keeps it.
      await Promise.all([...ready.values()].filter(({ dueMs }) => dueMs <= nowMs()).map(claim));
    },
    /** Everybody goes away. */
    disperse(): void {
      ready.clear();
      served = queued;
    },
    between: (fromMs: number, toMs: number) => entries.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).length,
  };
}

export type Crowd = ReturnType<typeof createCrowd>;

/** Lets time pass for crowds side by side. */
export async function live(crowds: readonly Crowd[], ms: number, stepMs = 250, each?: () => Promise<void>) {
  const [first] = crowds;
  if (first === undefined) throw new Error("no crowd");
  const { harness } = first.room;
  const endMs = harness.nowMs() + ms;
  while (harness.nowMs() < endMs) {
    await each?.();
    for (const crowd of crowds) await crowd.act();
    await harness.advance(stepMs);
  }
}

/** The most entries in any window of so many milliseconds. */
export function mostIn(times: readonly number[], windowMs: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (const [i, atMs] of sorted.entries()) {
    while ((sorted[first] ?? 0) <= atMs - windowMs) first++;
    most = Math.max(most, i - first + 1);
  }
  return most;
}
