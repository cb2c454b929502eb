import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReport } from "../../../../src/features/report/shared/create-report.ts";
import { GatheredLog } from "../../../../src/features/report/shared/gathered.ts";
import { reportHtml } from "../../../../src/features/report/shared/html.ts";
import {
  largestWindow,
  orderPreserved,
  outflowBins,
  quantilesOf,
  windowsOverLimit,
} from "../../../../src/features/report/shared/statistics.ts";
import { LogVerifier } from "../../../../src/room/admission-log/index.ts";
import { counts, MadeLog, startMs } from "../../../unit/room/admission-log/made-log.ts";

const at = (ms: number) => new Date(startMs + ms).toISOString();
const of = (...values: number[]) => Float64Array.from(values);

function reportOf(log: MadeLog, edition: number | null = null) {
  const verifier = new LogVerifier();
  const gathered = new GatheredLog();
  for (const text of log.lines) {
    const line = verifier.take(text);
    if (line !== null) gathered.take(line);
  }
  const report = createReport(gathered, verifier.result(), edition);
  if (report === null) throw new Error("no report");
  return report;
}

describe("order kept", () => {
  it.each([
    ["in order", of(1, 2, 3, 4), 0, 1],
    ["the other way round", of(4, 3, 2, 1), 6, -1],
    // 2 before 1, 5 before 3 and 4: of ten pairs three are inverted, so (7 - 3) / 10.
    ["mixed", of(2, 1, 5, 3, 4), 3, 0.4],
  ])("is what one reckons by hand: %s", (_name, positions, inversions, tau) => {
    const order = orderPreserved(positions);
    expect(order.inversions).toBe(inversions);
    expect(order.kendall_tau).toBeCloseTo(tau, 12);
  });

  it("counts pairs of one position neither way (tau-b)", () => {
    // Pairs: (1,3) (1,2) (1,2) in order, (3,2) (3,2) inverted, (2,2) tied: (3 - 2) / sqrt(6 × 5).
    const order = orderPreserved(of(1, 3, 2, 2));
    expect(order).toMatchObject({ inversions: 2, pairs: 6, ties: 1 });
    expect(order.kendall_tau).toBeCloseTo(1 / Math.sqrt(30), 12);
  });

  it("tells by how many ranks people came in early or late", () => {
    // By position: 1 is at rank 1 (admitted as 2nd), 2 (1st), 3 (4th), 4 (5th), 5 (3rd).
    expect(orderPreserved(of(2, 1, 5, 3, 4)).displacement).toMatchObject({ p50: 1, max: 2, count: 5 });
  });

  it("is not told of fewer than two", () => {
    expect(orderPreserved(of()).kendall_tau).toBeNull();
    expect(orderPreserved(of(7)).kendall_tau).toBeNull();
  });

  it("counts as one would pair by pair, whatever the order", () => {
    const slowly = (values: readonly number[]) =>
      values.reduce((sum, a, i) => sum + values.slice(i + 1).filter((b) => a > b).length, 0);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 }), (values) => {
        const positions = Float64Array.from(values);
        expect(orderPreserved(positions).inversions).toBe(slowly(values));
        expect([...positions]).toEqual(values);
      }),
    );
  });
});

describe("quantiles", () => {
  it("are by nearest rank", () => {
    const hundred = Float64Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(quantilesOf(hundred)).toEqual({ count: 100, p50: 50, p90: 90, p99: 99, max: 100, mean: 50.5 });
    expect(quantilesOf(of(3))).toMatchObject({ p50: 3, p99: 3 });
    expect(quantilesOf(of())).toBeNull();
  });
});

describe("outflow", () => {
  it("finds the 60 seconds with the most admissions", () => {
    expect(largestWindow(of(0, 10_000, 59_999, 60_000, 65_000))).toEqual({ admissions: 4, fromMs: 10_000 });
    expect(largestWindow(of(0, 60_000, 120_000))).toEqual({ admissions: 1, fromMs: 0 });
    expect(largestWindow(of())).toBeNull();
  });

  it("compares each with the highest limit in force in it", () => {
    const times = of(0, 1_000, 2_000, 3_000, 70_000, 71_000);
    expect(windowsOverLimit(times, of(4, 4, 4, 4, 1, 1))).toBe(1);
    expect(windowsOverLimit(times, of(4, 4, 1, 1, 2, 2))).toBe(0);
    expect(windowsOverLimit(times, of(2, 2, 2, 2, 2, 2))).toBe(2);
    expect(
      windowsOverLimit(
        times,
        times.map(() => Number.POSITIVE_INFINITY),
      ),
    ).toBe(0);
  });

  it("is told by the minute, or by as many minutes as make 120 of them", () => {
    const bins = outflowBins(of(startMs + 5_000, startMs + 61_000, startMs + 62_000), () => [60]);
    expect(bins).toEqual([
      { fromMs: startMs, minutes: 1, admissions: 1, limit: 60 },
      { fromMs: startMs + 60_000, minutes: 1, admissions: 2, limit: 60 },
    ]);
    const day = outflowBins(of(startMs, startMs + 86_400_000), () => [null, 60]);
    expect(day.length).toBeLessThanOrEqual(120);
    expect(day.reduce((sum, { admissions }) => sum + admissions, 0)).toBe(2);
    expect(day[0]?.limit).toBeNull();
  });
});

