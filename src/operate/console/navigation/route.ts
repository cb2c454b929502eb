/** What an address of the console names: a screen, and the room that it is of. */
export interface Route {
  /** Null for a screen that is of no single room. */
  readonly room: string | null;
  /** The last part of the address; empty for the first screen. */
  readonly name: string;
}

const pathPattern = /^\/console(?:\/rooms\/([a-z0-9-]+))?(?:\/([a-z-]+))?\/?$/;

/** @returns null for an address that is not of the console's shape */
export function routeOf(path: string): Route | null {
  const found = pathPattern.exec(path);
  return found && { room: found[1] ?? null, name: found[2] ?? "" };
}

export function pathOf({ room, name }: Route): string {
  const base = room === null ? "/console" : `/console/rooms/${room}`;
  return name === "" ? base : `${base}/${name}`;
}
