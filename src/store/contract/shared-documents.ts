/** Named texts that all processes share and may change while they run. Types only; part of the contract in room-store.ts. */

/** A text that all processes share, such as an issuer's registry. */
export interface SharedDocument {
  /** From 1; each change counts one up. */
  readonly version: number;
  readonly text: string;
}

export type DocumentReplacement =
  | { readonly result: "ok"; readonly version: number }
  | { readonly result: "conflict" }
  | { readonly result: "settling"; readonly remainingMs: number };

/**
 * A document outlives its store: every process remembers the one it last saw and offers it, which mends a loss of any kind. What
 * nobody remembers is gone, and a change to a version that was lost meanwhile is lost with it when the later version is offered.
 *
 * **Settling.** While others may still know more, nothing is replaced: a change on top of an old version would be taken
 * for the change that was lost. It lasts 2,500 ms of the store's clock, a clock step no longer, and begins when
 *
 * - another server run answers than the one that the document was stamped with (restart, failover, restored snapshot);
 * - the document is missing, and a caller shows by `expectedVersion` or an offer that there was one;
 * - a caller offers a later version than the one in force, or another text of the same version.
 *
 * A document that nobody ever wrote does not settle, nor does a store that is not shared: there is nobody else to ask.
 *
 * Texts of more than 4 MiB (as UTF-8) are refused with a TypeError before anything is sent.
 */
export interface SharedDocuments {
  /**
   * Answers the document in force, and offers the one that the caller remembers: it is put in place of one that is
   * missing or older. Of two of one version the greater text stays, compared bytewise, so that all processes decide
   * alike. Works while settling. Null where nobody ever wrote one.
   *
   * `unchanged`: what the caller remembers is what is in force. Neither the question nor this answer carries the text,
   * so that every process may ask often.
   *
   * @throws StoreUnavailableError
   */
  exchange(name: string, cached: SharedDocument | null): Promise<SharedDocument | "unchanged" | null>;
  /**
   * Replaces the document if it is still at `expectedVersion` (0: none was written), by the next version. Of any number
   * of calls at once one succeeds. `conflict`: it is at another version: exchange and try again. `settling`: try again
   * after `remainingMs`.
   *
   * A lost reply says nothing about what was done: `exchange` shows it.
   *
   * @throws StoreUnavailableError
   */
  replace(name: string, text: string, expectedVersion: number): Promise<DocumentReplacement>;
}
