import { EventEmitter } from "node:events";
import { AddressBuckets } from "../lib/address-buckets.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { RoomSettings, RoomStore } from "../store/room-store.ts";
import type { DrawSource } from "./draw/draw-source.ts";
import type { RoomEvents } from "./events.ts";
import type { HighWaterMarks } from "./high-water.ts";
import { isInterruption } from "./interruptions.ts";
import { RoomKnowledge } from "./room-knowledge.ts";
import type { TicketCodec } from "./ticket.ts";
import { roomOfVisitor } from "./visitor.ts";
import { WaitingRoom } from "./waiting-room.ts";

export interface WaitingRooms {
  readonly events: EventEmitter<RoomEvents>;
  readonly all: readonly WaitingRoom[];
  get(id: string): WaitingRoom | undefined;
  /** The room a visitor belongs to, from their `sub`. */
  ofVisitor(sub: string): WaitingRoom | undefined;
  /** Hears of every room once, and writes nothing down yet; a store that is away or recovering is no error here. */
  hear(): Promise<void>;
  /** Hears of every room once, and writes the marks. */
  refresh(): Promise<void>;
  /** Keeps the rooms moving, about once a second, until `stop`. */
  start(): void;
  stop(): Promise<void>;
}

export interface RoomOptions {
  readonly id: string;
  /** As its file has them. */
  readonly settings: RoomSettings;
  /** Tag of the language in which it speaks to those whose own it has no words in; default: that of its first words. */
  readonly language?: string | null;
}

export interface WaitingRoomsOptions {
  readonly store: RoomStore;
  readonly rooms: readonly RoomOptions[];
  readonly tickets: TicketCodec;
  /** What a room's draws are made of; default: nothing, and no entries are taken where there is to be a draw. */
  readonly draws?: (room: string) => DrawSource | null;
  readonly marks: HighWaterMarks;
  readonly clock: Clock;
  readonly random: Random;
}

const tickMs = 1_000;
/** Logs are seen to about so often, in one of the rounds. */
const keepLogsMs = 2_000;

export function createWaitingRooms(options: WaitingRoomsOptions): WaitingRooms {
  const { store, marks, clock, random, tickets } = options;
  const events = new EventEmitter<RoomEvents>();
  const rooms = new Map<string, WaitingRoom>();
  const addresses = new AddressBuckets(clock);
  const known: RoomKnowledge[] = [];
  for (const { id, settings, language = null } of options.rooms) {
    // A room that is new to an installation with a history was added to its configuration.
    const isNewRoom = marks.isNewInstallation || (marks.hasHistory && marks.recall(id, null) === null);
    const drawSource = options.draws?.(id) ?? null;
    const knowledge = new RoomKnowledge(id, marks);
    known.push(knowledge);
    const common = { id, store, knowledge, tickets, drawSource, addresses, clock, random, events };
    rooms.set(id, new WaitingRoom({ ...common, fileSettings: settings, language, isNewRoom }));
  }
  const all = [...rooms.values()];

  const forEachRoom = (look: (room: WaitingRoom) => Promise<void>) =>
    Promise.all(
      all.map(async (room) => {
        try {
          await look(room);
        } catch (error) {
          if (!isInterruption(error)) events.emit("room.failed", { room: room.id, error });
        }
      }),
    );

  const hear = async () => void (await forEachRoom((room) => room.refresh()));
  const refresh = async () => {
    await hear();
    marks.flush();
  };

  let logsKeptMs = 0;
  const keepLogs = async () => {
    if (clock.now() - logsKeptMs < keepLogsMs * (0.7 + 0.6 * random.fraction())) return;
    logsKeptMs = clock.now();
    await forEachRoom((room) => room.log.keep());
  };

  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  const run = () => {
    running = refresh()
      .then(keepLogs)
      .finally(() => {
        // Jitter keeps processes from asking in step.
        if (!isStopped) timer = setTimeout(run, tickMs * (0.9 + 0.2 * random.fraction()));
      });
  };

  return {
    events,
    all,
    get: (id) => rooms.get(id),
    ofVisitor: (sub) => rooms.get(roomOfVisitor(sub) ?? ""),
    hear,
    refresh,
    start: run,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      for (const knowledge of known) knowledge.mark();
      marks.close();
    },
  };
}

/** The same rooms, of which only these can be found. */
export function onlyRooms(rooms: WaitingRooms, ids: readonly string[]): WaitingRooms {
  const own = new Map(rooms.all.filter(({ id }) => ids.includes(id)).map((room) => [room.id, room]));
  return {
    ...rooms,
    all: [...own.values()],
    get: (id) => own.get(id),
    ofVisitor: (sub) => own.get(roomOfVisitor(sub) ?? ""),
  };
}
