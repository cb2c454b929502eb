import type { Logger } from "../../lib/logger.ts";
import { type Child, createMember, type Ended, type Member } from "./member.ts";
import { createMetricsExchange } from "./metrics-exchange.ts";
import { createRestartDelay } from "./restart-delay.ts";
import { restartInTurn } from "./restart-in-turn.ts";

export interface PrimaryOptions {
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
}

export type Primary = ReturnType<typeof createPrimary>;

/** Whoever starts and stops programs passes one signal on twice, within so many milliseconds. */
const repeatedSignalMs = 1_000;

/**
 * Each worker has a slot, a number from 1, by which its files and log lines are named; one slot more than workers is for the one that
 * is to replace another. The first worker starts alone: what keeps it from serving keeps them all, and is said once.
 */
export function createPrimary(options: PrimaryOptions) {
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
