/**
 * `npm run trace`
 * Goal: the inlet `adaptive` holds a real site within 20 % of its latency target, when the site has lost half of its capacity, too,
 * and comes back when it has it again.
 * Method: for six and a half minutes, a real server that slows down with its load; two gateways on one Redis, which probe it; visitors
 * who come in when it is their turn, and ask it for pages until they leave. What they wait for a page is measured, checked, and drawn
 * into docs/images/flow-adaptive.svg. Not among the tests: on a machine that stands still for a second, so does the site.
 */
import { strict as assert } from "node:assert";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { draw } from "../simulation/figure.ts";
import type { SeriesPoint } from "../simulation/series.ts";
import { type Trace, traceSite } from "./trace.ts";
import { startAdaptiveWorld } from "./world.ts";

const second = 1_000;
const targetMs = 500;
const room = "shop";
const halfFromMs = 150 * second;
const halfUntilMs = 270 * second;
const untilMs = 390 * second;

const world = await startAdaptiveWorld(room, {
  outflow_per_minute: 900,
  latency_ms: targetMs,
  decide_every: "2s",
});
try {
  const trace = await traceSite(world.http, world.origins, world.site, {
    room,
    people: 2_600,
    visitMs: 20 * second,
    thinkMs: 1_500,
    steps: [
      { atMs: 0, workers: 6 },
      { atMs: halfFromMs, workers: 3 },
      { atMs: halfUntilMs, workers: 6 },
    ],
    untilMs,
    sampleMs: second,
  });
  const file = fileURLToPath(new URL("../../../docs/images/flow-adaptive.svg", import.meta.url));
  writeFileSync(file, figureOf(trace));
  const [whole, half, again] = [
    [90, 150],
    [200, 270],
    [320, 390],
  ].map(([from = 0, to = 0]) => {
    const latencyMs = Math.round(trace.latency(from * second, to * second));
    const perMinute = Math.round(trace.admitted(from * second, to * second));
    process.stdout.write(`${from} s to ${to} s: ${latencyMs} ms, ${perMinute} a minute\n`);
    assert(Math.abs(latencyMs - targetMs) <= 0.2 * targetMs, `not within 20 % of ${targetMs} ms`);
    return { perMinute };
  });
  assert(whole !== undefined && half !== undefined && again !== undefined);
  // By fewer visitors, and not by keeping all of them out.
  assert(half.perMinute > 0.3 * whole.perMinute && half.perMinute < 0.8 * whole.perMinute);
  assert(again.perMinute > 1.3 * half.perMinute, "has not recovered");
} finally {
  await world.stop();
}

function figureOf(trace: Trace): string {
  const points = trace.samples.map(({ atMs, workers }): SeriesPoint => {
    // Where the site has lost half of its capacity the ground is coloured.
    const phase = workers === 6 ? "open" : "paused";
    return { atMs, joined: 0, admitted: 0, waiting: 0, live: 0, limitPerMinute: null, maxActive: null, phase };
  });
  return draw(points, {
    title: "A site that loses half of its capacity for two minutes",
    description:
      "What a page takes visitors, against the target, and the rate at which the inlet adaptive lets them in, over six and a half minutes before a real server that slows down with its load.",
    upperLabel: "a page takes, ms (median of five seconds)",
    upperMost: 1_500,
    lowerLabel: "rate, visitors per minute",
    lines: [
      {
        label: "a page takes",
        kind: "outflow",
        value: (all, index) => orNull(trace.latency((all[index]?.atMs ?? 0) - 5 * second, all[index]?.atMs ?? 0)),
      },
      { label: "target", kind: "limit", value: () => targetMs },
    ],
    lowerLines: [
      { label: "rate", kind: "waiting", value: (_, index) => orNull(trace.samples[index]?.rate ?? Number.NaN) },
    ],
  });
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
