import type { DrawDocument, PublishedDraw } from "../../draw/index.ts";
import type { DrawShown } from "../types.ts";

/** What a visitor holds of a draw. */
export type OwnEntry = NonNullable<DrawShown["own"]>;

/**
 * The draw that a page shows: the one of the visitor's entry number, else the last that has begun, else the one to come. Null
 * where none was announced.
 */
export function showDraw({ room, draws }: DrawDocument, own: OwnEntry | null): DrawShown | null {
  const draw =
    (own === null ? undefined : draws.findLast((each) => isIn(each, own.entry))) ??
    draws.findLast(({ first }) => first !== null) ??
    draws.at(-1);
  if (draw === undefined) return null;
  const { id, stage, commitment, seed, entries, beacon } = draw;
  return {
    id,
    stage,
    commitment,
    seed,
    entries,
    beacon: beacon && { round: beacon.round, isFallback: beacon.fallback !== null },
    own: own !== null && isIn(draw, own.entry) ? own : null,
    recordUrl: `/rooms/${room}/draw`,
    checkerUrl: `/rooms/${room}/draw/checker.js`,
  };
}

function isIn({ first, last }: PublishedDraw, entry: number): boolean {
  return first !== null && entry >= first && (last === null || entry <= last);
}
