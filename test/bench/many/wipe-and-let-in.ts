/**
 * The store is emptied while two fifths of the line may enter, three fifths wait, and pages ask for the status; then all are let in. Every kept
 * ticket is asked for its place, and one in a thousand of the line enters, the first and the last among them.
 */
import { setTimeout as delay } from "node:timers/promises";
import { askAll } from "./ask-all.ts";
import { askPaced } from "./ask-paced.ts";
import { type Answer, requestOf } from "./connection.ts";
import type { joinAll } from "./join-all.ts";
import type { CrowdedRoom } from "./room.ts";
import { watchStatus } from "./status-watch.ts";

interface Place {
  readonly state: string;
  readonly position: number | null;
}

/** Of pages that ask meanwhile, straight. What asks for the places comes on top of them, as fast as it is answered. */
const pollsPerSecond = 10_000;
const pollSec = 20;

type Crowd = Pick<Awaited<ReturnType<typeof joinAll>>, "tickets" | "seen">;

export async function wipeAndLetIn({ gateway, redis, admin, host }: CrowdedRoom, count: number, crowd: Crowd) {
  const positions = [...crowd.tickets.keys()].sort((a, b) => a - b);
  const every = count / 1_000;
  const sample = positions.filter((position) => position === 1 || position % every === 0);
  const served = (count * 2) / 5;

  /** Asks of each of these places, and counts those of whom the answer is not what it should be. */
  async function wrongOf(of: readonly number[], method: "GET" | "POST", stateOf: (position: number) => string) {
    const path = method === "GET" ? "/rooms/line/tickets/me" : "/rooms/line/tickets/me/claim";
    let wrong = 0;
    const requests = (index: number) => {
      const authorization = `Bearer ${crowd.tickets.get(of[index] ?? 0)}`;
      return requestOf(method, host, path, { authorization });
    };
    await askAll(gateway.port, of.length, requests, ({ status, body }, index) => {
      const asked = of[index] ?? 0;
      const { state, position } = JSON.parse(body.toString("latin1")) as Place;
      if (status !== 200 || state !== stateOf(asked) || (position !== null && position !== asked)) wrong++;
    });
    return wrong;
  }

  let failedPolls = 0;
  const poll = {
    request: requestOf("GET", host, "/rooms/line/status", { "accept-encoding": "gzip" }),
    take: ({ status }: Answer) => void (status === 200 || failedPolls++),
  };
  const polling = askPaced(gateway.port, pollsPerSecond, pollSec, () => poll);
  const watch = watchStatus(gateway.origin);
  await admin.increment("line", served);
  await watch.until(({ serving }) => serving === served);
  // Half of the sample of those whose turn it is enter before the loss.
  const early = sample.filter((position) => position <= served / 2);
  const wrongBefore = await wrongOf(early, "POST", () => "admitted");
  // Two ticks, so that the process has heard of these admissions.
  await delay(2_500);

  const wipedMs = performance.now();
  await redis.command("FLUSHALL");
  await watch.until(({ availability }) => availability === "recovering");
  const readyMs = await watch.until(({ availability }) => availability === "ready");
  const stateOf = (position: number) => {
    if (position <= served / 2 && (position === 1 || position % every === 0)) return "admitted";
    return position <= served ? "served" : "waiting";
  };
  const askedMs = performance.now();
  const wrongPlaces = await wrongOf(positions, "GET", stateOf);
  const placesSec = (performance.now() - askedMs) / 1_000;
  const waiting = sample.filter((position) => position > served);
  const enteredEarly = await wrongOf(waiting, "POST", () => "waiting");

  const letInMs = performance.now();
  await admin.increment("line", 2 * count);
  let lastIsIn = false;
  while (!lastIsIn) {
    lastIsIn = (await wrongOf([count], "POST", () => "admitted")) === 0;
    if (performance.now() - letInMs > 60_000) throw new Error("the last one does not enter");
  }
  const lastMs = performance.now();
  const notAdmitted = await wrongOf(sample, "POST", () => "admitted");
  const sampleMs = performance.now();
  const polledMs = await polling;
  const newcomer = (await (await fetch(`${gateway.origin}/rooms/line/tickets`, { method: "POST" })).json()) as Place;
  return {
    recovered_sec: (readyMs - wipedMs) / 1_000,
    /** From the step that lets all in to the last one of the line. */
    last_enters_ms: lastMs - letInMs,
    /** Without the questions in between. */
    last_enters_after_wipe_sec: (readyMs - wipedMs + lastMs - letInMs) / 1_000,
    sample_enters_sec: (sampleMs - letInMs) / 1_000,
    polls: {
      per_second: pollsPerSecond,
      count: pollsPerSecond * pollSec,
      failures: failedPolls,
      /** From when each was due: a gateway that has more to do than it can is late. */
      p50_ms: polledMs[Math.floor(polledMs.length * 0.5)],
      p99_ms: polledMs[Math.floor(polledMs.length * 0.99)],
      most_ms: polledMs.at(-1),
    },
    sample: sample.length,
    places_asked: positions.length,
    places_asked_per_second: positions.length / placesSec,
    wrong: {
      before_the_wipe: wrongBefore,
      places_after_it: wrongPlaces,
      entered_early: enteredEarly,
      not_admitted: notAdmitted,
      /** A newcomer is behind everybody. */
      newcomer: (newcomer.position ?? 0) > count ? 0 : 1,
    },
    status: await watch.stop(),
  };
}
