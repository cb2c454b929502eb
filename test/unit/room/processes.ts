import { StoreUnavailableError } from "../../../src/lib/errors.ts";
import type { DrawSource } from "../../../src/room/draw/draw-source.ts";
import { createCheckpoints } from "../../../src/room/replica/checkpoints/checkpoints.ts";
import { createWaitingRooms, type WaitingRooms } from "../../../src/room/rooms.ts";
import { createKeyRing, createTicketCodec, type Ticket } from "../../../src/room/tickets/ticket.ts";
import type { WaitingRoom } from "../../../src/room/waiting-room.ts";
import type { JoinCountStore, JoinLimit, RoomSettings, RoomStore } from "../../../src/store/contract/room-store.ts";
import { createMemoryData, type MemoryData } from "../../../src/store/memory/data.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { createMovedClock, type MovedClock } from "../../support/moved-clock.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";
import { tempDirOfTest } from "../../support/temp-dir-of-test.ts";

/** A store that several processes share, in one test. */
export interface SharedWorld {
  readonly clock: MovedClock;
  /** A new process; with the same `name` it finds the checkpoints of the one before. */
  process(
    name: string,
    options?: {
      settings?: RoomSettings;
      joinsPerAddress?: JoinLimit;
      isNewInstallation?: boolean;
      machine?: string;
      draws?: DrawSource;
      line?: string;
      /** Tells joins that a store that is away fails at once. */
      hasBreaker?: boolean;
      /** Does not count joins together with the others. */
      countsAlone?: boolean;
    },
  ): Process;
  wipe(): void;
  save(): void;
  restore(): void;
  /** The same under the same run id. */
  restoreInPlace(): void;
  setAway(isAway: boolean): void;
  /** Does this between the store's next such operation and its answer. */
  afterNext(operation: keyof RoomStore | keyof JoinCountStore, action: () => Promise<void>): void;
  /**
   * Lets all processes tick while time passes.
   *
   * @param tickMs between two ticks. Default: 500, as processes tick
   */
  pass(ms: number, processes: readonly Process[], tickMs?: number): Promise<void>;
}

export interface Process {
  readonly room: WaitingRoom;
  readonly events: WaitingRooms["events"];
  refresh(): Promise<void>;
  /** Refreshes by itself from now on. */
  start(): void;
  /** Ends it in good order; a process that is just dropped has crashed. */
  stop(): Promise<void>;
}

export function createSharedWorld(seed: string): SharedWorld {
  const clock = createMovedClock();
  const random = createSeededRandom(seed);
  let runs = 1;
  let isAway = false;
  const interludes = new Map<PropertyKey, () => Promise<void>>();
  const data: MemoryData = createMemoryData("run-1");
  let saved = structuredClone(data);
  const machines = new Map<string, string>();

  const directoryOf = (machine: string) => {
    const directory = machines.get(machine) ?? tempDirOfTest("machine");
    machines.set(machine, directory);
    return directory;
  };

  return {
    clock,
    process(
      name,
      {
        settings = manualSettings,
        joinsPerAddress,
        isNewInstallation = false,
        machine = "a",
        draws,
        line,
        hasBreaker = false,
        countsAlone = false,
      } = {},
    ) {
      const store = createMemoryStore({ clock, random, data });
      const ring = createKeyRing([{ kid: "key", secret: Buffer.alloc(32, 7) }]);
      const rooms = createWaitingRooms({
        store: cutOffWhen(store.rooms, () => isAway, interludes),
        joinCounts: countsAlone
          ? null
          : {
              store: cutOffWhen(store.joinCounts, () => isAway, interludes),
              nameOf: (id, text) => ring.nameOf("usher joins v1", `${id} ${text}`),
            },
        rooms: [
          {
            id: "tickets",
            ...(line !== undefined && { line }),
            settings: { ...settings, joinsPerAddress: joinsPerAddress ?? null },
          },
        ],
        tickets: () => createTicketCodec(ring),
        draws: () => draws ?? null,
        checkpoints: createCheckpoints({
          directory: directoryOf(machine),
          processName: name,
          isNewInstallation,
          onFailure: (error) => {
            throw error;
          },
        }),
        clock,
        random,
        isStoreCutOff: () => hasBreaker && isAway,
      });
      const [room] = rooms.all;
      if (room === undefined) throw new Error("no room");
      return {
        room,
        events: rooms.events,
        refresh: () => rooms.refresh(),
        start: () => rooms.start(),
        stop: () => rooms.stop(),
      };
    },
    wipe() {
      Object.assign(data, { ...createMemoryData(data.runId), incarnations: data.incarnations });
    },
    save() {
      saved = structuredClone(data);
    },
    restore() {
      Object.assign(data, structuredClone(saved), { runId: `run-${++runs}`, incarnations: 0 });
    },
    restoreInPlace() {
      Object.assign(data, structuredClone(saved), { runId: data.runId, incarnations: data.incarnations });
    },
    setAway(value) {
      isAway = value;
    },
    afterNext(operation, action) {
      interludes.set(operation, action);
    },
    async pass(ms, processes, tickMs = 500) {
      for (let passed = 0; passed < ms; passed += tickMs) {
        clock.advance(tickMs);
        for (const each of processes) await each.refresh();
      }
    },
  };
}

/** A store whose every call fails while it is away, as a network would. */
function cutOffWhen<Store extends object>(
  store: Store,
  isAway: () => boolean,
  interludes: Map<PropertyKey, () => Promise<void>>,
): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const method = Reflect.get(target, name, receiver);
      if (typeof method !== "function") return method;
      return async (...args: unknown[]) => {
        if (isAway()) throw new StoreUnavailableError();
        const answer: unknown = await method.apply(target, args);
        const interlude = interludes.get(name);
        interludes.delete(name);
        await interlude?.();
        return answer;
      };
    },
  });
}

export async function joinOne(process: Process, arrivedMs: number): Promise<Ticket> {
  const joined = await process.room.join(null, arrivedMs);
  if (joined.result !== "joined") throw new Error(`no place: ${JSON.stringify(joined)}`);
  return joined.ticket;
}

export async function joinMany(process: Process, count: number, nowMs: number): Promise<Ticket[]> {
  return Promise.all(Array.from({ length: count }, () => joinOne(process, nowMs)));
}

/** A room of one process, whose visitors have all been called. */
export async function startServed(seed: string, visitors: number) {
  const world = createSharedWorld(seed);
  const process = world.process("one", { isNewInstallation: true, settings: manualSettings });
  await world.pass(5_000, [process]);
  const { room } = process;
  const tickets = await joinMany(process, visitors, world.clock.now());
  await room.operations.step({ step: "increment", by: visitors }, "step", "test");
  await process.refresh();
  return { world, room, tickets };
}
