import type {
  Admission,
  Draw,
  JoinRange,
  Lapse,
  MovedPlace,
  RoomMemory,
  RoomState,
  Seen,
} from "../../store/contract/room-store.ts";
import { DrawnOrders } from "../draw/drawn-orders.ts";
import { numberOf, type Ticket } from "../tickets/ticket.ts";
import { asReportedWith, inIncarnationOf, isLiveAt } from "./admission-times.ts";
import { AdmittedSince } from "./admitted-since.ts";
import type { Checkpoints } from "./checkpoints.ts";

/** Positions to reserve ahead of the queue counter in the checkpoints, at least. */
const minReserve = 1_000;
/** Seconds of joins, at the busiest pace seen, to reserve ahead. */
const reserveSec = 5;
/** Admissions that are looked at for forgetting at each refresh. */
const maxLooksForPruning = 1_000;
/** The store's: a recovery, and the hold after one (`RoomStore.contribute`). */
const recoveryMs = 2_500;
const holdMs = 60_000;
/** Moved places that are remembered, as many as the store's. */
const maxMoves = 100_000;

/**
 * What this process knows of a room: the latest state of the store, the admissions that were made
 * or ended lately, and checkpoints on disk. It serves the hot path, outages and recovery.
 */
export class RoomReplica {
  readonly #room: string;
  readonly #checkpoints: Checkpoints;
  readonly #admissions = new Map<string, Admission>();
  readonly #admittedSince = new AdmittedSince();
  /** Of the state's edition, by number. */
  readonly #moves = new Map<number, MovedPlace>();
  #state: RoomState | null = null;
  /** The same with what joins have reported since. */
  #latest: RoomState | null = null;
  #memory: RoomMemory | null = null;
  readonly #beforeHold = new WeakMap<RoomState, RoomState>();

  readonly #orders = new DrawnOrders();

  constructor(room: string, checkpoints: Checkpoints) {
    this.#room = room;
    this.#checkpoints = checkpoints;
  }

  /** The ticket, or what else names a place, with its position as this process knows it by now. */
  place<T extends Pick<Ticket, "edition" | "position" | "entry">>(ticket: T): T {
    return this.#orders.place(this.#state, ticket);
  }

  get orders(): DrawnOrders {
    return this.#orders;
  }

  /** The last state that the store answered, or null before the first answer. */
  get state(): RoomState | null {
    return this.#state;
  }

  /** The last state, and what joins have reported since. */
  get latest(): RoomState | null {
    return this.#latest;
  }

  /** The state with the hold that will follow if it is that of a room with a limit. Always the same object, since pages are compiled once for each. */
  beforeHold(state: RoomState): RoomState {
    const { outflowPerMinute, sharedOutflow } = state.settings.effective.inlet;
    if (outflowPerMinute === null && sharedOutflow === null) return state;
    const known = this.#beforeHold.get(state) ?? { ...state, holdRemainingMs: recoveryMs + holdMs };
    this.#beforeHold.set(state, known);
    return known;
  }

  get serving(): number {
    return this.#latest?.serving ?? 0;
  }

  /** As last reported; see `isLiveAt`. */
  admission(sub: string): Admission | undefined {
    return this.#admissions.get(sub);
  }

  /**
   * Takes over what the store says. The store alone decides, so this replaces what was known; but for a state that was read
   * before the one that is known, which is not taken. Answers whether it was.
   */
  learnState(state: RoomState): boolean {
    const known = this.#state;
    if (known !== null && isOlder(state, known)) return false;
    const isNewIncarnation = known !== null && known.incarnation !== state.incarnation;
    if (isNewIncarnation) this.#takeAdmissionsOver(known, state);
    if (known !== null && known.edition !== state.edition) this.#moves.clear();
    this.#state = state;
    this.#latest = state;
    this.#memory = memoryOf(state);
    this.#admittedSince.synced(state);
    this.checkpoint();
    this.#checkpoints.reserve(this.#room, state.queued, this.#reserve);
    return true;
  }

