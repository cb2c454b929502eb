/**
 * Logins whose client is to be told that their admission has ended. Types only; part of the contract in room-store.ts.
 *
 * A login (see `Admission.logins`) that names a client behind a colon, `HASH:CLIENT`, is lined up when the admission ends, by
 * whatever end: each client once. A process that takes it tells the client and says so with the next call; until then it comes
 * again, 30 s later by the flow clock, then after twice as long each time. So nothing is lost when a process dies, and of
 * many processes one takes it. It is taken nine times at most, which is for about two hours; of a room the 100,000 are kept that
 * are due first. An admission that has ended and comes on record by a memory is lined up again: after a loss nobody knows who was told.
 */
export interface EndedLogin {
  /**
   * `ATTEMPT:ADMITTED_MS:SUB:CLIENT`: how often it was taken, this time included; the admission; and the client. Names it as it
   * was taken this time.
   */
  readonly id: string;
  /** It does not come again. */
  readonly isLast: boolean;
}
