/** The attackers of attackers.ts against each defence, as tables in Markdown. */
import type { RoomSettings } from "../../../src/room/index.ts";
import {
  type Attacker,
  type AttackResult,
  carriers,
  type Defence,
  requestSec,
  schools,
  simulateAttack,
  visitSec,
} from "./attackers.ts";

/** Where the tables stand in docs/cheating.md. */
export const attackersBegin = "<!-- attackers:begin -->";
export const attackersEnd = "<!-- attackers:end -->";

const program = { triesPerSec: 100, trySec: requestSec, wants: Number.POSITIVE_INFINITY, identities: 1 };

export const attackers = {
  "one address": { ...program, addressOf: () => "203.0.113.9", addresses: 1, cores: 4 },
  "one /48": {
    ...program,
    addressOf: (_, chance) => `2001:db8:bad:${chance.below(65_536).toString(16)}::1`,
    addresses: 65_536,
    cores: 4,
  },
  "farm, 10,000 homes": {
    ...program,
    addressOf: (nth) => `30.${(nth % 10_000) >> 8}.${(nth % 10_000) & 255}.7`,
    addresses: 10_000,
    cores: 10_000,
  },
  "browsers, 16 cores": {
    ...program,
    addressOf: (nth) => `203.0.114.${nth & 255}`,
    addresses: 256,
    cores: 16,
    trySec: visitSec,
  },
  reseller: {
    ...program,
    addressOf: (nth) => `203.0.115.${nth % 30}`,
    addresses: 30,
    cores: 4,
    wants: 300,
    identities: 30,
  },
} as const satisfies Record<string, Attacker>;

const check: NonNullable<RoomSettings["check"]> = {
  type: "proof_of_work",
  whenAway: "hold",
  when: "always",
  share: 0.1,
  difficulty: 1,
  difficultyMax: 16,
  withoutScripts: "refuse",
  waitMs: 30_000,
};
const usual = { perMinute: 600, burst: 1_200 };
const known = [...schools, ...carriers].map((range) => ({ range, limit: { prequeue: "any" as const } }));

export const defences = {
  none: { limit: null, check: null, isByKey: false },
  "limits as they are": { limit: usual, check: null, isByKey: false },
  "limits, known ranges": { limit: { ...usual, ranges: known }, check: null, isByKey: false },
  "proof of work": { limit: null, check, isByKey: false },
  "limits, ranges, work": { limit: { ...usual, ranges: known }, check, isByKey: false },
  "invitations, or a login": { limit: usual, check: null, isByKey: true },
} as const satisfies Record<string, Defence>;

export type AttackerName = keyof typeof attackers;
export type DefenceName = keyof typeof defences;
export type Attacks = Readonly<Record<DefenceName, Readonly<Record<AttackerName, AttackResult>>>>;

/** @param seed determines it all */
export function attacks(seed: string): Attacks {
  const against = (defence: Defence) =>
    Object.fromEntries(
      Object.entries(attackers).map(([name, attacker]) => [name, simulateAttack(seed, attacker, defence)]),
    );
  return Object.fromEntries(Object.entries(defences).map(([name, defence]) => [name, against(defence)])) as Attacks;
}

const percent = (share: number) => `${(share * 100).toFixed(share > 0.000_05 && share < 0.095 ? 1 : 0)} %`;
const seconds = (sec: number) =>
  sec < 0.000_95 ? `${(sec * 1_000).toFixed(1)} ms` : sec < 1 ? `${Math.round(sec * 1_000)} ms` : `${sec.toFixed(1)} s`;

/** Of sorted values. */
const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;

/** Those whom the attack hit most. */
export function honestOf(row: Attacks[DefenceName]): { readonly refused: number; readonly work: readonly number[] } {
  const results = Object.values(row);
  const refused = Math.max(
    ...results.map((each) => Object.values(each.refused).reduce((sum, count) => sum + count, 0)),
  );
  const work = results.map(({ workSec }) => workSec).toSorted((a, b) => quantile(b, 0.99) - quantile(a, 0.99))[0] ?? [];
  return { refused, work };
}

export function attackTables(all: Attacks): string {
  const names = Object.keys(attackers) as AttackerName[];
  const rows = Object.entries(all) as [DefenceName, Attacks[DefenceName]][];
  const shares = rows.map(([defence, row]) => {
    const { refused, work } = honestOf(row);
    const worked = work.length === 0 ? "–" : `${seconds(quantile(work, 0.5))}, ${seconds(quantile(work, 0.99))}`;
    const cells = names.map((name) => `${percent(row[name].share)}, ${percent(row[name].shareOfFirst)}`);
    return [defence, ...cells, refused === 0 ? "none" : refused.toLocaleString("en"), worked];
  });
  const costs = rows.map(([defence, row]) => [
    defence,
    ...names.map((name) => {
      const { entries, cpuSec } = row[name];
      return `${entries.toLocaleString("en")} at ${seconds(cpuSec / entries)}, ${(cpuSec / 3_600).toFixed(2)} h`;
    }),
  ]);
  return [
    table(["defence", ...names, "honest: refused", "work, median, p99"], shares),
    "Entries, CPU time of each, and CPU-hours of all:",
    table(["defence", ...names], costs),
  ].join("\n\n");
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? "---" : "---:"))), ...body.map(line)].join("\n");
}
