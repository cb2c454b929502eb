import { firstIndex } from "./sorting.ts";

/**
 * A set whose members carry a score and are kept in the order of (score, member), like a sorted set of Redis.
 * Plain data and functions, so that a whole store can be copied by `structuredClone`.
 */
export interface ScoredSet<M extends string | number> {
  readonly isCollection?: true;
  readonly scores: Map<M, number>;
  readonly order: { score: number; member: M }[];
}

export function createScoredSet<M extends string | number>(): ScoredSet<M> {
  return { scores: new Map(), order: [] };
}

/** Index of the first entry that is not before (score, member). */
function lowerBound<M extends string | number>(set: ScoredSet<M>, score: number, member?: M): number {
  return firstIndex(
    set.order,
    (entry) => entry.score < score || (entry.score === score && member !== undefined && entry.member < member),
  );
}

export function setScore<M extends string | number>(set: ScoredSet<M>, member: M, score: number): void {
  if (set.scores.get(member) === score) return;
  removeMember(set, member);
  set.scores.set(member, score);
  const last = set.order.at(-1);
  if (last === undefined || last.score < score) set.order.push({ score, member });
  else set.order.splice(lowerBound(set, score, member), 0, { score, member });
}

/** Whether it was there. */
export function removeMember<M extends string | number>(set: ScoredSet<M>, member: M): boolean {
  const score = set.scores.get(member);
  if (score === undefined) return false;
  set.scores.delete(member);
  set.order.splice(lowerBound(set, score, member), 1);
  return true;
}

/** How many members have a score below `score`. */
export function countBelow<M extends string | number>(set: ScoredSet<M>, score: number): number {
  return lowerBound(set, score);
}

/** At most `limit` members with `from` <= score <= `to`, lowest first. */
export function membersBetween<M extends string | number>(
  set: ScoredSet<M>,
  from: number,
  to: number,
  limit: number,
): M[] {
  const found: M[] = [];
  for (let i = lowerBound(set, from); i < set.order.length && found.length < limit; i++) {
    const entry = set.order[i];
    if (entry === undefined || entry.score > to) break;
    found.push(entry.member);
  }
  return found;
}

/** The same with their scores. */
export function scoresBetween<M extends string | number>(
  set: ScoredSet<M>,
  from: number,
  to: number,
  limit: number,
): { score: number; member: M }[] {
  const found: { score: number; member: M }[] = [];
  for (let i = lowerBound(set, from); i < set.order.length && found.length < limit; i++) {
    const entry = set.order[i];
    if (entry === undefined || entry.score > to) break;
    found.push(entry);
  }
  return found;
}

export function sizeOf<M extends string | number>(set: ScoredSet<M>): number {
  return set.order.length;
}

export function scoreOf<M extends string | number>(set: ScoredSet<M>, member: M): number | null {
  return set.scores.get(member) ?? null;
}

/** The score at a place in the order, from 0 on; null where the set is shorter. */
export function scoreAt<M extends string | number>(set: ScoredSet<M>, index: number): number | null {
  return set.order[index]?.score ?? null;
}

/** Takes out those with a score below `score`, at most `limit`, lowest first. */
export function takeBelow<M extends string | number>(set: ScoredSet<M>, score: number, limit: number): M[] {
  const taken = set.order.splice(0, Math.min(limit, lowerBound(set, score))).map(({ member }) => member);
  for (const member of taken) set.scores.delete(member);
  return taken;
}

export function removeMembers<M extends string | number>(set: ScoredSet<M>, members: readonly M[]): void {
  for (const member of members) removeMember(set, member);
}

/** Adds a member that is not there; one that is keeps its score. */
export function addMember<M extends string | number>(set: ScoredSet<M>, member: M, score: number): void {
  if (!set.scores.has(member)) setScore(set, member, score);
}

export function removeHighest<M extends string | number>(set: ScoredSet<M>): void {
  const last = set.order.at(-1);
  if (last !== undefined) removeMember(set, last.member);
}

export function removeLowest<M extends string | number>(set: ScoredSet<M>): void {
  const first = set.order[0];
  if (first !== undefined) removeMember(set, first.member);
}
