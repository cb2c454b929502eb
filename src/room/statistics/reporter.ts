import { refusalReasons } from "../../core/ports/statistics-ring.ts";
import type { Random } from "../../lib/random.ts";
import type { Presence, StatisticsReport } from "../../store/contract/room-store.ts";

export type RefusalReason = (typeof refusalReasons)[number];

/** Of one report. Pages beyond say that they are open a minute later. */
const pagesMost = 5_000;

/** Whether what a claim was answered is a refusal, and no word that it is to be made again. */
export function isRefusal(reason: string): reason is RefusalReason {
  return refusalReasons.includes(reason as RefusalReason);
}

/** What this process alone has seen of a room, until it has told the store: whom it refused, and which pages are open. */
export class StatisticsReporter {
  readonly #process: number;
  #refused: number[] = [];
  /** Rank in the sample by position. */
  #pages = new Map<number, number>();
  #sequence = 0;
  /** A report of which it is not known whether it counted. */
  #sent: StatisticsReport | null = null;

  constructor(random: Random) {
    this.#process = random.bytes(6).readUIntBE(0, 6);
  }

  refuse(reason: RefusalReason, count = 1): void {
    const index = refusalReasons.indexOf(reason);
    while (this.#refused.length <= index) this.#refused.push(0);
    this.#refused[index] = (this.#refused[index] ?? 0) + count;
  }

  /**
   * A page has asked. It is kept for the moment if it is in the sample.
   *
   * @param rank its rank in the sample, in [0, 1)
   */
  notePage(presence: Presence, position: number, rank: number): void {
    if (rank * 2 ** presence.shift < 1 && this.#pages.size < pagesMost) this.#pages.set(position, rank);
  }

  /** What is to be told now: first of all again what was told without an answer. Null where there is nothing to tell. */
  next({ countedShift }: Presence): StatisticsReport | null {
    if (this.#sent !== null) return this.#sent;
    if (this.#refused.length === 0 && this.#pages.size === 0) return null;
    const pages = [...this.#pages].filter(([, rank]) => rank * 2 ** countedShift < 1).map(([position]) => position);
    const refused = this.#refused;
    this.#refused = [];
    this.#pages = new Map();
    if (refused.length === 0 && pages.length === 0) return null;
    this.#sequence++;
    this.#sent = { process: this.#process, sequence: this.#sequence, refused, pages };
    return this.#sent;
  }

  /** It has counted. */
  told(report: StatisticsReport | null): void {
    if (this.#sent === report) this.#sent = null;
  }
}
