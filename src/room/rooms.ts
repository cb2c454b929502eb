import { EventEmitter } from "node:events";
import type { Clock, Random } from "../lib/clock-and-random.ts";
import { repeat } from "../lib/repeat.ts";
import type { RoomSettings, RoomStore } from "../store/contract/room-store.ts";
import { type Beacon, type DrawSource, noBeacon } from "./draw/draw-source.ts";
import type { RoomEvents } from "./events.ts";
import type { Checkpoints } from "./replica/checkpoints/checkpoints.ts";
import { isInterruption, RoomRemovedError } from "./replica/synced-room.ts";
import { roomOfVisitor, type TicketCodec } from "./tickets/ticket.ts";
import { createJoinLimits } from "./visitor/join-limits.ts";
import type { SharedJoinCounts } from "./visitor/shared-joins.ts";
import { WaitingRoom } from "./waiting-room.ts";

export interface WaitingRooms {
  readonly events: EventEmitter<RoomEvents>;
  /** As they are now. */
  readonly all: readonly WaitingRoom[];
  get(id: string): WaitingRoom | undefined;
  /** The room a visitor belongs to, from their `sub`. */
  ofVisitor(sub: string): WaitingRoom | undefined;
  /** Syncs every room once, and writes no checkpoints yet; a store that is away or recovering is no error here. */
  sync(): Promise<void>;
}

/** The rooms of a process, as their owner keeps them. */
export type OpenRooms = ReturnType<typeof createWaitingRooms>;

export interface RoomOptions {
  readonly id: string;
  /** Name of the store that keeps its line; default: the one that is for all rooms without such a name. */
  readonly store?: string;
  /** Tells a room that was made at run time from an earlier one of the same id. */
  readonly line?: string;
  /** As its file, or its document, has them. */
  readonly settings: RoomSettings;
  /** Tag of the language in which it speaks to those whose own it has no words in; default: that of its first words. */
  readonly language?: string | null;
  /** Whether each person has one place, by a key (tickets/visitor-key.ts). Default: no. */
  readonly isByKey?: boolean;
}

/** A store, as far as it is of rooms. */
export interface StoreOfRooms {
  readonly store: RoomStore;
  /** See `WaitingRoomParts`. */
  readonly isStoreCutOff?: () => boolean;
  readonly joinCounts?: SharedJoinCounts | null;
}

interface OpenRoom {
  readonly room: WaitingRoom;
  readonly place: StoreOfRooms;
  options: RoomOptions;
}

const tickMs = 1_000;
/** Delay after the reported end of a recovery before the store is queried for it. */
const afterRecoveryMs = 20;
/** Interval of the logs' maintenance, which runs in one of the rounds. */
const keepLogsMs = 2_000;

