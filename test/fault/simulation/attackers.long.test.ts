// Long: reckons with the work of many attackers.
/**
 * Goal: limits, work and keys cost attackers what the docs say, and honest visitors no more. Method: the attackers of attackers.ts, with the real
 * limits, difficulties, keys and draw.
 */
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { honestCount } from "./attackers.ts";
import {
  type AttackerName,
  type Attacks,
  attackers,
  attackersBegin,
  attackersEnd,
  attacks,
  attackTables,
  type DefenceName,
  honestOf,
} from "./attackers-table.ts";

let all: Attacks;
beforeAll(() => {
  all = attacks("1");
});

const names = Object.keys(attackers) as AttackerName[];
const costOf = (defence: DefenceName, name: AttackerName) => all[defence][name].cpuSec / all[defence][name].entries;

test("without a defence each attacker has nearly all of the draw, but who wants little", () => {
  for (const name of names) expect(all.none[name].share).toBeGreaterThan(name === "reseller" ? 0.02 : 0.9);
});

test.each(["limits as they are", "limits, known ranges", "limits, ranges, work"] as const)(
  "with %s, one address or one /48 has less than a hundredth of the draw, and of its first places what chance gives",
  (defence) => {
    for (const [name, entries] of [
      ["one address", 10],
      ["one /48", 80],
    ] as const) {
      expect(all[defence][name].entries).toBe(entries);
      expect(all[defence][name].share).toBeLessThan(0.01);
      expect(all[defence][name].shareOfFirst).toBeLessThan(0.02);
    }
    expect(all[defence]["farm, 10,000 homes"].entries).toBe(100_000);
  },
);

test("work costs the farm more than ten times as much for each entry, and one address more than a thousand times", () => {
  for (const defence of ["proof of work", "limits, ranges, work"] as const) {
    expect(costOf(defence, "farm, 10,000 homes")).toBeGreaterThan(10 * costOf("none", "farm, 10,000 homes"));
  }
  expect(costOf("proof of work", "one address")).toBeGreaterThan(1_000 * costOf("none", "one address"));
});

test("by invitation or login each attacker has as many entries as identities", () => {
  for (const name of names) expect(all["invitations, or a login"][name].entries).toBe(attackers[name].identities);
});

test("no honest visitor is refused but behind the addresses of schools and carriers, and none where these are named", () => {
  for (const [defence, row] of Object.entries(all)) {
    const { refused } = honestOf(row);
    if (defence === "limits as they are") expect(refused).toBe(2 * 290 + 5 * 190);
    else expect(refused).toBe(0);
    for (const { refused } of Object.values(row))
      expect(Object.keys(refused).toSorted().join()).toMatch(/^$|^carrier,school$/);
  }
});

test("work is done by each honest visitor, and mostly the least", () => {
  const { work } = honestOf(all["limits, ranges, work"]);
  expect(work).toHaveLength(honestCount);
  expect(work[Math.floor(0.99 * honestCount)]).toBeLessThan(0.17);
});

test("the docs have the tables as they come out", () => {
  const page = readFileSync(new URL("../../../docs/cheating.md", import.meta.url), "utf8");
  const [, rest = ""] = page.split(attackersBegin);
  expect(rest.split(attackersEnd)[0]?.trim()).toBe(attackTables(all));
});
