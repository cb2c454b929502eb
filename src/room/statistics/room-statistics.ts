import {
  countNames,
  gaugeNames,
  minuteChunks,
  phaseNames,
  refusalReasons,
  slotsPerChunk,
  tensChunks,
} from "../../core/ports/statistics-ring.ts";
import type {
  OpenStatistics,
  Phase,
  RoomStore,
  StatisticsSlot,
  StatisticsTier,
} from "../../store/contract/room-store.ts";
import { type OpenPages, openPages } from "./open-pages.ts";
import type { RefusalReason } from "./process-counts.ts";

/** The statistics of a room with one slot length. */
interface Tier {
  readonly name: StatisticsTier;
  readonly slotMs: number;
  readonly retentionMs: number;
  /** The longest run of quiet slots that one row stands for; see core/statistics. */
  readonly quietMost: number;
}

const tens: Tier = { name: "tens", slotMs: 10_000, retentionMs: (tensChunks - 1) * 600_000, quietMost: 4_320 };
const minutes: Tier = {
  name: "minutes",
  slotMs: 60_000,
  retentionMs: (minuteChunks - 1) * 3_600_000,
  quietMost: 1_440,
};

/** The most that the store reads at once. */
const chunksPerRead = 60;
/** A slot that ends while its chunks are read makes them be read again: this bounds how often. */
const readsMost = 3;

/** From when on figures of a step are kept, in milliseconds before now. */
export const statisticsRetentionMs = { tens: tens.retentionMs, minutes: minutes.retentionMs } as const;

export interface StatisticsRange {
  /** The store's time, rounded down to whole steps. */
  readonly fromMs: number;
  readonly toMs: number;
  /** A multiple of ten seconds; of minutes where the figures of ten seconds are not kept any more. */
  readonly stepMs: number;
}

export type RoomCountName = (typeof countNames)[number];

/** Gauges of the room at the end of a step. */
export interface StatisticsGauges {
  readonly waiting: number;
  readonly pendingClaims: number;
  readonly absent: number;
  readonly live: number;
  /** Per minute; null for none. */
  readonly limit: number | null;
  readonly rate: number | null;
  /** As an `adaptive` inlet measures it; else of the health gate's last answer. */
  readonly latencyMs: number | null;
  /** From 0 to 1, as an `adaptive` inlet goes by it: reported by the site, or of failed probes. */
  readonly errorRate: number | null;
  readonly phase: Phase;
}

export interface StatisticsStep {
  readonly atMs: number;
  /** How much of it was recorded; 0: none. */
  readonly recordedMs: number;
  /** Whether it is over, and was recorded completely. */
  readonly isComplete: boolean;
  /** Whether a recovery covers a part of it. */
  readonly hasLoss: boolean;
  /** Null where nothing was recorded. */
  readonly counts: Readonly<Record<RoomCountName, number>> | null;
  readonly refused: Readonly<Record<RefusalReason, number>> | null;
  /** Null where that is not known. */
  readonly gauges: StatisticsGauges | null;
  readonly openPages: OpenPages | null;
}

type Part = Omit<StatisticsSlot, "quiet">;

/** The row of a slot of which it is known how many behind it were quiet. */
const quietOf = (row: StatisticsSlot, last: number, quiet: number) =>
  row.slot === last ? Math.max(row.quiet, quiet) : row.quiet;

/**
 * The history of a room in steps. Figures that were not recorded are null; steps that were recorded in part say so.
 *
 * @throws StoreUnavailableError
 */
export async function readStatistics(
  store: Pick<RoomStore, "readStatistics">,
  room: string,
  { fromMs, toMs, stepMs }: StatisticsRange,
  nowMs: number,
): Promise<StatisticsStep[]> {
  const tier = stepMs % minutes.slotMs === 0 ? minutes : tens;
  const { slotMs } = tier;
  const first = Math.floor(fromMs / slotMs);
  const end = Math.floor(toMs / slotMs);
  const steps = Array.from({ length: Math.max(0, Math.ceil((toMs - fromMs) / stepMs)) }, (_, index) => {
    return new Step(fromMs + index * stepMs, stepMs);
  });
  const stepOf = (slot: number) =>
    slot < first || slot >= end ? undefined : steps[Math.floor((slot * slotMs - fromMs) / stepMs)];
  const { rows, open } = await readSlots(store, room, tier, first, end);
  const written = new Set(rows.map(({ slot }) => slot));
  for (const row of rows) {
    stepOf(row.slot)?.add(row, slotMs, nowMs);
    const quiet = open === null ? row.quiet : quietOf(row, ...lastOf(open, tier));
    const nothing = { flags: 0, counted: row.counted.map(() => 0), gauges: row.gauges };
    for (let slot = Math.max(first, row.slot + 1); slot <= Math.min(end, row.slot + quiet); slot++) {
      if (!written.has(slot)) stepOf(slot)?.add({ slot, ...nothing }, slotMs, nowMs);
    }
  }
  if (open !== null) {
    const part = openPart(open, tier);
    stepOf(part.slot)?.add(part, slotMs, nowMs, written.has(part.slot));
  }
  return steps.map((step) => step.result);
}

