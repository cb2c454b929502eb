import type {
  Admission,
  Draw,
  JoinRange,
  KeyedNumber,
  MovedPlace,
  RoomMemory,
  RoomState,
  Seen,
} from "../../store/contract/room-store.ts";
import { DrawnOrders } from "../draw/entries.ts";
import { numberOf, type Place, type Ticket } from "../tickets/ticket.ts";
import { nameInVisitorId } from "../tickets/visitor-key.ts";
import { AdvanceLog } from "./advance-log.ts";
import { CachedAdmissions, isLiveAt, MovedPlaces } from "./changes.ts";
import type { Checkpoints } from "./checkpoints/checkpoints.ts";
import type { RoomCopy } from "./checkpoints/restored.ts";
import { RememberedEvents } from "./events.ts";
import { CachedKeys, keyFileOf } from "./keys.ts";
import { keysPerMemory, lapsesWithPending, memoryOf, recallLeft } from "./memory.ts";

/** Positions to reserve ahead of the queue counter in the checkpoints, at least. */
const minReserve = 1_000;
/** Seconds of joins, at the busiest pace seen, to reserve ahead. */
const reserveSec = 5;
/** At most so many admissions, and moved places, are offered at once; as the store demands. */
const changesPerMemory = 500;

/**
 * What this process knows of a room: the latest state from the store, recent admissions,
 * and checkpoints on disk. The hot path reads it instead of the store; recovery restores the store from it.
 */
export class RoomReplica {
  readonly advances = new AdvanceLog();
  readonly orders: DrawnOrders;
  /** The name of its line. */
  readonly #room: string;
  readonly #checkpoints: Checkpoints;
  readonly #admissions = new CachedAdmissions();
  readonly #moves = new MovedPlaces();
  readonly #keys = new CachedKeys();
  readonly events = new RememberedEvents();
  #state: RoomState | null = null;
  /** The same with what joins have reported since. */
  #latest: RoomState | null = null;
  /** Joins in the busiest second of the edition, as far as this process has seen. */
  #busiest = 0;
  /** How far positions were handed out, by the state, by joins since, and by places that were claimed. */
  #queued = 0;
  /** What joins have reported last. */
  #range: JoinRange | null = null;

  constructor(checkpoints: Checkpoints, id: string, name: string) {
    this.orders = new DrawnOrders(id);
    this.#room = name;
    this.#checkpoints = checkpoints;
  }

  /** The last state that the store answered, or null before the first answer. */
  get state(): RoomState | null {
    return this.#state;
  }

  /** The last state, and what joins have reported since. */
  get latest(): RoomState | null {
    return this.#latest;
  }

  /** The ticket, or what else names a place, with its position as this process knows it by now. */
  place<T extends Place>(ticket: T): T {
    return this.orders.place(this.#state, ticket);
  }

  /** As last reported. */
  admission(sub: string): Admission | undefined {
    return this.#admissions.get(sub);
  }

  /** That of a place, as last reported: all live ones are known. */
  admissionAt(edition: number, position: number): Admission | undefined {
    return position === 0 ? undefined : this.#admissions.ofPlace(edition, position);
  }

  /** Whether this process knows that the visitor's admission is live. */
  isCachedLive(sub: string): boolean {
    const admission = this.#admissions.get(sub);
    if (admission === undefined) return false;
    return this.#state === null ? admission.ended === null : isLiveAt(this.#state, admission);
  }

  /**
   * Takes over what the store says. The store alone decides, so this replaces what was known; but for a state that was read
   * before the one that is known, which is not taken. Answers whether it was. What a later join has reported stays.
   */
  learnState(state: RoomState): boolean {
    const before = this.#state;
    if (before !== null && isOlder(state, before)) return false;
    this.#admissions.sync(state, before);
    this.#admissions.forget(state);
    if (before !== null && before.edition !== state.edition) this.#moves.clear();
    if (before?.edition !== state.edition) {
      this.#keys.clear();
      this.#busiest = 0;
    }
    this.#busiest = Math.max(this.#busiest, state.joinsPerSecondPeak);
    if (before !== null && before.incarnation !== state.incarnation) this.#range = null;
    this.#state = state;
    this.#latest = state;
    this.#queued = state.queued;
    this.#addRange();
    this.advances.sync(state);
    this.checkpoint();
    return true;
  }

  /** The queue counter, with what joins here have reported since the last state. */
  get queued(): number {
    return this.#queued;
  }

  /** What a recovery needs of all that is known; null before the first sync. */
  get #memory(): RoomMemory | null {
    return this.#latest && { ...memoryOf(this.#latest), queued: this.#queued };
  }

