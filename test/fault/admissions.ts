import type { Admin } from "../support/admin.ts";

/** When the admissions on record were made, in milliseconds of the store's own clock. */
export async function admissionTimes(admin: Admin, room: string): Promise<number[]> {
  const times = new Map<string, number>();
  let from = "";
  do {
    const page = await admin.request("GET", `/rooms/${room}/admissions?limit=500${from}`);
    const { admissions, next_cursor } = page.json() as {
      admissions: { sub: string; admitted_at: string }[];
      next_cursor: string | null;
    };
    for (const { sub, admitted_at } of admissions) times.set(sub, Date.parse(admitted_at));
    from = next_cursor === null ? "" : `&cursor=${next_cursor}`;
  } while (from !== "");
  return [...times.values()].sort((a, b) => a - b);
}

/** The most events in any window of this length. */
export function mostInWindow(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  let most = 0;
  for (let first = 0, last = 0; last < sorted.length; last++) {
    while ((sorted[last] ?? 0) - (sorted[first] ?? 0) >= windowMs) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/** An admission as seen from outside: made somewhere between the request and its answer. */
export interface Entry {
  readonly askedAt: number;
  readonly enteredAt: number;
}

/** The most admissions that were made for certain within a window of this length. */
export function mostForCertain(entries: readonly Entry[], windowMs: number): number {
  const within = ({ askedAt: from }: Entry) =>
    entries.filter(({ askedAt, enteredAt }) => askedAt >= from && enteredAt < from + windowMs).length;
  return Math.max(...entries.map(within));
}

/** The fewest that can have been made in any window of this length that lies between `from` and `to`, in steps of 250 ms. */
export function fewestPossible(entries: readonly Entry[], windowMs: number, from: number, to: number): number {
  let fewest = Number.POSITIVE_INFINITY;
  for (let start = from; start + windowMs <= to; start += 250) {
    const mayBeIn = ({ askedAt, enteredAt }: Entry) => enteredAt >= start && askedAt < start + windowMs;
    fewest = Math.min(fewest, entries.filter(mayBeIn).length);
  }
  return fewest;
}
