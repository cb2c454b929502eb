/**
 * Failing open, in a room with `whenAway: "let_in"`: once the store has been away for a while, each process lets visitors in by itself, at the
 * room's last known pace. No store knows of these admissions: they are good for what was signed of them, and the visitor keeps the place.
 */
import { LRUCache } from "lru-cache";
import { moveOver } from "../../core/gaps.ts";
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
  const letIn = new LRUCache<string, AwayAdmission>({ max: rememberedMax });
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
      const isKnown = reported?.of === state && reported.state.serving === serving && reported.state.queued === queued;
      if (!isKnown) reported = { of: state, state: { ...state, queued, serving } };
      return reported?.state ?? null;
    },

    /** Whether a visitor without a place is let in, now or in a moment: nobody waits any more. */
    get isLineEmpty(): boolean {
      const { reportedState: state } = this;
      return state !== null && peopleWaiting(state) <= 0;
    },

    /** Whether the visitor may enter now, by the place that the ticket has; a visitor without one comes behind all who have one. */
    mayEnter(ticket: Ticket): boolean {
      const state = openState();
      return state !== null && (remembered(ticket.sub) !== undefined || waitMs(state, room.place(ticket)) === 0);
    },

    /** Whether the visitor was let in, and is still in. */
    hasLetIn: (sub: string): boolean => openState() !== null && remembered(sub) !== undefined,

    /** Lets the visitor in, or answers null: not yet. The same visitor has the same admission. */
    admit(presented: Ticket): AwayAdmission | null {
      const state = openState();
      if (state === null) return null;
      const known = remembered(presented.sub);
      if (known !== undefined) return known;
      const ticket = room.place(presented);
      if (waitMs(state, ticket) > 0) return null;
      const nowMs = storeNowMs(state);
      const pace = paceOf(state);
      const isCurrent = ticket.position > 0 && ticket.edition === state.edition;
      if (!isCurrent && pace !== null) nextMs = awayMs + (processCount() * 60_000) / pace;
      const position = isCurrent ? ticket.position : 0;
      const expiresMs = nowMs + state.settings.effective.admission.durationMs;
      const admission: AwayAdmission = { sub: ticket.sub, position, admittedMs: nowMs, expiresMs, via: "away" };
      letIn.set(ticket.sub, admission);
      room.emit("admission.away", { sub: ticket.sub, position });
      return admission;
    },
  };

  function remembered(sub: string): AwayAdmission | undefined {
    const known = letIn.get(sub);
    const { state } = room;
    return known !== undefined && state !== null && known.expiresMs > storeNowMs(state) ? known : undefined;
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

  /** 0: now. The line is reckoned on from where it stood, by all processes alike; whoever has no place in it comes behind it. */
  function waitMs(state: RoomState, ticket: Ticket): number {
    const status = ticket.position > 0 ? describePlace(state, room.replica, ticket) : null;
    // Left, voided, moved to another, or not claimed in time, as far as this process knows.
    if (status?.state === "expired") return 1;
    if (paceOf(state) === null) return 0;
    const serving = servingBy(state);
    if (ticket.position > 0 && ticket.edition === state.edition) return ticket.position <= serving ? 0 : 1;
    return peopleWaiting({ ...state, queued: room.replica.queued, serving }) > 0 ? 1 : Math.max(0, nextMs - awayMs);
  }
}

/** Visitors a minute that the room lets in, as it last was; null where nothing limits it. By `max_active`, as many as leave in a minute. */
function paceOf({ planLimitPerMinute, settings }: RoomState): number | null {
  const { inlet, admission } = settings.effective;
  const leaving = inlet.maxActive === null ? null : (inlet.maxActive * 60_000) / admission.durationMs;
  const paces = [planLimitPerMinute, leaving].filter((pace) => pace !== null);
  return paces.length === 0 ? null : Math.min(...paces);
}
