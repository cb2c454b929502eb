import type {
  Admission,
  Draw,
  JoinRange,
  KeyedNumber,
  Lapse,
  MovedPlace,
  RoomMemory,
  RoomState,
  Seen,
} from "../../store/contract/room-store.ts";
import { DrawnOrders } from "../draw/entries.ts";
import { numberOf, type Place, type Ticket } from "../tickets/ticket.ts";
import { nameInVisitorId } from "../tickets/visitor-key.ts";
import { AdvanceLog } from "./advance-log.ts";
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

  /** As last reported: all live ones, and ended ones as long as they matter. */
  get admissions(): Iterable<Admission> {
    return this.#admissions.all;
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

/** Admissions that are looked at for forgetting at each refresh. */
const maxLooksForPruning = 1_000;
/** Milliseconds by which the clocks may differ before a reported time changes; as in the store. */
const agreeMs = 1_000;

/**
 * Recent admissions, live and ended, as far as they were reported to this process. The store ends admissions by its flow clock, so the
 * wall-clock time that it reported changes after an outage or a step of that clock.
 */
export class CachedAdmissions {
  readonly #bySub = new Map<string, Admission>();
  /** Admissions, new or extended, that were reported after the known state was read. */
  #since: { readonly atMs: number; readonly untilMs: number }[] = [];

  /** As last reported; see `isLiveAt`. */
  get(sub: string): Admission | undefined {
    return this.#bySub.get(sub);
  }

  get all(): Iterable<Admission> {
    return this.#bySub.values();
  }

  /** That of a place, among those that are kept here: all live ones. */
  ofPlace(edition: number, position: number): Admission | undefined {
    for (const admission of this.#bySub.values()) {
      if (isAdmissionOf(admission, { edition, position })) return admission;
    }
    return undefined;
  }

  learn(admission: Admission): void {
    this.#bySub.delete(admission.sub);
    this.#bySub.set(admission.sub, admission);
  }

  /** Notes that the state does not have this one yet. */
  recordSince(state: RoomState, { admittedMs, expiresMs }: Admission): void {
    // One that was extended ends a whole duration after that.
    const atMs = Math.max(admittedMs, expiresMs - state.settings.effective.admission.durationMs);
    this.#since.push({ atMs, untilMs: expiresMs });
  }

  /** How many the state does not have yet, and when the last of them ends. */
  get since(): Lapse {
    const untilMs = this.#since.reduce((latest, lapse) => Math.max(latest, lapse.untilMs), 0);
    return { untilMs, count: this.#since.length };
  }

  /** A later state is known. A new incarnation may have another flow clock, and reports these admissions anew. */
  sync(state: RoomState, before: RoomState | null): void {
    this.#since = this.#since.filter(({ atMs }) => atMs >= state.nowMs);
    if (before === null || before.incarnation === state.incarnation) return;
    for (const [sub, admission] of this.#bySub) {
      const { expiresMs } = asReportedWith(before, admission);
      this.#bySub.set(sub, { ...admission, expiresMs, expiresFlowMs: state.flowMs + (expiresMs - state.nowMs) });
    }
  }

  /** Forgets what no recovery needs any more. */
  forget(state: RoomState): void {
    let left = Math.min(this.#bySub.size, maxLooksForPruning);
    for (const [sub, admission] of this.#bySub) {
      if (left-- <= 0) break;
      this.#bySub.delete(sub);
      // Those that are kept go to the end, so that all are looked at in turn.
      if (!isOfNoMoreUse(state, admission)) this.#bySub.set(sub, admission);
    }
  }

  /** To offer in a recovery, with their remaining time as of a state. */
  recall(state: RoomState): Admission[] {
    return Array.from(this.#bySub.values(), (admission) => asReportedWith(state, admission));
  }
}

/** Whether a place was exchanged for the admission. Positions are handed out anew in each edition; without a place (0) there is none. */
export function isAdmissionOf(
  admission: Pick<Admission, "edition" | "position">,
  { edition, position }: { readonly edition: number; readonly position: number },
): boolean {
  return admission.position === position && (position === 0 || admission.edition === edition);
}

/** Whether an admission is live as of a state of the same incarnation. */
export function isLiveAt({ flowMs }: RoomState, { ended, expiresFlowMs }: Admission): boolean {
  return ended === null && expiresFlowMs > flowMs;
}

/** The admission as the store would report it with a state of the same incarnation. An ended one stays as it was reported. */
export function asReportedWith({ nowMs, flowMs }: RoomState, admission: Admission): Admission {
  const expiresMs = nowMs + (admission.expiresFlowMs - flowMs);
  const isAsReported = admission.ended !== null || Math.abs(expiresMs - admission.expiresMs) <= agreeMs;
  return isAsReported ? admission : { ...admission, expiresMs };
}

/** An admission matters to a recovery until it would have lapsed, and its place until nobody may claim it any more. */
function isOfNoMoreUse(state: RoomState, admission: Admission): boolean {
  const { ended, expiresMs, edition, usedPosition } = admission;
  // A ticket proves an ended one for as long as the wall clock says.
  const mattersYet = ended === null ? isLiveAt(state, admission) : expiresMs > state.nowMs;
  return !mattersYet && (edition < state.edition || usedPosition <= state.expiredThrough);
}

/** As many as the store remembers. */
const maxMoves = 100_000;

/** Places of one edition that were moved to another visitor, by number. */
export class MovedPlaces {
  readonly #moves = new Map<number, MovedPlace>();

  /** Two answers may overtake each other: the last move of a place counts. */
  learn(moves: readonly MovedPlace[]): void {
    for (const move of moves) {
      if ((this.#moves.get(move.number)?.movedMs ?? 0) > move.movedMs) continue;
      this.#moves.delete(move.number);
      this.#moves.set(move.number, move);
    }
    for (const number of this.#moves.keys()) {
      if (this.#moves.size <= maxMoves) break;
      this.#moves.delete(number);
    }
  }

  /** Another edition has begun. */
  clear(): void {
    this.#moves.clear();
  }

  get(number: number): MovedPlace | undefined {
    return this.#moves.get(number);
  }

  /** The place that was moved to this visitor last; undefined for none. */
  movedTo(sub: string): MovedPlace | undefined {
    let found: MovedPlace | undefined;
    for (const move of this.#moves.values()) if (move.sub === sub) found = move;
    return found;
  }

  recall(): MovedPlace[] {
    return [...this.#moves.values()];
  }
}
