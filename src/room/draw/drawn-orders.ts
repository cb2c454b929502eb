import { type BeaconOutcome, createOrder, type DrawRecord, type Order } from "../../draw/index.ts";
import type { Draw, RoomState } from "../../store/contract/room-store.ts";
import { numberOf, type Place } from "../tickets/ticket.ts";

interface Made {
  readonly of: Draw;
  readonly order: Order;
}

/** The orders of the draws that this process knows, each computed once. */
export class DrawnOrders {
  readonly #room: string;
  #edition = 0;
  #orders = new Map<number, Made>();

  /** @param room its public id, of which everybody computes the order */
  constructor(room: string) {
    this.#room = room;
  }

  /** The same ticket with its position as of this state; a number in no draw that is drawn stays what it is. */
  place<T extends Place>(state: RoomState | null, ticket: T): T {
    const number = numberOf(ticket);
    const draw = number > 0 && state?.edition === ticket.edition ? drawnWith(state.draws, number) : undefined;
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
    const known = this.#orders.get(draw.id);
    if (known !== undefined && isSameOutcome(known.of, draw)) return known.order;
    const order = createOrder(this.#recordOf(edition, draw));
    this.#orders.set(draw.id, { of: draw, order });
    return order;
  }

  /** What fixes the order of a draw that is drawn: the record alone, whatever beacon this process would use. */
  #recordOf(edition: number, draw: Draw): DrawRecord {
    const { id, first, last, seed } = draw;
    const gaps = draw.gaps.map(({ from, to }) => [from, to] as const);
    return { room: this.#room, edition, id, seed, first, last, gaps, beacon: beaconOf(draw) };
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

function drawnWith(draws: readonly Draw[], number: number): Draw | undefined {
  return draws.find(({ stage, first, last }) => stage === "drawn" && number >= first && number <= last);
}

/** Whether the number is an entry whose draw is to come. */
export function isUndrawn({ draws }: Pick<RoomState, "draws">, number: number): boolean {
  return draws.some(
    ({ stage, first, last }) =>
      stage !== "drawn" && stage !== "cancelled" && first > 0 && number >= first && (last === 0 || number <= last),
  );
}
