import { type RoomPlace, readRoomDocument, roomsNamed } from "../../config/index.ts";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import { mergePatch } from "../../lib/json.ts";
import type { RegisteredRoom, RegistryContent } from "../content.ts";
import type { RegisteredRoomEvent } from "../events.ts";
import { badDocument, conflict, faultsOf, noSuchRoom, roomIsOfFile } from "../refusals.ts";
import { type Document, withRegistered } from "../registered.ts";
import type { Registry } from "../registry.ts";

/** Whether another issuer has a room of the same id: one whose room is in force then, or one whose room is not. */
export type Elsewhere = "first" | "later" | null;

export interface RoomChangesOptions {
  readonly registry: Registry;
  readonly place: RoomPlace;
  readonly isInFile: (id: string) => boolean;
  /** Whether another issuer has a room of this id. None is made then. */
  readonly elsewhere: (id: string) => Elsewhere;
  /** Ids of the issuer's clients. */
  readonly clientIds: () => readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (event: RegisteredRoomEvent) => void;
}

const lineBytes = 4;

/** What is done to the rooms of one issuer at run time, for all of its processes. `admin` is the id of an admin key. */
export function createRoomChanges(options: RoomChangesOptions) {
  const { registry, place, isInFile, elsewhere, clientIds, clock, random, report } = options;

  return {
    /** @throws UsherError `bad_request` with all faults, `conflict`, `store_unavailable` */
    async create(document: Document, admin: string): Promise<void> {
      const id = String(document.id);
      const line = random.bytes(lineBytes).toString("hex");
      await registry.update((content) => {
        const { rooms = {} } = content;
        check(document);
        if (isInFile(id)) {
          throw conflict("the configuration file has a room of this id: change it there, or choose another id");
        }
        if (elsewhere(id) !== null) throw conflict("another issuer has a room of this id: choose another one");
        if (Object.hasOwn(rooms, id)) {
          throw conflict(`there is a room of this id already: PATCH /admin/rooms/${id} changes it`);
        }
        const nowMs = clock.now();
        const room = { document, line, created_ms: nowMs, updated_ms: nowMs };
        return withRegistered(content, "rooms", { ...rooms, [id]: room });
      });
      report({ event: "room.created", room: id, admin });
    },

    /** Whether `patch` would be taken. @throws as it does */
    checkPatch: (id: string, patch: Document) => void patched(registry.content, id, patch),

    /** @param patch see RFC 7396 @throws as `create`, and `not_found` */
    async patch(id: string, patch: Document, admin: string): Promise<void> {
      await registry.update((content) => patched(content, id, patch));
      report({ event: "room.updated", room: id, admin });
    },

    /** @param force also where clients name it: it is taken off those that have others @throws as `patch` */
    async remove(id: string, force: boolean, admin: string): Promise<void> {
      await registry.update((content) => {
        find(content, id);
        const named = Object.keys(content.clients).filter((client) =>
          roomsNamed(content.clients[client]?.document).includes(id),
        );
        if (named.length > 0 && !force) {
          const listed = named.slice(0, 10).join(", ");
          throw conflict(
            `clients name this room: ${listed}${named.length > 10 ? ", …" : ""}; take it off them first, or send ?force=true`,
          );
        }
        const { [id]: _, ...others } = content.rooms ?? {};
        return { ...content, rooms: others, clients: withoutRoom(content.clients, id) };
      });
      report({ event: "room.deleted", room: id, admin });
    },
  };

  function patched(content: RegistryContent, id: string, patch: Document): RegistryContent {
    const before = find(content, id);
    const document = mergePatch(before.document, patch) as Document;
    check(document);
    const room = { ...before, document, updated_ms: clock.now() };
    return withRegistered(content, "rooms", { ...content.rooms, [id]: room });
  }

  /** @throws UsherError `not_found`, `conflict` */
  function find({ rooms = {} }: RegistryContent, id: string): RegisteredRoom {
    if (isInFile(id)) throw roomIsOfFile();
    const room = Object.hasOwn(rooms, id) ? rooms[id] : undefined;
    if (room === undefined) throw noSuchRoom();
    return room;
  }

  /** @throws UsherError `bad_request` with all faults */
  function check(document: Document): void {
    const faults = faultsOf(readRoomDocument(document, place, clientIds()));
    if (faults.length > 0) throw badDocument(faults);
  }
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
