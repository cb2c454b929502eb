import type { IssuerConfig } from "../config/index.ts";
import type { Random } from "../lib/random.ts";
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
  issuers: readonly { readonly config: IssuerConfig; readonly ring: KeyRing }[],
  random: Random,
): DeskOf {
  const desks = new Map<string, BypassDesk>();
  for (const { config, ring } of issuers) {
    const desk = { issuer: config.issuer, links: createBypassLinks(ring, random), waysOn: createWaysOn(config) };
    for (const { id } of config.rooms) desks.set(id, desk);
  }
  return (room) => {
    const desk = desks.get(room);
    if (desk === undefined) throw new TypeError(`there is no room ${room}`);
    return desk;
  };
}