describe("the report", () => {
  /** An event of five admissions by the line, one by a bypass link, one pause; then a reset, and another edition. */
  function anEvent(): MadeLog {
    return new MadeLog()
      .add({ kind: "begin", life: "life" })
      .state(3, 0, { counts: counts({ joined: 100, no_shows: 4, left: 1 }) })
      .admission(2, 1_000, 1_000)
      .admission(1, 2_000, 2_000)
      .admission(null, 3_000, null, "bypass")
      .state(3, 10_000, { phase: "paused", phase_reason: "operator" })
      .state(null, 40_000)
      .add({ kind: "increment", by: 5, serving: 5 }, 41_000)
      .admission(5, 130_000, 3_000)
      .admission(3, 131_000, 4_000)
      .admission(4, 132_000, 60_000)
      .state(60, 200_000, { edition: 8, counts: counts({ joined: 110, no_shows: 6, left: 2 }) })
      .admission(1, 201_000, 5_000, "queue", 8);
  }

  it("tells of one edition what its rows say", () => {
    const { json, waitBins } = reportOf(anEvent(), 7);
    expect(json).toMatchObject({
      room: "tickets",
      admissions: { total: 6, via: { queue: 5, bypass: 1 } },
      order: { admissions: 5, inversions: 3 },
      wait_ms: { count: 5, p50: 3_000, max: 60_000 },
      counts: { joined: 10, no_shows: 2, left: 1 },
      outflow: { largest_60_seconds: 3, windows_over_limit: 0 },
      increments: { steps: 1, places: 5 },
      editions: [
        { edition: 7, admissions: 6 },
        { edition: 8, admissions: 1 },
      ],
      interruptions: [{ kind: "paused", reason: "operator", from: at(10_000), to: at(40_000) }],
    });
    expect(json.outflow.bins.map(({ admissions, outflow_per_minute }) => [admissions, outflow_per_minute])).toEqual([
      [3, null],
      [0, null],
      [3, null],
    ]);
    expect(waitBins.reduce((sum, { admissions }) => sum + admissions, 0)).toBe(5);
  });

  it("speaks of one step as of one, and has numbers under their headings and points to be seen", () => {
    const html = reportHtml(reportOf(anEvent(), 7));
    expect(html).toContain("An operator moved the line by hand once, by 5 places in all.");
    expect(html).toContain('<th scope="col">Way in</th><th scope="col" class="number">Admissions</th>');
    expect(html.match(/<circle [^>]*r="4"/g)).toHaveLength(5);
  });

  it("is of the last edition with admissions where none is named, and of none that there is not", () => {
    expect(reportOf(anEvent().state(60, 300_000, { edition: 9 })).json.edition).toBe(8);
    expect(() => reportOf(anEvent(), 6)).toThrow("no report");
  });

  it("says when the limit was exceeded", () => {
    const log = new MadeLog().state(2);
    for (let i = 1; i <= 4; i++) log.admission(i, i * 1_000);
    const report = reportOf(log);
    expect(report.json.outflow.windows_over_limit).toBe(2);
    expect(reportHtml(report)).toContain("The limit in force was exceeded in 2 of the 60 seconds");
  });

  it("is one page that loads and runs nothing, with a table beside each figure, and escapes what it tells", () => {
    const log = new MadeLog("<b>x</b>").state(60);
    for (let i = 1; i <= 50; i++) log.admission(i, i * 5_000, i * 700, i === 50 ? "<img>" : "queue");
    const html = reportHtml(reportOf(log));
    expect(html).not.toMatch(/<script|<link|<img|https?:\/\/|url\(|<b>/);
    expect(html.match(/<svg[^>]*role="img" aria-labelledby="[\w-]+"><title/g)).toHaveLength(3);
    expect(html.match(/<caption>/g)?.length).toBeGreaterThanOrEqual(4);
    expect(html).toContain("prefers-color-scheme: dark");
    expect(html).toContain("@media print");
    expect(html).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("tells a broken chain and losses for what they are", () => {
    const log = new MadeLog().state(60).admission(1, 1_000).admission(2, 2_000);
    log
      .add({ kind: "recovery", heard: 9, after: null, counts: counts() }, 60_000, 100_010)
      .state(60, 61_000)
      .admission(20, 70_000);
    const whole = reportOf(log);
    expect(whole.json.recoveries).toEqual([{ at: at(60_000), heard: 9 }]);
    expect(reportHtml(whole)).toContain("Of rows that were known to exist 6 are missing");
    expect(reportHtml(whole)).toContain("The chain of hashes holds over all 6 rows");
    log.lines.splice(2, 1);
    const broken = reportOf(log);
    expect(reportHtml(broken)).toContain("the chain of hashes breaks at line 3");
    expect(broken.json).toMatchObject({
      log: { chain: "broken", fault: { line: 3 } },
      admissions: { total: 2 },
    });
  });

  it("knows of a loss before the first row that is left", () => {
    const log = new MadeLog("tickets", { seq: 8, hash: "ab".repeat(32) });
    const after = { seq: 8, hash: "ab".repeat(32) };
    log.add({ kind: "recovery", heard: 9, after, counts: counts() }, 0, 100_010).state(60, 1_000).admission(20, 2_000);
    const report = reportOf(log);
    expect(report.json.recoveries).toHaveLength(1);
    expect(reportHtml(report)).toContain("Of rows that were known to exist 1 are missing");
  });

  it("is JSON without holes for programs", () => {
    const json = JSON.parse(JSON.stringify(reportOf(anEvent(), 7).json));
    expect(json).toMatchObject({
      from: "2031-05-10T09:00:01.000Z",
      log: { chain: "holds", rows: 13, missing: [] },
      order: { inversions: 3, kendall_tau: 0.4 },
      wait_ms: { p50: 3_000, p90: 60_000 },
      outflow: { largest_60_seconds: 3, windows_over_limit: 0 },
      interruptions: [{ kind: "paused", reason: "operator" }],
    });
  });

  it("has something to say where nobody was admitted", () => {
    const html = reportHtml(reportOf(new MadeLog().state(null)));
    expect(html).toContain("Nobody was admitted");
    expect(html).not.toMatch(/NaN|undefined|Infinity/);
  });
});
