import { StoreUnavailableError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import { repeat } from "../../lib/repeat.ts";
import type { CheckpointFailure } from "./checkpoint-watch.ts";

/**
 * `faults` keep this process from serving, and it serves in spite of `warnings`; each says what is wrong and what to do.
 */
export type Readiness = () => Promise<{
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  /** One of the faults: other processes sign with a key that this one does not have. */
  readonly keysDisagree: boolean;
}>;

interface KeysInUse {
  readonly signsWith: string;
  /** Every key that it can verify with. */
  readonly accepts: readonly string[];
  /** Keys that sign no more: that others signed with one of them says nothing about now. */
  readonly superseded: readonly string[];
}

/** A store by name, in which rooms are. */
export interface StoreOfSomeRooms {
  readonly name: string;
  /** See `ReadinessOptions`. */
  readonly unfit: () => Promise<string | null>;
  readonly skewMs: () => number | null;
  readonly strangers?: () => Promise<readonly string[]>;
}

export interface ReadinessOptions {
  /** Fingerprints of this process's keys by purpose. */
  readonly keys: () => Readonly<Record<string, KeysInUse>>;
  /** Keys that this process should have and does not, and why they have not been synced: one sentence each. */
  readonly keyFaults: () => readonly string[];
  /** Records the keys that the running processes sign with, unless they are recorded; answers the record. */
  readonly agreeOnKeys: (fingerprints: Record<string, string>, replace: boolean) => Promise<Record<string, string>>;
  /** What is wrong with the store, though it answers; null: nothing. */
  readonly unfit: () => Promise<string | null>;
  /** Other installations that were given this store, and are kept out of it. Default: none. */
  readonly strangers?: () => Promise<readonly string[]>;
  readonly checkpointFailure: () => CheckpointFailure | null;
  /** How far this process's clock is ahead of the store's, in milliseconds; null before the first sync. */
  readonly skewMs: () => number | null;
  /**
   * Rooms whose state has not been synced since this process started.
   *
   * @param away names of stores whose rooms are left out; null: the one without a name
   */
  readonly unsyncedRooms: (away: ReadonlySet<string | null>) => readonly string[];
  /** Default: none. */
  readonly namedStores?: readonly StoreOfSomeRooms[];
  /** Names of the stores that rooms are in; null: the one without a name. Default: that one alone. */
  readonly storesInUse?: () => ReadonlySet<string | null>;
}

/** Why stores do not answer, by name; null: the one without a name. */
type Away = Map<string | null, string>;

/**
 * A process is ready when its store takes writes (of several in which rooms are, one at least: it serves the rooms of that) and its keys can verify what the other processes sign. A process that
 * signs with another key than the recorded one records its own, once for each key: in a rotation the processes that
 * changed last decide.
 */
export function createReadiness(options: ReadinessOptions): Readiness {
  const { keys, keyFaults, agreeOnKeys, unfit, checkpointFailure, skewMs, unsyncedRooms } = options;
  const { namedStores = [], storesInUse = () => new Set([null]), strangers } = options;
  let recorded = "";
  return async () => {
    const away: Away = new Map();
    // Side by side: one that is silent takes as long as a command may.
    const [{ faults, keysDisagree }, ...ofNamed] = await Promise.all([
      ofStore(away),
      ...namedStores.map((store) => ofNamedStore(store, away)),
    ]);
    const unsynced = unsyncedRooms(new Set(away.keys()));
    if (unsynced.length > 0) faults.push(`nothing is known of the rooms yet: ${unsynced.join(", ")}`);
    const warnings = [...ofNamed.flat(), ...(await unfitWarnings()), ...(await strangerWarnings(strangers))];
    const isServing = [...storesInUse()].some((name) => !away.has(name));
    for (const [name, reason] of away) {
      const text = name === null ? reason : `stores.${name}: ${reason}`;
      // Of those that are in order, rooms go on: to turn all visitors away would be worse.
      (isServing ? warnings : faults).push(text);
    }
    const checkpoints = checkpointFailure();
    // A file that was written before is stale for a while, a warning; one that never could be written is a fault of the set-up.
    if (checkpoints !== null) (checkpoints.wasWritten ? warnings : faults).push(checkpoints.reason);
    return { faults, warnings: [...warnings, ...skewWarnings(skewMs() ?? 0)], keysDisagree };
  };

  /** It serves while it can: to turn all processes away would be worse. */
  async function unfitWarnings(): Promise<string[]> {
    try {
      const reason = await unfit();
      return reason === null ? [] : [reason];
    } catch (error) {
      // The check of faults reports that.
      if (error instanceof StoreUnavailableError) return [];
      throw error;
    }
  }

  async function ofNamedStore(store: StoreOfSomeRooms, away: Away): Promise<string[]> {
    const { name } = store;
    try {
      const reason = await store.unfit();
      const found = [
        ...(reason === null ? [] : [reason]),
        ...skewWarnings(store.skewMs() ?? 0),
        ...(await strangerWarnings(store.strangers)),
      ];
      return found.map((text) => `stores.${name}: ${text}`);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      away.set(name, error.reason);
      return [];
    }
  }

  async function ofStore(away: Away): Promise<{ faults: string[]; keysDisagree: boolean }> {
    const current = Object.entries(keys());
    const mine = Object.fromEntries(current.map(([purpose, { signsWith }]) => [purpose, signsWith]));
    try {
      const agreed = await agreeOnKeys(mine, false);
      const faults: string[] = [];
      for (const [purpose, { signsWith, accepts, superseded }] of current) {
        const other = agreed[purpose];
        if (other !== undefined && !accepts.includes(other) && !superseded.includes(other)) {
          faults.push(
            `keys disagree: other processes sign ${purpose} with ${other}, this one with ${signsWith}; share one secrets file: ` +
              "copy theirs to where USHER_SECRETS_FILE points, or configure the same keys for all, and start this one again",
          );
        }
      }
      const keysDisagree = faults.length > 0;
      const ours = JSON.stringify(mine);
      if (!keysDisagree && recorded !== ours) {
        const isOther = Object.entries(mine).some(([purpose, kid]) => agreed[purpose] !== kid);
        if (isOther) await agreeOnKeys(mine, true);
        recorded = ours;
      }
      faults.push(...keyFaults());
      return { faults, keysDisagree };
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      away.set(null, error.reason);
      return { faults: [], keysDisagree: false };
    }
  }
}

async function strangerWarnings(strangers: ReadinessOptions["strangers"]): Promise<string[]> {
  return ((await strangers?.()) ?? []).map(
    (stranger) =>
      `another installation has this one's store: ${stranger}; it is kept out and writes nothing; give it another server or database, or a store.prefix of its own`,
  );
}

const skewWarnedMs = 2_000;

/**
 * Reported times are the store's, whatever this clock says; but certificates, logs and the machine's other programs use
 * this clock.
 */
function skewWarnings(skewMs: number): string[] {
  if (Math.abs(skewMs) <= skewWarnedMs) return [];
  const by = `${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs > 0 ? "ahead of" : "behind"}`;
  return [`this machine's clock is ${by} the store's, by which Usher goes: set both by NTP (timedatectl set-ntp true)`];
}

const everyMs = 10_000;

/**
 * Looks at the process's readiness by itself, and says what has come and gone since: not everybody asks `/readyz`.
 *
 * @param onChange told the first time, and when the process has become ready or is so no more
 */
export function watchReadiness(
  readiness: Readiness,
  logger: Logger,
  onChange: (report: Awaited<ReturnType<Readiness>>) => void = () => {},
) {
  let wasReady: boolean | null = null;
  let stopLooking: (() => void) | undefined;
  let isStopped = false;
  let reported: readonly string[] = [];
  let last: Awaited<ReturnType<Readiness>> | null = null;
  const look = async () => {
    try {
      last = await readiness();
      if (isStopped) return;
      const { faults, warnings } = last;
      const isReady = faults.length === 0;
      if (isReady !== wasReady) onChange(last);
      wasReady = isReady;
      const isNews = (text: string) => !reported.includes(text);
      for (const fault of faults.filter(isNews)) logger.error({ event: "gateway.not_ready" }, fault);
      for (const warning of warnings.filter(isNews)) logger.warn({ event: "gateway.warning" }, warning);
      const left = [...faults, ...warnings];
      const over = reported.filter((text) => !left.includes(text));
      if (left.length === 0 && over.length > 0) {
        logger.info({ event: "gateway.ready" }, "nothing is wrong any more");
      } else for (const text of over) logger.info({ event: "gateway.mended" }, `no longer: ${text}`);
      reported = left;
    } catch (error) {
      last = null;
      logger.error({ event: "gateway.not_ready", err: error }, "the readiness of this process could not be found out");
    }
  };
  return {
    look,
    /** What was found last; null before the first look, and where it could not be found out. */
    last: () => last,
    start() {
      stopLooking = repeat(0, () => look().then(() => everyMs));
    },
    stop() {
      isStopped = true;
      stopLooking?.();
    },
  };
}
