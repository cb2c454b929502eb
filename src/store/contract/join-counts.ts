/** How many have joined from which address blocks, as all processes count it together. Types only. */

/** A block of addresses: a bucket that is filled by time, of which each join takes a token. */
export interface CountedBlock {
  /** A keyed hash: the store learns no address. */
  readonly name: string;
  /** In how many milliseconds a token is filled in, and the whole bucket. */
  readonly tokenMs: number;
  readonly mostMs: number;
}

/** Joins that count for all of these blocks: one within the other. */
export interface CountedJoins {
  /** Less than 0: so many are given back, since nobody got a place. */
  readonly count: number;
  /** When they were, so many milliseconds ago; 5,000 at most. Absent: now. */
  readonly agoMs?: number;
  readonly blocks: readonly CountedBlock[];
}

export interface CountedAnswer {
  /** How many of them may join. */
  readonly granted: number;
  /** Of each block, in how many milliseconds its bucket is full again. */
  readonly levelsMs: readonly number[];
}

/** At most so many in one call. */
export const countedJoinsMax = 500;

/** Buckets are kept for as long as they are not full, and 200,000 of each kind for a room: of more, those go that took least. */
export interface JoinCountStore {
  /**
   * Takes entries of a draw, before places are given: no more than all of their blocks have. The counts of an earlier edition are
   * forgotten. `RoomStore.forget` frees what is kept of a room.
   *
   * @throws StoreUnavailableError
   */
  takeEntries(room: string, edition: number, joins: readonly CountedJoins[]): Promise<CountedAnswer[]>;

  /**
   * Notes joins that were given by what each process knew: all of them, though a bucket be empty, and it owes so much then, up to
   * its own size.
   *
   * @throws StoreUnavailableError
   */
  recordJoins(room: string, joins: readonly CountedJoins[]): Promise<CountedAnswer[]>;
}
