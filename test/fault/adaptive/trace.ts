/** A site that slows down with its load behind a room whose inlet is `adaptive`, watched while its capacity changes. */
import { setTimeout as delay } from "node:timers/promises";
import type { HttpClient } from "../../support/http-client.ts";
import type { LoadedSite } from "../../support/loaded-site.ts";
import { startVisits } from "./visits.ts";

/** From each time on, in milliseconds since the beginning, so many workers. */
export interface Step {
  readonly atMs: number;
  readonly workers: number;
}

export interface TracePlan {
  readonly room: string;
  readonly people: number;
  readonly visitMs: number;
  readonly thinkMs: number;
  readonly steps: readonly Step[];
  readonly untilMs: number;
  readonly sampleMs: number;
}

export interface Sample {
  readonly atMs: number;
  readonly workers: number;
  readonly rate: number;
  readonly reason: string;
}

export interface Trace {
  readonly samples: readonly Sample[];
  /** What a page took its visitor, the median of this time since the beginning, in milliseconds; NaN where nobody was answered. */
  latency(fromMs: number, toMs: number): number;
  /** Admissions per minute in this time. */
  admitted(fromMs: number, toMs: number): number;
}

export async function traceSite(
  http: HttpClient,
  origins: readonly string[],
  site: LoadedSite,
  { room, people, visitMs, thinkMs, steps, untilMs, sampleMs }: TracePlan,
): Promise<Trace> {
  site.workers = steps[0]?.workers ?? site.workers;
  const visits = await startVisits({ http, origins, room, siteUrl: site.url, people, visitMs, thinkMs });
  const startMs = performance.now();
  const samples: Sample[] = [];
  for (let atMs = 0; atMs < untilMs; atMs += sampleMs) {
    await delay(Math.max(0, startMs + atMs - performance.now()));
    site.workers = steps.findLast((step) => step.atMs <= atMs)?.workers ?? site.workers;
    const { rate_per_minute: rate = Number.NaN, reason = "" } = visits.status().adaptive ?? {};
    samples.push({ atMs, workers: site.workers, rate, reason });
  }
  await visits.stop();
  return {
    samples,
    latency(fromMs, toMs) {
      const took = visits.pages.flatMap(({ atMs, tookMs }) =>
        atMs - startMs >= fromMs && atMs - startMs < toMs ? [tookMs] : [],
      );
      return took.sort((a, b) => a - b)[Math.floor(took.length / 2)] ?? Number.NaN;
    },
    admitted(fromMs, toMs) {
      const count = visits.entries.filter((atMs) => atMs - startMs >= fromMs && atMs - startMs < toMs).length;
      return (count * 60_000) / (toMs - fromMs);
    },
  };
}
