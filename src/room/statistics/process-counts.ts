/** Counts that only this process has: whom it refused a place, which pages are open, and the outcomes of checks. */
import { refusalReasons } from "../../core/ports/statistics-ring.ts";
import { networkOf } from "../../lib/address-block.ts";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import type { Presence, StatisticsReport } from "../../store/contract/room-store.ts";
import type { RoomEvents } from "../events.ts";
import type { OverLimit } from "../visitor/join-limits.ts";

export type RefusalReason = (typeof refusalReasons)[number];

/** Pages per report. Any others are reported a minute later. */
const pagesMost = 5_000;

/** Whether the answer to a claim is a refusal, not a request to try again. */
export function isRefusal(reason: string): reason is RefusalReason {
  return refusalReasons.includes(reason as RefusalReason);
}

/** Counts of this process until they are reported to the store: whom it refused, and which pages are open. */
export class StatisticsReporter {
  readonly #process: number;
  #refused: number[] = [];
  /** Rank in the sample by position. */
  #pages = new Map<number, number>();
  #sequence = 0;
  /** A report that got no answer, so the store may or may not have counted it. */
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
   * Records a poll of a page, if the page is in the sample.
   *
   * @param rank its rank in the sample, in [0, 1)
   */
  recordPage(presence: Presence, position: number, rank: number): void {
    if (rank * 2 ** presence.shift < 1 && this.#pages.size < pagesMost) this.#pages.set(position, rank);
  }

  /** The next report: first of all the one that got no answer. Null if there is nothing to report. */
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

  /** Drops the report: the store has counted it. */
  confirm(report: StatisticsReport | null): void {
    if (this.#sent === report) this.#sent = null;
  }
}

/** Why a place was refused: too many joins from the address, all of its entries in use, or a rule of `address_rules`. */
export type SoftBlockReason = OverLimit["why"] | "network";
export const softBlockReasons = ["rate", "entries", "network"] as const satisfies readonly SoftBlockReason[];

/**
 * Outcomes of checks before joins. `asked`: visits that needed one; `slowed`: those with a proof of work harder than the minimum, because
 * others had joined from their block; `passed`, `failed`: checks that were presented.
 */
const checkCounts = ["asked", "slowed", "passed", "failed"] as const;
export type CheckOutcome = RoomEvents["join.checked"][0]["outcome"];

type Counts = Record<SoftBlockReason, number>;
type CheckCounts = Record<(typeof checkCounts)[number], number>;

interface Figures {
  readonly refused: Readonly<Counts>;
  readonly checked: Readonly<CheckCounts>;
}

/** Recent counts of this process. */
export interface SoftBlocksSeen extends Figures {
  readonly sinceMs: number;
  readonly joined: number;
  /** The networks with the most refusals and failed checks, at most 20. */
  readonly networks: readonly BlockedNetwork[];
}

/** A /24 of IPv4, or a /48 of IPv6. */
export interface BlockedNetwork extends Figures {
  readonly range: string;
  /** The rule of `address_rules` that refused it; null for none. */
  readonly rule: string | null;
}

interface Counted {
  readonly refused: Counts;
  readonly checked: CheckCounts;
  rule: string | null;
}

interface Generation extends Counted {
  readonly fromMs: number;
  joined: number;
  /** Networks with a refusal or a failed check. */
  readonly blocked: Map<string, Counted>;
  /** Networks with nothing but a check: in a crowd there are many, and they must not push out the others. */
  readonly checkedOnly: Map<string, Counted>;
}

const generationMs = 300_000;
/** Of each kind. */
const networksMax = 1_000;
const networksListed = 20;

const noneRefused = (): Counts => ({ rate: 0, entries: 0, network: 0 });
const noneChecked = (): CheckCounts => ({ asked: 0, slowed: 0, passed: 0, failed: 0 });
const noFigures = (): Counted => ({ refused: noneRefused(), checked: noneChecked(), rule: null });

/**
 * Recent refusals of this process with their reasons, and checks: the last five to ten minutes, in memory only. Addresses are reduced to
 * their /24 or /48, which is enough to recognise a school, a carrier or a bot farm, and identifies nobody.
 */
export function createSoftBlocks(clock: Clock) {
  let earlier: Generation | null = null;
  let recent = begin();

  function begin(): Generation {
    return { fromMs: clock.now(), joined: 0, ...noFigures(), blocked: new Map(), checkedOnly: new Map() };
  }

  function now(): Generation {
    const ageMs = clock.now() - recent.fromMs;
    if (ageMs >= 0 && ageMs < generationMs) return recent;
    // Negative: the clock was set back.
    earlier = ageMs >= 0 && ageMs < 2 * generationMs ? recent : null;
    recent = begin();
    return recent;
  }

  /** The totals, and those of the network. Beyond the bound, later networks count in the totals only. */
  function figuresOf(block: string | null, isBlocked: boolean): Counted[] {
    const all = now();
    if (block === null) return [all];
    const range = networkOf(block);
    const onlyChecked = all.checkedOnly.get(range);
    const counted = all.blocked.get(range) ?? (isBlocked ? undefined : onlyChecked);
    if (counted !== undefined) return [all, counted];
    const networks = isBlocked ? all.blocked : all.checkedOnly;
    if (networks.size >= networksMax) return onlyChecked === undefined ? [all] : [all, onlyChecked];
    const network = onlyChecked ?? noFigures();
    all.checkedOnly.delete(range);
    networks.set(range, network);
    return [all, network];
  }

  return {
    join(): void {
      now().joined++;
    },

    /** @param block of the visitor's address; null where it is not known */
    refuse(reason: SoftBlockReason, block: string | null, rule: string | null = null): void {
      for (const figures of figuresOf(block, true)) {
        figures.refused[reason]++;
        figures.rule = rule ?? figures.rule;
      }
    },

    /** @param isHarder whether the proof of work is harder than the minimum */
    check(outcome: CheckOutcome, block: string | null, isHarder: boolean): void {
      // No check was needed.
      if (outcome === "let_in") return;
      const count = outcome === "asked" ? "asked" : outcome === "passed" || outcome === "waited" ? "passed" : "failed";
      for (const { checked } of figuresOf(block, count === "failed")) {
        checked[count]++;
        if (count === "asked" && isHarder) checked.slowed++;
      }
    },

    get seen(): SoftBlocksSeen {
      const latest = now();
      const generations = earlier === null ? [latest] : [earlier, latest];
      const networks = new Map<string, BlockedNetwork>();
      for (const generation of generations) {
        for (const [range, figures] of [...generation.checkedOnly, ...generation.blocked]) {
          const existing = networks.get(range);
          networks.set(range, { range, rule: figures.rule ?? existing?.rule ?? null, ...sum(figures, existing) });
        }
      }
      const blocked = ({ refused, checked }: Figures) => total(refused) + checked.failed;
      return {
        sinceMs: generations[0]?.fromMs ?? clock.now(),
        joined: generations.reduce((all, { joined }) => all + joined, 0),
        ...generations.reduce<Figures>((all, generation) => sum(generation, all), noFigures()),
        networks: [...networks.values()]
          .toSorted((a, b) => blocked(b) - blocked(a) || b.checked.asked - a.checked.asked)
          .slice(0, networksListed),
      };
    },
  };
}

export type SoftBlocks = ReturnType<typeof createSoftBlocks>;

export function total({ rate, entries, network }: Readonly<Counts>): number {
  return rate + entries + network;
}

function sum(one: Figures, other?: Figures): Figures {
  const [refused, checked] = [noneRefused(), noneChecked()];
  for (const reason of softBlockReasons) refused[reason] = one.refused[reason] + (other?.refused[reason] ?? 0);
  for (const count of checkCounts) checked[count] = one.checked[count] + (other?.checked[count] ?? 0);
  return { refused, checked };
}
