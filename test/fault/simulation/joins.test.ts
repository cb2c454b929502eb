/**
 * Goal: a flood of joins from one address costs real visitors little, nobody but the flood is turned away by the limit as it is
 * unless set otherwise, and the docs say how it is. Method: ten minutes in simulated time, with the real buckets (joins.ts).
 */
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { gateways, outflowPerMinute } from "./joins.ts";
import {
  addedWaits,
  delays,
  floodMinutes,
  floodShare,
  type JoinsRow,
  joinsBegin,
  joinsEnd,
  joinsRows,
  joinsTable,
  limits,
  quantile,
} from "./joins-table.ts";

let rows: readonly JoinsRow[];

beforeAll(() => {
  rows = joinsRows("1");
});

function row(flood: string, limit: keyof typeof limits): JoinsRow {
  const found = rows.find((each) => each.flood.startsWith(flood) && each.limit === limit);
  if (found === undefined) throw new Error(`no row ${flood}, ${limit}`);
  return found;
}

const usual = "600/min, 1,200 at once";

test("with the usual limit no real visitor is delayed by it, whatever the flood; with a strict one only the office is", () => {
  for (const flood of ["none", "1 address", "1,000 addresses"]) {
    expect(delays(row(flood, usual))).toEqual([]);
    expect(delays(row(flood, "30/min, 60 at once"), ({ isOfOffice }) => !isOfOffice)).toEqual([]);
  }
  const office = delays(row("none", "30/min, 60 at once"));
  expect(office.length).toBeGreaterThan(100);
  expect(quantile(office, 1)).toBeLessThan(4 * 60_000);
});

test("a flood from one address gets no more places than its buckets hold, and costs real visitors less than half", () => {
  const limited = row("1 address", usual);
  const { perMinute, burst } = limits[usual];
  expect(limited.result.floodPlaces).toBeLessThanOrEqual(gateways * (burst + floodMinutes * perMinute));
  expect(floodShare(limited)).toBeLessThan(floodShare(row("1 address", "off")));
  expect(quantile(addedWaits(limited), 0.5)).toBeLessThan(0.5 * quantile(addedWaits(row("1 address", "off")), 0.5));
  expect(quantile(addedWaits(row("1 address", "30/min, 60 at once")), 0.5)).toBeLessThan(60_000 / outflowPerMinute);
});

test("the docs have the table as it comes out", () => {
  const page = readFileSync(new URL("../../../docs/flow.md", import.meta.url), "utf8");
  const [, rest = ""] = page.split(joinsBegin);
  expect(rest.split(joinsEnd)[0]?.trim()).toBe(joinsTable(rows));
});
