/** How many waited in each room, over the last minutes: as recorded, and as heard since. */
import type { AdminAnswers } from "../../client/index.ts";
import type { LiveFigures } from "./live-figures.ts";

export interface Point {
  readonly atMs: number;
  readonly waiting: number;
}

export const spanMs = 15 * 60_000;
const everyMs = 10_000;

export interface History {
  of(room: string): readonly Point[];
  /** Whether what was recorded before is the caller's to ask for: true once for each room. */
  claim(room: string): boolean;
  /** What was recorded before; empty where that is not known. */
  recorded(room: string, steps: readonly AdminAnswers["StatisticsStep"][]): void;
  hear(figures: LiveFigures): void;
}

export function createHistory(): History {
  const rooms = new Map<string, Point[]>();
  const asked = new Set<string>();
  const keep = (room: string, points: readonly Point[]) => {
    const sorted = [...points].sort((a, b) => a.atMs - b.atMs);
    const endMs = sorted[sorted.length - 1]?.atMs ?? 0;
    rooms.set(
      room,
      sorted.filter(({ atMs }) => atMs > endMs - spanMs),
    );
  };

  return {
    of: (room) => rooms.get(room) ?? [],
    claim(room) {
      const isNew = !asked.has(room);
      asked.add(room);
      return isNew;
    },
    recorded(room, steps) {
      const points = steps.flatMap(({ at, waiting }) => (waiting === null ? [] : [{ atMs: Date.parse(at), waiting }]));
      const known = rooms.get(room) ?? [];
      const firstMs = known[0]?.atMs ?? Number.POSITIVE_INFINITY;
      keep(room, [...points.filter(({ atMs }) => atMs < firstMs), ...known]);
    },
    hear({ at, rooms: told }) {
      const atMs = Date.parse(at);
      for (const { room, age_ms, figures } of told) {
        if (figures === null || age_ms === null || age_ms > everyMs) continue;
        const known = rooms.get(room) ?? [];
        const last = known[known.length - 1];
        if (last === undefined || atMs - last.atMs >= everyMs)
          keep(room, [...known, { atMs, waiting: figures.waiting }]);
      }
    },
  };
}
