/**
 * Goal: before a draw, neither an address nor a /48 gets more than a small share of the entries, honest visitors from addresses of their own get
 * theirs, and the docs say how it is. Method: real rooms on the memory store; the attackers join as often as they can, through all of the
 * processes, before and while the others come.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { addressBlock } from "../../../../src/lib/address-block.ts";
import type { JoinLimit } from "../../../../src/store/contract/room-store.ts";
import { settingsAt, source } from "../draw-world.ts";
import { createSharedWorld, type Process } from "../processes.ts";

const usual: JoinLimit = { perMinute: 600, burst: 1_200 };

async function inPrequeue(seed: string, joinsPerAddress: JoinLimit | null, names = ["one"], countsAlone = false) {
  const world = createSharedWorld(seed);
  const opensAtMs = world.clock.now() + 700_000;
  const processes = names.map((name, index) =>
    world.process(name, {
      isNewInstallation: index === 0,
      settings: settingsAt(opensAtMs),
      draws: source(),
      countsAlone,
      ...(joinsPerAddress !== null && { joinsPerAddress }),
    }),
  );
  await world.pass(2_000, processes);
  world.clock.advance(98_000);
  await world.pass(1_000, processes);
  return { world, processes, one: processes[0] as Process, opensAtMs };
}

async function join(process: Process, address: string): Promise<boolean> {
  return (await process.room.join(null, 0, () => addressBlock(address))).result === "joined";
}

function settingsOf({ room }: Process) {
  if (room.state === null) throw new Error("no state");
  return { effective: room.state.settings.effective, version: room.state.version };
}

/** How many of them joined. */
async function joined(process: Process, addresses: readonly string[]): Promise<number> {
  const results = await Promise.all(addresses.map((address) => join(process, address)));
  return results.filter((each) => each).length;
}

const many = (count: number, address: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => address(at));
const hex = (number: number) => number.toString(16);
const ofOneAddress = many(50, () => "203.0.113.9");
const ofOneHome = many(256, (at) => `2001:db8:1:2${hex(at).padStart(2, "0")}::1`);
const ofOneSite = many(2_000, (at) => `2001:db8:2:${hex(at * 32)}::1`);

describe("while entries of a draw are given", () => {
  test("an address gets ten in all, a /56 four times and a /48 eight times as many", async () => {
    const { one, world } = await inPrequeue("ten", usual);
    expect(await joined(one, ofOneAddress)).toBe(10);
    expect(await joined(one, ofOneHome)).toBe(40);
    expect(await joined(one, ofOneSite)).toBe(80);
    await world.pass(300_000, [one]);
    expect(await joined(one, [...ofOneAddress, ...ofOneHome, ...ofOneSite])).toBe(0);
    // An honest visitor from elsewhere.
    expect(await joined(one, ["203.0.113.10"])).toBe(1);
  });

  test("who is refused is told to come again in a minute, or when the room opens", async () => {
    const { one, world, opensAtMs } = await inPrequeue("told", usual);
    await joined(one, ofOneAddress);
    const ask = () => one.room.join(null, 0, () => "203.0.113.9");
    expect(await ask()).toEqual({ result: "too_many", why: "entries", retryMs: 60_000 });
    await world.pass(opensAtMs - world.clock.now() - 20_000, [one]);
    const { retryMs } = (await ask()) as { retryMs: number };
    expect(retryMs).toBeGreaterThan(15_000);
    expect(retryMs).toBeLessThanOrEqual(20_000);
    // After the draw the rate alone counts.
    await world.pass(40_000, [one]);
    expect(await joined(one, ofOneAddress)).toBe(50);
  });

  test("visitors in private networks are not counted so: a balancer that names nobody would be one of them", async () => {
    const { one } = await inPrequeue("private", usual);
    expect(
      await joined(
        one,
        many(50, () => "10.1.2.3"),
      ),
    ).toBe(50);
    expect(
      await joined(
        one,
        many(50, () => "fd00:1:2:3::1"),
      ),
    ).toBe(50);
  });

  test("ranges are not counted, or have limits of their own; the first that has the address counts", async () => {
    const { one } = await inPrequeue("ranges", {
      ...usual,
      prequeue: 3,
      ranges: [
        { range: "198.51.100.7", limit: { prequeue: 5 } },
        { range: "198.51.100.0/24", limit: null },
        { range: "192.0.2.0/24", limit: { prequeue: "any", perMinute: 60, burst: 20 } },
        { range: "2001:db8:1::/56", limit: { prequeue: 20 } },
      ],
    });
    const from = (address: string) =>
      joined(
        one,
        many(50, () => address),
      );
    expect(await from("203.0.113.9")).toBe(3);
    expect(await from("198.51.100.7")).toBe(5);
    expect(await from("198.51.100.8")).toBe(50);
    expect(await from("192.0.2.8")).toBe(20);
    expect(await from("::ffff:192.0.2.9")).toBe(20);
    expect(await from("2001:db8:1:ff::1")).toBe(20);
    expect(await from("2001:db8:1:100::1")).toBe(3);
  });

  test("off leaves the rate; no limit at all leaves nothing", async () => {
    const rate = await inPrequeue("rate", { perMinute: 60, burst: 20, prequeue: "any" });
    expect(await joined(rate.one, ofOneAddress)).toBe(20);
    const off = await inPrequeue("off", null);
    expect(await joined(off.one, ofOneAddress)).toBe(50);
  });

  test("a limit that is changed counts who joined before, and a new edition starts anew", async () => {
    const { one, world } = await inPrequeue("changed", usual);
    expect(await joined(one, ofOneAddress)).toBe(10);
    const { effective, version } = settingsOf(one);
    const live = { joinsPerAddress: { ...usual, prequeue: 15 } };
    await one.room.operations.changeSettings(live, { ...effective, ...live }, version, "operator");
    await world.pass(1_000, [one]);
    expect(await joined(one, ofOneAddress)).toBe(5);
    await one.room.operations.step({ step: "reset" }, null, "operator");
    await world.pass(2_000, [one]);
    await one.room.operations.step({ step: "phase", phase: "prequeue" }, null, "operator");
    await world.pass(2_000, [one]);
    expect(await joined(one, ofOneAddress)).toBe(15);
  });
});

