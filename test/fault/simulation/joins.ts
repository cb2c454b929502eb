/**
 * What a flood of joins costs real visitors, with and without the limit per address, in simulated time: the real buckets, one for
 * each of two gateways; pages that come again as the real one does; and a line that lets in so many a minute, in the order of its
 * places. The flood's places are all used, which is the worst that it can do to those behind it.
 */

import { AddressBuckets, type RoomBuckets } from "../../../src/lib/address-buckets.ts";
import type { JoinRate } from "../../../src/store/contract/room-store.ts";
import { createMovedClock } from "../../support/moved-clock.ts";
import { type Chance, createChance } from "./chance.ts";

export interface Flood {
  readonly addresses: number;
  /** Of each address. */
  readonly joinsPerSec: number;
}

export interface JoinsPlan {
  readonly seed: string;
  readonly flood: Flood | null;
  readonly limit: JoinRate | null;
  /** How long real visitors come, at 1,000 a minute. */
  readonly minutes: number;
  readonly floodFromMinute: number;
  readonly floodMinutes: number;
}

export interface RealVisitor {
  readonly isOfOffice: boolean;
  readonly arrivesMs: number;
  /** Until the limit gave way. */
  delayMs: number;
  /** From arriving to the turn. */
  waitMs: number;
}

export interface JoinsResult {
  /** In the order of arrival; the same for the same seed and minutes, whatever the flood and the limit. */
  readonly visitors: readonly RealVisitor[];
  readonly floodJoins: number;
  readonly floodPlaces: number;
  /** Places that were taken while the flood lasted, the flood's among them. */
  readonly placesMeanwhile: number;
}

export const office = { people: 300, fromMs: 180_000, withinMs: 60_000 };
export const gateways = 2;
export const visitorsPerMinute = 1_000;
export const outflowPerMinute = 1_200;
const households = 5_000;
const sliceMs = 100;

/** A visitor on the way in. */
interface Coming {
  readonly visitor: RealVisitor;
  readonly address: string;
  tries: number;
}

export function simulateJoins(plan: JoinsPlan): JoinsResult {
  const clock = createMovedClock();
  const startMs = clock.now();
  const chance = createChance(plan.seed);
  const comings = arrivals(plan, createChance(`${plan.seed} arrivals`));
  const doors = Array.from({ length: gateways }, () => (plan.limit === null ? open : bucketsOf(plan.limit, clock)));
  const floodFromMs = plan.floodFromMinute * 60_000;
  const floodUntilMs = floodFromMs + plan.floodMinutes * 60_000;
  const flooders = Array.from({ length: plan.flood?.addresses ?? 0 }, (_, index) => `flood-${index}`);
  const perSlice = Math.round(((plan.flood?.joinsPerSec ?? 0) * sliceMs) / 1_000);
  const agenda = new Map<number, Coming[]>();
  const stepMs = 60_000 / outflowPerMinute;
  let nextTurnMs = 0;
  let [floodJoins, floodPlaces, placesMeanwhile, outside] = [0, 0, 0, comings.length];

  const planAt = (coming: Coming, atMs: number) => {
    const slice = Math.floor(atMs / sliceMs);
    const others = agenda.get(slice);
    if (others === undefined) agenda.set(slice, [coming]);
    else others.push(coming);
  };
  /** The turn of the next place. */
  const takePlace = (nowMs: number): number => {
    if (nowMs >= floodFromMs && nowMs < floodUntilMs) placesMeanwhile++;
    const turnMs = Math.max(nextTurnMs, nowMs);
    nextTurnMs = turnMs + stepMs;
    return turnMs;
  };
  const ask = (address: string) => (doors[chance.below(gateways)] ?? open).take(address);

  const flood = (nowMs: number, joins: number) => {
    for (let join = 0; join < joins; join++) {
      const address = flooders[floodJoins++ % flooders.length] ?? "";
      if (ask(address) > 0) continue;
      floodPlaces++;
      takePlace(nowMs);
    }
  };

  for (const coming of comings) planAt(coming, coming.visitor.arrivesMs);
  for (let nowMs = 0; outside > 0; nowMs += sliceMs) {
    clock.advance(startMs + nowMs - clock.now());
    const slice = Math.floor(nowMs / sliceMs);
    const due = agenda.get(slice) ?? [];
    agenda.delete(slice);
    const isFlooded = nowMs >= floodFromMs && nowMs < floodUntilMs;
    let ahead = isFlooded ? perSlice * flooders.length : 0;
    for (const [index, coming] of due.entries()) {
      // Wherever they stand among those of the same tenth of a second.
      const before = Math.round((ahead / (due.length - index + 1)) * 2 * chance.fraction());
      const joins = Math.min(ahead, before);
      flood(nowMs, joins);
      ahead -= joins;
      const { visitor } = coming;
      const waitMs = ask(coming.address);
      if (waitMs > 0) {
        planAt(coming, nowMs + comeAgainMs(waitMs, coming.tries++, chance));
        continue;
      }
      outside--;
      visitor.delayMs = coming.tries === 0 ? 0 : nowMs - visitor.arrivesMs;
      visitor.waitMs = Math.max(0, takePlace(nowMs) - visitor.arrivesMs);
    }
    flood(nowMs, ahead);
  }
  return { visitors: comings.map(({ visitor }) => visitor), floodJoins, floodPlaces, placesMeanwhile };
}

const open: JoinBucket = { take: () => 0, refund() {} };

type JoinBucket = Pick<RoomBuckets, "take" | "refund">;

function bucketsOf(limit: JoinRate, clock: ReturnType<typeof createMovedClock>): JoinBucket {
  return new AddressBuckets(clock).of("tickets", limit);
}

/** src/web/visitor/pages/gate-notices.ts, src/web/browser/notice.ts and entry.ts: five seconds at least, ± 30 %, then ever more slowly. */
function comeAgainMs(toldMs: number, tries: number, chance: Chance): number {
  const pageMs = Math.max(5_000, toldMs) * (0.7 + 0.6 * chance.fraction());
  return Math.max(sliceMs, pageMs, Math.min(30_000, 1_000 * 2 ** tries));
}

function arrivals({ minutes }: JoinsPlan, chance: Chance): Coming[] {
  const comings: Coming[] = [];
  const add = (arrivesMs: number, isOfOffice: boolean, address: string) => {
    comings.push({ visitor: { isOfOffice, arrivesMs, delayMs: 0, waitMs: 0 }, address, tries: 0 });
  };
  for (let visitor = 0; visitor < minutes * visitorsPerMinute; visitor++) {
    add(chance.between(0, minutes * 60_000), false, `home-${chance.below(households)}`);
  }
  for (let colleague = 0; colleague < office.people; colleague++) {
    add(office.fromMs + chance.between(0, office.withinMs), true, "office");
  }
  return comings.sort((a, b) => a.visitor.arrivesMs - b.visitor.arrivesMs);
}
