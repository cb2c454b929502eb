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
