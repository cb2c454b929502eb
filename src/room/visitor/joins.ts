import { unknownRow } from "../../core/ports/lists.ts";
import type { Random } from "../../lib/clock-and-random.ts";
import { StoreUnavailableError } from "../../lib/errors.ts";
import { joinPaceMs } from "../../lib/join-pace.ts";
import type { EntryVoid, JoinRange } from "../../store/contract/room-store.ts";
import type { BlockRows } from "../draw/block-rows.ts";
import { comingDraw, takesEntries, voidOfRow } from "../draw/entries.ts";
import { entranceOf } from "../line.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import { isInterruption } from "../replica/synced-room.ts";
import type { SoftBlocks } from "../statistics/process-counts.ts";
import { createVisitorId, type Ticket, ticketWithoutPlace } from "../tickets/ticket.ts";
import type { AwayAdmissions } from "./away-admissions.ts";
import type { Entries, JoinBuckets, JoinLimits, OverLimit, SharedBuckets } from "./join-limits.ts";
import { createKeyedJoins } from "./keyed-joins.ts";
import { createSharedJoins, type JoinsOfBlock, type SharedJoinCounts } from "./shared-joins.ts";

/**
 * `full`: so many wait already that no more are taken. `too_many`: so many have joined from the visitor's address just now.
 * `closed`: the phase has no line to join. `later`: no positions can be given now. `refused`: nobody from the visitor's network may join.
 * `voided`: entries from the visitor's block of addresses are void in the draw that takes them.
 */
export type JoinResult =
  | { result: "joined"; ticket: Ticket }
  | { result: "later"; retryMs: number }
  | ({ result: "too_many" } & OverLimit)
  | { result: "full" | "closed" | "refused" }
  | { result: "voided"; void: EntryVoid };

type Place = Pick<Ticket, "edition" | "position" | "joinedMs"> & { readonly sub?: string };

type Answer = Place | NonNullable<JoinRange["refusal"]> | OverLimit;

/** A join that is counted. */
interface Counted {
  readonly entries: Entries | null;
  readonly buckets: SharedBuckets;
}

