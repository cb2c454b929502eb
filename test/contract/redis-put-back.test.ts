/**
 * Goal: what was used once works at no process after the server has gone on with older data; and after a restart that lost nothing, what was not used works.
 * Method: a real Redis, processes that tick as gateways do, and snapshots from before and after the use.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { systemRandom } from "../../src/lib/clock-and-random.ts";
import { AlreadyConsumedError, StoreUnavailableError } from "../../src/lib/errors.ts";
import { createOneTimeLinks, oneTimeLinkModel } from "../../src/registry/index.ts";
import type { Seen } from "../../src/store/contract/room-store.ts";
import type { Store } from "../../src/store/contract/store.ts";
import { manualSettings } from "../support/room-settings.ts";
import { makeTempDir } from "../support/temp-dir.ts";
import { createRedisHarness, type RedisHarness } from "./redis-harness.ts";

/** Servers and processes take their time on a busy machine. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let harness: RedisHarness;
beforeAll(async () => {
  harness = await createRedisHarness(["--enable-debug-command", "local"]);
});
afterEach(() => harness.wipe());
afterAll(() => harness?.close());

const room = "tickets";
const models = ["AuthorizationCode", "RefreshToken", "OneTimeLink"];
/** These are void after a loss, used or not. */
const voidAfterLoss = new Set(["AuthorizationCode", "OneTimeLink"]);

/** As a gateway does with its room. */
function processAt(store: Store) {
  let seen: Seen | null = null;
  return {
    store,
    of: (model: string) => store.oidcAdapter(model),
    /** Whether the room goes on. */
    async tick(): Promise<boolean> {
      const outcome = await store.rooms.tick(room, seen, 0);
      if (outcome.result === "ok") {
        const { incarnation, flowMs, edition, queued } = outcome.value.state;
        seen = { incarnation, flowMs, edition, queued };
        return true;
      }
      if (outcome.result === "recovering") return false;
      const offer = { room, fileSettings: manualSettings, isNewRoom: seen === null, memory: null };
      const { incarnation } = await store.rooms.contribute({ ...offer, seen });
      seen = { incarnation, flowMs: 0, edition: 0, queued: 0 };
      return false;
    },
  };
}
type Process = ReturnType<typeof processAt>;

/** Until the room goes on at all of them. */
async function settle(...processes: Process[]): Promise<void> {
  for (let second = 0; second < 12; second++) {
    const all: boolean[] = [];
    for (const each of processes) all.push(await each.tick());
    if (all.every(Boolean)) return;
    await harness.advance(1_000);
  }
  throw new Error("the room does not go on");
}

/** Records that were used at the first process, and that nobody has used. */
async function begin(model: string, one: Process, clockMs = harness.nowMs()): Promise<void> {
  const payload = { iat: Math.floor(clockMs / 1_000), grantId: `grant of ${model} ${harness.nowMs()}` };
  for (const id of ["used", "gone", "unused", "late"]) await one.of(model).upsert(id, payload, 3_600);
}

async function use(model: string, one: Process): Promise<void> {
  await one.of(model).consume("used");
  await one.of(model).destroy("gone");
}

/** It is worth nothing, whatever is asked first. */
async function expectUsed(model: string, process: Process, id: string): Promise<void> {
  const found = await process.of(model).find(id);
  expect(found === undefined || found.consumed !== undefined).toBe(true);
  await expect(process.of(model).consume(id)).rejects.toThrow(AlreadyConsumedError);
}

const rollbacks: [string, () => Promise<void>][] = [
  ["keys put back one by one", () => harness.restoreInPlace()],
  ["an older file loaded by the running server", () => harness.reload()],
  ["a restart with an older file", () => harness.restore()],
];