function lastOf(open: OpenStatistics, tier: Tier): [last: number, quiet: number] {
  return tier === tens ? [open.tensLast, open.tensQuiet] : [open.minutesLast, open.minutesQuiet];
}

/** The step under way: its counts so far, without gauges, which are of its end. */
function openPart(open: OpenStatistics, tier: Tier): Part {
  if (tier === tens) return { slot: open.slot, flags: open.flags, counted: open.counted, gauges: null };
  const slot = Math.floor((open.slot * tens.slotMs) / minutes.slotMs);
  return { slot, flags: open.minuteFlags, counted: open.minuteCounted, gauges: null };
}

/** The rows of these slots, in their order, and those before them behind which a run of quiet slots may reach into them. */
async function readSlots(
  store: Pick<RoomStore, "readStatistics">,
  room: string,
  tier: Tier,
  first: number,
  end: number,
): Promise<{ rows: StatisticsSlot[]; open: OpenStatistics | null }> {
  const from = Math.floor((first - tier.quietMost) / slotsPerChunk);
  const to = Math.floor(end / slotsPerChunk);
  for (let read = 1; ; read++) {
    const rows: StatisticsSlot[] = [];
    const opens: (OpenStatistics | null)[] = [];
    for (let chunk = from; chunk <= to; chunk += chunksPerRead) {
      const page = await store.readStatistics(room, tier.name, chunk, Math.min(chunksPerRead, to - chunk + 1));
      rows.push(...page.slots);
      opens.push(page.open);
    }
    const { open } = await store.readStatistics(room, tier.name, 0, 0);
    const isStill = opens.every((openSlot) => openSlot?.slot === open?.slot);
    if (isStill || read === readsMost) return { rows: rows.toSorted((a, b) => a.slot - b.slot), open };
  }
}

/** Collects the slots of a step, the earlier ones first. */
class Step {
  readonly #atMs: number;
  readonly #lengthMs: number;
  #recordedMs = 0;
  #flags = 0;
  #isOver = true;
  #counted: number[] | null = null;
  #gauges: StatisticsGauges | null = null;
  #gaugesAt = -1;
  #pages: OpenPages | null = null;
  #pagesAt = -1;

  constructor(atMs: number, lengthMs: number) {
    this.#atMs = atMs;
    this.#lengthMs = lengthMs;
  }

  /** @param isAgain the slot has a row already: the clock was set back */
  add({ slot, flags, counted, gauges }: Part, slotMs: number, nowMs: number, isAgain = false): void {
    const endMs = (slot + 1) * slotMs;
    const lengthMs = endMs <= nowMs ? slotMs : Math.max(0, nowMs - slot * slotMs);
    if (!isAgain) this.#recordedMs += lengthMs;
    this.#isOver &&= endMs <= nowMs;
    this.#flags = Math.max(this.#flags, flags);
    this.#counted = counted.map((count, index) => count + (this.#counted?.[index] ?? 0));
    if (gauges === null) return;
    const value = (name: (typeof gaugeNames)[number]) => gauges[gaugeNames.indexOf(name)] ?? 0;
    if (slot >= this.#gaugesAt) {
      this.#gaugesAt = slot;
      this.#gauges = gaugesOf(value);
    }
    if (value("pages") > 0 && slot >= this.#pagesAt) {
      this.#pagesAt = slot;
      this.#pages = openPages({ pages: value("pages") - 1, shift: value("pagesShift") });
    }
  }

  get result(): StatisticsStep {
    const counted = this.#counted;
    const named = <Name extends string>(names: readonly Name[], from: number) =>
      counted &&
      (Object.fromEntries(names.map((name, index) => [name, counted[from + index] ?? 0])) as Record<Name, number>);
    return {
      atMs: this.#atMs,
      recordedMs: this.#recordedMs,
      isComplete: this.#isOver && this.#flags === 0 && this.#recordedMs === this.#lengthMs,
      hasLoss: this.#flags === 2,
      counts: named(countNames, 0),
      refused: named(refusalReasons, countNames.length),
      gauges: this.#gauges,
      openPages: this.#pages,
    };
  }
}

function gaugesOf(value: (name: (typeof gaugeNames)[number]) => number): StatisticsGauges {
  const optional = (name: (typeof gaugeNames)[number]) => (value(name) === 0 ? null : value(name) - 1);
  const rate = optional("rate");
  const errors = optional("errors");
  return {
    waiting: value("waiting"),
    pendingClaims: value("held"),
    absent: value("absent"),
    live: value("live"),
    limit: optional("limit"),
    rate: rate === null ? null : rate / 10,
    latencyMs: optional("latency"),
    errorRate: errors === null ? null : errors / 10_000,
    phase: phaseNames[value("phase") - 1] ?? "idle",
  };
}
