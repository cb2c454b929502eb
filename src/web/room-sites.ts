import { type ClientConfig, isWithinDomain, type RoomConfig } from "../config/index.ts";
import { derived } from "../lib/derived.ts";
import { createExemptPaths, createTargetList } from "../lib/link-target.ts";
import { type CrawlerCheck, decide, type RuleDecision, type RuleRequest, readRules } from "../lib/rules/index.ts";
import { createLoginStart } from "../oidc/index.ts";
import type { ClientDirectory, RoomDirectory } from "../registry/index.ts";

/** Where a visitor continues: at a login, or at an address with an admission token. */
export interface Continuation {
  readonly by: "login" | "token";
  readonly address: string;
}

export type RoomSites = ReturnType<typeof createRoomSites>;
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

/** The sites behind a room, as the room and its clients name them: where visitors come from, and where they may be sent. */
export function createRoomSites(
  issuer: string,
  { id, waysIn }: Pick<RoomConfig, "id" | "waysIn">,
  allClients: readonly ClientConfig[],
) {
  const { targets, verify, admissionToken, allowedOrigins, rules } = waysIn;
  const clients = allClients.filter(({ rooms }) => rooms.includes(id));
  const logins = clients.map((client) => {
    const start = createLoginStart(client, issuer);
    return { clientId: client.clientId, addressFor: (target?: string) => start(id, target) };
  });
  const exact = targets.find((entry) => !entry.endsWith("/*"));
  /** Where a link that names no address leads: the first target that is exact. */
  const usualTarget = exact === undefined ? null : new URL(exact).href;
  /** The address as browsers write it, if links to the room may lead there. What is answered is what was compared. */
  const findTarget = createTargetList(targets);
  const starts = logins.flatMap(({ addressFor }) => addressFor() ?? []);
  const returnUris = new Set([...clients.flatMap((client) => client.postLogoutRedirectUris), ...starts]);
  const addresses = [...clients.flatMap((client) => client.redirectUris), ...returnUris, ...targets];
  return {
    usualTarget,
    findTarget,
    /** The address, if a visitor may be sent there who leaves: a target, or exactly one after logout or where a login starts. */
    findReturn: (address: string) => (returnUris.has(address) ? address : findTarget(address)),
    /** Of the relying parties, and of the sites that links lead to. */
    origins: new Set(addresses.map((uri) => new URL(uri).origin)),
    /**
     * To a page that one of the room's clients lists, or the room itself; null for any other.
     *
     * @param target undefined: where visitors usually go; null is the answer of a room with neither a client nor an exact target
     */
    continueTo(target: string | undefined): Continuation | null {
      for (const { addressFor } of logins) {
        const address = addressFor(target);
        if (address !== null) return { by: "login", address };
      }
      const address = target === undefined ? usualTarget : findTarget(target);
      return address === null ? null : { by: "token", address };
    },
    /** Where a login at one of the room's clients starts; null for any other client. */
    loginAt: (clientId: string) => logins.find((login) => login.clientId === clientId)?.addressFor() ?? null,
    isExempt: createExemptPaths(verify.exempt),
    /** What the room's rules say of a request to a site; null where it has none, so that every request queues. */
    decide: createRules(rules ?? null),
    /** The domain whose cookie a host keeps the admission in; null where the host has one of its own. */
    cookieDomainOf: (host: string) =>
      verify.cookieDomain != null && isWithinDomain(host, verify.cookieDomain) ? verify.cookieDomain : null,
    /** Milliseconds for which an admission token is valid. */
    validityMs: admissionToken.validityMs,
    /** Whose pages may take places by script. */
    allowedOrigins,
  };
}

type DecideRequest = (request: RuleRequest, isCrawler: CrawlerCheck | null) => RuleDecision;

function createRules(written: RoomConfig["waysIn"]["rules"] | null): DecideRequest | null {
  if (written == null) return null;
  const read = readRules(written);
  // The configuration has checked them. In a document of another version's, what cannot be read lets nobody pass.
  return "faults" in read ? null : (request, isCrawler) => decide(read.set, request, isCrawler);
}
