/**
 * Goal: what a login costs Redis, by how much Redis has to do, and against another version of Usher. Method: what a login asks of the store (a
 * join, a claim, the records of its code, tokens, grant and session, and its admission twice) is asked of the real store by several connections
 * at once, each with so many logins under way, and by turns of both versions; CPU time of redis-server, all of it. Prints JSON.
 *
 * `npx tsx test/bench/store-logins.ts [TREE] [rounds]`
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { systemRandom } from "../../src/lib/clock-and-random.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { createSharedCalls } from "../../src/lib/shared-calls.ts";
import type { Admission, ClaimRequest, ClaimResult } from "../../src/store/contract/room-store.ts";
import type { Store } from "../../src/store/contract/store.ts";
import { okValue, settings } from "../contract/room-driver.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { inTurns, median, round } from "./medians.ts";
import { storeUse } from "./store-figures.ts";

/** How much is asked at once. */
export interface LoginLoad {
  readonly connections: number;
  /** Logins under way on each connection. */
  readonly atOnce: number;
  /** Between two commands of a login, in milliseconds, as long as a gateway and a browser take; 0: none. */
  readonly pauseMs: number;
  readonly logins: number;
}

const loads: readonly LoginLoad[] = [
  { connections: 1, atOnce: 1, pauseMs: 2, logins: 100 },
  { connections: 1, atOnce: 8, pauseMs: 2, logins: 600 },
  { connections: 2, atOnce: 16, pauseMs: 1, logins: 1_600 },
  { connections: 4, atOnce: 16, pauseMs: 0, logins: 3_200 },
];

const here = resolve(import.meta.dirname, "../..");
const room = "open";
/** Long enough for what a record of oidc-provider has in it. */
const filling = "x".repeat(300);

/** A version of the store. */
interface Version {
  readonly redis: RedisServer;
  readonly stores: readonly Store[];
  readonly incarnation: string;
  /** Whether its gateways make several claims in one call. */
  readonly hasSharedClaims: boolean;
  count: number;
}

