import { StoreUnavailableError } from "../../lib/errors.ts";
import type { Random } from "../../lib/random.ts";
import { type After, systemAfter } from "../../lib/repeat.ts";
import type { BreakerState, StoreBreaker } from "../contract/store.ts";

/** How a command ended: with an answer, an error included; with none in time; or without a connection, which fails at once. */
export type CommandEnd = "answered" | "silent" | "cut";

export interface BreakerOptions {
  /** Asks the server for anything at all, past the breaker. Never fails, and ends by a deadline of its own. */
  readonly probe: () => Promise<CommandEnd>;
  readonly random: Random;
  readonly after?: After;
  readonly report: (what: "opened" | "closed") => void;
}

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
export function createBreaker({ probe, random, after = systemAfter, report }: BreakerOptions) {
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
