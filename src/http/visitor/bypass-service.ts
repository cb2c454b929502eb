import { derived } from "../../lib/derived.ts";
import type { Random } from "../../lib/random.ts";
import type { ClientDirectory, RoomDirectory } from "../../registry/index.ts";
import { type BypassLinks, createBypassLinks, type KeyRing } from "../../room/index.ts";
import { type Continuations, createContinuations } from "./continuation.ts";

/** Where a room's bypass links are made and taken: of its issuer, by whichever issuer's address an operator asks. */
export interface BypassService {
  readonly issuer: string;
  readonly links: BypassLinks;
  readonly continuations: Continuations;
}

export type BypassServiceOf = (room: string) => BypassService;

interface BypassIssuer {
  readonly issuer: string;
  /** Of its ticket keys, which all its processes share. */
  readonly ring: KeyRing;
  readonly rooms: RoomDirectory;
  readonly clients: ClientDirectory;
}

export function createBypassServices(issuers: readonly BypassIssuer[], random: Random): BypassServiceOf {
  const services = issuers.map(({ issuer, ring, rooms, clients }) => {
    const continuations = derived(
      () => [rooms.all, clients.all],
      (allRooms, allClients) => createContinuations({ issuer, clients: allClients, rooms: allRooms }),
    );
    const service: BypassService = {
      issuer,
      links: createBypassLinks(ring, random),
      get continuations() {
        return continuations();
      },
    };
    return { service, rooms };
  });
  return (room) => {
    const found = services.find(({ rooms }) => rooms.get(room) !== undefined);
    if (found === undefined) throw new TypeError(`there is no room ${room}`);
    return found.service;
  };
}
