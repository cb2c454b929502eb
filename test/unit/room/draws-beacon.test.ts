import { describe, expect, test } from "vitest";
import { type Beacon, noBeacon } from "../../../src/room/draw/draw-source.ts";
import { type BeaconChain, quicknet, roundOfDraw } from "../../../src/room/draw-recipe/index.ts";
import type { BeaconValue } from "../../../src/store/contract/room-store.ts";
import { drawOf, inPrequeue, key, positionOf, settingsAt, source, toOpening } from "./draw-world.ts";
import { createSharedWorld, joinMany } from "./processes.ts";

describe("with a public beacon", () => {
  const value: BeaconValue = { round: 0, signature: "aa".repeat(48), randomness: "bb".repeat(32) };

  test("it waits for the announced round, which comes after the last entry, and mixes it in", async () => {
    const asked: number[] = [];
    const beacon: Beacon = {
      chain: quicknet,
      fetch: async (round) => {
        asked.push(round);
        return asked.length < 4 ? null : { ...value, round };
      },
    };
    const { world, one, both, opensAtMs } = await inPrequeue("beacon", "drand", source([key], beacon));
    await joinMany(one, 9, 0);
    const round = roundOfDraw(quicknet, opensAtMs + 5_000);
    expect(one.room.draws.document()?.draws[0]?.beacon).toMatchObject({ round, randomness: null, fallback: null });
    await toOpening(world, opensAtMs, both);
    await world.pass(5_500, both);
    expect(drawOf(one).stage).toBe("closed");
    expect(asked).toEqual([]);
    await world.pass(8_000, both);
    expect(new Set(asked)).toEqual(new Set([round]));
    expect(drawOf(one)).toMatchObject({ stage: "drawn", beacon: { ...value, round } });
    expect(one.room.draws.document()?.draws[0]?.beacon).toMatchObject({ round, randomness: value.randomness });
  });

  test("its chain is the one that was announced, though another process is configured with another", async () => {
    const own = { ...quicknet, hash: "cc".repeat(32), genesisSec: quicknet.genesisSec - 1, periodSec: 30 };
    const asked: string[] = [];
    const beaconOf = (chain: BeaconChain): Beacon => ({
      chain,
      fetch: async (round, { hash }) => {
        asked.push(hash);
        return { ...value, round };
      },
    });
    const { world, one, settings, opensAtMs } = await inPrequeue("chains", "drand", source([key], beaconOf(quicknet)));
    const tickets = await joinMany(one, 30, 0);
    const other = world.process("other", { settings, draws: source([key], beaconOf(own)) });
    const all = [one, other];
    await world.pass(1_000, all);
    const early = other.room.draws.document()?.draws;
    expect(early).toEqual(one.room.draws.document()?.draws);
    expect(early).toMatchObject([{ beacon: { chain: quicknet.hash, period: 3 } }]);
    await toOpening(world, opensAtMs, all);
    await world.pass(20_000, [other]);
    await world.pass(1_000, all);
    expect(new Set(asked)).toEqual(new Set([quicknet.hash]));
    expect(drawOf(one)).toMatchObject({ stage: "drawn", chain: { hash: quicknet.hash } });
    const places = tickets.map((ticket) => positionOf(one, ticket));
    expect(tickets.map((ticket) => positionOf(other, ticket))).toEqual(places);
    const restarted = world.process("restarted", { settings, draws: source([key], beaconOf(own)) });
    await restarted.refresh();
    expect(tickets.map((ticket) => positionOf(restarted, ticket))).toEqual(places);
    expect(restarted.room.draws.document()).toEqual(one.room.draws.document());
  });

  test("another chain that is configured before the first entry is announced instead, once", async () => {
    const world = createSharedWorld("new chain");
    const settings = settingsAt(world.clock.now() + 700_000, "drand");
    const own = { ...quicknet, hash: "cc".repeat(32) };
    const one = world.process("one", { isNewInstallation: true, settings, draws: source() });
    await world.pass(2_000, [one]);
    expect(drawOf(one).chain?.hash).toBe(quicknet.hash);
    const two = world.process("two", { settings, draws: source([key], { ...noBeacon, chain: own }) });
    await world.pass(3_000, [one, two]);
    // The first process, which is configured otherwise, does not take it back again.
    expect(drawOf(one).chain?.hash).toBe(own.hash);
    const announced = drawOf(one);
    await world.pass(5_000, [one, two]);
    expect(drawOf(two)).toEqual(announced);
  });

  test("that does not answer, it is drawn without after half a minute, and says so", async () => {
    const { world, one, both, opensAtMs } = await inPrequeue("fallback", "drand");
    await joinMany(one, 9, 0);
    await toOpening(world, opensAtMs, both);
    await world.pass(33_000, both);
    expect(drawOf(one).stage).toBe("closed");
    await world.pass(4_000, both);
    expect(drawOf(one)).toMatchObject({ stage: "drawn", beacon: null, usesBeacon: true });
    expect(one.room.draws.document()?.draws[0]?.beacon).toMatchObject({ fallback: "unavailable" });
  });
});
