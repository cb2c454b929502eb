/** Whether Redis is available: the circuit breaker, and which errors mean that it is not. */

import type { Random } from "../../lib/clock-and-random.ts";
import { StoreUnavailableError } from "../../lib/errors.ts";
import { type After, systemAfter } from "../../lib/repeat.ts";
import type { BreakerState, StoreBreaker } from "../contract/store.ts";

/** How a command ended: with an answer, an error included; with none in time; or without a connection, which fails at once. */
export type CommandEnd = "answered" | "silent" | "cut";

export type Breaker = ReturnType<typeof createBreaker>;

/** So many commands in a row without an answer open it. */
const silencesToOpen = 2;
/** Milliseconds between two probes at least; with jitter, at most twice as many. */
const probeEveryMs = 500;

/**
 * A circuit breaker: while the server is silent, commands fail at once and are not sent, so that nobody waits for their timeout.
 *
 * It opens by silence alone: commands that timed out while nothing else was answered either, from when they were sent. So neither a slow
 * command, nor one silent node of a Cluster, nor an error that Redis answers is an outage; and without a connection commands fail at
 * once anyway. What was sent keeps its deadline, and an answer to any of it closes the breaker. Open, it asks by probes of its own, one
 * at a time: no visitor waits for one, and no operation is tried on a server that may carry it out unseen.
 */
export function createBreaker({
  probe,
  random,
  after = systemAfter,
  report,
}: {
  /** Asks the server for anything at all, past the breaker. Never fails, and ends by a deadline of its own. */
  readonly probe: () => Promise<CommandEnd>;
  readonly random: Random;
  readonly after?: After;
  readonly report: (what: "opened" | "closed") => void;
}) {
  let state: BreakerState = "closed";
  let silences = 0;
  let answers = 0;
  let openedTotal = 0;
  let isStopped = false;
  let cancel = () => {};

  function note(end: CommandEnd, answersBefore: number): void {
    if (end === "answered") {
      answers++;
      silences = 0;
      if (state !== "closed") close();
    } else if (end === "silent" && state === "closed" && answers === answersBefore && ++silences >= silencesToOpen) {
      open();
    }
  }

  function open(): void {
    openedTotal++;
    report("opened");
    // At once: after a mere stall, of Redis or of this process, it is answered in a moment.
    void halfOpen();
  }

  async function halfOpen(): Promise<void> {
    state = "half_open";
    const nth = openedTotal;
    const end = await probe();
    const isOver = state !== "half_open" || nth !== openedTotal;
    note(end, answers);
    if (isOver || end === "answered") return;
    state = "open";
    if (isStopped) return;
    cancel = after(probeEveryMs * (1 + random.fraction()), () => void halfOpen());
  }

  function close(): void {
    cancel();
    state = "closed";
    report("closed");
  }

  return {
    get state() {
      return state;
    },
    get openedTotal() {
      return openedTotal;
    },
    /**
     * To be called before each command; the answer, once it has ended.
     *
     * @throws StoreUnavailableError the breaker is open: the command is not to be sent
     */
    enter(): (end: CommandEnd) => void {
      if (state !== "closed") throw new StoreUnavailableError(new Error("Not sent: the circuit breaker is open"));
      const answersBefore = answers;
      return (end) => note(end, answersBefore);
    },
    /** There is a new connection: what was silent was the old one. */
    reconnected(): void {
      silences = 0;
      if (state !== "open") return;
      cancel();
      void halfOpen();
    },
    /** For the end of the program. */
    stop(): void {
      isStopped = true;
      cancel();
    },
  } satisfies StoreBreaker & Record<string, unknown>;
}

/**
 * What Redis answers when it cannot serve for now, and what of that an operator can mend. Redis 6 buries the word in the message of a
 * failed script, so it is looked for anywhere.
 */
const awayReplies: readonly (readonly [reply: RegExp, reason?: string])[] = [
  [/\bOOM\b/, "the store has no memory left and takes nothing new: give Redis more (CONFIG SET maxmemory)"],
  [
    /\bREADONLY\b/,
    "the store is a replica and takes no writes: is a failover under way, or does its URL name a replica?",
  ],
  [/\bMISCONF\b/, "the store cannot save to its disk and takes no writes: the log of Redis says why"],
  [/\bNOREPLICAS\b/, "the store has too few replicas and takes no writes (min-replicas-to-write): are they up?"],
  [
    /\b(NOAUTH|WRONGPASS|NOPERM)\b/,
    "the store does not let its user in, or not do what it must: was its password or ACL changed?",
  ],
  [/\b(LOADING|CLUSTERDOWN|MASTERDOWN|BUSY)\b/, "the store is not up yet"],
  [/\b(MOVED|ASK|TRYAGAIN|UNBLOCKED)\b/],
];

/** Whether the server answering has become a replica: another one is the master now, so connect anew. */
export function isReadOnlyReply(error: Error): boolean {
  return /\bREADONLY\b/.test(error.message);
}

/**
 * Whether a Cluster sent the command to and fro, and nothing was done: its keys are on their way from one node to another. ioredis follows five such answers
 * and then says so itself.
 */
export function saysTryAgain(error: unknown): boolean {
  if (!(error instanceof StoreUnavailableError && error.cause instanceof Error)) return false;
  return /\bTRYAGAIN\b|^Too many Cluster redirections/.test(error.cause.message);
}

export function isNoScriptReply(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}

/**
 * The same error without the command that failed: ioredis adds its arguments, among them ids of codes and sessions, to
 * what it throws, and Redis repeats those of a command that it does not know. Nothing is kept but what is named here.
 */
export function withoutCommand(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const clean = new Error(error.message.replace(/,? with args beginning with:.*/s, ""));
  clean.name = error.name;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^ {4}at /.test(line));
  clean.stack = [`${clean.name}: ${clean.message}`, ...frames].join("\n");
  return "code" in error && typeof error.code === "string" ? Object.assign(clean, { code: error.code }) : clean;
}

/** How a command ended that failed; `silent`, where the client gave up waiting (ioredis's `commandTimeout`). */
export function endOfFailed(error: unknown): CommandEnd {
  if (isReply(error)) return "answered";
  return error instanceof Error && error.message === "Command timed out" ? "silent" : "cut";
}

function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === "ReplyError";
}

/**
 * The error to throw for a failed command. Whatever is not an answer of Redis is a connection or a deadline that
 * failed; of answers, those that say "not now". The rest are programming errors and stay as they are.
 */
export function storeError(error: unknown): unknown {
  if (!isReply(error)) return new StoreUnavailableError(error);
  const found = awayReplies.find(([reply]) => reply.test(error.message));
  return found === undefined ? error : new StoreUnavailableError(error, found[1]);
}
