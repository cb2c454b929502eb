import { setTimeout as delay } from "node:timers/promises";
import type { Member } from "./member.ts";

interface Hands {
  /** What a worker may take that is to end, in milliseconds; then it is killed. */
  readonly endingMs: number;
  readonly isStopping: () => boolean;
  /** Null where none is there. */
  readonly at: (slot: number) => Member | null;
  /** In a slot that is free. */
  readonly startOne: () => Member;
  /** Those whose end is no crash. */
  readonly leaving: Set<Member>;
  /** No worker is to be started in this slot. */
  readonly giveUp: (slot: number) => void;
}

/** What a new worker may take until it is ready, in milliseconds. */
const readyMs = 60_000;

/**
 * Replaces workers one by one: a new one starts beside all others, and when it is ready the old one ends as on SIGTERM. So there are never
 * fewer workers than before, nor ever more than one more, and a configuration or a program that cannot start replaces nobody.
 *
 * @throws Error where a new worker does not become ready: those that are left stay
 */
export async function restartInTurn(old: readonly Member[], hands: Hands): Promise<void> {
  for (const member of old) {
    // One that has crashed since was replaced by a new one.
    if (!hands.isStopping() && hands.at(member.slot) === member) await replace(member, hands);
  }
}

async function replace({ slot }: Member, hands: Hands): Promise<void> {
  const newcomer = hands.startOne();
  hands.leaving.add(newcomer);
  const isReady = await within(newcomer.ready, readyMs);
  if (hands.isStopping()) return;
  if (isReady !== true) {
    newcomer.kill("SIGTERM");
    throw new Error(
      `a new worker ${isReady === false ? "has ended" : "was not ready within a minute"}: those that run go on as they are`,
    );
  }
  hands.leaving.delete(newcomer);
  // The worker that is in this slot by now: the old one may have crashed meanwhile.
  const old = hands.at(slot);
  if (old === null) hands.giveUp(slot);
  else await retire(old, hands);
}

async function retire(old: Member, { leaving, endingMs }: Hands): Promise<void> {
  leaving.add(old);
  old.send({ kind: "retire" });
  if ((await within(old.ended, endingMs)) === null) old.kill("SIGKILL");
  await old.ended;
}

/** Null where it takes longer. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  const over = new AbortController();
  const late = delay(ms, null, { signal: over.signal }).catch(() => null);
  const first = await Promise.race([promise, late]);
  over.abort();
  return first;
}
