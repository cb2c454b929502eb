/** Which room a call of the tag means, and the addresses that it has at Usher. */
import { here, tree } from "./browser.ts";

export interface RoomChoice {
  /** The id of the room. */
  room?: string | undefined;
  /** Usher's address; by default where the script came from, or its `data-issuer`. */
  issuer?: string | undefined;
}

export interface VisitOptions extends RoomChoice {
  /** Where the visitor comes back to; by default to the page at hand. The deep link is gone on to from there. */
  target?: string | undefined;
}

/** Of the element that loaded the tag: nothing where it was loaded as a module. */
export const { dataset: scriptData = {}, src: scriptSource } = (tree.currentScript ?? {}) as Partial<HTMLScriptElement>;

/** An address that may be relative to the page. */
export const resolve = (address: string | URL) => new URL(address, here as unknown as URL);

/** @throws TypeError where nobody says which room, or where Usher is */
export const roomUrl = ({ room, issuer = scriptData.issuer ?? scriptSource }: RoomChoice): string => {
  if (!room || !issuer) throw new TypeError("usher: no room or issuer");
  return `${resolve(issuer).origin}/rooms/${room}`;
};

/** Without a target the visitor comes to where the room leads to by itself. */
export const enterUrl = (choice: VisitOptions) =>
  `${roomUrl(choice)}/enter${choice.target ? `?target=${encodeURIComponent(resolve(choice.target) as unknown as string)}` : ""}`;
