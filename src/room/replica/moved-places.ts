import type { MovedPlace } from "../../store/contract/room-store.ts";

/** As many as the store remembers. */
const maxMoves = 100_000;

/** Places of one edition that were moved to another visitor, by number. */
export class MovedPlaces {
  readonly #moves = new Map<number, MovedPlace>();

  /** Two answers may overtake each other: the last move of a place counts. */
  learn(moves: readonly MovedPlace[]): void {
    for (const move of moves) {
      if ((this.#moves.get(move.number)?.movedMs ?? 0) > move.movedMs) continue;
      this.#moves.delete(move.number);
      this.#moves.set(move.number, move);
    }
    for (const number of this.#moves.keys()) {
      if (this.#moves.size <= maxMoves) break;
      this.#moves.delete(number);
    }
  }

  /** Another edition has begun. */
  clear(): void {
    this.#moves.clear();
  }

  get(number: number): MovedPlace | undefined {
    return this.#moves.get(number);
  }

  /** The place that was moved to this visitor last; undefined for none. */
  movedTo(sub: string): MovedPlace | undefined {
    let found: MovedPlace | undefined;
    for (const move of this.#moves.values()) if (move.sub === sub) found = move;
    return found;
  }

  recall(): MovedPlace[] {
    return [...this.#moves.values()];
  }
}
