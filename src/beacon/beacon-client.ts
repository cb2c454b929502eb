import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { verifyRound } from "../draw/beacon-signature.ts";
import { type BeaconChain, quicknet, randomnessOf } from "../draw/index.ts";
import { follow, withDeadline } from "../lib/deadline.ts";
import { askMirror, defaultMirrors, type Fetch, MirrorError } from "./mirror.ts";

export interface BeaconClientOptions {
  /** Quicknet by default. */
  readonly chain?: BeaconChain;
  /** Addresses, with or without a path, which `/{chain hash}/public/{round}` is put behind. */
  readonly mirrors?: readonly string[];
  /** How long each mirror may take, in milliseconds. */
  readonly timeoutMs?: number;
  /** How long after one mirror the next is asked too, in milliseconds; at once where one fails. */
  readonly staggerMs?: number;
  readonly fetch?: Fetch;
}

/** A round that the chain has signed, with hexadecimal texts; or why each mirror was of no use. */
export type BeaconAnswer =
  | { readonly isKnown: true; readonly round: number; readonly signature: string; readonly randomness: string }
  | { readonly isKnown: false; readonly failures: readonly { readonly mirror: string; readonly reason: string }[] };

export interface BeaconClient {
  readonly chain: BeaconChain;
  /** Never throws. Of another chain, where one is given. Fails when all mirrors have, as they do for rounds that are not published yet, or when it is stopped. */
  fetchRound(round: number, stopping?: AbortSignal, of?: BeaconChain): Promise<BeaconAnswer>;
}

const defaultTimeoutMs = 3_000;
const defaultStaggerMs = 250;

export function createBeaconClient(options: BeaconClientOptions = {}): BeaconClient {
  const { chain = quicknet, mirrors = defaultMirrors, fetch = globalThis.fetch } = options;
  const { timeoutMs = defaultTimeoutMs, staggerMs = defaultStaggerMs } = options;

  return {
    chain,
    async fetchRound(round, stopping, of = chain) {
      const done = new AbortController();
      const ending = done.signal;
      // Of each mirror its pause and its question, and they may be many: no leak.
      setMaxListeners(2 * mirrors.length, ending);
      const stop = follow(stopping, done);
      const answers: Promise<BeaconAnswer>[] = [];
      let turn: Promise<void> = Promise.resolve();
      for (const mirror of mirrors) {
        const own = turn;
        const answer = own.then(() => ask(mirror, of, round, ending, done));
        answers.push(answer);
        turn = Promise.race([own.then(() => wait(staggerMs, ending)), answer.then(ignore, ignore)]);
      }
      try {
        return await Promise.any(answers);
      } catch (error) {
        const errors: unknown[] = error instanceof AggregateError ? error.errors : [];
        const failures = mirrors.map((mirror, index) => ({ mirror, reason: reasonOf(errors[index], timeoutMs) }));
        return { isKnown: false, failures };
      } finally {
        stop();
      }
    },
  };

  /** The round by the mirror's word and the chain's signature; then the requests to all others are cancelled. */
  async function ask(
    mirror: string,
    of: BeaconChain,
    round: number,
    ending: AbortSignal,
    done: AbortController,
  ): Promise<BeaconAnswer> {
    ending.throwIfAborted();
    const signature = await withDeadline(timeoutMs, ending, (signal) =>
      askMirror(fetch, { mirror, chain: of, round }, signal),
    );
    // Between two answers that come at once: one check is enough.
    ending.throwIfAborted();
    if (!verifyRound(of, round, signature)) throw new MirrorError("answered with a signature that is not the chain's");
    done.abort();
    return { isKnown: true, round, signature, randomness: randomnessOf(signature) };
  }
}

/** Ends early, and well, when the work has ended. */
async function wait(ms: number, ending: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal: ending }).catch(ignore);
}

function ignore(): void {}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof MirrorError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `did not answer within ${timeoutMs} ms`;
  if (error.name === "AbortError") return "was not waited for";
  const { cause } = error;
  if (cause instanceof Error && "code" in cause) return `cannot be reached (${String(cause.code)})`;
  return error.message;
}