/** @param options the store is that of the rooms that name no other */
export function createWaitingRooms(
  options: StoreOfRooms & {
    /** Those that rooms name. Default: none. */
    readonly stores?: ReadonlyMap<string, StoreOfRooms>;
    readonly rooms: readonly RoomOptions[];
    readonly tickets: (room: RoomOptions) => TicketCodec;
    /** What a room's draws are made of, but for the beacon of all; default: nothing, and no entries are taken where there is to be a draw. */
    readonly draws?: (room: string) => Omit<DrawSource, "beacon"> | null;
    readonly checkpoints: Checkpoints;
    readonly clock: Clock;
    readonly random: Random;
    /** See `WaitingRoomParts`. */
    readonly processCount?: () => number;
  },
) {
  const { checkpoints, clock, random, tickets } = options;
  const stores: readonly StoreOfRooms[] = [options, ...(options.stores?.values() ?? [])];
  const events = new EventEmitter<RoomEvents>();
  const joinLimits = createJoinLimits(clock);
  const opened = new Map<string, OpenRoom>();
  let beacon = noBeacon;
  /** Names of lines that are over, and not yet freed, with their stores. */
  const over = new Map<string, StoreOfRooms>();
  let all: readonly WaitingRoom[] = [];
  for (const initial of options.rooms) open(initial, false);
  all = [...opened.values()].map(({ room }) => room);

  /** @param isNew whether the room was made just now, as far as this process knows */
  function open(roomOptions: RoomOptions, isNew: boolean): void {
    const { id, settings } = roomOptions;
    const name = nameOf(roomOptions);
    over.delete(name);
    // A room that is new to an installation with a history was added to its configuration.
    const mayBeNew = isNew || checkpoints.hasHistory;
    const isNewRoom = checkpoints.isNewInstallation || (mayBeNew && !checkpoints.knows(name));
    const place = storeOf(roomOptions);
    const { store, isStoreCutOff, joinCounts } = place;
    const room = new WaitingRoom({
      id,
      name,
      store,
      isStoreCutOff,
      joinCounts,
      checkpoints,
      joinLimits,
      clock,
      random,
      events,
      isNewRoom,
      tickets: tickets(roomOptions),
      drawSource: drawSourceOf(id),
      fileSettings: settings,
      processCount: options.processCount,
      isByKey: roomOptions.isByKey,
      language: () => opened.get(id)?.options.language ?? null,
    });
    opened.set(id, { room, place, options: roomOptions });
  }

  function drawSourceOf(id: string): DrawSource | null {
    const source = options.draws?.(id) ?? null;
    return source && { beacon: () => beacon, ...source };
  }

  /** @throws TypeError for a name that the configuration's checks let through */
  function storeOf({ id, store }: RoomOptions): StoreOfRooms {
    const found = store === undefined ? options : options.stores?.get(store);
    if (found === undefined) throw new TypeError(`the room ${id} names a store that there is not: ${store}`);
    return found;
  }

  /** These are the rooms from now on. What the store keeps of those that are gone is freed. */
  function follow(next: readonly RoomOptions[]): void {
    const wanted = new Map(next.map((wantedRoom) => [wantedRoom.id, wantedRoom]));
    for (const [id, { room, place }] of opened) {
      const same = wanted.get(id);
      if (same !== undefined && nameOf(same) === room.name) continue;
      room.remove();
      opened.delete(id);
      over.set(room.name, place);
    }
    for (const nextOptions of next) {
      const existing = opened.get(nextOptions.id);
      if (existing === undefined) open(nextOptions, true);
      else existing.options = nextOptions;
    }
    all = [...opened.values()].map(({ room }) => room);
  }

  /** Rooms of one store wait for no other. */
  const roomsIn = (place: StoreOfRooms) =>
    [...opened.values()].flatMap((entry) => (entry.place === place ? [entry.room] : []));

  const visitRooms = (rooms: readonly WaitingRoom[], look: (room: WaitingRoom) => Promise<void>) =>
    Promise.all(
      rooms.map(async (room) => {
        try {
          await look(room);
        } catch (error) {
          if (error instanceof RoomRemovedError || isInterruption(error)) return;
          events.emit("room.failed", { room: room.id, error });
        }
      }),
    );

  /** Each process does so after it has asked for the last time: the last of them leaves nothing behind. */
  const free = (place: StoreOfRooms) =>
    Promise.all(
      [...over].map(async ([name, itsPlace]) => {
        if (itsPlace !== place) return;
        try {
          await place.store.forget(name);
          over.delete(name);
          checkpoints.forget(name);
        } catch {
          // A store that is away is asked again.
        }
      }),
    );

  const sync = async () => void (await visitRooms(all, (room) => room.refresh()));
  /** Syncs every room once, and writes the checkpoints. */
  const refresh = async () => {
    await Promise.all([sync(), ...stores.map(free)]);
    checkpoints.flush();
  };

  let ends: (() => Promise<void>)[] = [];
  const nextTickMs = (rooms: readonly WaitingRoom[]) => {
    // Jitter keeps processes from asking in step.
    const usualMs = tickMs * (0.9 + 0.2 * random.fraction());
    const recoveries = rooms.flatMap(({ interruptions: { recoveringMs } }) =>
      recoveringMs ? [recoveringMs + afterRecoveryMs] : [],
    );
    return Math.min(usualMs, ...recoveries);
  };
  /** Keeps the rooms of one store moving. A store that is slow delays no other. */
  const ticksOf = (place: StoreOfRooms) => {
    let logsPrunedMs = 0;
    const keepLogs = async () => {
      if (clock.now() - logsPrunedMs < keepLogsMs * (0.7 + 0.6 * random.fraction())) return;
      logsPrunedMs = clock.now();
      await visitRooms(roomsIn(place), (room) => room.log.keep());
    };
    return async () => {
      await Promise.all([visitRooms(roomsIn(place), (room) => room.refresh()), free(place)]);
      checkpoints.flush();
      await keepLogs();
      return nextTickMs(roomsIn(place));
    };
  };

  return {
    events,
    get all() {
      return all;
    },
    get: (id: string) => opened.get(id)?.room,
    /** Name of the store of a line of a room that there is; null for the one without a name. */
    storeNameOf: (line: string): string | null => opened.get(line.split("~")[0] ?? "")?.options.store ?? null,
    ofVisitor: (sub: string) => opened.get(roomOfVisitor(sub) ?? "")?.room,
    sync,
    refresh,
    follow,
    /** Draws use these public random numbers from now on. Without, they are drawn as where no number is to be had. */
    useBeacon(source: Beacon): void {
      beacon = source;
    },
    /** Keeps the rooms moving, about once a second, until `stop`. */
    start() {
      ends = stores.map((place) => repeat(0, ticksOf(place)));
    },
    async stop() {
      await Promise.all(ends.map((end) => end()));
      for (const { replica } of all) replica.checkpoint();
      checkpoints.close();
    },
  };
}

/** What the store and the checkpoints know the room's line by. */
function nameOf({ id, line }: RoomOptions): string {
  return line === undefined ? id : `${id}~${line}`;
}

/** The same rooms, of which only these can be found. */
export function onlyRooms(rooms: WaitingRooms, isIncluded: (id: string) => boolean): WaitingRooms {
  return {
    events: rooms.events,
    get all() {
      return rooms.all.filter(({ id }) => isIncluded(id));
    },
    get: (id) => (isIncluded(id) ? rooms.get(id) : undefined),
    ofVisitor: (sub) => (isIncluded(roomOfVisitor(sub) ?? "") ? rooms.ofVisitor(sub) : undefined),
    sync: rooms.sync,
  };
}
