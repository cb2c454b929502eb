import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { createMetricsSum } from "../../../../src/app/cluster/metrics.ts";

/** Of a worker that has given out so many positions. */
function reportOf({ joins, queued, isReady = true }: { joins: number; queued: number; isReady?: boolean }) {
  const registry = new Registry();
  const registers = [registry];
  const help = "what it is";
  new Counter({ name: "joins", help, labelNames: ["room"], registers }).inc({ room: "a" }, joins);
  new Counter({ name: "of_store", help, registers, aggregator: "max" }).inc(queued);
  new Gauge({ name: "queued", help, registers, aggregator: "max" }).set(queued);
  new Gauge({ name: "ready", help, registers, aggregator: "min" }).set(Number(isReady));
  new Gauge({ name: "workers", help, registers, aggregator: "sum" }).set(1);
  const seconds = new Histogram({ name: "seconds", help, buckets: [1], registers });
  for (let join = 0; join < joins; join++) seconds.observe(0.5);
  return registry.getMetricsAsJSON();
}

const valuesIn = (text: string) =>
  Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.replace(/ \S+$/, ""), Number(line.split(" ").at(-1))]),
  );

test("counts of workers are added up, what all know is told once", async () => {
  const sum = createMetricsSum<number>();
  sum.note(1, await reportOf({ joins: 3, queued: 7 }));
  sum.note(2, await reportOf({ joins: 4, queued: 6, isReady: false }));
  expect(valuesIn(await sum.text())).toEqual({
    'joins{room="a"}': 7,
    of_store: 7,
    queued: 7,
    ready: 0,
    workers: 2,
    'seconds_bucket{le="1"}': 7,
    'seconds_bucket{le="+Inf"}': 7,
    seconds_sum: 3.5,
    seconds_count: 7,
  });
});

test("what a worker has counted that has ended stays in the sum, and what it was does not", async () => {
  const sum = createMetricsSum<number>();
  for (const worker of [1, 2, 3]) {
    sum.note(worker, await reportOf({ joins: 5, queued: 100 }));
    sum.drop(worker);
  }
  sum.drop(4);
  sum.note(5, await reportOf({ joins: 1, queued: 16 }));
  expect(valuesIn(await sum.text())).toMatchObject({
    'joins{room="a"}': 16,
    of_store: 16,
    queued: 16,
    workers: 1,
    seconds_count: 16,
    'seconds_bucket{le="1"}': 16,
  });
});
