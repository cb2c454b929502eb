/** What charts show of the recorded figures. */
import { describe, expect, it } from "vitest";
import { beginOf, chartsOf } from "../../../../src/operate/console/charts/chart-data.ts";

type Given = Parameters<typeof chartsOf>[0];
const admitted = (queue: number | null) => ({ queue, bypass: queue && 0, without_line: queue && 0 });
const refused = { too_many_from_address: 0, too_many_entries: 0, network_refused: 0 };
const step = (at: string, changes: object = {}) => ({
  at,
  recorded_seconds: 10,
  complete: true,
  loss: false,
  arrivals: 5,
  admitted: admitted(2),
  no_shows: 1,
  waiting: 7,
  absent: 3,
  live: 4,
  limit_per_minute: 12,
  site_latency_ms: null,
  site_error_rate: null,
  refused,
  ...changes,
});
const told = (steps: object[]) => ({ room: "a", from: "", to: "", step_seconds: 10, steps }) as unknown as Given;

const seriesOf = (given: Given, maxActive: number | null = null) =>
  Object.fromEntries(
    chartsOf(given, maxActive).charts.flatMap(({ series }) => series.map(({ title, values }) => [title.en, values])),
  );

describe("charts", () => {
  it("show counts as rates, and what is measured as it is", () => {
    const given = told([step("2027-03-01T10:00:00Z"), step("2027-03-01T10:00:10Z", { arrivals: 0 })]);
    expect(chartsOf(given, null).seconds).toEqual([1_803_895_200, 1_803_895_210]);
    expect(seriesOf(given)).toMatchObject({
      "arrivals a minute": [30, 0],
      "admissions a minute": [12, 12],
      limit: [12, 12],
      waiting: [7, 7],
      "did not come": [1, 1],
    });
  });

  it("show a gap where nothing is known, and where a step has hardly begun", () => {
    const given = told([
      step("2027-03-01T10:00:00Z", { arrivals: null, admitted: admitted(null), waiting: null }),
      step("2027-03-01T10:00:10Z", { recorded_seconds: 4 }),
      step("2027-03-01T10:00:20Z", { recorded_seconds: 5 }),
    ]);
    expect(seriesOf(given)).toMatchObject({
      "arrivals a minute": [null, null, 60],
      "admissions a minute": [null, null, 24],
      waiting: [null, 7, 7],
    });
  });

  it("begin where something is known, and show nothing where nothing is", () => {
    const unknown = { arrivals: null, admitted: admitted(null), waiting: null, live: null };
    const given = told([
      step("2027-03-01T09:59:50Z", unknown),
      step("2027-03-01T10:00:00Z"),
      step("2027-03-01T10:00:10Z", unknown),
    ]);
    expect(chartsOf(given, null).seconds).toEqual([1_803_895_200, 1_803_895_210]);
    expect(seriesOf(given).waiting).toEqual([7, null]);
    expect(chartsOf(told([step("2027-03-01T10:00:00Z", unknown)]), null).seconds).toEqual([]);
  });

  it("tell of the sale first: who waits, and by an axis of its own who enters", () => {
    const [sale] = chartsOf(told([step("2027-03-01T10:00:00Z")]), null).charts;
    expect(sale?.series.map(({ title, isOnRight = false }) => [title.en, isOnRight])).toEqual([
      ["waiting", false],
      ["admissions a minute", true],
    ]);
  });

  it("have a bound of those inside, and the site's latency and errors, only where there are any", () => {
    const given = told([step("2027-03-01T10:00:00Z")]);
    expect(Object.keys(seriesOf(given))).not.toContain("at most");
    expect(Object.keys(seriesOf(given))).not.toContain("milliseconds");
    expect(seriesOf(given, 9)["at most"]).toEqual([9]);
    expect(Object.keys(seriesOf(given))).not.toContain("percent of its answers");
    expect(seriesOf(told([step("2027-03-01T10:00:00Z", { site_latency_ms: 80 })])).milliseconds).toEqual([80]);
    expect(
      seriesOf(told([step("2027-03-01T10:00:00Z", { site_error_rate: 0.0312 })]))["percent of its answers"],
    ).toEqual([3.12]);
  });

  it("say who was refused a place, and why, only where somebody was", () => {
    expect(Object.keys(seriesOf(told([step("2027-03-01T10:00:00Z")])))).not.toContain(
      "too many from the address just now",
    );
    const given = told([step("2027-03-01T10:00:00Z", { refused: { ...refused, network_refused: 20 } })]);
    expect(seriesOf(given)).toMatchObject({
      "too many from the address just now": [0],
      "by a rule for addresses": [120],
    });
  });

  it("begin with the sale where its schedule says so, else a day ago, and never before what is kept", () => {
    const nowMs = Date.parse("2027-03-01T10:00:00Z");
    const begin = (...scheduled: (string | null)[]) => new Date(beginOf("sale", scheduled, nowMs)).toISOString();
    expect(begin("2027-03-01T08:00:00Z", "2027-03-01T09:00:00Z")).toBe("2027-03-01T08:00:00.000Z");
    expect(begin(null, "2027-03-01T11:00:00Z")).toBe("2027-02-28T10:00:00.000Z");
    expect(begin("2020-01-01T00:00:00Z")).toBe("2026-12-02T10:00:00.000Z");
    expect(beginOf("15m", [], nowMs)).toBe(nowMs - 900_000);
  });
});
