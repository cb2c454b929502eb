/** Sets: members with a score, positions, and how many distinct numbers there are. Plain data and functions, so that `structuredClone` copies a whole store. */
import { firstIndex } from "./lists.ts";

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

/**
 * A set of positions, one bit each: positions are dense, so that ten million take 1.25 MB. Plain data and functions, so
 * that a whole store can be copied by `structuredClone`. In Redis a bitmap.
 */
export interface PositionSet {
  readonly isCollection?: true;
  words: Uint32Array;
}

const wordsMin = 256;
const allBits = 0xffff_ffff;

export function createPositionSet(): PositionSet {
  return { words: new Uint32Array(0) };
}

export function hasPosition({ words }: PositionSet, position: number): boolean {
  return ((words[Math.floor(position / 32)] ?? 0) & (1 << (position % 32))) !== 0;
}

export function addPosition(set: PositionSet, position: number): void {
  const index = Math.floor(position / 32);
  if (index >= set.words.length) {
    const grown = new Uint32Array(Math.max(wordsMin, 2 * index));
    grown.set(set.words);
    set.words = grown;
  }
  set.words[index] = (set.words[index] ?? 0) | (1 << (position % 32));
}

/** How many of the positions from `first` to `last`, both inclusive, are in the set. */
export function countPositions({ words }: PositionSet, first: number, last: number): number {
  const firstIndex = Math.floor(first / 32);
  const lastIndex = Math.floor(last / 32);
  let count = 0;
  for (let index = firstIndex; index <= lastIndex && index < words.length; index++) {
    const fromBit = index === firstIndex ? allBits << (first % 32) : allBits;
    const toBit = index === lastIndex ? allBits >>> (31 - (last % 32)) : allBits;
    count += countBits((words[index] ?? 0) & fromBit & toBit);
  }
  return count;
}

/** Set bits of 32, added up pairwise. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return (((fours + (fours >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}

/**
 * How many different numbers came, to about 0.8 %, in at most 12 kB: a HyperLogLog. In Redis its own (PFADD, PFCOUNT); here the same, so
 * that both stores count alike: the hash is MurmurHash64A, the estimate that of Otmar Ertl, "New cardinality estimation algorithms for
 * HyperLogLog sketches" (2017), section 4, with 2^14 registers, as in hyperloglog.c of Redis.
 */
export interface DistinctCount {
  readonly isCollection?: true;
  /** The longest run of zeros, plus one, seen by each register. */
  registers: Uint8Array;
}

const registerBits = 14;
const registerCount = 2 ** registerBits;
const runBits = 64 - registerBits;
/** 1 ÷ (2 ln 2) */
const alpha = 0.7213475204444817;
const seed = 0xadc83b19n;
const multiplier = 0xc6a4a7935bd1e995n;
const all64 = 0xffff_ffff_ffff_ffffn;

export function createDistinctCount(): DistinctCount {
  return { registers: new Uint8Array(0) };
}

export function addNumbers(set: DistinctCount, numbers: readonly number[]): void {
  if (numbers.length === 0) return;
  if (set.registers.length === 0) set.registers = new Uint8Array(registerCount);
  for (const number of numbers) {
    const hash = murmurHash(String(number));
    const register = Number(hash & BigInt(registerCount - 1));
    let rest = hash >> BigInt(registerBits);
    let run = 1;
    while (run <= runBits && (rest & 1n) === 0n) {
      run++;
      rest >>= 1n;
    }
    set.registers[register] = Math.max(set.registers[register] ?? 0, run);
  }
}

export function countNumbers({ registers }: DistinctCount): number {
  if (registers.length === 0) return 0;
  const runs = new Array<number>(runBits + 2).fill(0);
  for (const run of registers) runs[run] = (runs[run] ?? 0) + 1;
  const at = (run: number) => runs[run] ?? 0;
  let sum = registerCount * tau((registerCount - at(runBits + 1)) / registerCount);
  for (let run = runBits; run >= 1; run--) sum = (sum + at(run)) * 0.5;
  sum += registerCount * sigma(at(0) / registerCount);
  return Math.round((alpha * registerCount * registerCount) / sum);
}

export function clearNumbers(set: DistinctCount): void {
  set.registers = new Uint8Array(0);
}

function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let [x, y, z, before] = [share, 1, 1 - share, -1];
  while (before !== z) {
    x = Math.sqrt(x);
    before = z;
    y *= 0.5;
    z -= (1 - x) ** 2 * y;
  }
  return z / 3;
}

function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY;
  let [x, y, z, before] = [share, 1, share, -1];
  while (before !== z) {
    x *= x;
    before = z;
    z += x * y;
    y += y;
  }
  return z;
}

/** MurmurHash2 of Austin Appleby, for 64 bits, of ASCII. */
function murmurHash(text: string): bigint {
  let hash = seed ^ ((BigInt(text.length) * multiplier) & all64);
  const whole = text.length - (text.length % 8);
  for (let at = 0; at < whole; at += 8) {
    let word = (wordOf(text, at, at + 8) * multiplier) & all64;
    word = ((word ^ (word >> 47n)) * multiplier) & all64;
    hash = ((hash ^ word) * multiplier) & all64;
  }
  if (whole < text.length) hash = ((hash ^ wordOf(text, whole, text.length)) * multiplier) & all64;
  hash = ((hash ^ (hash >> 47n)) * multiplier) & all64;
  return hash ^ (hash >> 47n);
}

/** Little-endian. */
function wordOf(text: string, from: number, to: number): bigint {
  let word = 0n;
  for (let at = to - 1; at >= from; at--) word = (word << 8n) | BigInt(text.charCodeAt(at));
  return word;
}
