/** Which room a call of the tag means, and the addresses that it has at Usher. */

export interface RoomChoice {
  /** The id of the room. */
  room?: string | undefined;
  /** Usher's address; by default where the script came from, or its `data-issuer`. */
  issuer?: string | undefined;
}

const script = document.currentScript as HTMLScriptElement | null;
/** Attributes of the element that loaded the tag: none where it was loaded as a module. */
export const ownData: DOMStringMap = { ...script?.dataset };
const ownIssuer = ownData.issuer ?? script?.src;

/** @throws TypeError where nobody says which room, or where Usher is */
export function roomUrl({ room, issuer = ownIssuer }: RoomChoice): string {
  if (!room || !issuer) throw new TypeError("usher: room or issuer is missing");
  return `${new URL(issuer, location.href).origin}/rooms/${encodeURIComponent(room)}`;
}

/** @param target may be relative to the page; empty for where the room leads to by itself */
export const enterUrl = (choice: RoomChoice, target?: string) =>
  `${roomUrl(choice)}/enter${target ? `?target=${encodeURIComponent(new URL(target, location.href).href)}` : ""}`;
