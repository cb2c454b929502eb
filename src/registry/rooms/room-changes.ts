import { type RoomPlace, readRoomDocument, roomsNamed } from "../../config/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { UsherError } from "../../lib/errors.ts";
import { mergePatch } from "../../lib/merge-patch.ts";
import type { Random } from "../../lib/random.ts";
import { badDocument, conflict, faultLines } from "../clients/client-refusals.ts";
import type { RegisteredRoom, RegistryContent } from "../content.ts";
import type { Registry } from "../registry.ts";
import type { Elsewhere } from "./room-directory.ts";
import type { RegisteredRoomEvent } from "./room-events.ts";

/** What is done to the rooms of one issuer at run time, for all of its processes. `admin` is the id of an admin key. */
export interface RoomChanges {
  /** @throws UsherError `bad_request` with all faults, `conflict`, `store_unavailable` */
  create(document: Readonly<Record<string, unknown>>, admin: string): Promise<void>;
  /** Whether `patch` would be taken. @throws as it does */
  checkPatch(id: string, patch: Readonly<Record<string, unknown>>): void;
  /** @param patch see RFC 7396 @throws as `create`, and `not_found` */
  patch(id: string, patch: Readonly<Record<string, unknown>>, admin: string): Promise<void>;
  /** @param force also where clients name it: it is taken off those that have others @throws as `patch` */
  remove(id: string, force: boolean, admin: string): Promise<void>;
}

export interface RoomChangesOptions {
  readonly registry: Registry;
  readonly place: RoomPlace;
  readonly isInFile: (id: string) => boolean;
  readonly elsewhere: (id: string) => Elsewhere;
  readonly clientIds: () => readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (event: RegisteredRoomEvent) => void;
}

type Rooms = NonNullable<RegistryContent["rooms"]>;

/** As many as the configuration file may have. */
const roomsMax = 1_000;
/** The registry travels as a whole, and clients and keys need room, too. */
const roomsBytesMax = 512 * 1024;
const lineBytes = 4;

export function createRoomChanges(options: RoomChangesOptions): RoomChanges {
  const { registry, place, isInFile, elsewhere, clientIds, clock, random, report } = options;

  return {
    async create(document, admin) {
      const id = String(document.id);
      const line = random.bytes(lineBytes).toString("hex");
      await registry.update((content) => {
        const { rooms = {} } = content;
        check(document, clientIds());
        if (isInFile(id))
          throw conflict("the configuration file has a room of this id: change it there, or choose another id");
        if (elsewhere(id) !== null) throw conflict("another issuer has a room of this id: choose another one");
        if (Object.hasOwn(rooms, id))
          throw conflict(`there is a room of this id already: PATCH /admin/rooms/${id} changes it`);
        if (Object.keys(rooms).length >= roomsMax) {
          throw conflict(`there are ${roomsMax} rooms made at run time, and no more can be: delete some`);
        }
        const nowMs = clock.now();
        return put(content, { ...rooms, [id]: { document, line, created_ms: nowMs, updated_ms: nowMs } });
      });
      report({ event: "room.created", room: id, admin });
    },

    checkPatch: (id, patch) => void patched(registry.content, id, patch),

    async patch(id, patch, admin) {
      await registry.update((content) => patched(content, id, patch));
      report({ event: "room.updated", room: id, admin });
    },

    async remove(id, force, admin) {
      await registry.update((content) => {
        find(content, id);
        const named = Object.keys(content.clients).filter((client) =>
          roomsNamed(content.clients[client]?.document).includes(id),
        );
        if (named.length > 0 && !force) {
          const shown = named.slice(0, 10).join(", ");
          throw conflict(
            `clients name this room: ${shown}${named.length > 10 ? ", …" : ""}; take it off them first, or send ?force=true`,
          );
        }
        const { [id]: _, ...others } = content.rooms ?? {};
        return { ...content, rooms: others, clients: withoutRoom(content.clients, id) };
      });
      report({ event: "room.deleted", room: id, admin });
    },
  };

  function patched(content: RegistryContent, id: string, patch: Readonly<Record<string, unknown>>): RegistryContent {
    const before = find(content, id);
    const document = mergePatch(before.document, patch) as Record<string, unknown>;
    check(document, clientIds());
    return put(content, { ...content.rooms, [id]: { ...before, document, updated_ms: clock.now() } });
  }

  /** @throws UsherError `not_found`, `conflict` */
  function find({ rooms = {} }: RegistryContent, id: string): RegisteredRoom {
    if (isInFile(id)) throw roomIsOfFile();
    const room = Object.hasOwn(rooms, id) ? rooms[id] : undefined;
    if (room === undefined) throw new UsherError("unknown_room", "there is no room of this name", { status: 404 });
    return room;
  }

  /** @throws UsherError `bad_request` with all faults */
  function check(document: unknown, clients: readonly string[]): void {
    const lines = faultLines(readRoomDocument(document, place, clients));
    if (lines.length > 0) throw badDocument(lines);
  }
}

export function roomIsOfFile(): UsherError {
  return conflict("this room is in the configuration file: change it there, or take it out, and restart the processes");
}

function put(content: RegistryContent, rooms: Rooms): RegistryContent {
  if (Buffer.byteLength(JSON.stringify(rooms)) > roomsBytesMax) {
    throw conflict("the rooms made at run time take more than 512 KiB together: shorten lists, or delete some");
  }
  return { ...content, rooms };
}

/** Clients that have other rooms keep those; what is left of one that has none is not in force, and says so. */
function withoutRoom(clients: RegistryContent["clients"], id: string): RegistryContent["clients"] {
  return Object.fromEntries(
    Object.entries(clients).map(([clientId, client]) => {
      const { rooms, initiate_login_uris: starts, ...rest } = client.document;
      if (!Array.isArray(rooms) || !rooms.includes(id) || rooms.length === 1) return [clientId, client];
      const { [id]: _, ...otherStarts } = Object(starts) as Record<string, unknown>;
      const document = {
        ...rest,
        rooms: rooms.filter((room) => room !== id),
        ...(starts !== undefined && { initiate_login_uris: otherStarts }),
      };
      return [clientId, { ...client, document }];
    }),
  );
}
