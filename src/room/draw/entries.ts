/** Entries of draws, as last synced: the place that an entry was drawn, whether it is still to be drawn, and whether an operator has voided it. */
import { isComing } from "../../core/holds.ts";
import { blockLength } from "../../core/ports/lists.ts";
import type { Draw, EntryVoid, Gap, RoomState } from "../../store/contract/room-store.ts";
import { type BeaconOutcome, createOrder, type Order } from "../draw-recipe/index.ts";
import { numberOf, type Place } from "../tickets/ticket.ts";

/** The orders of the draws that this process knows, each computed once. */
export class DrawnOrders {
  readonly #room: string;
  #edition = 0;
  #orders = new Map<number, { readonly of: Draw; readonly order: Order }>();

  /** @param room its public id, of which everybody computes the order */
  constructor(room: string) {
    this.#room = room;
  }

  /** The same ticket with its position as of this state; a number in no draw that is drawn stays what it is. */
  place<T extends Place>(state: RoomState | null, ticket: T): T {
    const number = numberOf(ticket);
    const draws = number > 0 && state?.edition === ticket.edition ? state.draws : [];
    const draw = draws.find(({ stage, first, last }) => stage === "drawn" && number >= first && number <= last);
    if (state === null || draw === undefined) {
      return ticket.entry == null ? ticket : { ...ticket, position: number, entry: null };
    }
    const position = this.orderOf(state, draw).positionOf(number);
    if (ticket.entry?.draw === draw.id && ticket.position === position) return ticket;
    return { ...ticket, position, entry: { number, draw: draw.id } };
  }

  orderOf({ edition }: Pick<RoomState, "edition">, draw: Draw): Order {
    if (edition !== this.#edition) {
      this.#edition = edition;
      this.#orders = new Map();
    }
    const cached = this.#orders.get(draw.id);
    if (cached !== undefined && isSameOutcome(cached.of, draw)) return cached.order;
    const { id, first, last, seed } = draw;
    const gaps = draw.gaps.map(({ from, to }) => [from, to] as const);
    // The record alone fixes the order, whatever beacon this process would use.
    const order = createOrder({ room: this.#room, edition, id, seed, first, last, gaps, beacon: beaconOf(draw) });
    this.#orders.set(draw.id, { of: draw, order });
    return order;
  }
}

function beaconOf({ usesBeacon, chain, beacon }: Draw): BeaconOutcome {
  if (!usesBeacon) return null;
  return beacon === null
    ? "fallback"
    : { chain: chain?.hash ?? "", round: beacon.round, randomness: beacon.randomness };
}

/** Of two memories of one draw a recovery may have chosen the other than this process held. */
function isSameOutcome(a: Draw, b: Draw): boolean {
  return a === b || (a.last === b.last && a.seed === b.seed && a.beacon?.randomness === b.beacon?.randomness);
}

/** Whether the number is one of those of the draw, as far as they are known. */
export function takesIn({ first, last }: Draw, number: number): boolean {
  return first > 0 && number >= first && (last === 0 || number <= last);
}

export function isUndrawn({ stage }: Draw): boolean {
  return stage !== "drawn" && stage !== "cancelled";
}

/** Whether a visitor who joins now takes an entry, as far as is known. */
export function takesEntries({ draws }: Pick<RoomState, "draws">): boolean {
  return draws.some(({ stage, first }) => first > 0 && (stage === "committed" || stage === "closing"));
}

/** Whether the number is an entry whose draw is to come. */
export function isToBeDrawn({ draws }: Pick<RoomState, "draws">, number: number): boolean {
  return draws.some((draw) => isUndrawn(draw) && takesIn(draw, number));
}

/** Which of a room's draws takes entries, now or at the next prequeue; undefined where nothing is committed to. */
export function comingDraw({ draws }: Pick<RoomState, "draws">): Draw | undefined {
  return draws.find((draw) => isComing(draw) && draw.commitment !== "");
}

/** The first that stands and has the place; null for none. */
export function voidOf(state: RoomState | null, place: Place): EntryVoid | null {
  if (state === null || state.voids.length === 0 || place.edition !== state.edition) return null;
  const number = numberOf(place);
  return state.voids.find((entryVoid) => entryVoid.restoredMs === 0 && hasNumber(entryVoid.numbers, number)) ?? null;
}

/** The void that keeps visitors from joining from these blocks; null for none. @param row see `BlockRows` */
export function voidOfRow(state: RoomState | null, row: string): EntryVoid | null {
  if (row === "" || state === null || state.voids.length === 0) return null;
  const draw = comingDraw(state);
  const blocks = [row.slice(0, blockLength), row.slice(blockLength)];
  const keepsOut = (entryVoid: EntryVoid) =>
    entryVoid.restoredMs === 0 &&
    entryVoid.draw === draw?.id &&
    blocks.some((block) => entryVoid.blocks.includes(block));
  return state.voids.find(keepsOut) ?? null;
}

function hasNumber(stretches: readonly Gap[], number: number): boolean {
  return stretches.some(({ from, to }) => number >= from && number <= to);
}

/** How many entries. */
export function voidedEntriesOf({ numbers }: Pick<EntryVoid, "numbers">): number {
  return numbers.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

/** How often entries of a draw were voided, or given back. */
export function voidChangesOf({ voids }: Pick<RoomState, "voids">, { id }: Pick<Draw, "id">): number {
  return voids.reduce((sum, { draw, restoredMs }) => (draw === id ? sum + (restoredMs > 0 ? 2 : 1) : sum), 0);
}
