/** A store as a whole, and the installation that it belongs to. Types only. */
import type { StoreClock } from "../../lib/store-clock.ts";
import type { EventStore } from "./room-events.ts";
import type { RoomStore } from "./room-store.ts";
import type { AuditStore, JoinCountStore, OidcAdapter, ProcessStore, SharedDocuments, WatcherStore } from "./shared.ts";

/** `half_open`: a probe is under way. */
export type BreakerState = "closed" | "half_open" | "open";

/** What keeps commands from a store that does not answer: while it is not closed, they fail at once with `StoreUnavailableError`. */
export interface StoreBreaker {
  readonly state: BreakerState;
  /** How often it has opened. */
  readonly openedTotal: number;
}

/** A store as a whole: rooms, shared documents, oidc-provider's records, and what processes must agree on. */
export interface Store extends StoreOwnership {
  readonly rooms: RoomStore;
  readonly documents: SharedDocuments;
  readonly events: EventStore;
  readonly audit: AuditStore;
  readonly processes: ProcessStore;
  readonly watchers: WatcherStore;
  readonly joinCounts: JoinCountStore;
  /** The adapter for one oidc-provider model (`Session`, `Grant`, `AccessToken`, …). */
  oidcAdapter(model: string): OidcAdapter;
  /** Whether several processes may share this store. */
  readonly isShared: boolean;
  /** Its wall clock. */
  readonly clock: StoreClock;
  /**
   * Connects and checks what the store must be: version, `maxmemory-policy noeviction`, scripts permitted.
   * @throws SetupError that says what is wrong and what to do. A store that merely does not answer yet is no error.
   */
  start(): Promise<{ warnings: string[] }>;
  /**
   * What `start` would refuse of the store as it is now, in its words; null for nothing. It may have come late, or been set up anew since.
   * @throws StoreUnavailableError
   */
  unfit(): Promise<string | null>;
  /**
   * Records this process's key fingerprints (key id by purpose, the signing key first) and answers those that the
   * running processes agreed on before: the first process to call sets them; `replace` sets them anew.
   */
  agreeOnKeys(fingerprints: Readonly<Record<string, string>>, replace: boolean): Promise<Record<string, string>>;
  /** Commands sent so far, by name of the script or command; for metrics and the benchmark. */
  readonly commandCounts: ReadonlyMap<string, number>;
  /** Calls with the seconds that each command took, the way to the store and back included, answered or not. Nothing where the store is embedded. */
  onRoundTrip(listener: (seconds: number) => void): void;
  /** Null where the store is embedded. */
  readonly breaker: StoreBreaker | null;
  close(): Promise<void>;
}

/**
 * Whose a store is. An installation is named in the store by its issuers and the fingerprints of its ticket keys, so that another one that was
 * given the same store by mistake changes nothing there.
 */

export interface Installation {
  readonly issuers: readonly string[];
  /** Fingerprints of all ticket keys that it can verify with, the one that signs first. */
  readonly ticketKeys: readonly string[];
}

/** How the processes of a store find out that it is theirs. */
export interface StoreOwnership {
  /**
   * From now on the store is used for this installation alone. It belongs if it shares an issuer and a ticket key with the name that the store has; a
   * store without a name takes its name. Until that is certain, and while the store is another's, every operation fails with
   * `StoreUnavailableError`, whose reason says what to do.
   */
  useFor(installation: () => Installation): Promise<void>;
  /** Gives the store the name of this installation, in place of that of another one, which it answers; null where there was none. @throws StoreUnavailableError */
  takeOver(installation: Installation): Promise<Installation | null>;
  /** Installations that were given this store and are kept out of it by its name, each with its address, as far as the server shows its connections. */
  strangers(): Promise<readonly string[]>;
}
