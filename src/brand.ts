import type { EventEmitter } from "node:events";
import type { IssuerConfig, KeyMaterial, RoomConfig } from "./config/index.ts";
import {
  createHttpApp,
  createPageResponder,
  createPageThemes,
  type HttpAppOptions,
  type IssuerApp,
  type PageLanguages,
  type Pages,
} from "./http/index.ts";
import {
  createAdmissionTokens,
  createGate,
  createGateEntry,
  createLoginStart,
  createOidcProvider,
  createVisitorCookies,
  LoginVerdicts,
} from "./oidc/index.ts";
import type { Store } from "./store/room-store.ts";
import { createArrivalStamps, createMoveLinks, type KeyRing, onlyRooms } from "./waiting-room/index.ts";

/** What all issuers of the process share. */
export type Shared = Pick<
  HttpAppOptions,
  "trustedProxies" | "admin" | "readiness" | "metrics" | "logger" | "clock" | "random"
> & {
  readonly store: Pick<Store, "oidcAdapter">;
  readonly pages: Pages;
};

export interface BrandOptions {
  readonly config: IssuerConfig;
  readonly keys: KeyMaterial;
  /** Of its ticket keys. */
  readonly ring: KeyRing;
  readonly shared: Shared;
}

/** An issuer with its provider. */
export interface Brand extends IssuerApp {
  /** oidc-provider's. */
  readonly events: EventEmitter;
}

/**
 * Builds what one issuer has for itself: provider, gate, cookies, tokens, pages and routes for its own rooms. What it has
 * signed is worth nothing at another, since every key is its own.
 */
export async function createBrand({ config, keys, ring, shared }: BrandOptions): Promise<Brand> {
  const { issuer, clients } = config;
  const { store, pages, admin, clock } = shared;
  const rooms = onlyRooms(
    admin.rooms,
    config.rooms.map(({ id }) => id),
  );
  const cookies = createVisitorCookies(issuer.startsWith("https:"));
  const waitingStatuses = new Map(config.rooms.map(({ id, waitingStatus }) => [id, waitingStatus]));
  const responder = createPageResponder(
    pages,
    issuer,
    (room) => waitingStatuses.get(room) ?? 200,
    createPageLanguages(config.rooms),
    createPageThemes(config.themes, clients, issuer),
  );
  const verdicts = new LoginVerdicts();
  const provider = createOidcProvider({
    issuer,
    clients,
    signingKeys: keys.signing,
    cookieKeys: keys.cookies,
    adapter: (model) => store.oidcAdapter(model),
    rooms,
    verdicts,
    cookies,
    pages: responder,
    clock,
  });
  const entry = createGateEntry({ cookies, stamps: createArrivalStamps(ring), responder, clock });
  const { readIdTokenHint } = provider;
  const gate = createGate({ issuer, entry, clients, rooms, cookies, verdicts, readIdTokenHint, responder, clock });
  const tokens = await createAdmissionTokens({
    issuer,
    signingKeys: keys.signing,
    settingsOf: createTokenSettings(issuer, config.rooms),
    random: shared.random,
  });
  const listener = createHttpApp({
    ...shared,
    issuer,
    rooms,
    sitesOf: createRoomSites(config),
    waysIn: config.rooms,
    cookies,
    gate,
    entry,
    tokens,
    moveLinks: createMoveLinks(ring, shared.random),
    provider,
    responder,
    languages: pages.languages,
  });
  return { issuer, rooms, listener, events: provider.events };
}

/** Each room's own language; a page of no room is in that of all rooms, if they have one in common. */
function createPageLanguages(rooms: readonly RoomConfig[]): PageLanguages {
  const tags = new Map(rooms.map(({ id, language }) => [id, language ?? undefined]));
  const [first, ...others] = new Set(tags.values());
  return { usualOf: (room) => tags.get(room), usual: others.length === 0 ? first : undefined, areOffered: true };
}

/** Where the visitors of each room may come from and go to. */
function createRoomSites({ issuer, clients, rooms }: IssuerConfig): HttpAppOptions["sitesOf"] {
  const sites = new Map(
    rooms.map(({ id: room, waysIn }) => {
      const ofRoom = clients.filter((client) => client.rooms.includes(room));
      const starts = ofRoom.flatMap((client) => createLoginStart(client, issuer).addressFor(room, undefined) ?? []);
      const returnUris = new Set([...ofRoom.flatMap((client) => client.postLogoutRedirectUris), ...starts]);
      const addresses = [...ofRoom.flatMap((client) => client.redirectUris), ...returnUris, ...waysIn.targets];
      return [room, { returnUris, origins: new Set(addresses.map((uri) => new URL(uri).origin)) }];
    }),
  );
  return (room) => sites.get(room) ?? { returnUris: new Set(), origins: new Set() };
}

/** How each room's admission tokens are made. */
function createTokenSettings(issuer: string, rooms: readonly RoomConfig[]) {
  const settings = new Map(
    rooms.map(({ id, waysIn: { admissionToken } }) => {
      const { audience, validityMs } = admissionToken;
      return [id, { audience: audience ?? `${issuer}/rooms/${id}`, validityMs }];
    }),
  );
  return (room: string) => {
    const found = settings.get(room);
    if (found === undefined) throw new TypeError(`there is no room ${room}`);
    return found;
  };
}