interface Row {
  readonly attacker: string;
  readonly limit: string;
  readonly processes: number;
  readonly tries: number;
  readonly places: number;
  readonly honest: number;
}

const attackers = { "one IPv4 address": many(2_000, () => "203.0.113.9"), "one /48 of IPv6": ofOneSite };
const limits: Readonly<Record<string, JoinLimit | null>> = {
  off: null,
  "600/min, no bound in all": { ...usual, prequeue: "any" },
  "the default": usual,
  "the default, each process alone": usual,
};
const visitors = 1_000;

/** Half of the attacker's tries are made before anybody else comes, the others among them. */
async function measure(attacker: string, tries: readonly string[], limit: string, names: string[]): Promise<Row> {
  const { processes } = await inPrequeue(`${attacker} ${limit}`, limits[limit] ?? null, names, limit.endsWith("alone"));
  const half = tries.length / 2;
  let [places, honest] = [0, 0];
  const through = (index: number) => processes[index % processes.length] as Process;
  const attack = async (some: readonly string[]) => {
    for (const [index, process] of processes.entries()) {
      const own = some.filter((_, at) => at % processes.length === index);
      places += await joined(process, own);
    }
  };
  await attack(tries.slice(0, half));
  for (let visitor = 0; visitor < visitors; visitor += 100) {
    const perHundred = half / (visitors / 100);
    await attack(tries.slice(half + (visitor / 100) * perHundred, half + (visitor / 100 + 1) * perHundred));
    for (const [index] of processes.entries()) {
      const own = many(100, (at) => `198.18.${(visitor + at) >> 8}.${(visitor + at) & 255}`);
      honest += await joined(
        through(index),
        own.filter((_, at) => at % processes.length === index),
      );
    }
  }
  return { attacker, limit, processes: processes.length, tries: tries.length, places, honest };
}

const number = (value: number) => value.toLocaleString("en");
const share = ({ places, honest }: Row) => (100 * places) / (places + honest);

function tableOf(rows: readonly Row[]): string {
  const head = [
    "| attacker | `joins_per_address` | processes | tries | entries | of 1,000 others | share of entries |",
    "|---|---|--:|--:|--:|--:|--:|",
  ];
  const lines = rows.map((row) => {
    const cells = [row.attacker, row.limit, row.processes, number(row.tries), number(row.places), number(row.honest)];
    return `| ${cells.join(" | ")} | ${share(row).toFixed(1)} % |`;
  });
  return [...head, ...lines].join("\n");
}

test("the share of entries that an address and a /48 get against a thousand others is what the docs say", async () => {
  const rows: Row[] = [];
  for (const [attacker, tries] of Object.entries(attackers)) {
    for (const limit of ["off", "600/min, no bound in all", "the default"]) {
      rows.push(await measure(attacker, tries, limit, ["one"]));
    }
    for (const limit of ["the default, each process alone", "the default"]) {
      rows.push(await measure(attacker, tries, limit, ["one", "two", "three", "four"]));
    }
  }
  expect(rows.filter(({ honest }) => honest !== visitors)).toEqual([]);
  const byDefault = rows.filter(({ limit }) => limit.startsWith("the default"));
  expect(byDefault.map(({ places }) => places)).toEqual([10, 40, 10, 80, 320, 80]);
  const page = readFileSync(new URL("../../../../docs/flow.md", import.meta.url), "utf8");
  const [, rest = ""] = page.split("<!-- entries:begin -->");
  expect(rest.split("<!-- entries:end -->")[0]?.trim()).toBe(tableOf(rows));
});
