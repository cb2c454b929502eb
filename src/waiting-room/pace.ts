import type { RoomState } from "../store/room-store.ts";

/** Why the pace is not what it was, or not what was planned. */
export type PaceNote = "limit_changed" | "slower" | null;

/** How fast the line moves, as far as it can be known: what every visitor's estimate is made of. */
export interface Pace {
  /** Places that the serving counter moves on in a minute; null when nothing is known. */
  readonly placesPerMinute: number | null;
  /** How far the real pace may be off, as a fraction. */
  readonly spread: number;
  /** Seconds for which nothing moves before that: the hold after a recovery, an inlet that starts later. */
  readonly extraSec: number;
  readonly note: PaceNote;
}

/** A limit is kept more exactly than a measurement. */
const spreadOfLimit = 0.1;
const spreadOfMeasure = 0.35;
/** A measurement counts in full when it covers so much time, and by its share before. */
const fullMeasureMs = 180_000;
const minMeasureMs = 10_000;
/** Places that are taken to have been served, each with a visitor who entered, before anything was measured. */
const priorPlaces = 30;
/** Less of the planned pace than this is said to be slower. */
const slowerThan = 0.8;
/** So long a change of the limit is given as a reason. */
const changeNotedMs = 60_000;
const minPerMinute = 0.5;

/**
 * The pace of a room: people ahead ÷ pace is the wait. Where a limit binds, places move at the limit ÷ the share of served
 * places whose visitors enter: no-shows speed the line up, and those who come late, and take outflow from the people
 * behind the serving counter, slow it down; both are in that one ratio. Elsewhere the line moves as it was measured. The
 * measure covers three minutes in steps of ten seconds, so what is told changes slowly, but for a change of the
 * limit and a hold, which are given as the reason.
 */
export function paceOf(state: RoomState): Pace {
  const extraSec = extraMs(state) / 1_000;
  const { spanMs } = state.progress;
  const measured = spanMs < minMeasureMs ? null : (state.progress.served * 60_000) / spanMs;
  const planned = plannedPace(state);
  if (planned === null) {
    const placesPerMinute = measured !== null && measured >= minPerMinute ? measured : null;
    return { placesPerMinute, spread: spreadOfMeasure, extraSec, note: changeNote(state) };
  }
  // A plan is believed until a whole measure says that the line does not keep to it.
  const weight = Math.min(1, spanMs / fullMeasureMs);
  const kept = measured === null ? 1 : 1 - weight + weight * Math.min(1, measured / planned);
  // A limit is kept exactly; how long people stay is their own matter.
  const spread = state.settings.effective.inlet.type === "periodic" ? spreadOfLimit : spreadOfMeasure;
  if (kept >= slowerThan) return { placesPerMinute: planned, spread, extraSec, note: changeNote(state) };
  return {
    placesPerMinute: Math.max(minPerMinute, planned * kept),
    spread: spreadOfMeasure,
    extraSec,
    note: changeNote(state) ?? "slower",
  };
}

function changeNote({ limitChangedMs, flowMs }: RoomState): PaceNote {
  return limitChangedMs > 0 && flowMs - limitChangedMs < changeNotedMs ? "limit_changed" : null;
}

/** Places a minute that the inlet would serve with enough visitors; null where only a measurement can tell. */
function plannedPace(state: RoomState): number | null {
  const { inlet, admission } = state.settings.effective;
  const entering = enteringShare(state);
  const byLimit = state.planLimitPerMinute;
  if (inlet.type === "periodic") return byLimit === null ? null : byLimit / entering;
  if (inlet.type !== "max_active" || inlet.maxActive === null) return null;
  // Each admission that lapses makes room for one more; many end earlier, which a measurement shows.
  const { spanMs, entered } = state.progress;
  if (spanMs >= fullMeasureMs / 2 && entered > 0) return null;
  const byCapacity = (inlet.maxActive * 60_000) / admission.durationMs;
  return Math.min(byCapacity, byLimit ?? byCapacity) / entering;
}

/** The share of served places whose visitors enter, smoothed towards all of them. */
function enteringShare({ progress: { served, entered } }: RoomState): number {
  return Math.min(1, Math.max(0.02, (entered + priorPlaces) / (served + priorPlaces)));
}

function extraMs({ holdRemainingMs, settings, nowMs }: RoomState): number {
  const { type, startsAtMs } = settings.effective.inlet;
  const startsInMs = type === "periodic" && startsAtMs !== null ? startsAtMs - nowMs : 0;
  return Math.max(holdRemainingMs, startsInMs, 0);
}
