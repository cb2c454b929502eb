/** Where themes are in a document, and which override which. */
import { entriesAt, hasIssuerList, issuerPaths, namesAt, type Path, valueAt } from "../raw-document.ts";

/** Paths of themes that are there, each overriding those before it. */
export type ThemeStack = readonly Path[];

type StackById = readonly [id: string, ThemeStack];

/** Those of an issuer's pages of no room, of each room, of each client with each of its rooms, and those that links to a room may name. */
export function themeStacks(document: unknown, issuer: Path) {
  const add = (below: ThemeStack, path: Path) =>
    (valueAt(document, path) ?? null) === null ? below : [...below, path];
  const common = add([], ["theme"]);
  const usual = hasIssuerList(document) ? add(common, [...issuer, "theme"]) : common;
  const ofRooms = entriesAt(document, [...issuer, "rooms"]).map((room): StackById => {
    return [valueAt(document, [...room, "id"]) as string, add(usual, [...room, "theme"])];
  });
  const byRoom = new Map(ofRooms);
  const ofClients = entriesAt(document, [...issuer, "clients"]).map((client): [id: string, StackById[]] => {
    const rooms = valueAt(document, [...client, "rooms"]) ?? [valueAt(document, [...client, "room"])];
    const stacks = (Array.isArray(rooms) ? rooms : []).map((id: string): StackById => {
      return [id, add(byRoom.get(id) ?? usual, [...client, "theme"])];
    });
    return [valueAt(document, [...client, "client_id"]) as string, stacks];
  });
  const ofLinks = entriesAt(document, [...issuer, "rooms"]).map((room): [id: string, StackById[]] => {
    const id = valueAt(document, [...room, "id"]) as string;
    const names = namesAt(document, [...room, "themes"]);
    return [id, names.map((name): StackById => [name, add(byRoom.get(id) ?? usual, [...room, "themes", name])])];
  });
  return { usual, ofRooms, ofClients, ofLinks };
}

/** Of all issuers: for each theme that is there every stack that it is on top of. */
export function themePlaces(raw: unknown): ThemeStack[] {
  const stacks = issuerPaths(raw).flatMap((issuer) => {
    const { usual, ofRooms, ofClients, ofLinks } = themeStacks(raw, issuer);
    const ofEach = [...ofClients, ...ofLinks].flatMap(([, byId]) => byId);
    return [usual, ...[...ofRooms, ...ofEach].map(([, stack]) => stack)];
  });
  const topped = stacks.flatMap((stack) => stack.map((_, index) => stack.slice(0, index + 1)));
  return [...new Map(topped.map((stack) => [JSON.stringify(stack), stack])).values()];
}
