import type { Clock, Random } from "../../../src/lib/clock-and-random.ts";
import { StoreUnavailableError } from "../../../src/lib/errors.ts";
import { createLogger } from "../../../src/lib/logger.ts";
import type { DrawSource } from "../../../src/room/draw/draw-source.ts";
import { type Checkpoints, createCheckpoints } from "../../../src/room/replica/checkpoints/checkpoints.ts";
import { isInterruption } from "../../../src/room/replica/synced-room.ts";
import { createWaitingRooms, type OpenRooms, type WaitingRooms } from "../../../src/room/rooms.ts";
import { createKeyRing, createTicketCodec } from "../../../src/room/tickets/ticket.ts";
import type { WaitingRoom } from "../../../src/room/waiting-room.ts";
import type { RoomSettings } from "../../../src/store/contract/room-settings.ts";
import type { RoomStore } from "../../../src/store/contract/room-store.ts";
import type { Store } from "../../../src/store/contract/store.ts";
import { createMemoryData } from "../../../src/store/memory/data.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { createRedisStore } from "../../../src/store/redis/index.ts";
import type { MovedClock } from "../../support/moved-clock.ts";
import { startRedis } from "../../support/redis-server.ts";
import { untilAllAnswer } from "../../support/store-answers.ts";
import { makeTempDir } from "../../support/temp-dir.ts";
import { createDrawKeys, type DrawKeys } from "./draw-plan.ts";
import type { Memories } from "./memories.ts";

export const roomId = "tickets";

export type StoreKind = "memory" | "redis";

/** The store's server, as an engineer with a hammer sees it. */
export interface StoreServer {
  /** One process's own client. */
  connect(): Promise<Store>;
  wipe(): Promise<void>;
  save(): Promise<void>;
  /** Puts back what was saved last; another server run answers from then on. */
  restore(): Promise<void>;
  /** The same while the server runs: the same run answers. */
  restoreInPlace(): Promise<void>;
  close(): Promise<void>;
}

export function createMemoryServer(clock: MovedClock, random: Random): StoreServer {
  let runs = 1;
  const data = createMemoryData("run-1");
  let saved = structuredClone(data);
  return {
    connect: async () => createMemoryStore({ clock, random, data, isShared: true }),
    async wipe() {
      Object.assign(data, { ...createMemoryData(data.runId), incarnations: data.incarnations });
    },
    async save() {
      saved = structuredClone(data);
    },
    async restore() {
      Object.assign(data, structuredClone(saved), { runId: `run-${++runs}`, incarnations: 0 });
    },
    async restoreInPlace() {
      Object.assign(data, structuredClone(saved), { runId: data.runId, incarnations: data.incarnations });
    },
    close: async () => {},
  };
}

const nowKey = "usher-test:now-ms";

/** Stands in for lua/lib/clock.lua: the time is what the simulation last wrote. */
const clockLua = `local function server_now_ms() return tonumber(redis.call('GET', '${nowKey}')) end`;

export async function createRedisServer(clock: MovedClock, random: Random): Promise<StoreServer> {
  const server = await startRedis();
  const stores: Store[] = [];
  let writtenMs = Number.NaN;

  /** Before any command that reads it. */
  async function writeTime(): Promise<void> {
    const nowMs = clock.now();
    if (nowMs === writtenMs) return;
    writtenMs = nowMs;
    await server.command("SET", nowKey, String(nowMs));
  }

  await writeTime();
  return {
    async connect() {
      const logger = createLogger("silent");
      const store = createRedisStore({
        url: server.url,
        random,
        logger,
        commandTimeoutMs: 60_000,
        testing: { clockLua },
      });
      stores.push(store);
      await store.start();
      return { ...store, rooms: before(store.rooms, writeTime) };
    },
    async wipe() {
      await server.command("FLUSHALL");
      writtenMs = Number.NaN;
    },
    save: () => server.save(),
    async restore() {
      await server.restore();
      writtenMs = Number.NaN;
      await untilAllAnswer(stores);
    },
    async restoreInPlace() {
      await server.restoreInPlace();
      writtenMs = Number.NaN;
    },
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await server.stop();
    },
  };
}

type AnyMethod = (...args: unknown[]) => Promise<unknown>;

