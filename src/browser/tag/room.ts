/** Which room a call of the tag means, and the addresses that it has at Usher. */

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

const script = document.currentScript as HTMLScriptElement | null;
/** Attributes of the element that loaded the tag: none where it was loaded as a module. */
export const ownData = script?.dataset ?? {};
const ownIssuer = ownData.issuer ?? script?.src;

/** @throws TypeError where nobody says which room, or where Usher is */
export function roomUrl({ room, issuer = ownIssuer }: RoomChoice): string {
  if (!room || !issuer) throw new TypeError("usher: room or issuer is missing");
  return `${new URL(issuer, location.href).origin}/rooms/${encodeURIComponent(room)}`;
}

/** Its target may be relative to the page; without one the visitor comes to where the room leads to by itself. */
export const enterUrl = (choice: VisitOptions) =>
  `${roomUrl(choice)}/enter${choice.target ? `?target=${encodeURIComponent(new URL(choice.target, location.href).href)}` : ""}`;
