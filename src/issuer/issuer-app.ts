import type { EventEmitter } from "node:events";
import { type ClientConfig, type IssuerConfig, type RoomConfig, usualAudience } from "../config/index.ts";
import {
  createHttpApp,
  createJoinAddress,
  createPageResponder,
  createPageThemes,
  type HostApp,
  type HttpAppOptions,
  type PageLanguages,
  type Pages,
  type PageThemes,
} from "../http/index.ts";
import { derived } from "../lib/derived.ts";
import type { FailedAttempts } from "../lib/failed-attempts.ts";
import type { Rounds } from "../lib/rounds.ts";
import {
  createAdmissionTokens,
  createBackchannelLogout,
  createGate,
  createGateEntry,
  createLoginStart,
  createLogoutTokens,
  createOidcProvider,
  createVisitorCookies,
  LoginVerdicts,
} from "../oidc/index.ts";
import type { ClientDirectory, IssuerKeys, RoomDirectory } from "../registry/index.ts";
import { createArrivalStamps, createMoveLinks, type KeyRing, onlyRooms, type WaitingRooms } from "../room/index.ts";
import type { Store } from "../store/contract/room-store.ts";

/** What all issuers of the process share. */
export type Shared = Pick<
  HttpAppOptions,
  "trustedProxies" | "operators" | "bypassServiceOf" | "metrics" | "logger" | "clock" | "random"
> & {
  /** Of all issuers. */
  readonly rooms: WaitingRooms;
  readonly store: Pick<Store, "oidcAdapter">;
  readonly pages: Pages;
  readonly failures: FailedAttempts;
};

export interface IssuerAppOptions {
  readonly issuer: string;
  readonly themes: IssuerConfig["themes"];
  readonly rooms: RoomDirectory;
  readonly clients: ClientDirectory;
  readonly keys: IssuerKeys;
  /** Of its ticket keys. */
  readonly ring: KeyRing;
  readonly shared: Shared;
}

/** An issuer with its provider. */
export interface IssuerApp extends HostApp {
  /** oidc-provider's. */
  readonly events: EventEmitter;
  /** Tells its clients of admissions that have ended. */
  readonly logouts: Rounds;
  readonly clients: ClientDirectory;
}

/**
 * Builds what one issuer has for itself: provider, gate, cookies, tokens, pages and routes for its own rooms. What it has
 * signed is worth nothing at another, since every key is its own.
 */
export async function createIssuerApp(options: IssuerAppOptions): Promise<IssuerApp> {
  const { issuer, clients, keys, ring, shared, rooms: directory } = options;
  const { store, pages, clock } = shared;
  const rooms = onlyRooms(shared.rooms, (id) => directory.get(id) !== undefined);
  const cookies = createVisitorCookies(issuer.startsWith("https:"));
  const responder = createPageResponder(pages, issuer, createPageLanguages(directory), themesOf(options));
  const verdicts = new LoginVerdicts();
  const provider = createOidcProvider({
    issuer,
    clients,
    keys,
    adapter: (model) => store.oidcAdapter(model),
    rooms,
    verdicts,
    cookies,
    pages: responder,
    languages: pages.languages,
    failures: shared.failures,
    clock,
  });
  const joinAddressOf = createJoinAddress(shared);
  const entry = createGateEntry({ cookies, stamps: createArrivalStamps(ring), responder, clock, joinAddressOf });
  const { readIdTokenHint, readPushedRequest } = provider;
  const gate = createGate({
    issuer,
    entry,
    clients,
    rooms,
    cookies,
    verdicts,
    readIdTokenHint,
    readPushedRequest,
    responder,
    joinAddressOf,
    clock,
  });
  const tokens = await createAdmissionTokens({
    issuer,
    keys,
    settingsOf: tokenSettingsOf(issuer, directory),
  });
  const listener = createHttpApp({
    ...shared,
    issuer,
    rooms,
    sitesOf: sitesOf(options),
    directory,
    cookies,
    gate,
    entry,
    tokens,
    moveLinks: createMoveLinks(ring, shared.random),
    joinAddressOf,
    provider,
    responder,
    languages: pages.languages,
  });
  const logouts = createBackchannelLogout({
    rooms,
    clients,
    tokens: createLogoutTokens({ issuer, keys, clock, random: shared.random }),
    clock,
    random: shared.random,
  });
  return { issuer, rooms, listener, events: provider.events, clients, logouts };
}

/** Each room's own language; a page of no room is in that of all rooms, if they have one in common. */
function createPageLanguages(rooms: RoomDirectory): PageLanguages {
  const usual = derived(
    () => [rooms.all],
    (all) => {
      const [first, ...others] = new Set(all.map(({ language }) => language ?? undefined));
      return others.length === 0 ? first : undefined;
    },
  );
  return {
    usualOf: (room) => rooms.get(room)?.language ?? undefined,
    get usual() {
      return usual();
    },
    areOffered: true,
  };
}

/** How the pages look to the visitors of each client. */
function themesOf({ themes, issuer, clients }: IssuerAppOptions): PageThemes {
  const current = clients.derive((all) => createPageThemes(themes, all, issuer));
  return {
    of: (room, client) => current().of(room, client),
    ofPage: (ctx, room) => current().ofPage(ctx, room),
  };
}

/** Where the visitors of each room may come from and go to. */
function sitesOf({ issuer, rooms, clients }: IssuerAppOptions): HttpAppOptions["sitesOf"] {
  const current = derived(
    () => [rooms.all, clients.all],
    (allRooms, allClients) => createRoomSites(issuer, allRooms, allClients),
  );
  return (room) => current().get(room) ?? { returnUris: new Set(), origins: new Set() };
}

function createRoomSites(issuer: string, rooms: readonly RoomConfig[], clients: readonly ClientConfig[]) {
  return new Map(
    rooms.map(({ id: room, waysIn }) => {
      const ofRoom = clients.filter((client) => client.rooms.includes(room));
      const starts = ofRoom.flatMap((client) => createLoginStart(client, issuer).addressFor(room, undefined) ?? []);
      const returnUris = new Set([...ofRoom.flatMap((client) => client.postLogoutRedirectUris), ...starts]);
      const addresses = [...ofRoom.flatMap((client) => client.redirectUris), ...returnUris, ...waysIn.targets];
      return [room, { returnUris, origins: new Set(addresses.map((uri) => new URL(uri).origin)) }];
    }),
  );
}

/** How each room's admission tokens are made. */
function tokenSettingsOf(issuer: string, rooms: RoomDirectory) {
  return (room: string) => {
    const found = rooms.get(room);
    if (found === undefined) throw new TypeError(`there is no room ${room}`);
    const { audience, validityMs } = found.waysIn.admissionToken;
    return { audience: audience ?? usualAudience(issuer, room), validityMs };
  };
}
