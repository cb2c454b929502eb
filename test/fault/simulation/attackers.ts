/**
 * What attackers get of a draw, and what that costs them and honest visitors, in simulated time: a prequeue of half an hour with 10,000 honest
 * visitors and one attacker, who wants as many entries as can be had. Limits, difficulty of the work, names of keys and the order of the draw are
 * those of the program. Work is not done, but counted: so many attempts as the difficulty asks for, each of `attemptSec`.
 */
import { createHash } from "node:crypto";
import { addressBlock } from "../../../src/lib/address-block.ts";
import { createBlockCounts } from "../../../src/oidc/check/block-counts.ts";
import { createPermutation } from "../../../src/room/draw-recipe/permutation.ts";
import { createKeyRing, type RoomSettings } from "../../../src/room/index.ts";
import { createVisitorKeys } from "../../../src/room/tickets/visitor-key.ts";
import { createJoinLimits, createLimitsOfRanges } from "../../../src/room/visitor/join-limits.ts";
import type { JoinLimit } from "../../../src/store/contract/room-store.ts";
import { createMovedClock } from "../../support/moved-clock.ts";
import { type Chance, createChance } from "./chance.ts";

type Check = NonNullable<RoomSettings["check"]>;

export interface Attacker {
  /** Of the nth try. */
  readonly addressOf: (nth: number, chance: Chance) => string;
  readonly addresses: number;
  readonly triesPerSec: number;
  /** That it computes with. */
  readonly cores: number;
  /** CPU seconds of each try, without work that is asked for. */
  readonly trySec: number;
  /** Entries that it is content with. */
  readonly wants: number;
  /** Invitations, or accounts at the organisation's provider. */
  readonly identities: number;
}

export interface Defence {
  readonly limit: JoinLimit | null;
  readonly check: Check | null;
  readonly isByKey: boolean;
}

export interface AttackResult {
  /** Of the attacker. */
  readonly entries: number;
  readonly cpuSec: number;
  /** Of the attacker: of all entries of the draw, and of the first thousand places. */
  readonly share: number;
  readonly shareOfFirst: number;
  /** Honest visitors who got no entry, by how they live. */
  readonly refused: Readonly<Partial<Record<Kind, number>>>;
  /** Of each honest visitor who did work, CPU seconds, least first. */
  readonly workSec: readonly number[];
}

type Kind = "alone" | "family" | "school" | "carrier";

interface Honest {
  readonly kind: Kind;
  readonly block: string;
  readonly key: string;
  arrivesSec: number;
}

/** One derivation, on a core of a small virtual machine: docs/checks.md. */
export const attemptSec = 0.000_2;
const attemptsMax = 800;
/** A program's request, with all that belongs to it. */
export const requestSec = 0.000_5;
/** A browser's visit that nobody looks at. */
export const visitSec = 0.3;
/** After so many in a row an attacker sees that there is no more to be had. */
const refusalsMax = 1_000;
const prequeueSec = 1_800;
const gateways = 2;
export const honestCount = 10_000;
const first = 1_000;

export const schools = ["198.51.100.1", "198.51.100.2"];
export const carriers = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"];

/** 6,000 alone at their address, 600 families of four, two schools of 300, and 200 behind each address of a carrier. */
function honestVisitors(chance: Chance): Honest[] {
  const all: Honest[] = [];
  const add = (kind: Kind, address: string, fromSec: number, withinSec: number) => {
    const arrivesSec = Math.floor(fromSec + chance.between(0, withinSec));
    all.push({ kind, block: addressBlock(address) ?? address, key: `honest-${all.length}`, arrivesSec });
  };
  const home = (nth: number) => `20.${nth >> 16}.${(nth >> 8) & 255}.${nth & 255}`;
  for (let nth = 0; nth < 6_000; nth++) add("alone", home(nth), 0, prequeueSec - 60);
  for (let nth = 0; nth < 2_400; nth++) add("family", home(10_000 + Math.floor(nth / 4)), 0, prequeueSec - 60);
  for (const [at, school] of schools.entries()) {
    for (let nth = 0; nth < 300; nth++) add("school", school, 300 + 600 * at, 600);
  }
  for (const carrier of carriers) for (let nth = 0; nth < 200; nth++) add("carrier", carrier, 0, prequeueSec - 60);
  return all.sort((a, b) => a.arrivesSec - b.arrivesSec);
}

