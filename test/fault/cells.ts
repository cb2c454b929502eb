/**
 * Goal: a room notices nothing of another room's store, whatever becomes of it.
 * Method: a real gateway with three real Redis servers, two rooms in stores of their own. One of them hangs, is gone, and is flooded;
 * joins, statuses and whole logins at the other room go on in the same numbers as before.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { createAdmin } from "../support/admin.ts";
import { startGateway } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { haveHeard, until } from "./heard.ts";
import { clientOf, joinAll, newPerson, type Person, redirectUri, visit } from "./people.ts";

/** @param asProcess whether the gateway is a process of its own */
export async function startCells(asProcess: boolean) {
  const redis = async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    return server;
  };
  const [main, a, b] = await Promise.all([redis(), redis(), redis()]);
  const http = createHttpClient();
  onTestFinished(() => http.close());
  const store = ({ url }: RedisServer) => ({ type: "redis", url });
  const client = (room: string) => ({ ...clientOf(room), require_pkce: false });
  const gateway = await startGateway({
    asProcess,
    config: {
      store: store(main),
      stores: { a: store(a), b: store(b) },
      rooms: [
        { id: "calm", store: "a", inlet: { type: "max_active", max_active: 100_000 }, joins_per_address: "off" },
        { id: "held", store: "b", inlet: { type: "manual" }, joins_per_address: "off" },
      ],
      clients: [client("calm"), client("held")],
    },
  });
  onTestFinished(() => gateway.stop());
  const { origin } = gateway;

  /** A newcomer joins, is let in, logs in, and the site redeems the code and asks who it is. */
  async function logIn(room: string, person = newPerson(room)): Promise<Person> {
    for (;;) {
      const answer = await visit(http, origin, person);
      if (answer.kind === "code") {
        await redeem(room, answer.code);
        return person;
      }
      if (answer.kind === "notice") throw new Error(`no login: ${JSON.stringify(answer)}`);
      await delay(20);
    }
  }

  async function redeem(room: string, code: string): Promise<void> {
    const { client_id, client_secret } = clientOf(room);
    const token = await http.request(`${origin}/token`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`,
      },
      body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: redirectUri }).toString(),
    });
    expect(token.status, token.body).toBe(200);
    const { access_token } = token.json() as { access_token: string };
    const me = await http.get(`${origin}/userinfo`, { authorization: `Bearer ${access_token}` });
    expect(me.status, me.body).toBe(200);
  }

  async function readyz() {
    const answer = await http.get(`${origin}/readyz`);
    return { status: answer.status, body: answer.body };
  }
  async function metrics(): Promise<string> {
    return (await http.get(`${origin}/metrics`)).body;
  }
  return { main, a, b, http, origin, gateway, admin: createAdmin(http, origin), logIn, readyz, metrics };
}

export type Cells = Awaited<ReturnType<typeof startCells>>;

const keysOf = async (redis: RedisServer) => ((await redis.command("KEYS", "*")) as string[]).sort();

/** A room's line, codes, tokens and sessions are in its store, and nothing of them elsewhere. */
export async function expectAllInTheirStores({ main, a, b }: Cells): Promise<void> {
  const [inMain, inA, inB] = await Promise.all([main, a, b].map(keysOf));
  const models = (keys: readonly string[] = []) =>
    [...new Set(keys.flatMap((key) => /^usher:oidc:(\w+):/.exec(key)?.[1] ?? []))].sort();
  expect(models(inA)).toEqual(["AccessToken", "AuthorizationCode", "Grant", "Session"]);
  expect([models(inMain), models(inB)]).toEqual([[], []]);
  const roomsIn = (keys: readonly string[] = []) =>
    [...new Set(keys.flatMap((key) => /^usher:\{([a-z-]+)\}:state$/.exec(key)?.[1] ?? []))].sort();
  expect([roomsIn(inMain), roomsIn(inA), roomsIn(inB)]).toEqual([[], ["calm"], ["held"]]);
}

export type Way = "hangs" | "is gone";

/**
 * The store of the room `held` hangs or is gone: people keep their places, and it recovers.
 *
 * @param meanwhile takes it away, and does beside it what shall go on
 */
export async function takeOneAway(
  cells: Cells,
  way: Way,
  meanwhile: (takeAway: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const { b, http, origin, admin, logIn, readyz, metrics } = cells;
  const people = await joinAll(http, [origin], "held", 20);
  await admin.increment("held", 3);
  await haveHeard(http, [origin], "held", { queued: 20, serving: 3 });
  // A browser whose session is that of the room that will be away.
  const both = people[0] as Person;
  await logIn("held", both);
  await meanwhile(async () => {
    if (way === "hangs") b.freeze();
    else await b.kill();
  });
  const status = await http.get(`${origin}/rooms/held/status`);
  expect([status.status, status.json()]).toMatchObject([200, { availability: "away", queued: 20, serving: 3 }]);
  expect(await visit(http, origin, people[9] as Person)).toMatchObject({ kind: "parked", position: 10 });
  expect(await visit(http, origin, newPerson("held"))).toMatchObject({ kind: "notice", status: 503 });
  // The session of the room that is away is no hindrance.
  const cookies = new Map(both.cookies);
  await logIn("calm", { ...newPerson("calm"), cookies });
  const ready = await readyz();
  expect(ready.status).toBe(200);
  expect(ready.body).toContain("stores.b: ");
  expect(await metrics()).toMatch(/^usher_store_away\{room="held"\} 1$/m);
  expect(await metrics()).toMatch(/^usher_store_away\{room="calm"\} 0$/m);
  expect(await metrics()).toMatch(/^usher_store_breaker_opened_total\{store="a"\} 0$/m);

  if (way === "hangs") b.thaw();
  else await b.restart();
  await haveHeard(http, [origin], "held", { availability: "ready", queued: expect.any(Number) });
  expect(await visit(http, origin, people[9] as Person)).toMatchObject({ kind: "parked", position: 10 });
  await until(async () => expect((await readyz()).body).not.toContain("stores.b"));
  await until(async () => expect(await visit(http, origin, newPerson("held"))).toMatchObject({ kind: "parked" }));
}
