import type { RoomState } from "../../store/contract/room-store.ts";

interface Advance {
  /** The places up to here that no earlier advance covers. */
  readonly to: number;
  /** Claim clock at which this process knew them to be served; a moment later than they were. */
  readonly atMs: number;
}

const maxAdvances = 1_000;

/**
 * When places were served, as far as this process saw it: so that pages can show how long the turn is held,
 * without asking the store. The store decides; it knew of the advance up to a second earlier.
 */
export class AdvanceLog {
  #advances: Advance[] = [];
  #edition = -1;
  /** Places up to here were served before this process looked. */
  #unseen = 0;

  sync(state: RoomState): void {
    const { edition, serving, claimMs, settings } = state;
    const isOther = edition !== this.#edition;
    const highest = this.#advances.at(-1)?.to ?? this.#unseen;
    if (isOther || serving < highest) {
      this.#advances = isOther ? [] : this.#advances.filter(({ to }) => to <= serving);
      // An edition that was seen from its beginning has no unseen places; another may have.
      this.#unseen = isOther && this.#edition !== -1 && edition > this.#edition ? 0 : serving;
      this.#edition = edition;
    }
    if (serving > (this.#advances.at(-1)?.to ?? this.#unseen)) this.#advances.push({ to: serving, atMs: claimMs });
    // For as long again as a place may be claimed, its visitor may be told when that was over.
    const oldestMs = claimMs - 2 * settings.effective.admission.claimWithinMs;
    while (this.#advances.length > maxAdvances || (this.#advances[0]?.atMs ?? oldestMs) < oldestMs) {
      this.#unseen = Math.max(this.#unseen, this.#advances.shift()?.to ?? 0);
    }
  }

  /** Claim clock at which the place was known to be served; null where this process cannot say. */
  servedMs(position: number): number | null {
    if (position <= this.#unseen) return null;
    // Those who ask were served lately, behind most of the advances.
    let low = 0;
    let high = this.#advances.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#advances[middle]?.to ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return this.#advances[low]?.atMs ?? null;
  }
}
