/** Who holds the places that were moved, by the ticket's number. In Redis a hash of `moved_ms:sub`. */

/** See `MovedPlace`. */
export interface Holder {
  readonly sub: string;
  readonly movedMs: number;
}

export interface Holders {
  readonly isCollection?: true;
  readonly byNumber: Map<number, Holder>;
}

export function createHolders(): Holders {
  return { byNumber: new Map() };
}

/** Null for a place that never was moved. */
export function readHolder(holders: Holders, number: number): Holder | null {
  return holders.byNumber.get(number) ?? null;
}

export function writeHolder(holders: Holders, number: number, holder: Holder): void {
  holders.byNumber.set(number, holder);
}

export function forgetHolder(holders: Holders, number: number): void {
  holders.byNumber.delete(number);
}

export function countHolders(holders: Holders): number {
  return holders.byNumber.size;
}