describe.each(rollbacks)("%s", (_, rollBack) => {
  it.each(models)(
    "%s: what was used is worth nothing at any process, and is settled before it is asked",
    async (model) => {
      const [one, two] = [processAt(harness.store), processAt(await harness.second())];
      await settle(one, two);
      await begin(model, one);
      await harness.save();
      await harness.advance(2_000);
      await settle(one, two);
      await use(model, one);
      await rollBack();
      // Before any tick has noticed.
      for (const process of [one, two]) {
        const early = await process
          .of(model)
          .find("used")
          .then(
            (found) => (found === undefined || found.consumed !== undefined ? "void" : "good"),
            (error: unknown) => (error instanceof StoreUnavailableError ? "settling" : error),
          );
        expect(["void", "settling"]).toContain(early);
      }
      const again = await one
        .of(model)
        .consume("used")
        .catch((error: unknown) => error);
      expect(again instanceof AlreadyConsumedError || again instanceof StoreUnavailableError).toBe(true);
      await settle(one, two);
      for (const process of [two, one]) {
        await expectUsed(model, process, "used");
        expect(await process.of(model).find("gone")).toBeUndefined();
        const unused = await process.of(model).find("unused");
        expect(unused !== undefined).toBe(!voidAfterLoss.has(model));
      }
      // What is made from now on is good, at once, though the process that makes it has a clock that is slow.
      await harness.advance(1);
      await begin(model, two, harness.nowMs() - 300_000);
      expect(await one.of(model).find("unused")).toBeDefined();
    },
  );

  it.each(models)("%s: works after the server's clock is set back, until the next loss", async (model) => {
    const [one, two] = [processAt(harness.store), processAt(await harness.second())];
    await settle(one, two);
    await harness.save();
    await harness.advance(2_000);
    await settle(one, two);
    await rollBack();
    await settle(one, two);
    await harness.advance(-3_600_000);
    await begin(model, one);
    expect(await two.of(model).find("unused")).toBeDefined();
    await harness.advance(1_000);
    await settle(one, two);
    await harness.save();
    await harness.advance(2_000);
    await settle(one, two);
    await use(model, one);
    await rollBack();
    await settle(one, two);
    for (const process of [two, one]) {
      await expectUsed(model, process, "used");
      expect((await process.of(model).find("unused")) !== undefined).toBe(!voidAfterLoss.has(model));
    }
  });

  it("a link that was used signs in nobody else, though nobody looks at it first", async () => {
    const [one, two] = [processAt(harness.store), processAt(await harness.second())];
    const linksAt = ({ store, of }: Process) => createOneTimeLinks(of(oneTimeLinkModel), store.clock, systemRandom);
    await settle(one, two);
    const { token } = await linksAt(one).make("sign-in", {}, 900_000);
    await harness.save();
    await harness.advance(2_000);
    await settle(one, two);
    expect(await linksAt(one).use("sign-in", token, "the first browser")).toBe(true);
    await rollBack();
    // Before any tick has noticed.
    const early = await linksAt(two)
      .use("sign-in", token, "another browser")
      .catch((error: unknown) => error instanceof StoreUnavailableError && "settling");
    expect([false, "settling"]).toContain(early);
    await settle(one, two);
    expect(await linksAt(two).use("sign-in", token, "another browser")).toBe(false);
  });
});

it.each(models)(
  "%s: records that are read at once cost one comparison with what was seen of the rooms",
  async (model) => {
    const one = processAt(harness.store);
    await settle(one);
    await begin(model, one);
    const asked = () => one.store.commandCounts.get("list-keys") ?? 0;
    const before = asked();
    const found = await Promise.all(Array.from({ length: 40 }, () => one.of(model).find("unused")));
    expect(found.every((each) => each !== undefined)).toBe(true);
    expect(asked() - before).toBeGreaterThanOrEqual(1);
    expect(asked() - before).toBeLessThan(20);
  },
);

it.each(models)("%s: a restart that lost nothing costs nobody what was not used", async (model) => {
  const [one, two] = [processAt(harness.store), processAt(await harness.second())];
  await settle(one, two);
  await begin(model, one);
  await use(model, one);
  await harness.advance(1_000);
  await settle(one, two);
  await harness.command("SAVE");
  for (let restart = 0; restart < 2; restart++) {
    await harness.restart();
    await settle(one, two);
    await harness.command("SAVE");
    for (const process of [one, two]) {
      expect(await process.of(model).find("unused")).toBeDefined();
      await expectUsed(model, process, "used");
      expect(await process.of(model).find("gone")).toBeUndefined();
    }
  }
  await two.of(model).consume("unused");
  await expectUsed(model, one, "unused");
});

it.each(models)("%s: used in the second that a restart has lost, and known by one process alone", async (model) => {
  const [one, two] = [processAt(harness.store), processAt(await harness.second())];
  await settle(one, two);
  await begin(model, one);
  await harness.advance(1_000);
  await settle(one, two);
  await harness.command("SAVE");
  await one.of(model).consume("late");
  await harness.restart();
  await settle(one, two);
  await expectUsed(model, two, "late");
  // Nobody has seen more of the room, so nothing else is void.
  expect(await two.of(model).find("unused")).toBeDefined();
});

it.each(models)("%s: used at a process that was killed since, and comes back after the loss", async (model) => {
  const directory = await makeTempDir("used");
  const one = processAt(await harness.storeBeside(directory.path, "one"));
  await settle(one);
  await begin(model, one);
  await harness.save();
  await harness.advance(2_000);
  await settle(one);
  await use(model, one);
  // Killed: it writes nothing any more. Nobody else runs.
  await harness.restore();
  const again = processAt(await harness.storeBeside(directory.path, "one"));
  const two = processAt(await harness.second());
  await settle(again, two);
  for (const process of [two, again]) {
    await expectUsed(model, process, "used");
    expect(await process.of(model).find("gone")).toBeUndefined();
  }
  await directory.remove();
});
