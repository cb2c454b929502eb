/**
 * Goal: the store works on a Redis Cluster and behind Sentinel. Method: three real nodes that share the slots; and a
 * master with a replica that a Sentinel promotes when the master is killed.
 */
import { afterEach, expect, it, vi } from "vitest";
import { systemRandom } from "../../src/lib/clock-and-random.ts";
import { AlreadyConsumedError } from "../../src/lib/errors.ts";
import { createLogger } from "../../src/lib/logger.ts";
import type { Store } from "../../src/store/contract/store.ts";
import { createRedisStore } from "../../src/store/redis/index.ts";
import { startCluster } from "../support/redis-cluster.ts";
import { startRedisWithReplica } from "../support/redis-failover.ts";
import { openRoom } from "./open-room.ts";
import { admissionOf, okValue, settings } from "./room-driver.ts";

/** Servers and processes take their time on a busy machine. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const fileSettings = settings();
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function cluster() {
  const { nodes, stop } = await startCluster();
  cleanups.push(stop);
  return nodes;
}

function storeAt(url: string): Store {
  const store = createRedisStore({ url, random: systemRandom, logger: createLogger("silent") });
  cleanups.push(() => store.close());
  return store;
}

async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 25));
}

it("runs rooms, shared documents and oidc-provider's records on a cluster of three", async () => {
  const nodes = await cluster();
  const store = storeAt(`redis-cluster://${nodes.map((node) => `127.0.0.1:${node.port}`).join(",")}`);
  expect(await store.start()).toEqual({ warnings: [] });
  const { rooms } = store;
  // So many rooms that every node has some.
  const names = Array.from({ length: 12 }, (_, i) => `room-${i}`);
  for (const room of names) await rooms.contribute({ room, fileSettings, memory: null, isNewRoom: true });
  for (const room of names) {
    const incarnation = await openRoom(store, { room, fileSettings });
    const range = okValue(await rooms.join(room, incarnation, 5));
    await rooms.adminStep(room, incarnation, { step: "increment", by: 1 }, "request");
    const place = { sub: "sub", edition: range.edition, position: 1, joinedMs: range.joinedMs };
    expect(
      okValue(
        await rooms.claim(room, incarnation, [{ ...place, login: "x", address: null, proof: null, bypass: null }]),
      ),
    ).toMatchObject([{ result: "admitted" }]);
    await rooms.leave(room, incarnation, { ...place, position: 2 });
    await rooms.changeSettings(room, incarnation, {}, fileSettings, 1);
    const chain = { hash: "h", publicKey: "p", genesisSec: 1, periodSec: 3 };
    await rooms.commitDraw(room, incarnation, { edition: range.edition, id: 1, keyId: "key", commitment: "c", chain });
    const outcome = { edition: range.edition, id: 1, seed: "s", beacon: null };
    expect(okValue(await rooms.fixDraw(room, incarnation, outcome))).toBe(false);
    expect(okValue(await rooms.tick(room, incarnation, 0))).toMatchObject({
      state: { queued: 5, liveAdmissions: 1, draws: [{ id: 1, commitment: "c" }] },
    });
    expect((await rooms.listAdmissions(room, 0, 10)).admissions).toHaveLength(1);
    expect(await admissionOf({ rooms, room }, "sub")).toMatchObject({ logins: ["x"] });
    await rooms.endAdmission(room, incarnation, "sub", "logout");
  }
  const used = await Promise.all(nodes.map((node) => node.command("DBSIZE")));
  expect(used.every((count) => Number(count) > 0)).toBe(true);

  const codes = store.oidcAdapter("AuthorizationCode");
  const ids = Array.from({ length: 12 }, (_, i) => `code-${i}`);
  for (const id of ids) await codes.upsert(id, { grantId: "g" }, 60);
  const results = await Promise.allSettled(ids.flatMap((id) => [codes.consume(id), codes.consume(id)]));
  const refused = results.filter((r) => r.status === "rejected");
  expect(refused).toHaveLength(12);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(AlreadyConsumedError);
  for (const id of ids) await codes.destroy(id);
  for (const id of ids) expect(await codes.find(id)).toBeUndefined();
  expect(await store.agreeOnKeys({ signing: "k" }, false)).toEqual({ signing: "k" });
  for (const name of ids) {
    expect(await store.documents.replace(name, name, 0)).toEqual({ result: "ok", version: 1 });
    expect(await store.documents.exchange(name, { version: 2, text: "more" })).toBe("unchanged");
  }
  await store.unfit();
});

it("follows a Sentinel to the new master, whose incarnation is a new one", async () => {
  const redis = await startRedisWithReplica();
  cleanups.push(() => redis.stop());
  const { master } = redis;
  const store = storeAt(redis.url);
  expect(await store.start()).toEqual({ warnings: [] });
  const incarnation = await openRoom(store, { room: "room", fileSettings });
  await store.rooms.join("room", incarnation, 5);
  await master.command("WAIT", "1", "2000");
  await master.kill();
  await until(async () => {
    const outcome = await store.rooms.join("room", incarnation, 1).catch(() => null);
    return outcome?.result === "recover";
  });
  // The replica knew the room; it recovers from that, whatever the caller remembers.
  await until(async () => {
    const answer = await store.rooms
      .contribute({ room: "room", fileSettings, memory: null, isNewRoom: false })
      .catch(() => null);
    return answer !== null && answer.remainingMs > 0 && answer.incarnation !== incarnation;
  });
});
