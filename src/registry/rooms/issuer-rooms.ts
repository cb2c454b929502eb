import {
  type IssuerConfig,
  type RoomConfig,
  type RoomPlace,
  type RoomReading,
  readRoomDocument,
} from "../../config/index.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import { stableText } from "../../lib/stable-text.ts";
import type { RegisteredRoom } from "../content.ts";
import { createReadings } from "../readings.ts";
import type { Registry } from "../registry.ts";
import { createRoomChanges, type RoomChanges } from "./room-changes.ts";
import { createRoomDirectory, type Elsewhere, type RoomDirectory } from "./room-directory.ts";
import type { RegisteredRoomEvent } from "./room-events.ts";

/** A room that was made at run time, as this process sees it. */
export interface RegisteredRoomView {
  readonly id: string;
  /** `shadowed`: the file, or another issuer, has one of the same id. `unusable`: it does not fit this process. */
  readonly status: "active" | "shadowed" | "unusable";
  readonly reading: RoomReading;
  readonly registered: RegisteredRoom;
}

export interface IssuerRoomsOptions {
  readonly config: Pick<IssuerConfig, "issuer" | "rooms">;
  /** Tags of the languages of pages. */
  readonly languages: readonly string[];
  readonly registry: Registry;
  /** Whether another issuer has a room of this id. None is made then. */
  readonly elsewhere: (id: string) => Elsewhere;
  /** Ids of the issuer's clients. */
  readonly clientIds: () => readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (event: RegisteredRoomEvent) => void;
}

/** The rooms of the configuration file, and those that were made at run time. */
export interface IssuerRooms extends RoomDirectory {
  readonly changes: RoomChanges;
  /** Those that were made at run time, those that are not in force among them. */
  readonly registered: readonly RegisteredRoomView[];
  isInFile(id: string): boolean;
  /** Looks anew at which are in force, since another issuer has other rooms now. */
  readonly review: () => void;
}

export function createIssuerRooms(options: IssuerRoomsOptions): IssuerRooms {
  const { config, languages, registry, elsewhere, report } = options;
  const place: RoomPlace = { issuer: config.issuer, languages };
  const ofFile = new Set(config.rooms.map(({ id }) => id));
  const isInFile = (id: string) => ofFile.has(id);
  const readDocuments = createReadings<RegisteredRoom, RoomReading>((document) => readRoomDocument(document, place));
  const tell = createTeller(report);
  let text = "";
  let registered: readonly RegisteredRoomView[] = [];
  const directory = createRoomDirectory(config.rooms);
  read();
  registry.onChange(read);

  return {
    ...directory,
    get all() {
      return directory.all;
    },
    changes: createRoomChanges({ ...options, place, isInFile }),
    get registered() {
      return registered;
    },
    isInFile,
    review: read,
  };

  function read(): void {
    const { rooms = {} } = registry.content;
    const taken = new Set(Object.keys(rooms).filter((id) => isInFile(id) || elsewhere(id) === "first"));
    const next = stableText([rooms, [...taken]]);
    if (next === text) return;
    text = next;
    registered = readDocuments(rooms).map(({ id, reading, registered: entry }) => ({
      id,
      status: taken.has(id) ? "shadowed" : "faults" in reading ? "unusable" : "active",
      reading,
      registered: entry,
    }));
    tell(registered);
    // What was made at run time and stands in the file since goes on: the line is the same, its settings are the file's.
    const written = config.rooms.map((room) => withLine(room, rooms[room.id]));
    directory.replace([...written, ...registered.flatMap(inForce)]);
  }
}

function inForce({ status, reading, registered }: RegisteredRoomView): RoomConfig[] {
  return status === "active" && "room" in reading ? [withLine(reading.room, registered)] : [];
}

function withLine(room: RoomConfig, registered: RegisteredRoom | undefined): RoomConfig {
  return registered === undefined ? room : { ...room, line: registered.line };
}

/** Tells of rooms that are not in force: once, until they are again. */
function createTeller(report: (event: RegisteredRoomEvent) => void): (views: readonly RegisteredRoomView[]) => void {
  let known: ReadonlyMap<string, RegisteredRoomView["status"]> = new Map();
  return (views) => {
    for (const { id: room, status, reading } of views) {
      if (known.get(room) === status) continue;
      if (status === "shadowed") report({ event: "room.shadowed", room });
      if (status === "unusable" && "faults" in reading) {
        report({
          event: "room.unusable",
          room,
          faults: reading.faults.map(({ path, message }) => `${path}: ${message}`),
        });
      }
    }
    known = new Map(views.map(({ id, status }) => [id, status]));
  };
}
