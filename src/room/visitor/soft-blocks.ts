import type { Clock } from "../../lib/clock.ts";
import type { OverLimit } from "./join-limits.ts";

/** Why somebody got no place: too many of the address just now, all of its entries taken, or a rule of `address_rules`. */
export type SoftBlockReason = OverLimit["why"] | "network";
export const softBlockReasons = ["rate", "entries", "network"] as const satisfies readonly SoftBlockReason[];

type Counts = Record<SoftBlockReason, number>;

/** What this process has seen lately. */
export interface SoftBlocksSeen {
  readonly sinceMs: number;
  readonly joined: number;
  readonly refused: Readonly<Counts>;
  /** Those that most were refused from, at most 20. */
  readonly networks: readonly RefusedNetwork[];
}

/** A /24 of IPv4, or a /48 of IPv6. */
export interface RefusedNetwork {
  readonly range: string;
  /** Of `address_rules`; null where none has refused it. */
  readonly rule: string | null;
  readonly refused: Readonly<Counts>;
}

interface Generation {
  readonly fromMs: number;
  joined: number;
  readonly refused: Counts;
  readonly networks: Map<string, { readonly refused: Counts; readonly rule: string | null }>;
}

const generationMs = 300_000;
const networksMax = 1_000;
const shownMax = 20;

const none = (): Counts => ({ rate: 0, entries: 0, network: 0 });

/**
 * Who was refused a place by this process lately, and why: the last five to ten minutes, in memory alone. Of an address, the network is
 * kept: its /24, or its /48. That is enough to see a school, a carrier or a farm, and names nobody.
 */
export function createSoftBlocks(clock: Clock) {
  let earlier: Generation | null = null;
  let recent = begin();

  function begin(): Generation {
    return { fromMs: clock.now(), joined: 0, refused: none(), networks: new Map() };
  }

  function now(): Generation {
    const ageMs = clock.now() - recent.fromMs;
    if (ageMs >= 0 && ageMs < generationMs) return recent;
    // Less than nothing: the clock was set back.
    earlier = ageMs >= 0 && ageMs < 2 * generationMs ? recent : null;
    recent = begin();
    return recent;
  }

  return {
    join(): void {
      now().joined++;
    },

    /** @param block of the visitor's address; null where it is not known */
    refuse(reason: SoftBlockReason, block: string | null, rule: string | null = null): void {
      const { refused, networks } = now();
      refused[reason]++;
      if (block === null) return;
      const range = networkOf(block);
      const known = networks.get(range) ?? { refused: none(), rule };
      // Of more networks, the later ones are in the sums alone.
      if (networks.size >= networksMax && !networks.has(range)) return;
      known.refused[reason]++;
      networks.set(range, { ...known, rule: rule ?? known.rule });
    },

    get seen(): SoftBlocksSeen {
      const latest = now();
      const generations = earlier === null ? [latest] : [earlier, latest];
      const networks = new Map<string, RefusedNetwork>();
      for (const generation of generations) {
        for (const [range, { refused, rule }] of generation.networks) {
          const known = networks.get(range);
          networks.set(range, { range, rule: rule ?? known?.rule ?? null, refused: sum(refused, known?.refused) });
        }
      }
      return {
        sinceMs: generations[0]?.fromMs ?? clock.now(),
        joined: generations.reduce((all, { joined }) => all + joined, 0),
        refused: generations.reduce((all, { refused }) => sum(refused, all), none()),
        networks: [...networks.values()].toSorted((a, b) => total(b.refused) - total(a.refused)).slice(0, shownMax),
      };
    },
  };
}

export type SoftBlocks = ReturnType<typeof createSoftBlocks>;

export function total({ rate, entries, network }: Readonly<Counts>): number {
  return rate + entries + network;
}

function sum(one: Readonly<Counts>, other: Readonly<Counts> = none()): Counts {
  return {
    rate: one.rate + other.rate,
    entries: one.entries + other.entries,
    network: one.network + other.network,
  };
}

/** The /24 of an IPv4 address, the /48 of a block of IPv6. */
function networkOf(block: string): string {
  if (!block.includes(":")) return `${block.split(".", 3).join(".")}.0/24`;
  return `${block.split(":", 3).join(":")}::/48`;
}
