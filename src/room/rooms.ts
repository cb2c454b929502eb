import { EventEmitter } from "node:events";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { repeat } from "../lib/repeat.ts";
import type { RoomSettings, RoomStore } from "../store/contract/room-store.ts";
import type { DrawSource } from "./draw/draw-source.ts";
import type { RoomEvents } from "./events.ts";
import type { Checkpoints } from "./replica/checkpoints/checkpoints.ts";
import { isInterruption } from "./replica/interruptions.ts";
import { RoomRemovedError } from "./replica/synced-room.ts";
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
export type KeptRooms = ReturnType<typeof createWaitingRooms>;

export interface RoomOptions {
  readonly id: string;
  /** Tells a room that was made at run time from an earlier one of the same id. */
  readonly line?: string;
  /** As its file, or its document, has them. */
  readonly settings: RoomSettings;
  /** Tag of the language in which it speaks to those whose own it has no words in; default: that of its first words. */
  readonly language?: string | null;
  /** Whether each person has one place, by a key (tickets/visitor-key.ts). Default: no. */
  readonly isByKey?: boolean;
}

export interface WaitingRoomsOptions {
  readonly store: RoomStore;
  readonly rooms: readonly RoomOptions[];
  readonly tickets: (room: RoomOptions) => TicketCodec;
  /** What a room's draws are made of; default: nothing, and no entries are taken where there is to be a draw. */
  readonly draws?: (room: string) => DrawSource | null;
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly random: Random;
  /** See `WaitingRoomParts`. */
  readonly isStoreCutOff?: () => boolean;
  /** See `WaitingRoomParts`. */
  readonly processCount?: () => number;
  readonly joinCounts?: SharedJoinCounts | null;
}

interface Kept {
  readonly room: WaitingRoom;
  options: RoomOptions;
}

const tickMs = 1_000;
/** So long after a recovery its end is asked for, and not before. */
const afterRecoveryMs = 20;
/** Logs are seen to about so often, in one of the rounds. */
const keepLogsMs = 2_000;

export function createWaitingRooms(options: WaitingRoomsOptions) {
  const { store, checkpoints, clock, random, tickets } = options;
  const events = new EventEmitter<RoomEvents>();
  const joinLimits = createJoinLimits(clock);
  const kept = new Map<string, Kept>();
  /** Names of lines that are over, and not yet freed. */
  const over = new Set<string>();
  let all: readonly WaitingRoom[] = [];
  for (const each of options.rooms) open(each, false);
  all = [...kept.values()].map(({ room }) => room);

  /** @param isKnown whether the room was made just now, as far as this process knows */
  function open(each: RoomOptions, isKnown: boolean): void {
    const { id, settings } = each;
    const name = nameOf(each);
    over.delete(name);
    // A room that is new to an installation with a history was added to its configuration.
    const isKnownToBeNew = isKnown || checkpoints.hasHistory;
    const isNewRoom = checkpoints.isNewInstallation || (isKnownToBeNew && !checkpoints.knows(name));
    const room = new WaitingRoom({
      ...{ id, name, store, checkpoints, joinLimits, clock, random, events, isNewRoom },
      tickets: tickets(each),
      drawSource: options.draws?.(id) ?? null,
      fileSettings: settings,
      isStoreCutOff: options.isStoreCutOff,
      processCount: options.processCount,
      joinCounts: options.joinCounts,
      isByKey: each.isByKey,
      language: () => kept.get(id)?.options.language ?? null,
    });
    kept.set(id, { room, options: each });
  }

  /** These are the rooms from now on. What the store keeps of those that are gone is freed. */
  function follow(next: readonly RoomOptions[]): void {
    const wanted = new Map(next.map((each) => [each.id, each]));
    for (const [id, { room }] of kept) {
      const same = wanted.get(id);
      if (same !== undefined && nameOf(same) === room.name) continue;
      room.remove();
      kept.delete(id);
      over.add(room.name);
    }
    for (const each of next) {
      const known = kept.get(each.id);
      if (known === undefined) open(each, true);
      else known.options = each;
    }
    all = [...kept.values()].map(({ room }) => room);
  }

  const forEachRoom = (look: (room: WaitingRoom) => Promise<void>) =>
    Promise.all(
      all.map(async (room) => {
        try {
          await look(room);
        } catch (error) {
          if (error instanceof RoomRemovedError || isInterruption(error)) return;
          events.emit("room.failed", { room: room.id, error });
        }
      }),
    );

  /** Each process does so after it has asked for the last time: the last of them leaves nothing behind. */
  const free = () =>
    Promise.all(
      [...over].map(async (name) => {
        try {
          await store.forget(name);
          over.delete(name);
          checkpoints.forget(name);
        } catch {
          // A store that is away is asked again.
        }
      }),
    );

  const sync = async () => void (await forEachRoom((room) => room.refresh()));
  /** Syncs every room once, and writes the checkpoints. */
  const refresh = async () => {
    await Promise.all([sync(), free()]);
    checkpoints.flush();
  };

  let logsKeptMs = 0;
  const keepLogs = async () => {
    if (clock.now() - logsKeptMs < keepLogsMs * (0.7 + 0.6 * random.fraction())) return;
    logsKeptMs = clock.now();
    await forEachRoom((room) => room.log.keep());
  };

  let end = async () => {};
  const nextTickMs = () => {
    // Jitter keeps processes from asking in step.
    const usualMs = tickMs * (0.9 + 0.2 * random.fraction());
    const recoveries = all.flatMap(({ interruptions: { recoveringMs } }) =>
      recoveringMs ? [recoveringMs + afterRecoveryMs] : [],
    );
    return Math.min(usualMs, ...recoveries);
  };
  const tick = async () => {
    await refresh();
    await keepLogs();
    return nextTickMs();
  };

  return {
    events,
    get all() {
      return all;
    },
    get: (id: string) => kept.get(id)?.room,
    ofVisitor: (sub: string) => kept.get(roomOfVisitor(sub) ?? "")?.room,
    sync,
    refresh,
    follow,
    /** Keeps the rooms moving, about once a second, until `stop`. */
    start() {
      end = repeat(0, tick);
    },
    async stop() {
      await end();
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
export function onlyRooms(rooms: WaitingRooms, isOwn: (id: string) => boolean): WaitingRooms {
  return {
    events: rooms.events,
    get all() {
      return rooms.all.filter(({ id }) => isOwn(id));
    },
    get: (id) => (isOwn(id) ? rooms.get(id) : undefined),
    ofVisitor: (sub) => (isOwn(roomOfVisitor(sub) ?? "") ? rooms.ofVisitor(sub) : undefined),
    sync: rooms.sync,
  };
}
