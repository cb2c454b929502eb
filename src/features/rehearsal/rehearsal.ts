import { monitorEventLoopDelay } from "node:perf_hooks";
import type { VisitorPlan } from "./crowd-plan.ts";
import { Tally } from "./report/tally.ts";
import { leave, playVisitor } from "./visitor/player.ts";
import type { Way } from "./visitor/ways.ts";
import { createWeb } from "./visitor/web.ts";
import type { Visitor, World } from "./visitor/world.ts";

/** How many leave at once at the end, and for how long that may take. */
const leavingAtOnce = 64;
const leavingWithinMs = 60_000;
/** How often this process looks whether its timers are late: what it measures has that in it. */
const loopTickMs = 20;
/** Requests that are under way at the end are waited for: what they did counts at the gateways. */
const lastAnswersMs = 12_000;

export type Rehearsal = ReturnType<typeof startRehearsal>;

/** Plays the visitors. It ends when all have seen their last page, or after its time. */
export function startRehearsal(
  options: Pick<World, "stage" | "tokenRequest" | "stayMs" | "chance"> & {
    readonly way: Way;
    readonly plan: readonly VisitorPlan[];
    readonly minutes: number;
    readonly connections: number;
    /** Ends it early. */
    readonly stop: AbortSignal;
  },
) {
  const { plan, minutes, connections, stop } = options;
  const beganMs = performance.now();
  const nowMs = () => performance.now() - beganMs;
  const web = createWeb(connections);
  const tally = new Tally();
  const sleepers = createSleepers();
  const loopDelay = monitorEventLoopDelay({ resolution: loopTickMs });
  loopDelay.enable();
  const crowd: Visitor[] = [];
  let phase = "open";
  let isOver = stop.aborted;
  const end = () => {
    isOver = true;
    sleepers.wakeAll();
  };
  stop.addEventListener("abort", end);
  const timer = setTimeout(end, minutes * 60_000);
  const world: World = {
    ...options,
    web,
    tally,
    nowMs,
    hasLine: () => phase !== "passthrough" && phase !== "idle",
    sleep: sleepers.sleep,
    isOver: () => isOver,
  };

  return {
    tally,
    nowMs,
    /** How long requests waited for this command, and how late its own timers were: milliseconds. */
    commandDelays: () => ({
      queuedMs: web.queuedMs.percentile(0.99),
      loopMs: Math.max(0, loopDelay.percentile(99) / 1e6 - loopTickMs),
    }),
    waiting: () =>
      crowd.filter(
        ({ hasJoined, isAdmitted, hasGivenUp, hasLeft }) => hasJoined && !isAdmitted && !hasGivenUp && !hasLeft,
      ).length,
    isOver: () => isOver,
    /** Told by who looks at the room. */
    inPhase(roomPhase: string): void {
      phase = roomPhase;
    },

    async play(): Promise<void> {
      const visits: Promise<void>[] = [];
      for (const visitor of plan) {
        const restMs = visitor.arrivesMs - nowMs();
        if (restMs > 0) await sleepers.sleep(restMs);
        if (isOver) break;
        visits.push(playVisitor(visitor, world, crowd));
      }
      const all = Promise.all(visits);
      await Promise.race([all, sleepers.over]);
      end();
      clearTimeout(timer);
      stop.removeEventListener("abort", end);
      await Promise.race([all, pause(lastAnswersMs)]);
      web.cut();
      await all;
      loopDelay.disable();
    },

    /** Gives up the places that are left, and ends the visits, so that no ghosts stand in the line. @param cut ends that, too */
    async leaveAll(cut: AbortSignal): Promise<number> {
      const endMs = nowMs() + leavingWithinMs;
      const left = crowd.filter(({ hasJoined, hasLeft, isAdmitted }) => (hasJoined || isAdmitted) && !hasLeft);
      const queue = left.values();
      const leaveOne = async () => {
        for (const visitor of queue) {
          if (cut.aborted || nowMs() > endMs) return;
          if (await leave(visitor, world)) tally.left++;
        }
      };
      await Promise.all(Array.from({ length: leavingAtOnce }, leaveOne));
      web.close();
      return left.length - tally.left;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** Timers of a whole crowd that end together, without a listener for each. */
function createSleepers() {
  const asleep = new Map<NodeJS.Timeout, () => void>();
  let isOver = false;
  let tellOver: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    tellOver = resolve;
  });
  return {
    /** Resolves when all were woken. */
    over,
    sleep(ms: number): Promise<void> {
      if (isOver) return Promise.resolve();
      return new Promise((resolve) => {
        // A longer time would be none (2^31 ms), and no rehearsal has it.
        const timer = setTimeout(
          () => {
            asleep.delete(timer);
            resolve();
          },
          Math.min(Math.max(0, ms), 86_400_000),
        );
        asleep.set(timer, resolve);
      });
    },
    wakeAll(): void {
      isOver = true;
      for (const [timer, wake] of asleep) {
        clearTimeout(timer);
        wake();
      }
      asleep.clear();
      tellOver();
    },
  };
}
