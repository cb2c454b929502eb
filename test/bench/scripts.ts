/**
 * Goal: what a script costs in Redis, against another version of it. Method: two trees of sources, this one and the one that is
 * named (a `git worktree` with its node_modules), run the same operations by turns on one server, and `INFO commandstats` says how
 * long the calls took. Prints the median of the blocks in µs and their paired ratio as JSON.
 *
 * `npx tsx test/bench/scripts.ts TREE [blocks] [part of a name]`; `BENCH_AT_ONCE=16` keeps so many calls under way, so that Redis is never idle.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { systemRandom } from "../../src/lib/clock-and-random.ts";
import { createLogger } from "../../src/lib/logger.ts";
import type { ClaimRequest, RoomMemory, RoomSettings } from "../../src/store/contract/room-store.ts";
import type { Store } from "../../src/store/contract/store.ts";
import { memoryOf, settings } from "../contract/room-driver.ts";
import { startRedis } from "../support/redis-server.ts";
import { inTurns, median, round } from "./medians.ts";

const here = resolve(import.meta.dirname, "../..");
const there = resolve(process.argv[2] ?? "");
const blocks = Number(process.argv[3] ?? 15);
const wanted = process.argv[4] ?? "";
const requestsPerBlock = 300;
const atOnce = Number(process.env.BENCH_AT_ONCE ?? 1);

const redis = await startRedis();
/** Whether a tree's store takes several claims in one call. */
const takesSeveral = new Map<Store, boolean>();
const trees = await Promise.all([here, there].map((tree, index) => openTree(tree, `t${index}:`)));

async function openTree(tree: string, keyPrefix: string) {
  const module = (await import(pathToFileURL(`${tree}/src/store/redis/index.ts`).href)) as {
    createRedisStore(options: object): Store;
  };
  const logger = createLogger("silent");
  const store = module.createRedisStore({ url: redis.url, random: systemRandom, logger, keyPrefix });
  await store.start();
  takesSeveral.set(store, existsSync(`${tree}/src/lib/shared-calls.ts`));
  return store;
}

/** Time in scripts so far, in µs. */
async function scriptTime(): Promise<number> {
  const info = String(await redis.command("INFO", "commandstats"));
  return Number(/cmdstat_evalsha:calls=\d+,usec=(\d+)/.exec(info)?.[1] ?? 0);
}

interface Play {
  readonly name: string;
  readonly file: RoomSettings;
  /** Once, before the blocks. */
  readonly begin?: (room: Room) => Promise<void>;
  readonly call: (room: Room, index: number) => Promise<unknown>;
  /** That go together in one call. Default: 1. */
  readonly requests?: number;
}

interface Room {
  readonly store: Store;
  readonly id: string;
  readonly known: string;
  edition: number;
  first: number;
  memory?: RoomMemory;
}

const line = { type: "periodic", limit: 6_000, claimWithinMs: 3_600_000 } as const;

async function fill(room: Room, places: number, served: number): Promise<void> {
  const joined = await room.store.rooms.join(room.id, room.known, places);
  if (joined.result !== "ok") throw new Error(joined.result);
  room.edition = joined.value.edition;
  room.first = joined.value.first;
  if (served === 0) return;
  await room.store.rooms.adminStep(room.id, room.known, { step: "increment", by: served }, null);
}

function claim(room: Room, position: number, many = 1) {
  const nothing = { joinedMs: 0, login: null, address: null, proof: null, bypass: null };
  const claims = Array.from({ length: many }, (_, index) => {
    return { sub: `sub-${position + index}`, edition: room.edition, position: position + index, ...nothing };
  });
  return claimAll(room, claims);
}

async function claimAll({ store, id, known }: Room, claims: readonly ClaimRequest[]): Promise<void> {
  if (takesSeveral.get(store) === true) return void (await store.rooms.claim(id, known, claims));
  // A tree in which each claim is a call of its own.
  for (const one of claims) await store.rooms.claim(id, known, one as never);
}

const contributed = settings({ type: "manual", claimWithinMs: 3_600_000 });

function contribute(room: Room) {
  const { id, memory = null } = room;
  return room.store.rooms.contribute({ room: id, fileSettings: contributed, memory, isNewRoom: false });
}

/** What a process remembers that has seen all of the room. */
async function remember(room: Room): Promise<void> {
  const outcome = await room.store.rooms.tick(room.id, room.known, 0);
  if (outcome.result !== "ok") throw new Error(outcome.result);
  const { state, admissions } = outcome.value;
  room.memory = { ...memoryOf(state), admissions };
}

