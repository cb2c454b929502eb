import type { ClientConfig, RoomConfig } from "../config/index.ts";
import { derived } from "../lib/derived.ts";
import { createTargetList, readLinkTarget } from "../lib/link-target.ts";
import { createLoginStart } from "../oidc/index.ts";
import type { ClientDirectory, RoomDirectory } from "../registry/index.ts";

/** Where a visitor continues: at a login, or at an address with an admission token. */
export interface Continuation {
  readonly by: "login" | "token";
  readonly address: string;
}

/** The sites behind a room, as the room and its clients name them: where visitors come from, and where they may be sent. */
export interface RoomSites {
  /** Where a link that names no address leads: the first target that is exact. */
  readonly usualTarget: string | null;
  /** The address as browsers write it, if links to the room may lead there. What is answered is what was compared. */
  findTarget(address: string): string | null;
  /** The address, if a visitor may be sent there who leaves: a target, or exactly one after logout or where a login starts. */
  findReturn(address: string): string | null;
  /** Of the relying parties, and of the sites that links lead to. */
  readonly origins: ReadonlySet<string>;
  /**
   * To a page that one of the room's clients lists, or the room itself; null for any other.
   *
   * @param target undefined: where visitors usually go; null is the answer of a room with neither a client nor an exact target
   */
  continueTo(target: string | undefined): Continuation | null;
  /** Where a login at one of the room's clients starts; null for any other client. */
  loginAt(clientId: string): string | null;
  /** Whether forward authentication lets a path through. One that the site might read as another path is never exempt. */
  isExempt(path: string): boolean;
  /** Milliseconds for which an admission token is valid. */
  readonly validityMs: number;
  /** Whose pages may take places by script. */
  readonly allowedOrigins: readonly string[];
}

export type RoomSitesOf = (room: string) => RoomSites;

const strictest: RoomConfig["waysIn"] = {
  targets: [],
  verify: { exempt: [] },
  admissionToken: { validityMs: 0 },
  allowedOrigins: [],
};

/** Of the rooms of one issuer, as they are by now. A room that is not there has the strictest. */
export function sitesOfRooms(issuer: string, rooms: RoomDirectory, clients: Pick<ClientDirectory, "all">): RoomSitesOf {
  const none = createRoomSites(issuer, { id: "", waysIn: strictest }, []);
  const byRoom = derived(
    () => [rooms.all, clients.all],
    (allRooms, allClients) => new Map(allRooms.map((room) => [room.id, createRoomSites(issuer, room, allClients)])),
  );
  return (room) => byRoom().get(room) ?? none;
}

export function createRoomSites(
  issuer: string,
  { id, waysIn }: Pick<RoomConfig, "id" | "waysIn">,
  allClients: readonly ClientConfig[],
): RoomSites {
  const { targets, verify, admissionToken, allowedOrigins } = waysIn;
  const clients = allClients.filter(({ rooms }) => rooms.includes(id));
  const logins = clients.map((client) => {
    const start = createLoginStart(client, issuer);
    return { clientId: client.clientId, addressFor: (target?: string) => start(id, target) };
  });
  const exact = targets.find((entry) => !entry.endsWith("/*"));
  const usualTarget = exact === undefined ? null : new URL(exact).href;
  const findTarget = createTargetList(targets);
  const starts = logins.flatMap(({ addressFor }) => addressFor() ?? []);
  const returnUris = new Set([...clients.flatMap((client) => client.postLogoutRedirectUris), ...starts]);
  const addresses = [...clients.flatMap((client) => client.redirectUris), ...returnUris, ...targets];
  return {
    usualTarget,
    findTarget,
    findReturn: (address) => (returnUris.has(address) ? address : findTarget(address)),
    origins: new Set(addresses.map((uri) => new URL(uri).origin)),
    continueTo(target) {
      for (const { addressFor } of logins) {
        const address = addressFor(target);
        if (address !== null) return { by: "login", address };
      }
      const address = target === undefined ? usualTarget : findTarget(target);
      return address === null ? null : { by: "token", address };
    },
    loginAt: (clientId) => logins.find((login) => login.clientId === clientId)?.addressFor() ?? null,
    isExempt: createExemptPaths(verify.exempt),
    validityMs: admissionToken.validityMs,
    allowedOrigins,
  };
}

/** @param list paths, exact, or ending with `/*` for everything below */
function createExemptPaths(list: readonly string[]): (path: string) => boolean {
  const exact = new Set(list.filter((entry) => !entry.endsWith("/*")));
  const prefixes = list.filter((entry) => entry.endsWith("/*")).map((entry) => entry.slice(0, -1));
  return (path) =>
    (exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix))) &&
    readLinkTarget(`https://site.example${path}`) !== null;
}