async function open(tree: string, connections: number): Promise<Version> {
  const module = (await import(pathToFileURL(`${tree}/src/store/redis/index.ts`).href)) as {
    createRedisStore(options: object): Store;
  };
  const redis = await startRedis();
  const logger = createLogger("silent");
  const stores = Array.from({ length: connections }, () =>
    module.createRedisStore({ url: redis.url, random: systemRandom, logger }),
  );
  for (const store of stores) await store.start();
  const fileSettings = settings({ type: "manual", claimWithinMs: 3_600_000 });
  const [store] = stores as [Store];
  let answer = await store.rooms.contribute({ room, fileSettings, memory: null, isNewRoom: true });
  while (answer.remainingMs > 0) {
    await pause(answer.remainingMs);
    answer = await store.rooms.contribute({ room, fileSettings, memory: null, isNewRoom: true });
  }
  const { incarnation } = answer;
  await store.rooms.join(room, incarnation, 1);
  await store.rooms.adminStep(room, incarnation, { step: "increment", by: 1_000_000 }, null);
  // From here on the age of the data is known, and compared.
  for (const each of stores) await each.rooms.tick(room, incarnation, 0);
  const hasSharedClaims = existsSync(`${tree}/src/lib/shared-calls.ts`);
  return { redis, stores, incarnation, hasSharedClaims, count: 0 };
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** What one gateway asks: joins, claims and lookups of one turn go together, where that version's do. */
function gatewayOn({ rooms, oidcAdapter }: Store, { incarnation, hasSharedClaims }: Version) {
  const cutOff = { isCutOff: () => false };
  const join = createSharedCalls<null, { position: number; edition: number }>({
    ...cutOff,
    most: 256,
    async call(requests) {
      const { first, edition } = okValue(await rooms.join(room, incarnation, requests.length));
      return requests.map((_, index) => ({ position: first + index, edition }));
    },
  });
  const claims = createSharedCalls<ClaimRequest, ClaimResult>({
    ...cutOff,
    most: 32,
    call: async (some) => okValue(await rooms.claim(room, incarnation, some)),
  });
  const lookups = createSharedCalls<string, Admission | null>({
    ...cutOff,
    most: 32,
    call: (subs) => rooms.admissions(room, subs),
  });
  // As versions ask in which each goes alone.
  const alone = rooms as unknown as {
    claim(room: string, incarnation: string, one: ClaimRequest): ReturnType<typeof rooms.claim>;
    admission(room: string, sub: string): Promise<Admission | null>;
  };
  const claim = hasSharedClaims
    ? claims
    : async (one: ClaimRequest) => okValue(await alone.claim(room, incarnation, one)) as unknown as ClaimResult;
  const admission = "admissions" in rooms ? lookups : (sub: string) => alone.admission(room, sub);
  const [codes, grants, tokens, sessions] = ["AuthorizationCode", "Grant", "AccessToken", "Session"].map((model) =>
    oidcAdapter(model),
  ) as [OidcAdapter, OidcAdapter, OidcAdapter, OidcAdapter];
  const isLet = async (sub: string) => {
    const found = await admission(sub);
    if (found === null || found.ended !== null) throw new Error(`${sub} is not in`);
  };

  return async (sub: string, rest: () => Promise<void>) => {
    const { position, edition } = await join(null);
    await rest();
    const nothing = { joinedMs: 0, login: `${sub}:open`, address: null, proof: null, bypass: null };
    const { result } = await claim({ sub, edition, position, ...nothing });
    if (result !== "admitted") throw new Error(result);
    await rest();
    await isLet(sub);
    await rest();
    const grantId = `grant-${sub}`;
    const payload = (kind: string) => ({ kind, accountId: sub, clientId: "open", grantId, filling, iat: 1, exp: 2 });
    await grants.upsert(grantId, payload("Grant"), 3_660);
    await rest();
    await codes.upsert(`code-${sub}`, payload("AuthorizationCode"), 60);
    await rest();
    await sessions.upsert(`session-${sub}`, { ...payload("Session"), uid: `uid-${sub}` }, 86_400);
    await rest();
    if ((await codes.find(`code-${sub}`)) === undefined) throw new Error("the code is gone");
    await rest();
    await grants.find(grantId);
    await rest();
    await codes.consume(`code-${sub}`);
    await rest();
    await isLet(sub);
    await rest();
    await tokens.upsert(`token-${sub}`, payload("AccessToken"), 1_200);
    await rest();
    if ((await tokens.find(`token-${sub}`)) === undefined) throw new Error("the token is gone");
    await rest();
    if ((await grants.find(grantId)) === undefined) throw new Error("the grant is gone");
    await rest();
  };
}

type OidcAdapter = ReturnType<Store["oidcAdapter"]>;

/** CPU time of Redis for one login, in microseconds, and commands that it was sent for it. */
async function play(version: Version, { connections, atOnce, pauseMs, logins }: LoginLoad) {
  const rest = pauseMs === 0 ? async () => {} : () => pause(pauseMs);
  const before = await storeUse(version.redis);
  await version.redis.command("CONFIG", "RESETSTAT");
  const began = performance.now();
  let left = logins;
  await Promise.all(
    version.stores.slice(0, connections).flatMap((store) => {
      const login = gatewayOn(store, version);
      return Array.from({ length: atOnce }, async () => {
        while (left-- > 0) await login(`sub-${version.count++}`, rest);
      });
    }),
  );
  const sec = (performance.now() - began) / 1_000;
  const after = await storeUse(version.redis);
  const stats = String(await version.redis.command("INFO", "commandstats"));
  const callsOf = (name: string) => Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, "m").exec(stats)?.[1] ?? 0);
  // Those that scripts make are counted beside those that are sent; a script of a login asks for none of them.
  return {
    cpuUs: (after.cpuUs - before.cpuUs) / logins,
    perSec: logins / sec,
    scripts: callsOf("evalsha") / logins,
    plain: (callsOf("get") + callsOf("set")) / logins,
  };
}

/** By each load: medians of the rounds, of this version and of the other ones. */
export async function measureStoreLogins(rounds: number, others: readonly string[] = []) {
  const most = Math.max(...loads.map(({ connections }) => connections));
  const versions = await Promise.all([here, ...others].map((tree) => open(tree, most)));
  try {
    const rows = loads.map((load) => ({ load, turns: versions.map((): Awaited<ReturnType<typeof play>>[] => []) }));
    for (let at = 0; at <= rounds; at++) {
      for (const { load, turns } of rows) {
        for (const [index, version] of inTurns(versions, at)) {
          const turn = await play(version, load);
          // The first round warms up.
          if (at > 0) turns[index]?.push(turn);
        }
      }
    }
    return rows.map(({ load, turns }) => {
      const [own = []] = turns;
      return {
        ...load,
        ratios: turns
          .slice(1)
          .map((other) => round(median(own.map(({ cpuUs }, at) => cpuUs / (other[at]?.cpuUs ?? 1))), 2)),
        versions: turns.map((of) => ({
          cpuUs: round(median(of.map(({ cpuUs }) => cpuUs))),
          perSec: round(median(of.map(({ perSec }) => perSec))),
          scripts: round(median(of.map(({ scripts }) => scripts)), 1),
          plain: round(median(of.map(({ plain }) => plain)), 1),
        })),
      };
    });
  } finally {
    for (const { redis, stores } of versions) {
      for (const store of stores) await store.close();
      await redis.stop();
    }
  }
}

if (process.argv[1] === import.meta.filename) {
  const [tree, rounds = "5"] = process.argv.slice(2);
  const rows = await measureStoreLogins(Number(rounds), tree === undefined ? [] : [resolve(tree)]);
  for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
}
