import type { CountedAnswer, CountedJoins, JoinCountStore } from "../contract/join-counts.ts";
import type { MemoryData } from "./data.ts";

const blocksMax = 200_000;
const agoMaxMs = 5_000;
/** Sums of fractions may be off by less than any token. */
const tolerance = 0.001;

/** When each bucket is full again, by its name. */
type Buckets = Map<string, number>;

/** The twin of redis/lua/count-joins.lua. */
export function createMemoryJoinCounts(
  data: Pick<MemoryData, "joinCounts">,
  now: () => number,
  count: (name: string) => void,
): JoinCountStore {
  const ofRoom = (room: string) => {
    const counts = data.joinCounts.get(room) ?? { edition: 0, entries: new Map(), rates: new Map() };
    data.joinCounts.set(room, counts);
    return counts;
  };
  return {
    async takeEntries(room, edition, joins) {
      count("count-joins");
      const counts = ofRoom(room);
      if (edition > counts.edition) {
        counts.entries.clear();
        counts.edition = edition;
      }
      return countJoins(counts.entries, joins, false, now());
    },
    async recordJoins(room, joins) {
      count("count-joins");
      return countJoins(ofRoom(room).rates, joins, true, now());
    },
  };
}

function countJoins(buckets: Buckets, joins: readonly CountedJoins[], mayOwe: boolean, nowMs: number): CountedAnswer[] {
  const levelOf = (name: string, atMs = nowMs) => Math.max(0, (buckets.get(name) ?? 0) - atMs);
  const answers = joins.map(({ count: wanted, agoMs = 0, blocks }) => {
    const beforeMs = Math.min(Math.max(0, agoMs), agoMaxMs);
    let granted = wanted;
    for (const { name, tokenMs, mostMs } of mayOwe ? [] : blocks) {
      const left = Math.max(0, Math.floor((mostMs - levelOf(name)) / tokenMs + tolerance));
      granted = Math.min(granted, left);
    }
    const levelsMs = blocks.map(({ name, tokenMs, mostMs }) => {
      const levelMs = Math.max(0, levelOf(name, nowMs - beforeMs) + granted * tokenMs - beforeMs);
      const boundMs = mayOwe ? Math.min(levelMs, 2 * mostMs) : levelMs;
      if (boundMs > 0) buckets.set(name, nowMs + boundMs);
      else buckets.delete(name);
      return boundMs;
    });
    return { granted, levelsMs };
  });
  for (const [name, fullMs] of buckets) if (fullMs <= nowMs) buckets.delete(name);
  const beyond = buckets.size - blocksMax;
  if (beyond > 0) {
    const least = [...buckets].sort(([a, fullA], [b, fullB]) => fullA - fullB || (a < b ? -1 : 1));
    for (const [name] of least.slice(0, beyond)) buckets.delete(name);
  }
  return answers;
}