interface Waiting {
  /** By all processes together; null: it is not. */
  readonly counted: Counted | null;
  /** The blocks of an entry's address; "" where it is none. */
  readonly row: string;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** A range holds at most so many positions; the store's bound. */
const maxBatch = 10_000;
/** Milliseconds between two reports of joins over the limit. */
const reportEveryMs = 60_000;

/** An address that has used up its entries gets no more before the draw, unless the limit is raised. */
const entriesRetryMs = 60_000;
/** For a join that was refused by a void which has been withdrawn meanwhile. */
const restoredRetryMs = 1_000;

export type Joins = ReturnType<typeof createJoins>;

/**
 * How visitors come to a place in line. Joins are gathered into ranges: those of the same turn of the event loop, and those that come
 * while a range is under way, or soon after it, go together. So store work grows with time, not with arrivals, and earlier joins get
 * lower positions.
 */
export function createJoins(
  room: SyncedRoom,
  parts: {
    readonly limits: JoinLimits;
    readonly softBlocks: SoftBlocks;
    /** Null: this process counts alone. */
    readonly counts: SharedJoinCounts | null;
    readonly random: Random;
    readonly isStoreCutOff?: (() => boolean) | undefined;
    readonly away: Pick<AwayAdmissions, "isLettingIn" | "admitNewcomer">;
    /** Names the blocks of entries. Default: nothing does. */
    readonly rows?: Pick<BlockRows, "rowOf">;
  },
) {
  const { limits, softBlocks, counts, random, away, isStoreCutOff = () => false, rows = { rowOf: () => "" } } = parts;
  const shared = counts && createSharedJoins(room, counts);
  const queue: Waiting[] = [];
  const keyed = createKeyedJoins(room, learnRange);
  let isUnderWay = false;
  /** Joins over the limit per address since the last report. */
  let unreported = { rate: 0, entries: 0 };
  let reportedMs: number | null = null;
  /** The edition whose entries are counted by address. */
  let countedEdition: number | null = null;

  return {
    /**
     * Gives a visitor the next position. Visitors who came during an interruption go first when it is over, oldest first.
     *
     * @param previous a ticket of the visitor whose place is void; they stay the same visitor.
     * @param arrivedMs when the visitor came, by the clock of a process.
     * @param names of the visitor's key (tickets/visitor-key.ts), which then has one place; null: a place without a key. Joins by key
     * are not counted by address.
     * @param clientAddress answers the address under which the join is counted (lib/address-block.ts); null: it is not.
     */
    async join(
      previous: Ticket | null,
      arrivedMs: number,
      clientAddress = (): string | null => null,
      names: readonly string[] | null = null,
    ): Promise<JoinResult> {
      const { interruptions } = room;
      const isLettingIn = room.availability === "away" && away.isLettingIn;
      // Whether a key has a place, the store alone can say.
      if (isLettingIn && names !== null) return { result: "later", retryMs: interruptions.retryMs };
      if (interruptions.hasTurnedAway && !isStoreCutOff() && !isLettingIn) {
        // Syncs whether it is over before a position is taken: visitors who were turned away go first.
        await room.catchUp();
        if (interruptions.availability !== "ready") return { result: "later", retryMs: interruptions.retryMs };
      }
      const delayMs = interruptions.delayOfJoinMs(arrivedMs);
      if (delayMs > 0) return { result: "later", retryMs: delayMs };
      if (entranceOf(room.state) !== "line") {
        // The store is not asked for a place: it could have a line by now, and the join would escape what the caller and this process count.
        room.emit("join.refused", { reason: "closed", count: 1 });
        return { result: "closed" };
      }
      if (names !== null) return takePlace(previous, "", null, () => keyed.next(names));
      const addressOf = memoize(clientAddress);
      const draw = room.state === null ? undefined : comingDraw(room.state);
      const row = draw === undefined ? "" : rows.rowOf(draw, addressOf);
      const voided = voidOfRow(room.state, row);
      if (voided !== null) {
        room.emit("join.refused", { reason: "voided", count: 1 });
        return { result: "voided", void: voided };
      }
      const limit = room.settings.joinsPerAddress;
      if (limit === null) return takePlace(previous, row);
      const address = addressOf();
      if (address === null) return takePlace(previous, row);
      const entries = entriesNow();
      return takeCounted(previous, limits.of(room.name, limit, entries), address, { entries, row });
    },

    /** Exchanges join counts with the other processes. Called about once a second. */
    tell: async (): Promise<void> => shared?.tell(),

    /** Reports from time to time how many joins were over the limit. Called about once a second. */
    report(): void {
      const count = unreported.rate + unreported.entries;
      if (count === 0) return;
      const nowMs = room.clock.now();
      const sinceMs = reportedMs === null ? reportEveryMs : nowMs - reportedMs;
      // Less than nothing: the clock was set back.
      if (sinceMs >= 0 && sinceMs < reportEveryMs) return;
      room.emit("joins.limited", { count, ...unreported });
      unreported = { rate: 0, entries: 0 };
      reportedMs = nowMs;
    },
  };

  /** Null where a join takes no entry of a draw. */
  function entriesNow(): Entries | null {
    const { state } = room;
    if (state === null || !takesEntries(state)) return null;
    if (countedEdition !== null && countedEdition !== state.edition) limits.forgetEntries(room.name);
    countedEdition = state.edition;
    const opensInMs = (room.settings.schedule.opensAtMs ?? 0) - (room.storeNowMs ?? 0);
    return { edition: state.edition, retryMs: opensInMs > 0 ? Math.min(opensInMs, entriesRetryMs) : entriesRetryMs };
  }

  async function takeCounted(
    previous: Ticket | null,
    buckets: JoinBuckets,
    address: string,
    { entries, row }: { readonly entries: Entries | null; readonly row: string },
  ): Promise<JoinResult> {
    const over = buckets.take(address);
    if (over !== null) return refuse(over, address);
    const counted = shared && { entries, buckets: buckets.shared(address) };
    let hasJoined = false;
    try {
      const answer = await takePlace(previous, row, counted);
      hasJoined = answer.result === "joined";
      if (answer.result === "too_many") return refuse(answer, address);
      if (hasJoined && counted !== null) shared?.note(counted.buckets.rate);
      return answer;
    } finally {
      // Only places count: a visitor without one may retry as often as they like.
      if (!hasJoined) buckets.refund(address);
    }
  }

  function refuse({ why, retryMs }: OverLimit, address: string): JoinResult {
    unreported[why]++;
    softBlocks.refuse(why, address);
    room.emit("join.over_address_limit", { why });
    return { result: "too_many", why, retryMs };
  }

  async function takePlace(
    previous: Ticket | null,
    row: string,
    counted: Counted | null = null,
    next = () => nextPosition(previous, row, counted),
  ): Promise<JoinResult> {
    const { id, interruptions } = room;
    try {
      if (room.state === null) await room.refresh();
      const place = await next();
      if (place === "voided") {
        const voided = voidOfRow(room.state, row);
        return voided === null ? { result: "later", retryMs: restoredRetryMs } : { result: "voided", void: voided };
      }
      if (typeof place === "string") {
        // The phase differs from the last synced one.
        if (place === "closed") await room.catchUp();
        return { result: place };
      }
      if ("why" in place) return { result: "too_many", ...place };
      const visitor = ticketWithoutPlace(id, previous?.sub ?? createVisitorId(id, random));
      const ticket = { ...visitor, ...place, requests: previous?.requests ?? [] };
      return { result: "joined", ticket: place.sub === undefined ? ticket : room.place(ticket) };
    } catch (error) {
      if (!isInterruption(error)) throw error;
      interruptions.hasTurnedAway = true;
      return { result: "later", retryMs: interruptions.retryMs };
    }
  }

  /** @throws to every join of a range that failed: the store may have issued it, but no visitor received it. */
  function nextPosition(previous: Ticket | null, row: string, counted: Counted | null): Promise<Answer> {
    if (room.availability === "away" && away.isLettingIn)
      return withoutPlace(previous?.sub ?? createVisitorId(room.id, random));
    return new Promise((resolve, reject) => {
      // Fails at once: queued behind a range that is under way, it would wait for that one's deadline.
      if (isStoreCutOff()) return void takeBatch([{ counted, row, resolve, reject }]);
      queue.push({ counted, row, resolve, reject });
      if (isUnderWay) return;
      isUnderWay = true;
      setImmediate(() => void takeRanges());
    });
  }

  /** While the store is away: newcomers enter without a place, behind those who have one. */
  async function withoutPlace(sub: string): Promise<Place> {
    if (away.admitNewcomer(sub) === null) throw new StoreUnavailableError();
    return { sub, edition: 0, position: 0, joinedMs: 0 };
  }

  async function takeRanges(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, maxBatch);
      const startedMs = performance.now();
      await takeBatch(batch);
      const restMs = startedMs + joinPaceMs - performance.now();
      if (batch.length > 1 && queue.length < maxBatch && restMs > 0) {
        await new Promise((resolve) => setTimeout(resolve, restMs));
      }
    }
    isUnderWay = false;
  }

  async function takeBatch(batch: readonly Waiting[]): Promise<void> {
    let admitted: readonly Waiting[] = [];
    let placed = 0;
    try {
      admitted = await takeEntries(batch);
      if (admitted.length === 0) return;
      const { edition, first, last, refusal, joinedMs, voided } = await takeRange(admitted);
      if (refusal === "voided") {
        const rejected = admitted;
        admitted = [];
        giveBackEntries(rejected);
        return await takeWithout(rejected, new Set(voided));
      }
      placed = last - first + 1;
      for (const [index, waiting] of admitted.entries()) {
        const position = first + index;
        waiting.resolve(position <= last ? { edition, position, joinedMs } : (refusal ?? "full"));
      }
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    } finally {
      giveBackEntries(admitted.slice(placed));
    }
  }

  function giveBackEntries(batch: readonly Waiting[]): void {
    for (const [edition, joins] of byEdition(batch)) shared?.giveBackEntries(edition, joins);
  }

  /** Joins from a voided block are refused; the others of the batch are sent again. */
  async function takeWithout(batch: readonly Waiting[], voided: ReadonlySet<number>): Promise<void> {
    // This process has not synced the void.
    await room.catchUp();
    for (const index of voided) batch[index]?.resolve("voided");
    const others = batch.filter((_, index) => !voided.has(index));
    if (others.length > 0 && others.length < batch.length) await takeBatch(others);
  }

  /** Of those that take an entry of a draw, those remain whose addresses have one left. */
  async function takeEntries(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const refused = new Set<Waiting>();
    for (const [edition, joins] of byEdition(batch)) {
      const granted = (await shared?.takeEntries(edition, joins)) ?? [];
      for (const [at, { waiting }] of joins.entries()) {
        for (const join of waiting.slice(granted[at])) refused.add(join);
      }
    }
    for (const join of refused) join.resolve({ why: "entries", retryMs: join.counted?.entries?.retryMs ?? 0 });
    return refused.size === 0 ? batch : batch.filter((join) => !refused.has(join));
  }

  async function takeRange(batch: readonly Waiting[]): Promise<JoinRange> {
    const count = batch.length;
    const hasRows = batch.some(({ row }) => row !== "");
    const range = await room.run("join", count, hasRows ? batch.map(({ row }) => row || unknownRow).join("") : "");
    await learnRange(range, count);
    return range;
  }

  /** @param count number of positions requested */
  async function learnRange(range: JoinRange, count: number): Promise<void> {
    const { replica } = room;
    const joined = range.last - range.first + 1;
    if (joined > 0) {
      // The checkpoints would else say that a visitor stands where the incarnation began with a gap.
      if (replica.state?.incarnation !== room.incarnation) await room.catchUp();
      replica.learnRange(range);
      room.emit("tickets.joined", { count: joined });
    }
    const { refusal: reason } = range;
    if (reason === "voided") room.emit("join.refused", { reason, count: range.voided.length });
    else if (reason !== null && count > joined) room.emit("join.refused", { reason, count: count - joined });
  }
}

/** Those that take an entry of a draw, by its edition and their blocks. */
function byEdition(batch: readonly Waiting[]) {
  const editions = new Map<number, Map<string, JoinsOfBlock & { count: number; waiting: Waiting[] }>>();
  for (const join of batch) {
    const { entries = null, buckets } = join.counted ?? {};
    const label = buckets?.entries?.at(-1)?.label;
    if (entries === null || !buckets?.entries || label === undefined) continue;
    const blocks = editions.get(entries.edition) ?? new Map();
    editions.set(entries.edition, blocks);
    const joins = blocks.get(label) ?? { buckets: buckets.entries, count: 0, waiting: [] };
    blocks.set(label, joins);
    joins.count++;
    joins.waiting.push(join);
  }
  return [...editions].map(([edition, blocks]) => [edition, [...blocks.values()]] as const);
}

/** Memoised, since each call takes one from the pass of a rehearsal. */
function memoize<T>(read: () => T): () => T {
  let memo: { readonly value: T } | null = null;
  return () => {
    memo ??= { value: read() };
    return memo.value;
  };
}
