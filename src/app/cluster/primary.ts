import type { Worker } from "node:cluster";
import cluster from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../../lib/logger.ts";
import { type Child, createMember, type Ended, type Member } from "./member.ts";
import { createMetricsExchange } from "./metrics.ts";

export type Primary = ReturnType<typeof createPrimary>;

/** Whoever starts and stops programs passes one signal on twice, within so many milliseconds. */
const repeatedSignalMs = 1_000;

/**
 * Each worker has a slot, a number from 1, by which its files and log lines are named; one slot more than workers is for the one that
 * is to replace another. The first worker starts alone: what keeps it from serving keeps them all, and is said once.
 */
export function createPrimary(options: {
  /** How many workers there are to be. */
  readonly count: number;
  readonly fork: (slot: number) => Child;
  readonly logger: Logger;
  /** What a worker may take that is to end, in milliseconds. */
  readonly endingMs: number;
  /** Before all are restarted. @throws Error with what is wrong with the configuration as it is now */
  readonly check: () => Promise<void>;
  /** All has ended, with this exit code. */
  readonly onEnd: (code: number) => void;
  readonly stopwatch?: () => number;
}) {
  const { count, fork, logger, onEnd, stopwatch = () => performance.now() } = options;
  const members = new Map<number, Member>();
  /** Slots to which a worker will be started: ends the wait. */
  const due = new Map<number, () => void>();
  /** Workers that are to end. */
  const leaving = new Set<Member>();
  const delays = createRestartDelay();
  const metrics = createMetricsExchange();
  const stop = { signals: 0, heardMs: Number.NEGATIVE_INFINITY, code: 0 };
  /** The first worker has. */
  let hasStarted = false;
  let isAnnounced = false;
  let isRestarting = false;

  function start(slot: number): Member {
    const startedMs = stopwatch();
    const member = createMember(slot, fork(slot), (message, from) => {
      void metrics.hear(message, from, listening());
    });
    members.set(slot, member);
    void member.started.then((fields) => {
      if (fields !== null && isAnnounced) logger.info({ event: "worker.started", worker: slot, pid: member.pid });
    });
    void member.ended.then((how) => {
      members.delete(slot);
      metrics.drop(member);
      afterEnd(member, how, stopwatch() - startedMs);
    });
    return member;
  }

  function afterEnd(member: Member, { code, signal }: Ended, livedMs: number): void {
    const { slot } = member;
    if (stop.signals > 0) {
      // A signal that comes before the worker listens to signals ends it, and nothing was begun.
      const isRequested = signal === "SIGTERM" || signal === "SIGINT";
      stop.code = Math.max(stop.code, isRequested ? 0 : (code ?? 1));
      if (members.size === 0) onEnd(stop.code);
    } else if (!hasStarted && slot === 1) onEnd(code || 1);
    else if (!leaving.delete(member)) {
      const restartMs = delays.after(slot, livedMs);
      logger.error(
        { event: "worker.ended", worker: slot, pid: member.pid, code, signal, restart_ms: restartMs },
        "a worker has ended that should not have; another takes its place",
      );
      startLater(slot, restartMs);
    }
  }

  function startLater(slot: number, delayMs: number): void {
    const cancel = () => {
      clearTimeout(timer);
      due.delete(slot);
    };
    const timer = setTimeout(() => {
      cancel();
      start(slot);
    }, delayMs);
    due.set(slot, cancel);
  }

  function listening(): Member[] {
    return [...members.values()].filter((member) => member.isListening);
  }

  function freeSlot(): number {
    let slot = 1;
    while (members.has(slot) || due.has(slot)) slot++;
    return slot;
  }

  return {
    /** Starts all. Resolves when each listens, or has ended. */
    async start(): Promise<void> {
      const fields = await start(1).started;
      if (fields === null || stop.signals > 0) return;
      hasStarted = true;
      const others = Array.from({ length: count - 1 }, (_, at) => start(at + 2));
      await Promise.all(others.map((member) => member.started));
      if (stop.signals > 0) return;
      isAnnounced = true;
      logger.info({ event: "gateway.started", ...fields, workers: count });
    },

    /** A signal that ends the gateway goes on to each worker, which does with it what a gateway of one process does. */
    signal(signal: "SIGTERM" | "SIGINT"): void {
      const nowMs = stopwatch();
      const isRepeated = nowMs - stop.heardMs <= repeatedSignalMs;
      if (isRepeated) return;
      stop.heardMs = nowMs;
      stop.signals++;
      for (const cancel of due.values()) cancel();
      // The third ends all at once.
      for (const member of members.values()) member.kill(stop.signals > 2 ? "SIGKILL" : signal);
      if (members.size === 0) onEnd(0);
    },

    /** Restarts all workers, one after the other, with the program and the configuration as they are now. */
    async restart(): Promise<void> {
      if (isRestarting || stop.signals > 0 || !isAnnounced) {
        logger.warn({ event: "workers.not_restarted" }, "the workers are being started, restarted or stopped already");
        return;
      }
      isRestarting = true;
      try {
        await options.check();
        logger.info({ event: "workers.restarting", workers: count });
        await restartInTurn([...members.values()], {
          endingMs: options.endingMs,
          isStopping: () => stop.signals > 0,
          at: (slot) => members.get(slot) ?? null,
          startOne: () => start(freeSlot()),
          leaving,
          giveUp: (slot) => due.get(slot)?.(),
        });
        if (stop.signals === 0) logger.info({ event: "workers.restarted", workers: count });
      } catch (error) {
        logger.error({ event: "workers.restart_failed" }, (error as Error).message);
      } finally {
        isRestarting = false;
      }
    },
  };
}

/**
 * Starts this program as a worker, with what `ps` shows of it.
 *
 * Workers accept connections themselves, from one socket: the kernel hands a connection to a worker that is free. With Node's own way
 * (`SCHED_RR`) the primary accepts, and a connection that is on its way to a worker that is killed is answered by nobody, and never closed.
 *
 * @param argsOf the arguments of the program for the worker in a slot
 */
export function createFork(argsOf: (slot: number) => string[]): (slot: number) => Worker["process"] {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  return (slot) => {
    // Metrics have numbers that JSON has not.
    cluster.setupPrimary({ args: argsOf(slot), serialization: "advanced" });
    return cluster.fork().process;
  };
}

const firstMs = 100;
const longestMs = 30_000;
/** One that has lived so long, in milliseconds, is well: what ends it then is another fault than that of its start. */
const wellAfterMs = 60_000;

/** After which time workers are started again that end unasked: at once nearly, then ever later, at least every 30 s. */
export function createRestartDelay() {
  const inARow = new Map<number, number>();
  return {
    /**
     * @param livedMs how long the one that has ended was there
     * @returns milliseconds
     */
    after(slot: number, livedMs: number): number {
      const crashes = livedMs >= wellAfterMs ? 1 : (inARow.get(slot) ?? 0) + 1;
      inARow.set(slot, crashes);
      return Math.min(longestMs, firstMs * 2 ** (crashes - 1));
    },
  };
}

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

/** What the number of workers goes by. */
interface Wanted {
  readonly workers: "auto" | number;
  readonly store: { readonly type: "memory" | "redis" };
}

/**
 * How many processes the gateway is made of. `auto` with the memory store is one: what one process has in its memory is no other's.
 *
 * @param cores that this process may use
 */
export function workerCount({ workers, store }: Wanted, cores: number): number {
  if (workers !== "auto") return workers;
  return store.type === "memory" ? 1 : Math.max(1, cores);
}
