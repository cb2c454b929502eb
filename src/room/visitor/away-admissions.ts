/**
 * Failing open, in a room with `whenAway: "let_in"`: once the store has been away for a while, each process lets visitors in by itself, at the
 * room's last known pace. No store knows of these admissions: they are good for what was signed of them, and the visitor keeps the place.
 */
import { moveOver } from "../../core/positions.ts";
import { createLruCache } from "../../lib/lru-cache.ts";
import type { Admission, RoomState } from "../../store/contract/room-store.ts";
import { peopleWaiting } from "../line.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import type { Ticket } from "../tickets/ticket.ts";
import { describePlace } from "./place-status.ts";

/** An admission that was given without the store. */
export interface AwayAdmission extends Pick<Admission, "sub" | "position" | "admittedMs" | "expiresMs"> {
  readonly via: "away";
}

/** A shorter outage is a restart or a failover: nobody is let in, and nobody minds. In milliseconds. */
export const letInAfterMs = 10_000;
const stepMaxMs = 5_000;
/** So many of those who were let in are remembered: they come again under the same admission. */
const rememberedMax = 100_000;

export type AwayAdmissions = ReturnType<typeof createAwayAdmissions>;

/** @param processCount how many processes run, as far as this one knows */
export function createAwayAdmissions(room: SyncedRoom, processCount: () => number) {
  const admissions = createLruCache<string, AwayAdmission>(rememberedMax);
  /** For how long the store has been away, and when that was last looked at. A clock that is set moves it by no more than a step. */
  let awayMs = 0;
  let seenMs: number | null = null;
  /** When the next visitor without a place may enter here, where the room has a pace; by `awayMs`. */
  let nextMs = 0;
  /** Made once for each second or so: pages and status are. */
  let reported: { of: RoomState; state: RoomState } | null = null;

  return {
    /** Called about once a second, whether the store is away or not. */
    keepTime,

    get isLettingIn(): boolean {
      return openState() !== null;
    },

    /** The last known state with the line as it has moved on since; null where nobody is let in. */
    get reportedState(): RoomState | null {
      const state = openState();
      if (state === null) return null;
      const { queued } = room.replica;
      const serving = servingBy(state);
      const isCurrent =
        reported?.of === state && reported.state.serving === serving && reported.state.queued === queued;
      if (!isCurrent) reported = { of: state, state: { ...state, queued, serving } };
      return reported?.state ?? null;
    },

    /** Whether a visitor without a place is let in, now or in a moment: nobody waits any more. */
    get isLineEmpty(): boolean {
      const { reportedState: state } = this;
      return state !== null && peopleWaiting(state) <= 0;
    },

    /** Whether the visitor may enter now: by the place that the ticket has, or since they were let in already. */
    mayEnter(presented: Ticket): boolean {
      const state = openState();
      if (state === null) return false;
      return remembered(presented.sub) !== undefined || isServed(state, room.place(presented));
    },

    /** Whether the visitor was let in, and is still in. */
    hasLetIn: (sub: string): boolean => openState() !== null && remembered(sub) !== undefined,

    /** Lets in by the ticket's place, or answers null: not yet. The same visitor has the same admission. */
    admit(presented: Ticket): AwayAdmission | null {
      const state = openState();
      if (state === null) return null;
      const existing = remembered(presented.sub);
      if (existing !== undefined) return existing;
      const ticket = room.place(presented);
      return isServed(state, ticket) ? letIn(state, ticket.sub, ticket.position) : null;
    },

    /** Lets in a visitor without a place, who joins now, behind all who have one; or answers null: not yet. */
    admitNewcomer(sub: string): AwayAdmission | null {
      const state = openState();
      if (state === null) return null;
      const existing = remembered(sub);
      if (existing !== undefined) return existing;
      const pace = paceOf(state);
      if (pace === null) return letIn(state, sub, 0);
      const isLineEmpty = peopleWaiting({ ...state, queued: room.replica.queued, serving: servingBy(state) }) <= 0;
      if (!isLineEmpty || awayMs < nextMs) return null;
      nextMs = awayMs + (processCount() * 60_000) / pace;
      return letIn(state, sub, 0);
    },
  };

  function letIn(state: RoomState, sub: string, position: number): AwayAdmission {
    const nowMs = storeNowMs(state);
    const expiresMs = nowMs + state.settings.effective.admission.durationMs;
    const admission: AwayAdmission = { sub, position, admittedMs: nowMs, expiresMs, via: "away" };
    admissions.set(sub, admission);
    room.emit("admission.away", { sub, position });
    return admission;
  }

  function remembered(sub: string): AwayAdmission | undefined {
    const existing = admissions.get(sub);
    const { state } = room;
    return existing !== undefined && state !== null && existing.expiresMs > storeNowMs(state) ? existing : undefined;
  }

  /** The last known state, where visitors are let in by it now; null where they are not. */
  function openState(): RoomState | null {
    const { state, settings } = room;
    if (state === null || settings.whenAway !== "let_in") return null;
    keepTime();
    if (awayMs < letInAfterMs || state.phase !== "open") return null;
    // What is to be drawn has no order yet.
    return state.draws.some(({ stage }) => stage === "closing" || stage === "closed") ? null : state;
  }

  function keepTime(): void {
    const nowMs = room.clock.now();
    if (room.availability !== "away") {
      [awayMs, seenMs, nextMs] = [0, null, 0];
      return;
    }
    if (seenMs !== null) awayMs += Math.min(Math.max(0, nowMs - seenMs), stepMaxMs);
    seenMs = nowMs;
  }

  function storeNowMs(state: RoomState): number {
    return room.storeNowMs ?? state.nowMs;
  }

  /** The serving counter by now, at the room's pace; without one, all who wait. */
  function servingBy(state: RoomState): number {
    const pace = paceOf(state);
    if (pace === null) return Math.max(state.serving, room.replica.queued);
    return moveOver(state.gaps, state.serving, Math.floor((pace * (awayMs - letInAfterMs)) / 60_000));
  }

  /** Whether the line has reached the place, as all processes reckon alike. A place that is known to be over is worth nothing. */
  function isServed(state: RoomState, ticket: Ticket): boolean {
    if (ticket.position === 0 || ticket.edition !== state.edition) return false;
    if (describePlace(state, room.replica, ticket).state === "expired") return false;
    return paceOf(state) === null || ticket.position <= servingBy(state);
  }
}

/** Visitors a minute that the room lets in, as it last was; null where nothing limits it. By `max_active`, as many as leave in a minute. */
function paceOf({ planLimitPerMinute, settings }: RoomState): number | null {
  const { inlet, admission } = settings.effective;
  const leaving = inlet.maxActive === null ? null : (inlet.maxActive * 60_000) / admission.durationMs;
  const paces = [planLimitPerMinute, leaving].filter((pace) => pace !== null);
  return paces.length === 0 ? null : Math.min(...paces);
}