  /** Makes the next checkpoints say all that is known by now, with what joins have reported since the last state. */
  checkpoint(): void {
    const [state, memory] = [this.#state, this.#memory];
    if (state === null || memory === null) return;
    // The checkpoint is read by a later process: what was pending may have been claimed since it was written.
    const withPending = { ...memory, liveLapses: lapsesWithPending(state) };
    this.#checkpoints.put(this.#room, state, withPending, this.#admissions.since);
  }

  /** What a process on another machine needs of the room to go on with it; null before the first sync. */
  copy(): RoomCopy | null {
    const [state, memory] = [this.#state, this.#memory];
    if (state === null || memory === null) return null;
    const { incarnation, flowMs, edition } = state;
    const current = { liveLapses: lapsesWithPending(state), joinsPerSecondPeak: this.#busiest };
    const checkpoint = { incarnation, flowMs, memory: { ...memory, ...current } };
    const keys = this.#keys.size === 0 ? null : keyFileOf(edition, this.#keys.rows());
    return { checkpoint: { ...checkpoint, reserved: memory.queued }, keys };
  }

  /** Writes the checkpoints now, if they have changed, and not only with the next second. */
  keep(): void {
    this.#checkpoints.flush();
  }

  /**
   * Positions were handed out to this process. They are on disk before anyone holds them (as long as the checkpoints can be
   * written), with one small write for each range. The state stays the same object, since pages are compiled once for each.
   */
  learnRange(range: JoinRange): void {
    const reserve = Math.max(minReserve, reserveSec * (this.#state?.joinsPerSecondPeak ?? 0));
    this.#checkpoints.reserve(this.#room, range.edition, range.last, reserve);
    this.#range = range;
    this.#addRange();
  }

  /** A state that has fewer positions was read before the join, even if it arrives later; any other has all that the join did. */
  #addRange(): void {
    const [range, state, latest] = [this.#range, this.#state, this.#latest];
    if (range === null || state === null || latest === null) return;
    if (range.edition !== state.edition || range.last <= state.queued) return;
    if (range.serving > latest.serving) this.#latest = { ...latest, serving: range.serving };
    this.#queued = Math.max(this.#queued, range.last);
  }

  learnAdmissions(admissions: readonly Admission[]): void {
    for (const admission of admissions) {
      this.#admissions.learn(admission);
      // A claimed place was handed out, whatever this process synced last.
      const { edition, usedPosition } = admission;
      if (edition === this.#state?.edition) this.#queued = Math.max(this.#queued, usedPosition);
    }
  }

  /**
   * Notes an admission that the store gave or extended. Where live ones are counted, it is on disk before the answer to
   * its visitor.
   */
  learnAdmission(admission: Admission): void {
    const { sub, admittedMs, expiresMs, ended } = admission;
    const [state, cached] = [this.#state, this.#admissions.get(sub)];
    this.learnAdmissions([admission]);
    if (state?.settings.effective.inlet.type !== "max_active" || ended !== null) return;
    if (cached?.admittedMs === admittedMs && cached.expiresMs >= expiresMs) return;
    this.#admissions.recordSince(state, admission);
    this.#checkpoints.admit(this.#room, this.#admissions.since);
  }

  /** Places that were moved; of an edition that is over they count no more. */
  learnMoves(edition: number, moves: readonly MovedPlace[]): void {
    if (edition === this.#state?.edition) this.#moves.learn(moves);
  }

  /** Keys with a place of that edition, as the store says. On disk when this returns, as long as it can be written. */
  learnKeys(edition: number, keys: readonly KeyedNumber[]): void {
    if (edition !== this.#state?.edition || keys.length === 0) return;
    const file = this.#checkpoints.keyFile(this.#room);
    if (this.#keys.size === 0) for (const key of file.resume(edition)) this.#keys.learn(key);
    const news = keys.filter((key) => this.#keys.learn(key));
    file.add(edition, news, this.#keys);
  }

  /** The number of a key's place, as last synced; 0 where none is known. */
  keyNumber(name: string): number {
    return this.#keys.numberOf(name);
  }

  /** The holder of a moved place, as last synced; undefined for one that was not moved. */
  holderOf(place: Place): string | undefined {
    return this.moveOf(place)?.sub;
  }

  /** The last move of a place, as last synced; undefined for one that was not moved. */
  moveOf(place: Place): MovedPlace | undefined {
    return place.edition === this.#state?.edition ? this.#moves.get(numberOf(place)) : undefined;
  }

  /** The place of this edition that was moved to a visitor last, as last synced. */
  movedTo(sub: string): MovedPlace | undefined {
    return this.#moves.movedTo(sub);
  }

  /** Whether a ticket's place was moved to another visitor, as last synced. */
  isElsewhere(ticket: Place & Pick<Ticket, "sub">): boolean {
    const holder = this.holderOf(ticket);
    return holder !== undefined && holder !== ticket.sub;
  }

  /** Whether a ticket is ahead of all that is known: of a newer edition, or behind the last position handed out. */
  isAhead(ticket: Ticket): boolean {
    const state = this.#state;
    if (state === null) return false;
    return ticket.edition > state.edition || (ticket.edition === state.edition && numberOf(ticket) > this.#queued);
  }

  /** Whether a ticket proves what this process has not synced: it is ahead, or its number is in a known gap. */
  isNews(ticket: Ticket): boolean {
    return this.isAhead(ticket) || this.#isInGap(ticket);
  }

  /**
   * Whether the store takes the ticket's number for one that nobody has, after a loss: visitors behind it would see too few
   * ahead, and a draw to come would leave it out. Numbers in a gap of a fixed draw are behind its entries for good.
   */
  #isInGap(ticket: Ticket): boolean {
    const state = this.#state;
    if (state === null || ticket.edition !== state.edition) return false;
    const number = numberOf(ticket);
    if (!state.gaps.some(({ from, to }) => number >= from && number <= to)) return false;
    const isFixed = ({ stage }: Draw) => stage === "closed" || stage === "drawn";
    return !state.draws.some((draw) => isFixed(draw) && number >= draw.first && number <= draw.last);
  }

  /** The latest that this process has seen; null before the first sync. */
  get seen(): Seen | null {
    if (this.#state === null) return null;
    const { incarnation, flowMs, edition } = this.#state;
    return { incarnation, flowMs, edition, queued: this.#queued };
  }

  /** The incarnation of the store in which this process left its checkpoint before it was restarted, and what it had seen of it. */
  get seenBeforeRestart(): Seen | null {
    return this.#checkpoints.lastSeen(this.#room);
  }

  /** Whether there is anything to offer in a recovery. */
  get hasMemory(): boolean {
    return this.#state !== null || this.#checkpoints.recall(this.#room, null).length > 0;
  }

  /**
   * The memories to offer in a recovery, of which the store makes one: what this process has synced, in parts; or, before the first
   * sync, what the checkpoints of other incarnations than the current one hold.
   */
  recall(incarnation: string | null): RoomMemory[] {
    const [state, memory, { since }] = [this.#state, this.#memory, this.#admissions];
    if (state === null || memory === null) return recallLeft(this.#checkpoints, this.#room, incarnation);
    const liveLapses = since.count === 0 ? memory.liveLapses : [...memory.liveLapses, since];
    const admissions = this.#admissions.recall(state);
    const moves = this.#moves.recall();
    const changeParts = Math.ceil(Math.max(admissions.length, moves.length) / changesPerMemory);
    const parts = Math.max(1, changeParts, Math.ceil(this.#keys.size / keysPerMemory));
    return Array.from({ length: parts }, (_, part) => {
      const range = [part * changesPerMemory, (part + 1) * changesPerMemory] as const;
      const keys = this.#keys.slice(part * keysPerMemory, (part + 1) * keysPerMemory);
      const changes = { admissions: admissions.slice(...range), moves: moves.slice(...range), keys };
      return { ...memory, liveLapses, events: this.events.recall(state.events), ...changes };
    });
  }

  /**
   * What a ticket with a good signature proves: that its position was handed out, and, when it is claimed, served.
   * Version 0 says that nothing else is known. Null before the first sync.
   *
   * @param isByKey whether the place is that of the visitor's key
   */
  recallFromTicket(ticket: Ticket, isByKey: boolean): RoomMemory | null {
    const memory = this.#memory;
    if (memory === null) return null;
    const counters = { edition: ticket.edition, queued: numberOf(ticket), serving: ticket.claim ? ticket.position : 0 };
    const { events: _, ...rest } = memory;
    const key = { name: nameInVisitorId(ticket.sub), number: numberOf(ticket), isAgain: false };
    const changes = { admissions: [], moves: [], keys: isByKey && key.number > 0 ? [key] : [] };
    return { ...rest, ...counters, expiredThrough: 0, gaps: [], version: 0, ...changes };
  }
}

/** Whether a state that arrived later was read earlier: two requests may overtake each other. */
function isOlder(candidate: RoomState, other: RoomState): boolean {
  return (
    candidate.incarnation === other.incarnation &&
    (candidate.edition < other.edition || (candidate.edition === other.edition && candidate.flowMs < other.flowMs))
  );
}