/** A store whose methods are called by `around`. */
function intercept(
  store: RoomStore,
  around: (name: keyof RoomStore, call: () => Promise<unknown>, args: unknown[]) => Promise<unknown>,
) {
  const methods = new Map<string | symbol, AnyMethod>();
  return new Proxy(store, {
    get(target, name) {
      const known = methods.get(name);
      if (known !== undefined) return known;
      const method = Reflect.get(target, name) as AnyMethod;
      if (typeof method !== "function") return method;
      const wrapped: AnyMethod = (...args) => around(name as keyof RoomStore, () => method.apply(target, args), args);
      methods.set(name, wrapped);
      return wrapped;
    },
  });
}

function before(store: RoomStore, prepare: () => Promise<void>): RoomStore {
  return intercept(store, async (_name, call) => {
    await prepare();
    return call();
  });
}

/** Hears all that the store answers, whether or not the answer reaches the process that asked. */
export interface StoreWatcher {
  /** Called before, with the name of the process that asks; what it returns is called with the answer. */
  asking(name: keyof RoomStore, args: unknown[], process: string): (answer: unknown, hasReached: boolean) => void;
}

/** `away`: nothing reaches the store. `deaf`: everything is carried out, and each answer is lost with this probability. */
export type Cut = { kind: "none" } | { kind: "away" } | { kind: "deaf"; lossRate: number };

/** Checkpoints on a disk that is full, or whose last writes went with the machine; but not what was synced to it. */
function lostWhen(areLost: () => boolean, checkpoints: Checkpoints): Checkpoints {
  const unlessLost = <A extends unknown[]>(write: (...args: A) => void) => {
    return (...args: A) => (areLost() ? undefined : write(...args));
  };
  const { put, reserve, admit, flush, close } = checkpoints;
  const before = checkpoints.lastSeen(roomId);
  let synced = `${before?.edition} ${before?.incarnation}`;
  let incarnation = "";
  let edition = 0;
  const isSynced = (of = edition) => synced === `${of} ${incarnation}`;
  return {
    ...checkpoints,
    put(room, seen, memory, admittedSince) {
      ({ incarnation } = seen);
      ({ edition } = memory);
      put(room, seen, memory, admittedSince);
    },
    reserve(room, of, position, more) {
      if (areLost() && isSynced(of)) return;
      synced = `${of} ${incarnation}`;
      reserve(room, of, position, more);
    },
    flush() {
      if (areLost() && isSynced()) return;
      synced = `${edition} ${incarnation}`;
      flush();
    },
    admit: unlessLost(admit),
    close: unlessLost(close),
  };
}

/** One process of Usher. */
export interface Gateway {
  readonly name: string;
  readonly room: WaitingRoom;
  readonly store: RoomStore;
  /** Of its machine: it may go wrong by a constant. */
  readonly clock: Clock;
  isUp: boolean;
  cut: Cut;
  /** Nothing that it writes down stays. */
  areCheckpointsLost: boolean;
  refresh(): Promise<void>;
}

export interface World {
  readonly gateways: readonly Gateway[];
  readonly server: StoreServer;
  readonly running: readonly Gateway[];
  /** Of all processes, by which they draw. */
  readonly drawKeys: DrawKeys;
  /** As a load balancer does: any that runs. */
  pickGateway(): Gateway | null;
  /** Ends a process: in good order, or as by SIGKILL. */
  stop(gateway: Gateway, how: "orderly" | "killed"): Promise<void>;
  /** Starts it again; it finds its own checkpoints and those of the others. */
  start(gateway: Gateway): void;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly store: StoreKind;
  readonly gateways: number;
  readonly settings: RoomSettings;
  /** By how much the clock of each process differs from the store's, in milliseconds; default: not at all. */
  readonly clocksApartMs?: readonly number[];
  /** What a process makes draws of; null, and the default: nothing. */
  readonly drawSource?: (process: number, keys: DrawKeys) => DrawSource | null;
  readonly clock: MovedClock;
  readonly random: Random;
  /** In [0, 1); decides which answers are lost, and which process a request reaches. */
  readonly fraction: () => number;
  /** The same for what is done with the admission log; default: logs are not kept. */
  readonly logFraction?: () => number;
  readonly watcher: StoreWatcher;
  /** Told what becomes of processes and their checkpoints; default: nobody is. */
  readonly memories?: Memories | null;
  readonly onFailure: (what: string, error: unknown) => void;
}

