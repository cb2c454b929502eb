/** Who comes when. */
import type { Ticket } from "../../../src/room/tickets/ticket.ts";
import { type Surroundings, Visitor } from "./visitors.ts";
import { roomId } from "./world.ts";

/** Arrivals per minute at a moment. */
export type ArrivalRate = (nowMs: number) => number;

export const noArrivals: ArrivalRate = () => 0;

export function steady(perMinute: number): ArrivalRate {
  return () => perMinute;
}

/** So many within a short time, the most of them in the middle of it. */
export function flashCrowd(count: number, atMs: number, withinMs: number): ArrivalRate {
  return (nowMs) => {
    const share = (nowMs - atMs) / withinMs;
    // The area under sin² over the whole time is half of it.
    return share < 0 || share > 1 ? 0 : ((2 * count * 60_000) / withinMs) * Math.sin(Math.PI * share) ** 2;
  };
}

/** A day's tide around a mean. */
export function diurnal(meanPerMinute: number, swing: number, periodMs: number): ArrivalRate {
  return (nowMs) => meanPerMinute * (1 + swing * Math.sin((2 * Math.PI * nowMs) / periodMs));
}

export function together(...rates: readonly ArrivalRate[]): ArrivalRate {
  return (nowMs) => rates.reduce((sum, rate) => sum + rate(nowMs), 0);
}

export function between(fromMs: number, untilMs: number, rate: ArrivalRate): ArrivalRate {
  return (nowMs) => (nowMs >= fromMs && nowMs < untilMs ? rate(nowMs) : 0);
}

export interface ArrivalPlan {
  readonly rate: ArrivalRate;
  readonly untilMs: number;
  /** Arrivals of so long come at the same instant, and so in one batch for each process. */
  readonly sliceMs: number;
  /**
   * Positions are taken from the store in bulk, and only those who look become visitors: the absent cost nothing, so that
   * there may be millions. Needs a store that answers.
   */
  readonly isBulk: boolean;
}

/** Keeps them coming. Answers how many have come so far. */
export function startArrivals(sim: Surroundings, plan: ArrivalPlan): { readonly count: number } {
  const { queue, chance, time } = sim;
  let arrived = 0;
  let waitingForRoom = 0;

  async function slice(nowMs: number): Promise<void> {
    if (nowMs < plan.untilMs) queue.call(nowMs + plan.sliceMs, slice);
    const rate = plan.rate(nowMs);
    let count = rate > 0 ? chance.count((rate * plan.sliceMs) / 60_000) : 0;
    if (!sim.isOpen || count + waitingForRoom === 0) return;
    if (!plan.isBulk) {
      await arriveTogether(sim, count, arrived);
      arrived += count;
      return;
    }
    count += waitingForRoom;
    waitingForRoom = 0;
    while (count > 0) {
      const part = Math.min(10_000, count);
      // The room is not there yet, in the first seconds.
      if (!(await arriveInBulk(sim, part, arrived))) {
        waitingForRoom = count;
        return;
      }
      arrived += part;
      count -= part;
    }
  }

  queue.call(time.nowMs + plan.sliceMs, slice);
  return {
    get count() {
      return arrived;
    },
  };
}

/** Each by the way of the domain, all in one turn of the event loop. */
async function arriveTogether(sim: Surroundings, count: number, firstName: number): Promise<void> {
  const { chance, people, time } = sim;
  const visitors = Array.from({ length: count }, (_, index) => new Visitor(sim, firstName + index, null, true));
  for (const visitor of visitors) {
    if (chance.isTrue(people.impatientShare)) visitor.planToGiveUp(time.nowMs + chance.wait(people.patienceMeanMs));
  }
  await Promise.all(visitors.map((visitor) => visitor.arrive()));
  for (const visitor of visitors) {
    if (visitor.isWaiting && chance.isTrue(people.absentShare)) visitor.stayAway(lookAgainAt(sim));
  }
}

function lookAgainAt({ chance, people, time }: Surroundings): number | null {
  return chance.isTrue(people.lateShare) ? time.nowMs + chance.wait(people.lateMeanMs) : null;
}

async function arriveInBulk(sim: Surroundings, count: number, firstName: number): Promise<boolean> {
  const { chance, people, world } = sim;
  const gateway = world.pickGateway();
  const incarnation = gateway?.room.state?.incarnation;
  if (gateway === null || incarnation === undefined) return false;
  const outcome = await gateway.store.join(roomId, incarnation, count);
  if (outcome.result !== "ok") return false;
  const { edition, first, last, joinedMs } = outcome.value;
  for (let position = first; position <= last; position++) {
    const isAbsent = chance.isTrue(people.absentShare);
    const lookAtMs = isAbsent ? lookAgainAt(sim) : null;
    if (isAbsent && lookAtMs === null) continue;
    const name = firstName + position - first;
    const visitor = new Visitor(sim, name, ticketOf(name, edition, position, joinedMs), !isAbsent);
    if (isAbsent) visitor.stayAway(lookAtMs);
    else visitor.beginWithPlace(gateway);
  }
  return true;
}

function ticketOf(name: number, edition: number, position: number, joinedMs: number): Ticket {
  const sub = `${roomId}.${name.toString(36).padStart(22, "0")}`;
  return { room: roomId, sub, edition, position, joinedMs, requests: [], restarts: 0, claim: null };
}
