/**
 * What must hold of draws, as an observer sees it who hears every answer of the store and everything that processes tell
 * visitors: what was published stays, nobody goes in by a place that is not drawn, everybody is told one place for ever, and
 * the entries have the first places among themselves.
 */
import { isDeepStrictEqual } from "node:util";
import { DrawnOrders } from "../../../src/room/draw/entries.ts";
import { numberOf, type Ticket } from "../../../src/room/tickets/ticket.ts";
import type { ClaimRequest, Draw, RoomState } from "../../../src/store/contract/room-store.ts";
import type { Memories } from "./memories.ts";

type Break = (what: string, details: unknown) => void;

/** What is known of one edition. */
interface Edition {
  /** Numbers that visitors were seen with. */
  readonly held: Set<number>;
  /** By number. */
  readonly places: Map<number, number>;
  /** By place. */
  readonly numbers: Map<number, number>;
  /** As heard last, by id; fixed ones as heard first. */
  readonly draws: Map<number, Draw>;
  /** Admitted by their numbers while it was not heard how far the draw reaches, by its id. */
  readonly unplaced: Map<number, number[]>;
}

function isFixed({ stage }: Draw): boolean {
  return stage === "closed" || stage === "drawn";
}

/** Stages that are never taken back, in their order. */
const endStages: readonly Draw["stage"][] = ["closed", "drawn"];

export class DrawRules {
  readonly #editions = new Map<number, Edition>();
  readonly #break: Break;
  readonly #memories: Memories | null;
  #drawn = 0;

  constructor(onBroken: Break, memories: Memories | null) {
    this.#break = onBroken;
    this.#memories = memories;
  }

  /** How many draws were seen to be drawn. */
  get drawn(): number {
    return this.#drawn;
  }

  /** The store's answer to a tick. */
  heard(state: RoomState): void {
    const edition = this.#edition(state.edition);
    for (const draw of state.draws) {
      const known = edition.draws.get(draw.id);
      if (known !== undefined) this.#compare(known, draw);
      edition.draws.set(draw.id, draw);
      if (isFixed(draw) && (known === undefined || !isFixed(known))) this.#checkLeftOut(state, draw);
      if (draw.stage === "drawn" && known?.stage !== "drawn") this.#drawnNow(state, edition, draw);
      if (draw.last > 0) this.#judgeUnplaced(edition, draw);
      if (endStages.includes(draw.stage)) this.#checkGaps(state, draw);
    }
  }

  /** A visitor has a ticket, as a process reads it. */
  told(ticket: Ticket): void {
    if (ticket.position === 0) return;
    const edition = this.#edition(ticket.edition);
    const number = numberOf(ticket);
    edition.held.add(number);
    if (ticket.entry == null) return;
    this.#place(edition, number, ticket.position, ticket);
  }

  /** A process says a place, and not that it is to be drawn. */
  toldPlace(ticket: Ticket): void {
    const edition = this.#edition(ticket.edition);
    this.#place(edition, numberOf(ticket), ticket.position, ticket);
  }

  /** A new admission that has a place. */
  admitted(request: ClaimRequest): void {
    const edition = this.#edition(request.edition);
    const number = numberOf(request);
    edition.held.add(number);
    for (const draw of edition.draws.values()) {
      if (draw.stage === "cancelled" || draw.first === 0 || number < draw.first) continue;
      if (draw.stage === "drawn" || draw.stage === "closed") {
        const isIn = number <= draw.last;
        if (isIn && draw.id !== request.entry?.draw)
          this.#break("an entry went in by another place", { request, draw });
      } else if (request.entry?.draw !== draw.id) {
        edition.unplaced.set(draw.id, [...(edition.unplaced.get(draw.id) ?? []), number]);
      }
    }
    this.#place(edition, number, request.position, request);
  }

  /** Nobody has the places that are left over behind the entries, so they are skipped. */
  #checkGaps({ gaps, serving }: RoomState, draw: Draw): void {
    const left = draw.gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    const isSkipped = gaps.some(({ from, to }) => from <= draw.last - left + 1 && to >= draw.last);
    const isPassed = serving > draw.last - left;
    if (left > 0 && !isSkipped && !isPassed) this.#break("places that nobody has are not skipped", { draw, gaps });
  }

  /**
   * After a loss, a number that nobody who reached the store had heard of is known to its holder alone, who gets a place behind the
   * entries. No other is left out.
   */
  #checkLeftOut({ edition }: RoomState, draw: Draw): void {
    for (const entry of this.#memories?.inStore("entry") ?? []) {
      const [of, number] = entry.split(" ").map(Number) as [number, number];
      const isGap = draw.gaps.some(({ from, to }) => number >= from && number <= to);
      if (of === edition && isGap) this.#break("an entry that was told of was left out of the draw", { number, draw });
    }
  }

  #compare(before: Draw, now: Draw): void {
    const hasEntries = before.first > 0 && before.commitment !== "";
    const isSameSeed = before.commitment === now.commitment && before.keyId === now.keyId;
    if (hasEntries && !isSameSeed) this.#break("what was committed to has changed", { before, now });
    if (hasEntries && before.usesBeacon !== now.usesBeacon) this.#break("the beacon has changed", { before, now });
    if (hasEntries && now.first > before.first) this.#break("a draw begins later than it did", { before, now });
    if (before.stage !== "drawn") return;
    if (!isDeepStrictEqual(before, now)) this.#break("a draw that was drawn has changed", { before, now });
  }

  #drawnNow(state: RoomState, edition: Edition, draw: Draw): void {
    this.#drawn++;
    const order = new DrawnOrders("tickets").orderOf(state, draw);
    const places = new Set<number>();
    for (const number of edition.held) {
      if (number < draw.first || number > draw.last) continue;
      const isGap = draw.gaps.some(({ from, to }) => number >= from && number <= to);
      const place = order.positionOf(number);
      const isAmongFirst = place >= draw.first && place < draw.first + order.entries;
      if (isAmongFirst === isGap || place > draw.last) {
        this.#break("an entry has none of the places that it may have", { number, place, draw });
      }
      if (places.has(place)) this.#break("two entries have one place", { number, place, draw });
      places.add(place);
      this.#place(edition, number, place, draw);
    }
  }

  /** Those who went in by their numbers came after the entries. */
  #judgeUnplaced(edition: Edition, draw: Draw): void {
    if (!endStages.includes(draw.stage)) return;
    for (const number of edition.unplaced.get(draw.id) ?? []) {
      if (number <= draw.last) this.#break("an entry went in before the draw", { number, draw });
    }
    edition.unplaced.delete(draw.id);
  }

  #place(edition: Edition, number: number, place: number, details: unknown): void {
    const known = edition.places.get(number);
    if (known !== undefined && known !== place) {
      this.#break("a place is another than was told", { number, known, place, details });
    }
    const holder = edition.numbers.get(place);
    if (holder !== undefined && holder !== number) {
      this.#break("two numbers have one place", { number, holder, place, details });
    }
    edition.places.set(number, place);
    edition.numbers.set(place, number);
  }

  #edition(edition: number): Edition {
    let known = this.#editions.get(edition);
    if (known === undefined) {
      known = { held: new Set(), places: new Map(), numbers: new Map(), draws: new Map(), unplaced: new Map() };
      this.#editions.set(edition, known);
    }
    return known;
  }
}