const plays: Play[] = [
  {
    name: "claim, admitted",
    file: settings({ type: "manual", claimWithinMs: 3_600_000 }),
    begin: (room) => fill(room, 10_000, 10_000),
    call: (room, index) => claim(room, room.first + index),
  },
  {
    name: "claim, admitted, of sixteen at once",
    file: settings({ type: "manual", claimWithinMs: 3_600_000 }),
    begin: (room) => fill(room, 10_000, 10_000),
    call: (room, index) => claim(room, room.first + index, 16),
    requests: 16,
  },
  {
    name: "claim, waiting",
    file: settings({ type: "manual" }),
    begin: (room) => fill(room, 10_000, 0),
    call: (room, index) => claim(room, room.first + index),
  },
  {
    name: "claim, held by the limit",
    file: settings({ ...line, type: "manual", limit: 60 }),
    begin: (room) => fill(room, 10_000, 10_000),
    call: (room, index) => claim(room, room.first + index),
  },
  {
    name: "claim, in again",
    file: settings({ type: "manual", claimWithinMs: 3_600_000 }),
    begin: async (room) => {
      await fill(room, 100, 100);
      await claim(room, room.first);
    },
    call: (room) => claim(room, room.first),
  },
  { name: "join", file: settings(line), begin: (room) => fill(room, 10_000, 0), call: (room) => fill(room, 1, 0) },
  {
    name: "tick, periodic with a line",
    file: settings(line),
    begin: (room) => fill(room, 10_000, 0),
    call: (room) => room.store.rooms.tick(room.id, room.known, Number.MAX_SAFE_INTEGER / 2),
  },
  {
    name: "tick, adaptive with a line",
    file: settings({ ...line, type: "adaptive" }),
    begin: (room) => fill(room, 10_000, 0),
    call: (room) => room.store.rooms.tick(room.id, room.known, Number.MAX_SAFE_INTEGER / 2),
  },
  {
    name: "tick, max_active with a line",
    file: settings({ type: "max_active", maxActive: 500 }),
    begin: (room) => fill(room, 10_000, 0),
    call: (room) => room.store.rooms.tick(room.id, room.known, Number.MAX_SAFE_INTEGER / 2),
  },
  {
    name: "tick, 500 changed admissions",
    file: contributed,
    begin: async (room) => {
      await fill(room, 500, 500);
      for (let index = 0; index < 500; index += 50) await claim(room, room.first + index, 50);
    },
    call: (room) => room.store.rooms.tick(room.id, room.known, 0),
  },
  {
    name: "report of a load",
    file: settings({ ...line, type: "adaptive" }),
    call: (room) => room.store.rooms.reportLoad(room.id, room.known, { source: "probe", latencyMs: 120 }),
  },
  { name: "contribute, a process that starts", file: contributed, call: contribute },
  {
    name: "contribute, a late memory",
    file: contributed,
    begin: async (room) => {
      await fill(room, 100, 100);
      await remember(room);
    },
    call: contribute,
  },
  {
    name: "contribute, a late memory of 100 admissions",
    file: contributed,
    begin: async (room) => {
      await fill(room, 100, 100);
      for (let index = 0; index < 100; index++) await claim(room, room.first + index);
      await remember(room);
    },
    call: contribute,
  },
];

for (const [at, play] of plays.filter(({ name }) => name.includes(wanted)).entries()) {
  const rooms = await Promise.all(trees.map((store) => open(store, `bench-${at}`, play)));
  const times: number[][] = [[], []];
  for (let block = 0; block <= blocks; block++) {
    const { requests = 1 } = play;
    const calls = Math.floor(requestsPerBlock / requests);
    for (const [index, room] of inTurns(rooms, block)) {
      const beforeUsec = await scriptTime();
      let next = 0;
      const caller = async () => {
        while (next < calls) await play.call(room, (block * calls + next++) * requests);
      };
      await Promise.all(Array.from({ length: atOnce }, caller));
      const usec = (await scriptTime()) - beforeUsec;
      // The first block warms up.
      if (block > 0) times[index]?.push(usec / (calls * requests));
    }
  }
  const [now = [], then = []] = times;
  const ratio = median(now.map((usec, index) => usec / (then[index] ?? usec)));
  const told = {
    script: play.name,
    usec: round(median(now), 1),
    thereUsec: round(median(then), 1),
    ratio: round(ratio, 2),
  };
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
await Promise.all(trees.map((store) => store.close()));
await redis.stop();

async function open(store: Store, id: string, play: Play): Promise<Room> {
  const offer = () => store.rooms.contribute({ room: id, fileSettings: play.file, memory: null, isNewRoom: true });
  let answer = await offer();
  while (answer.remainingMs > 0) {
    await new Promise((done) => setTimeout(done, answer.remainingMs));
    answer = await offer();
  }
  const { incarnation } = answer;
  const room: Room = { store, id, known: incarnation, edition: 0, first: 1 };
  await play.begin?.(room);
  return room;
}
