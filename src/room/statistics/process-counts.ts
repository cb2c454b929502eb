/** What this process alone has seen of a room: whom it refused a place, which pages are open, and what came of checks. */
import { refusalReasons } from "../../core/ports/statistics-ring.ts";
import { networkOf } from "../../lib/address-block.ts";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import type { Presence, StatisticsReport } from "../../store/contract/room-store.ts";
import type { RoomEvents } from "../events.ts";
import type { OverLimit } from "../visitor/join-limits.ts";

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
  recordPage(presence: Presence, position: number, rank: number): void {
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
  confirm(report: StatisticsReport | null): void {
    if (this.#sent === report) this.#sent = null;
  }
}

/** Why somebody got no place: too many of the address just now, all of its entries taken, or a rule of `address_rules`. */
export type SoftBlockReason = OverLimit["why"] | "network";
export const softBlockReasons = ["rate", "entries", "network"] as const satisfies readonly SoftBlockReason[];

/**
 * What came of checks before joins: `asked` of so many visits, `slowed` those of them whose proof of work was harder than the least, because
 * others had joined from their block; `passed`, `failed` what was shown and counted, or not.
 */
const checkCounts = ["asked", "slowed", "passed", "failed"] as const;
export type CheckOutcome = RoomEvents["join.checked"][0]["outcome"];

type Counts = Record<SoftBlockReason, number>;
type CheckCounts = Record<(typeof checkCounts)[number], number>;

interface Figures {
  readonly refused: Readonly<Counts>;
  readonly checked: Readonly<CheckCounts>;
}

/** What this process has seen lately. */
export interface SoftBlocksSeen extends Figures {
  readonly sinceMs: number;
  readonly joined: number;
  /** Those from which most were refused or failed a check, at most 20. */
  readonly networks: readonly BlockedNetwork[];
}

/** A /24 of IPv4, or a /48 of IPv6. */
export interface BlockedNetwork extends Figures {
  readonly range: string;
  /** Of `address_rules`; null where none has refused it. */
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
  /** From which somebody was refused, or failed a check. */
  readonly blocked: Map<string, Counted>;
  /** From which a check was asked, and no more: in a crowd these are many, and leave the others their room. */
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
 * Who was refused a place by this process lately, and why, and of whom a check was asked: the last five to ten minutes, in memory alone. Of an address, the network is
 * kept: its /24, or its /48. That is enough to see a school, a carrier or a farm, and names nobody.
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
    // Less than nothing: the clock was set back.
    earlier = ageMs >= 0 && ageMs < 2 * generationMs ? recent : null;
    recent = begin();
    return recent;
  }

  /** The sums, and the figures of the network; of more networks, the later ones are in the sums alone. */
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

    /** @param isHarder whether the work that is asked is harder than the least */
    check(outcome: CheckOutcome, block: string | null, isHarder: boolean): void {
      // Nothing was asked.
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
