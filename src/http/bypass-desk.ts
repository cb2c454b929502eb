import type { IssuerConfig } from "../config/index.ts";
import type { Random } from "../lib/random.ts";
import type { ClientDirectory } from "../registry/index.ts";
import { type BypassLinks, createBypassLinks, type KeyRing } from "../waiting-room/index.ts";
import { createWaysOn, type WaysOn } from "./ways-on.ts";

/** Where a room's bypass links are made and taken: of its issuer, by whichever issuer's address an operator asks. */
export interface BypassDesk {
  readonly issuer: string;
  readonly links: BypassLinks;
  readonly waysOn: WaysOn;
}

export type DeskOf = (room: string) => BypassDesk;

/** @param issuers each with the ring of its ticket keys, which all its processes share */
export function createBypassDesks(
  issuers: readonly { readonly config: IssuerConfig; readonly ring: KeyRing; readonly clients: ClientDirectory }[],
  random: Random,
): DeskOf {
  const desks = new Map<string, BypassDesk>();
  for (const { config, ring, clients } of issuers) {
    const { issuer, rooms } = config;
    const waysOn = clients.derive((all) => createWaysOn({ issuer, clients: all, rooms }));
    const desk = {
      issuer,
      links: createBypassLinks(ring, random),
      get waysOn() {
        return waysOn();
      },
    };
    for (const { id } of rooms) desks.set(id, desk);
  }
  return (room) => {
    const desk = desks.get(room);
    if (desk === undefined) throw new TypeError(`there is no room ${room}`);
    return desk;
  };
}
