import { StoreUnavailableError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import { type After, systemAfter } from "../../lib/repeat.ts";
import type { Installation } from "../contract/store.ts";
import type { ServerName } from "./server.ts";

/** What the store answers to the question whose it is. */
interface NameAnswer {
  readonly result: string;
  readonly installation: Installation;
  readonly sinceMs: number;
  readonly taken: number;
  /** When it answered, by its own clock. */
  readonly seenMs: number;
}

/** The name under which this process belonged to the store last; see lua/name-installation.lua. */
export type CachedName = Pick<NameAnswer, "sinceMs" | "taken" | "seenMs">;

export type Ownership = ReturnType<typeof createOwnership>;

/** An operator may have given the store another name, and it may have been emptied. */
const everyMs = 2_000;
/** While nobody has answered whose it is, everything waits for that. */
const unknownEveryMs = 250;

/** Whether the store belongs to this process's installation. Before `useFor` everything may pass. */
export function createOwnership({
  ask,
  announce,
  server,
  logger,
  after = systemAfter,
}: {
  /** @throws StoreUnavailableError */
  readonly ask: (installation: Installation, cached: CachedName | null, mayName: boolean) => Promise<NameAnswer>;
  /** Shows a stranger's connections to the installation whose store it is; null: it is none any more. */
  readonly announce: (stranger: Installation | null) => Promise<void>;
  readonly server: ServerName;
  readonly logger: Logger;
  readonly after?: After;
}) {
  let installation: (() => Installation) | null = null;
  let standing: "member" | "stranger" | "unknown" = "member";
  let refusal: StoreUnavailableError | null = null;
  let cached: CachedName | null = null;
  let pending: Promise<void> | null = null;
  let isStopped = false;
  let cancel = () => {};

  async function look(ours: Installation): Promise<void> {
    let answer: NameAnswer;
    try {
      answer = await ask(ours, cached, standing !== "stranger");
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      if (standing === "unknown") refusal = error;
      return;
    }
    if (answer.result === "member") {
      if (standing === "stranger") {
        logger.info({ event: "store.own_again" }, `${server.name} belongs to this installation now`);
        await announce(null);
      }
      standing = "member";
      cached = answer;
      return;
    }
    const reason = strangerReason(server, ours, answer);
    if (standing !== "stranger") logger.error({ event: "store.of_another_installation" }, reason);
    standing = "stranger";
    refusal = new StoreUnavailableError(undefined, reason);
    await announce(ours);
  }

  /** At most one question at a time. */
  function check(): Promise<void> {
    if (installation === null) return Promise.resolve();
    pending ??= look(installation()).finally(() => {
      pending = null;
      cancel();
      if (!isStopped) cancel = after(standing === "unknown" ? unknownEveryMs : everyMs, () => void check());
    });
    return pending;
  }

  return {
    /** @throws StoreUnavailableError the store is another installation's, or nobody has answered yet whose it is */
    enter(): void {
      if (standing !== "member") throw refusal ?? new StoreUnavailableError();
    },
    useFor(ours: () => Installation): Promise<void> {
      installation = ours;
      standing = "unknown";
      return check();
    },
    /** It may be another server now, or another's data. */
    reconnected(): void {
      if (installation === null || pending !== null) return;
      if (standing === "member") standing = "unknown";
      void check();
    },
    /** For the end of the program. */
    stop(): void {
      isStopped = true;
      cancel();
    },
  };
}

/** Whose the store is, why this process does not belong to it, and what to do. */
function strangerReason(server: ServerName, ours: Installation, { result, installation }: NameAnswer): string {
  const consequence = "so this process writes nothing there, admits nobody and takes no operator's step";
  if (result === "nobody") {
    return `${server.name} belonged to another installation until it was emptied, ${consequence}: start this process again if it is this one's now; else ${mendForeign}`;
  }
  return `${foreignWords(server, ours, installation)}, ${consequence}: ${mendForeign}`;
}

// What is said of a store that is named for another installation.

const mendForeign =
  "give it another server or database, or a store.prefix of its own; if it belongs to that installation, give it the issuer and the secrets file " +
  "(or keys.tickets) of its processes; if it takes that one's place, stop those and run usher adopt --config FILE";

/** The ticket keys of this one may not be known. */
type Named = Pick<Installation, "issuers"> & { readonly ticketKeys: readonly string[] | null };

/** The installation that owns the store, for a process of another one. */
function foreignWords({ name }: ServerName, ours: Named, theirs: Installation): string {
  return `${name} belongs to another installation (${wordsOf(theirs)}), and this one is ${wordsOf(ours)}`;
}

/**
 * Why the store is not this installation's, as the store's own script judges it; null where it is, or nobody's.
 *
 * @param named the issuers and ticket keys of the name, as they are kept
 */
export function foreignName(
  server: ServerName,
  ours: Named,
  [issuers, ticketKeys]: readonly (string | null | undefined)[],
): string | null {
  if (typeof issuers !== "string" || typeof ticketKeys !== "string") return null;
  const theirs: Installation = { issuers: listOf(issuers), ticketKeys: listOf(ticketKeys) };
  const isOurs =
    shares(ours.issuers, theirs.issuers) && (ours.ticketKeys === null || shares(ours.ticketKeys, theirs.ticketKeys));
  return isOurs ? null : `${foreignWords(server, ours, theirs)}: ${mendForeign}`;
}

/** Lua writes an empty list as an object. */
function listOf(text: string): string[] {
  const list: unknown = JSON.parse(text);
  return Array.isArray(list) ? list.map(String) : [];
}

function shares(ones: readonly string[], others: readonly string[]): boolean {
  return ones.some((one) => others.includes(one));
}

function wordsOf({ issuers, ticketKeys }: Named): string {
  const parts = [...(issuers.length === 0 ? [] : [`issuer ${some(issuers)}`])];
  if (ticketKeys !== null) parts.push(`ticket keys ${some(ticketKeys)}`);
  return parts.join(", ");
}

/** The first of a list, which may be long. */
function some(words: readonly string[]): string {
  const first = words.slice(0, 5).join(", ");
  return words.length > 5 ? `${first} and ${words.length - 5} more` : first;
}
