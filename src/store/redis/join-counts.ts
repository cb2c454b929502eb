import type { CountedJoins, JoinCountStore } from "../contract/join-counts.ts";
import type { Keys } from "./keys.ts";
import type { Runner } from "./runner.ts";
import { scripts } from "./scripts.ts";

export function createRedisJoinCounts(runner: Runner, keys: Keys): JoinCountStore {
  const run = (room: string, joins: readonly CountedJoins[], edition: string, mayOwe: boolean) =>
    runner.run(scripts.countJoins, keys.room(room), { edition, may_owe: mayOwe ? "1" : "", joins: jsonOf(joins) });
  return {
    takeEntries: (room, edition, joins) => run(room, joins, String(edition), false),
    recordJoins: (room, joins) => run(room, joins, "", true),
  };
}

function jsonOf(joins: readonly CountedJoins[]): string {
  return JSON.stringify(
    joins.map(({ count, agoMs = 0, blocks }) => {
      return [count, blocks.map(({ name, tokenMs, mostMs }) => [name, tokenMs, mostMs]), agoMs];
    }),
  );
}
