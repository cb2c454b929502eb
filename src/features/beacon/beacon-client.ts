/**
 * The public beacon: fetches the round of a chain that a draw waits for, from any mirror, and trusts only the chain's
 * signature. Knows no room and no draw; the caller decides which round is wanted, and until when.
 */
import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type BoundedFetch, createBoundedFetch } from "../../lib/bounded-fetch.ts";
import { follow } from "../../lib/deadline.ts";
import { verifyRound } from "../../room/draw-recipe/beacon-signature.ts";
import { type BeaconChain, quicknet, randomnessOf } from "../../room/draw-recipe/index.ts";

/** A round that the chain has signed, with hexadecimal texts; or why each mirror was of no use. */
export type BeaconAnswer =
  | { readonly isAvailable: true; readonly round: number; readonly signature: string; readonly randomness: string }
  | { readonly isAvailable: false; readonly failures: readonly { readonly mirror: string; readonly reason: string }[] };

/** Servers that pass on what drand's nodes publish. Usher checks every value that they send. */
export const defaultMirrors: readonly string[] = [
  "https://api.drand.sh",
  "https://api2.drand.sh",
  "https://api3.drand.sh",
  "https://drand.cloudflare.com",
];

/** Of a mirror's answer. Drand's own take some 250. */
const bytesMax = 4_096;

/** Why a mirror's answer is none. */
class MirrorError extends Error {
  override name = "MirrorError";
}

export function createBeaconClient(
  options: {
    /** Quicknet by default. */
    readonly chain?: BeaconChain;
    /** Addresses, with or without a path, which `/{chain hash}/public/{round}` is put behind. */
    readonly mirrors?: readonly string[];
    /** How long each mirror may take, in milliseconds. */
    readonly timeoutMs?: number;
    /** How long after one mirror the next is asked too, in milliseconds; at once where one fails. */
    readonly staggerMs?: number;
    readonly fetch?: typeof globalThis.fetch;
  } = {},
) {
  const { chain = quicknet, mirrors = defaultMirrors } = options;
  const { timeoutMs = 3_000, staggerMs = 250 } = options;
  const fetchAnswer = createBoundedFetch({ bytesMax, timeoutMs, ...(options.fetch && { fetch: options.fetch }) });

  return {
    chain,
    /**
     * Never throws. Of another chain, where one is given. Fails when all mirrors have, as they do for rounds that are not published
     * yet, or when it is stopped.
     */
    async fetchRound(round: number, stopping?: AbortSignal, of: BeaconChain = chain): Promise<BeaconAnswer> {
      const done = new AbortController();
      const ending = done.signal;
      // Of each mirror its pause and its question, and they may be many: no leak.
      setMaxListeners(2 * mirrors.length, ending);
      const stop = follow(stopping, done);
      const answers: Promise<BeaconAnswer>[] = [];
      let turn: Promise<void> = Promise.resolve();
      for (const mirror of mirrors) {
        const current = turn;
        const answer = current.then(() => ask(mirror, of, round, done));
        answers.push(answer);
        turn = Promise.race([current.then(() => wait(staggerMs, ending)), answer.then(ignore, ignore)]);
      }
      try {
        return await Promise.any(answers);
      } catch (error) {
        const errors: unknown[] = error instanceof AggregateError ? error.errors : [];
        const failures = mirrors.map((mirror, index) => ({ mirror, reason: reasonOf(errors[index], timeoutMs) }));
        return { isAvailable: false, failures };
      } finally {
        stop();
      }
    },
  };

  /** The round by the mirror's word and the chain's signature; then the requests to all others are cancelled. */
  async function ask(mirror: string, of: BeaconChain, round: number, done: AbortController): Promise<BeaconAnswer> {
    const ending = done.signal;
    ending.throwIfAborted();
    const url = `${mirror.replace(/\/+$/, "")}/${of.hash}/public/${round}`;
    const text = await readAnswer(fetchAnswer, url, ending);
    // Between two answers that come at once: one check is enough.
    ending.throwIfAborted();
    const signature = signatureIn(text, round);
    if (!verifyRound(of, round, signature)) throw new MirrorError("answered with a signature that is not the chain's");
    done.abort();
    return { isAvailable: true, round, signature, randomness: randomnessOf(signature) };
  }
}

/** Redirects are not followed. */
async function readAnswer(fetchAnswer: BoundedFetch, url: string, signal: AbortSignal): Promise<string> {
  const answer = await fetchAnswer(url, { headers: { accept: "application/json" }, redirect: "manual", signal });
  if (answer.status !== 200) throw new MirrorError(`answered with the status ${answer.status}`);
  return answer.text();
}

/** What a mirror calls the signature of a round, hexadecimal: not checked yet. */
function signatureIn(text: string, round: number): string {
  let answer: { readonly round?: unknown; readonly signature?: unknown };
  try {
    answer = Object(JSON.parse(text));
  } catch {
    throw new MirrorError("answered with what is no JSON");
  }
  if (answer.round !== round) throw new MirrorError(`did not answer with round ${round}`);
  if (typeof answer.signature !== "string" || !/^[0-9a-f]{96}$/.test(answer.signature)) {
    throw new MirrorError("answered without a signature");
  }
  return answer.signature;
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