  /** Makes the next checkpoints say all that is known by now, with what joins have reported since the last state. */
  checkpoint(): void {
    const state = this.#state;
    if (state === null || this.#memory === null) return;
    // The checkpoint is read by a later process: what was pending may have been claimed since it was written.
    const { incarnation, flowMs } = state;
    const memory = { ...this.#memory, liveLapses: withPending(state) };
    this.#checkpoints.put(this.#room, { incarnation, flowMs }, memory, this.#admittedSince.lapse);
  }

  /** Writes the checkpoints now, if they have changed, and not only with the next second. */
  keep(): void {
    this.#checkpoints.flush();
  }

  /** A new incarnation may have another flow clock, and reports these admissions anew. */
  #takeAdmissionsOver(before: RoomState, state: RoomState): void {
    for (const [sub, admission] of this.#admissions) {
      this.#admissions.set(sub, inIncarnationOf(state, asReportedWith(before, admission)));
    }
  }

  /**
   * Positions were handed out to this process. They are on disk before anyone holds them (as long as the checkpoints can be
   * written), with one small write for each range. The state stays the same object, since pages are compiled once for each.
   */
  learnRange(range: JoinRange): void {
    this.#checkpoints.giveOut(this.#room, range.edition, range.last, this.#reserve);
    const latest = this.#latest;
    if (latest !== null && latest.edition === range.edition && range.serving > latest.serving) {
      this.#latest = { ...latest, serving: range.serving };
    }
    const memory = this.#memory;
    if (memory?.edition === range.edition) {
      const queued = Math.max(memory.queued, range.last);
      this.#memory = { ...memory, queued, serving: Math.max(memory.serving, range.serving) };
    }
  }

  /** Whether a ticket is ahead of all that is known: of a newer edition, or behind the last position handed out. */
  isAhead(ticket: Ticket): boolean {
    const memory = this.#memory;
    if (memory === null || this.#state === null) return false;
    return ticket.edition > memory.edition || (ticket.edition === memory.edition && numberOf(ticket) > memory.queued);
  }

  /** Whether a ticket proves what this process has not synced: it is ahead, or its number is in a known gap. */
  isNews(ticket: Ticket): boolean {
    return this.isAhead(ticket) || this.#isInGap(ticket);
  }

  /**
   * Whether the store takes the ticket's number for one that nobody has, after a loss: those behind it would be told too few
   * ahead, and a draw to come would leave it out. Numbers in a gap of a fixed draw are behind its entries for good.
   */
  #isInGap(ticket: Ticket): boolean {
    const state = this.#state;
    if (state === null || state.gaps.length === 0 || ticket.edition !== state.edition) return false;
    const number = numberOf(ticket);
    if (!state.gaps.some(({ from, to }) => number >= from && number <= to)) return false;
    const isFixed = ({ stage }: Draw) => stage === "closed" || stage === "drawn";
    return !state.draws.some((draw) => isFixed(draw) && number >= draw.first && number <= draw.last);
  }

  /**
   * What a ticket with a good signature proves: that its position was handed out, and, when it is claimed, served.
   * Version 0 says that nothing else is known.
   */
  recallFromTicket(ticket: Ticket): RoomMemory | null {
    const memory = this.#memory;
    if (memory === null) return null;
    const serving = ticket.claim === null ? 0 : ticket.position;
    const { edition } = ticket;
    const queued = numberOf(ticket);
    return { ...memory, edition, queued, serving, expiredThrough: 0, gaps: [], version: 0, admissions: [], moves: [] };
  }

  learnAdmissions(admissions: readonly Admission[]): void {
    for (const admission of admissions) {
      this.#admissions.delete(admission.sub);
      this.#admissions.set(admission.sub, admission);
      this.#learnPlace(admission);
    }
  }

  /**
   * Notes an admission that the store gave or extended. Where live ones are counted, it is on disk before the answer to
   * its visitor.
   */
  learnAdmission(admission: Admission): void {
    const { sub, admittedMs, expiresMs, ended } = admission;
    const [state, known] = [this.#state, this.#admissions.get(sub)];
    this.learnAdmissions([admission]);
    if (state?.settings.effective.inlet.type !== "max_active" || ended !== null) return;
    if (known?.admittedMs === admittedMs && known.expiresMs >= expiresMs) return;
    this.#admittedSince.add(state, admission);
    this.#checkpoints.admit(this.#room, this.#admittedSince.lapse);
  }

  /** A claimed place was handed out, whatever this process synced last. */
  #learnPlace({ edition, usedPosition }: Admission): void {
    const memory = this.#memory;
    if (memory === null || memory.edition !== edition || usedPosition <= memory.queued) return;
    this.#memory = { ...memory, queued: usedPosition };
  }

  /** Places that were moved. Two answers may overtake each other: the last move counts, and none of an edition that is over. */
  learnMoves(edition: number, moves: readonly MovedPlace[]): void {
    if (edition !== this.#state?.edition) return;
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

  /** The holder of a moved place, as last synced; undefined for one that was not moved. */
  holderOf(place: Pick<Ticket, "edition" | "position" | "entry">): string | undefined {
    return place.edition === this.#state?.edition ? this.#moves.get(numberOf(place))?.sub : undefined;
  }

  /** Whether a ticket's place was moved to another visitor, as last synced. */
  isElsewhere(ticket: Pick<Ticket, "edition" | "position" | "entry" | "sub">): boolean {
    const holder = this.holderOf(ticket);
    return holder !== undefined && holder !== ticket.sub;
  }

  /** Forgets what no recovery needs any more. */
  forgetAdmissions(): void {
    const state = this.#state;
    if (state === null) return;
    let left = Math.min(this.#admissions.size, maxLooksForPruning);
    for (const [sub, admission] of this.#admissions) {
      if (left-- <= 0) break;
      this.#admissions.delete(sub);
      // Those that are kept go to the end, so that all are looked at in turn.
      if (!isOfNoMoreUse(state, admission)) this.#admissions.set(sub, admission);
    }
  }

  /** The latest that this process has seen; null before the first sync. */
  get seen(): Seen | null {
    const [state, memory] = [this.#state, this.#memory];
    if (state === null || memory === null) return null;
    return { incarnation: state.incarnation, flowMs: state.flowMs, edition: memory.edition, queued: memory.queued };
  }

  /** The incarnation of the store in which this process left its checkpoint before it was restarted, and what it had seen of it. */
  get seenBeforeRestart(): Seen | null {
    return this.#checkpoints.ownSeen(this.#room);
  }

  /**
   * The memory to offer in a recovery: what this process has synced, or, before the first sync, what the checkpoints of
   * other incarnations than the current one hold. Null when nothing is remembered.
   */
  recall(incarnation: string | null): RoomMemory | null {
    const [memory, since] = [this.#memory, this.#admittedSince.lapse];
    if (memory === null) return this.#checkpoints.recall(this.#room, incarnation);
    return since.count === 0 ? memory : { ...memory, liveLapses: [...memory.liveLapses, since] };
  }

  /** The admissions to offer with it, with their remaining time at the last sync. */
  recallAdmissions(): Admission[] {
    const state = this.#state;
    const admissions = [...this.#admissions.values()];
    return state === null ? admissions : admissions.map((admission) => asReportedWith(state, admission));
  }

  recallMoves(): MovedPlace[] {
    return [...this.#moves.values()];
  }

  get #reserve(): number {
    return Math.max(minReserve, reserveSec * (this.#state?.joinsPerSecondPeak ?? 0));
  }
}

/** An admission matters to a recovery until it would have lapsed, and its place until nobody may claim it any more. */
function isOfNoMoreUse(state: RoomState, admission: Admission): boolean {
  const { ended, expiresMs, edition, usedPosition } = admission;
  // A ticket proves an ended one for as long as the wall clock says.
  const mattersYet = ended === null ? isLiveAt(state, admission) : expiresMs > state.nowMs;
  return !mattersYet && (edition < state.edition || usedPosition <= state.expiredThrough);
}

/** What a recovery needs of a state. */
function memoryOf(state: RoomState): RoomMemory {
  const { edition, queued, serving, expiredThrough, gaps, version, basePhase, holds, settings } = state;
  const { scheduleMarkMs, idleEndedMs, claimMs, joinsPerSecondPeak, counts, draws, adaptive, log } = state;
  return {
    edition,
    queued,
    serving,
    expiredThrough,
    gaps,
    version,
    basePhase,
    holds,
    scheduleMarkMs,
    idleEndedMs,
    settings,
    claimMs,
    joinsPerSecondPeak,
    counts,
    draws,
    liveLapses: state.liveLapses,
    admissions: [],
    moves: [],
    log,
    ...(adaptive && { adaptive: { ratePerMinute: adaptive.ratePerMinute, baselineMs: adaptive.baselineMs } }),
  };
}

/** What may be live without anybody knowing of it: what is, and what may have been claimed since. */
function withPending({ settings, liveLapses, pending, nowMs }: RoomState): readonly Lapse[] {
  const { inlet, admission } = settings.effective;
  if (inlet.type !== "max_active" || pending === 0) return liveLapses;
  return [...liveLapses, { untilMs: nowMs + admission.durationMs, count: pending }];
}

/** Whether a state that arrived later was read earlier: two requests may overtake each other. */
function isOlder(candidate: RoomState, known: RoomState): boolean {
  return (
    candidate.incarnation === known.incarnation &&
    (candidate.edition < known.edition || (candidate.edition === known.edition && candidate.flowMs < known.flowMs))
  );
}