/** @param attacker null: there is none */
export function simulateAttack(
  seed: string,
  attacker: Attacker | null,
  { limit, check, isByKey }: Defence,
): AttackResult {
  const clock = createMovedClock();
  const chance = createChance(`${seed} attack`);
  const limits = createJoinLimits(clock);
  const limitOfRange = createLimitsOfRanges();
  const counts = Array.from({ length: gateways }, () => createBlockCounts(clock));
  const keys = createVisitorKeys(createKeyRing([{ kid: "k1", secret: new Uint8Array(32).fill(1) }]));
  const named = new Set<string>();
  const owners: ("honest" | "attacker")[] = [];
  const taken = { edition: 1, retryMs: 60_000 };
  let cpuSec = 0;

  /** Gives an entry, unless the person or the address has all of theirs. @param work called with the attempts that are asked for */
  function join(block: string, key: string | null, owner: "honest" | "attacker", work: (sec: number) => void) {
    if (isByKey) {
      // A key that has a place is shown it again.
      const [name = ""] = key === null ? [] : keys.namesOf({ digest: keys.digest("sale", "invitation", key) });
      if (name === "" || named.has(name)) return "no";
      named.add(name);
      owners.push(owner);
      return "yes";
    }
    const range = limit === null ? undefined : limitOfRange(limit, block);
    const counted = range?.limit === null ? null : block;
    const bound = limit && { ...limit, ...range?.limit };
    const count = counts[chance.below(gateways)];
    if (check !== null && count !== undefined) {
      const { times } = count.loadOf("sale", counted, check, bound);
      work((1 + chance.below(attemptsMax * times)) * attemptSec);
    }
    const over = limit === null ? null : limits.of("sale", limit, taken).take(block);
    if (over !== null) return over.why === "rate" ? "later" : "no";
    if (check !== null) count?.count("sale", counted, check, bound);
    owners.push(owner);
    return "yes";
  }

  const refused: Partial<Record<Kind, number>> = {};
  const workSec: number[] = [];
  const visitors = honestVisitors(createChance(`${seed} honest`));
  const used = new Set<string>();
  let [next, tries, entries, refusals] = [0, 0, 0, 0];

  const attack = (sec: number) => {
    if (attacker === null) return;
    for (let left = attacker.triesPerSec; left > 0 && entries < attacker.wants; left--) {
      if (cpuSec >= attacker.cores * (sec + 1) || used.size >= attacker.addresses || refusals >= refusalsMax) return;
      const address = attacker.addressOf(tries, chance);
      const identity = isByKey ? `attacker-${tries % attacker.identities}` : null;
      tries++;
      // It knows which of its addresses have all of theirs.
      if (used.has(address)) continue;
      cpuSec += attacker.trySec;
      const answer = join(addressBlock(address) ?? address, identity, "attacker", (work) => {
        cpuSec += work;
      });
      refusals = answer === "no" ? refusals + 1 : 0;
      if (answer === "yes") entries++;
      if (answer === "no" && !isByKey) used.add(address);
    }
  };

  for (let sec = 0; sec < prequeueSec; sec++) {
    attack(sec);
    for (let at = next; at < visitors.length && (visitors[at]?.arrivesSec ?? 0) <= sec; at = next) {
      next++;
      const { kind, block, key } = visitors[at] as Honest;
      const answer = join(block, key, "honest", (work) => workSec.push(work));
      if (answer !== "yes") refused[kind] = (refused[kind] ?? 0) + 1;
    }
    clock.advance(1_000);
  }
  const key = createHash("sha256").update(`${seed} draw`).digest();
  const placeAt = createPermutation(key, owners.length);
  const ofFirst = owners.filter((owner, entry) => owner === "attacker" && placeAt(entry) < first).length;
  return {
    entries,
    cpuSec,
    share: owners.length === 0 ? 0 : entries / owners.length,
    shareOfFirst: ofFirst / Math.min(first, owners.length),
    refused,
    workSec: workSec.sort((a, b) => a - b),
  };
}
