/** Admissions and moves of places, as far as this process has heard of them from the store. */
import type { Admission, Lapse, MovedPlace, RoomState } from "../../store/contract/room-store.ts";

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
