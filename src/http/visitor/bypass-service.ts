import { derived } from "../../lib/derived.ts";
import type { Random } from "../../lib/random.ts";
import type { ClientDirectory, RoomDirectory } from "../../registry/index.ts";
import { type BypassLinks, createBypassLinks, type KeyRing } from "../../room/index.ts";
import { createWaysOn, type WaysOn } from "./continuation.ts";

/** Where a room's bypass links are made and taken: of its issuer, by whichever issuer's address an operator asks. */
export interface BypassDesk {
  readonly issuer: string;
  readonly links: BypassLinks;
  readonly waysOn: WaysOn;
}

export type DeskOf = (room: string) => BypassDesk;

interface DeskOwner {
  readonly issuer: string;
  /** Of its ticket keys, which all its processes share. */
  readonly ring: KeyRing;
  readonly rooms: RoomDirectory;
  readonly clients: ClientDirectory;
}

export function createBypassDesks(issuers: readonly DeskOwner[], random: Random): DeskOf {
  const desks = issuers.map(({ issuer, ring, rooms, clients }) => {
    const waysOn = derived(
      () => [rooms.all, clients.all],
      (allRooms, allClients) => createWaysOn({ issuer, clients: allClients, rooms: allRooms }),
    );
    const desk: BypassDesk = {
      issuer,
      links: createBypassLinks(ring, random),
      get waysOn() {
        return waysOn();
      },
    };
    return { desk, rooms };
  });
  return (room) => {
    const found = desks.find(({ rooms }) => rooms.get(room) !== undefined);
    if (found === undefined) throw new TypeError(`there is no room ${room}`);
    return found.desk;
  };
}
