import { StoreUnavailableError } from "../../lib/errors.ts";
import type { CommandEnd } from "./breaker.ts";

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
