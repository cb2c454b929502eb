/** Which operators watch which rooms, as each process knows it of its own. Types only; part of the contract in room-store.ts. */
export interface WatcherStore {
  /**
   * Keeps what this process says for `leaseMs` of the store's clock, in place of what it said before; "" takes that away. Answers
   * what other processes say. A process that goes on saying it stays; one that was killed is forgotten with its lease.
   * Of more than 64 those stay that said something last.
   *
   * @throws StoreUnavailableError
   */
  exchange(process: string, text: string, leaseMs: number): Promise<string[]>;
}
