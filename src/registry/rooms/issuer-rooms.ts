import { type IssuerConfig, type RoomConfig, type RoomReading, readRoomDocument } from "../../config/index.ts";
import { memberOf, stableText } from "../../lib/json.ts";
import type { RegisteredRoom } from "../content.ts";
import { createViews, type RegisteredView } from "../registered.ts";
import { createRoomChanges, type RoomChangesOptions } from "./room-changes.ts";

export type RegisteredRoomView = RegisteredView<RegisteredRoom, RoomReading>;

export type IssuerRooms = ReturnType<typeof createIssuerRooms>;
/** The rooms of one issuer, wherever they come from, as they are now. Asks no store. */
export type RoomDirectory = Pick<IssuerRooms, "all" | "get" | "onChange">;

export interface IssuerRoomsOptions extends Omit<RoomChangesOptions, "place" | "isInFile"> {
  readonly config: Pick<IssuerConfig, "issuer" | "rooms">;
  /** Tags of the languages of pages. */
  readonly languages: readonly string[];
  /** Names of the stores that rooms may be in. */
  readonly stores: readonly string[];
}

/** The rooms of the configuration file, and those that were made at run time. */
export function createIssuerRooms(options: IssuerRoomsOptions) {
  const { config, languages, stores, registry, elsewhere, report } = options;
  const place = { issuer: config.issuer, languages, stores };
  const ofFile = new Set(config.rooms.map(({ id }) => id));
  const isInFile = (id: string) => ofFile.has(id);
  const readViews = createViews<RegisteredRoom, RoomReading>({
    read: (document) => readRoomDocument(document, place),
    isShadowed: (id) => isInFile(id) || elsewhere(id) === "first",
    report: (room, status, faults) =>
      report(status === "shadowed" ? { event: "room.shadowed", room } : { event: "room.unusable", room, faults }),
  });
  const listeners: (() => void)[] = [];
  let registered: readonly RegisteredRoomView[] = [];
  let all = config.rooms;
  let byId = new Map(all.map((room) => [room.id, room]));
  let text = stableText([]);
  review();
  registry.onChange(review);

  return {
    /** Another list when they are others: see lib/derived.ts. */
    get all() {
      return all;
    },
    get: (id: string) => byId.get(id),
    /** Called when they have become others, with these in force. */
    onChange: (listener: () => void) => void listeners.push(listener),
    changes: createRoomChanges({ ...options, place, isInFile }),
    /** Those that were made at run time, those that are not in force among them. */
    get registered() {
      return registered;
    },
    review,
  };

  /** Looks anew at which are in force: this issuer's registry, or another issuer, has other rooms now. */
  function review(): void {
    const { rooms = {} } = registry.content;
    registered = readViews(rooms);
    const next = stableText(registered.map((view) => [view.id, view.status, view.registered]));
    if (next === text) return;
    text = next;
    // What was made at run time and stands in the file since goes on: the line is the same, its settings are the file's.
    const written = config.rooms.map((room) => withLine(room, memberOf(rooms, room.id)));
    all = [...written, ...registered.flatMap(inForce)];
    byId = new Map(all.map((room) => [room.id, room]));
    for (const listener of listeners) listener();
  }
}

function inForce({ status, reading, registered }: RegisteredRoomView): RoomConfig[] {
  return status === "active" && "room" in reading ? [withLine(reading.room, registered)] : [];
}

function withLine(room: RoomConfig, registered: RegisteredRoom | undefined): RoomConfig {
  return registered === undefined ? room : { ...room, line: registered.line };
}