export async function createWorld(options: WorldOptions): Promise<World> {
  const { clock, random, settings, watcher, memories, fraction, logFraction, onFailure } = options;
  const marksDir = await makeTempDir("simulation");
  const server = await (options.store === "memory" ? createMemoryServer : createRedisServer)(clock, random);
  const tickets = createTicketCodec(createKeyRing([{ kid: "key", secret: Buffer.alloc(32, 7) }]));
  const processes = new Map<Gateway, OpenRooms>();
  const drawKeys = createDrawKeys();

  const gateways: Gateway[] = [];
  const clocks = Array.from({ length: options.gateways }, (_, index): Clock => {
    return { now: () => clock.now() + (options.clocksApartMs?.[index] ?? 0) };
  });

  function createProcess(name: string, index: number, store: RoomStore, isNewInstallation: boolean): OpenRooms {
    const rooms = createWaitingRooms({
      store,
      rooms: [{ id: roomId, settings }],
      tickets: () => tickets,
      draws: () => options.drawSource?.(index, drawKeys) ?? null,
      checkpoints: lostWhen(
        () => gateways[index]?.areCheckpointsLost === true,
        createCheckpoints({
          directory: marksDir.path,
          processName: name,
          isNewInstallation,
          onFailure: (error) => onFailure("the checkpoints could not be written", error),
        }),
      ),
      clock: clocks[index] ?? clock,
      random,
    });
    rooms.events.on("room.failed", ({ error }) => onFailure("a refresh failed", error));
    return rooms;
  }

  function roomOf(rooms: WaitingRooms): WaitingRoom {
    const [room] = rooms.all;
    if (room === undefined) throw new Error("no room");
    return room;
  }

  function lossFraction(method: keyof RoomStore): () => number {
    return method === "readLog" || method === "moveLogMark" ? (logFraction ?? fraction) : fraction;
  }

  async function createGateway(index: number): Promise<Gateway> {
    const name = `gateway-${index + 1}`;
    const connection = await server.connect();
    const store = intercept(connection.rooms, async (method, call, args) => {
      if (gateway.cut.kind === "away") throw new StoreUnavailableError(new Error("cut off"));
      const sync = watcher.asking(method, args, name);
      const answer = await call();
      const isLost = gateway.cut.kind === "deaf" && lossFraction(method)() < gateway.cut.lossRate;
      sync(answer, !isLost);
      if (isLost) throw new StoreUnavailableError(new Error("the answer was lost"));
      return answer;
    });
    const rooms = createProcess(name, index, store, index === 0);
    const gateway: Gateway & { room: WaitingRoom } = {
      name,
      store,
      room: roomOf(rooms),
      clock: clocks[index] ?? clock,
      isUp: true,
      cut: { kind: "none" },
      areCheckpointsLost: false,
      refresh: async () => {
        await processes.get(gateway)?.refresh();
        if (!gateway.areCheckpointsLost) memories?.wrote(name);
        await keepLog(gateway.room);
      },
    };
    processes.set(gateway, rooms);
    return gateway;
  }

  /** As every process does about every two seconds; an interruption is no error. */
  async function keepLog(room: WaitingRoom): Promise<void> {
    if (logFraction === undefined || logFraction() < 0.5) return;
    try {
      await room.log.keep();
    } catch (error) {
      if (!isInterruption(error)) onFailure("the log could not be kept", error);
    }
  }

  const close = async () => {
    await server.close();
    await marksDir.remove();
  };

  try {
    for (let index = 0; index < options.gateways; index++) gateways.push(await createGateway(index));
  } catch (error) {
    await close();
    throw error;
  }

  return {
    gateways,
    server,
    drawKeys,
    get running() {
      return gateways.filter(({ isUp }) => isUp);
    },
    pickGateway() {
      const gateway = gateways[Math.floor(fraction() * gateways.length)];
      if (gateway?.isUp) return gateway;
      const running = gateways.filter(({ isUp }) => isUp);
      return running[Math.floor(fraction() * running.length)] ?? null;
    },
    async stop(gateway, how) {
      gateway.isUp = false;
      if (how === "orderly") await processes.get(gateway)?.stop();
      memories?.ended(gateway.name, gateway.areCheckpointsLost ? "killed" : how);
    },
    start(gateway) {
      const rooms = createProcess(gateway.name, gateways.indexOf(gateway), gateway.store, false);
      processes.set(gateway, rooms);
      memories?.began(gateway.name);
      Object.assign(gateway, { room: roomOf(rooms), isUp: true });
    },
    close,
  };
}
