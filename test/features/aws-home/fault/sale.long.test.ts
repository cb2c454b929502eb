// Long: a limit is seen in whole minutes, and after a loss nobody enters for one.
/**
 * Goal: over a whole sale through the AWS interface no place is lost or given twice, and no 60 seconds see more admissions than the limit.
 * Method: clients that poll two gateways as the sample site does; in the middle one gateway is killed (SIGKILL) and started again, the store is
 * emptied (FLUSHALL), and the line is reset through the private API. Times are those of the tokens, which are the store's.
 */
import { setTimeout as delay } from "node:timers/promises";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownRedis } from "../../../e2e/redis-store.ts";
import { type ProcessWorld, startWorld } from "../../../e2e/world.ts";
import { createHomeClient, homeOf, type Said } from "../support/home-client.ts";

const limit = 60;
const visitors = 110;
const latecomers = 24;
const pollEveryMs = 1_200;
const redis = ownRedis();
let world: ProcessWorld;

beforeAll(async () => {
  world = await startWorld({
    store: redis.store,
    gateways: 2,
    asProcess: true,
    rooms: [{ id: "tickets", inlet: { type: "periodic", outflow_per_minute: limit } }],
    config: homeOf({ Sample: "tickets" }),
  });
});
afterAll(() => world?.stop());

/** Asks one gateway after the other; a client of a load balancer does not know which. */
const clients = [0, 1].map((index) => createHomeClient(() => world.gateways[index]?.origin ?? ""));
let turn = 0;

async function ask(call: (client: (typeof clients)[number]) => Promise<Said>): Promise<Said> {
  for (;;) {
    const client = clients[turn++ % 2];
    if (client === undefined) throw new TypeError("there are two");
    // A gateway that is gone, and a store that is away, are asked again.
    const answer = await call(client).catch(() => null);
    if (answer !== null && answer.status < 500) return answer;
    await delay(300);
  }
}

interface Admitted {
  readonly id: string;
  readonly position: number;
  readonly iat: number;
}

const post = (body: object) => (client: (typeof clients)[number]) => client.post("assign_queue_num", body);

/** Takes a place and its number. */
async function join(): Promise<{ id: string; number: number }> {
  const id = String((await ask(post({ event_id: "Sample" }))).body.api_request_id);
  return { id, number: await numberOf(id) };
}

/** A gateway that is a second behind does not know the number yet: that is 202. */
async function numberOf(id: string): Promise<number> {
  for (;;) {
    const { status, body } = await ask((client) => client.queueNum(id));
    if (status === 200) return Number(body.queue_number);
    expect([status, body]).toEqual([202, { error: "Request ID not found" }]);
    await delay(500);
  }
}

/** Waits for the turn and enters; null where the line was reset meanwhile. */
async function enter({ id, number }: { id: string; number: number }): Promise<Admitted | null> {
  for (;;) {
    await delay(pollEveryMs * (0.7 + 0.6 * Math.random()));
    const { body } = await ask((client) => client.get("serving_num", { event_id: "Sample" }));
    if (Number(body.serving_counter) < number) {
      if ((await ask((client) => client.queueNum(id))).status !== 200 && isReset) return null;
      continue;
    }
    const { status, body: tokens } = await ask((client) => client.token(id));
    if (status === 200) {
      const { sub, iat = 0, queue_position } = decodeJwt(String(tokens.access_token));
      expect(sub).toBe(id);
      return { id, position: Number(queue_position), iat };
    }
    if (status === 400 && isReset) return null;
    expect([status, tokens]).toEqual([202, { error: "Request ID not being served yet" }]);
  }
}

let isReset = false;
const admitted: Admitted[] = [];
const entering = (places: readonly { id: string; number: number }[]) =>
  Promise.all(
    places.map(async (place) => {
      const entered = await enter(place);
      if (entered !== null) admitted.push(entered);
      return entered;
    }),
  );

test("keeps every place, and the limit, over a killed gateway, an emptied store and a reset", async () => {
  const places = await Promise.all(Array.from({ length: visitors }, join));
  expect(new Set(places.map(({ number }) => number)).size).toBe(visitors);
  const sale = entering(places);

  await expect.poll(() => admitted.length, { timeout: 120_000 }).toBeGreaterThan(10);
  const [, second] = world.gateways;
  await second?.kill();
  await delay(3_000);
  await second?.start();
  await second?.waitUntilReady();

  const before = admitted.length;
  await expect.poll(() => admitted.length, { timeout: 120_000 }).toBeGreaterThan(before + 5);
  await redis.server().command("FLUSHALL");
  await delay(5_000);
  for (const { id, number } of places.slice(-10)) expect(await numberOf(id)).toBe(number);
  const newcomer = await join();
  expect(places.map(({ number }) => number)).not.toContain(newcomer.number);
  const entered = await Promise.all([sale, entering([newcomer])]);
  expect(entered.flat()).not.toContain(null);

  // All are in; who asks again has the same admission, at either gateway.
  for (const { id, position, iat } of admitted.slice(0, 10)) {
    const { status, body } = await ask((client) => client.token(id));
    expect(status).toBe(200);
    expect(decodeJwt(String(body.id_token))).toMatchObject({ sub: id, queue_position: position, iat });
  }
  expect(admitted).toHaveLength(visitors + 1);
  expect(new Set(admitted.map(({ position }) => position)).size).toBe(visitors + 1);

  const late = await Promise.all(Array.from({ length: latecomers }, join));
  const lateSale = entering(late);
  await expect.poll(() => admitted.length, { timeout: 120_000 }).toBeGreaterThan(visitors + 6);
  isReset = true;
  const reset = await ask((client) => client.privately("POST", "reset_initial_state", { event_id: "Sample" }));
  expect(reset.status).toBe(200);
  const turnedAway = (await lateSale).filter((entered) => entered === null).length;
  expect(turnedAway).toBeGreaterThan(0);
  const anew = await Promise.all(Array.from({ length: turnedAway }, join));
  expect(anew.map(({ number }) => number).sort((a, b) => a - b)).toEqual(anew.map((_, at) => at + 1));
  isReset = false;
  expect(await entering(anew)).not.toContain(null);

  expect(new Set(admitted.map(({ id }) => id)).size).toBe(visitors + 1 + latecomers);
  const times = admitted.map(({ iat }) => iat);
  for (const from of times) {
    const within = times.filter((at) => at >= from && at < from + 60).length;
    expect(within).toBeLessThanOrEqual(limit);
  }
  const output = world.gateways.map((gateway) => gateway.output()).join("");
  for (const { id } of admitted) expect(output).not.toContain(id);
}, 900_000);
