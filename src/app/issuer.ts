/**
 * One issuer of this process: its rooms, clients and keys in use, and the HTTP application with its OpenID provider, gate and
 * tokens. `app.ts` builds one of each for every configured issuer.
 */

import {
  cookieKeyId,
  type IssuerConfig,
  type KeysOfIssuers,
  type ReloadedSecrets,
  type RoomConfig,
  type UsherConfig,
} from "../config/index.ts";
import type { Clock, Random } from "../lib/clock-and-random.ts";
import type { Logger } from "../lib/logger.ts";
import {
  createAdmissionTokens,
  createBackchannelLogout,
  createChecks,
  createCookieBound,
  createDevices,
  createGate,
  createGateEntry,
  createIdentities,
  createInvitationLinks,
  createKeyedEntries,
  createLogoutTokens,
  createOidcProvider,
  createVisitorCookies,
  type GateSteps,
  type OidcParts,
} from "../oidc/index.ts";
import type { VisitorSite } from "../operate/feature.ts";
import { logRegistryEvent, type ReadinessOptions } from "../operate/index.ts";
import { createIssuerRegistry, type IssuerRegistry } from "../registry/index.ts";
import {
  type BypassLinks,
  createArrivalStamps,
  createBypassLinks,
  createKeyRing,
  createMoveLinks,
  createRehearsalPasses,
  createVisitorKeys,
  type KeyRing,
  onlyRooms,
  type RehearsalPasses,
  type RoomSettings,
  type WaitingRooms,
} from "../room/index.ts";
import type { Installation, Store } from "../store/contract/store.ts";
import {
  createHttpApp,
  createJoinAddress,
  createJoinCheck,
  createJoining,
  createPageLanguages,
  createPageResponder,
  createPageThemes,
  createRehearsalStep,
  type HttpAppOptions,
  type RoomSitesOf,
  type RouteTable,
  sitesOfRooms,
} from "../web/index.ts";
import type { Pages } from "../web/pages/index.ts";

/** An issuer with its rooms, clients and keys in use. */
export interface LiveIssuer extends IssuerRegistry {
  readonly themes: IssuerConfig["themes"];
  readonly parts: IssuerConfig["parts"];
  /** Of its ticket keys. */
  readonly ring: KeyRing;
  readonly bypassLinks: BypassLinks;
  readonly rehearsalPasses: RehearsalPasses;
  readonly sitesOf: RoomSitesOf;
}

interface LiveParts {
  readonly keys: KeysOfIssuers;
  /** Tags of the languages of pages. */
  readonly languages: readonly string[];
  /** A room's settings by now; undefined where this process does not know it. */
  readonly settingsInForce: (room: string) => RoomSettings | undefined;
  /** Of what belongs to no room. */
  readonly store: Store;
  /** Names of those that rooms may be in. */
  readonly storeNames: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Several may make a room of one id at the same moment: then that of the issuer that stands first in the file is in force, at all processes. */
export function createLiveIssuers(configs: readonly IssuerConfig[], parts: LiveParts): readonly LiveIssuer[] {
  const { keys, languages, settingsInForce, store, storeNames, clock, random, logger } = parts;
  const issuers: LiveIssuer[] = [];
  for (const [index, config] of configs.entries()) {
    const material = keys.byIssuer.get(config.issuer);
    if (material === undefined) throw new TypeError(`there are no keys of ${config.issuer}`);
    const live: IssuerRegistry = createIssuerRegistry({
      config,
      keys: material,
      languages,
      stores: storeNames,
      elsewhere(id) {
        const isOfFile = configs.some((other) => other !== config && other.rooms.some((room) => room.id === id));
        const hasRoom = ({ rooms }: LiveIssuer) => rooms.get(id) !== undefined;
        if (isOfFile || issuers.slice(0, index).some(hasRoom)) return "first";
        return issuers.slice(index + 1).some(hasRoom) ? "later" : null;
      },
      documents: store.documents,
      isShared: store.isShared,
      longestTokenMs: () => longestAdmissionMs(live.rooms.all, settingsInForce),
      clock,
      random,
      report: (event) => logRegistryEvent(event, logger),
    });
    const ring = createKeyRing(live.keys.current.tickets);
    live.keys.onChange(() => ring.replace(live.keys.current.tickets));
    for (const { rooms } of issuers) rooms.onChange(live.rooms.review);
    const sitesOf = sitesOfRooms(live.issuer, live.rooms, live.clients);
    const links = {
      bypassLinks: createBypassLinks(ring, random),
      rehearsalPasses: createRehearsalPasses(ring, random),
    };
    const { themes, parts: ofFeatures } = config;
    issuers.push({ ...live, themes, parts: ofFeatures, ring, ...links, sitesOf });
  }
  return issuers;
}

/** The longest validity of an ID token, in milliseconds, by the settings of the file and by those in force. */
function longestAdmissionMs(rooms: readonly RoomConfig[], settingsInForce: LiveParts["settingsInForce"]): number {
  const settings = rooms.flatMap((room) => [room.settings, settingsInForce(room.id) ?? room.settings]);
  return Math.max(...settings.map(({ admission: { durationMs, maxDurationMs } }) => maxDurationMs ?? durationMs));
}

/** What the sources of secrets say while the program runs is in force at once. */
export function applyReloadedSecrets(reloaded: ReloadedSecrets, issuers: readonly LiveIssuer[], logger: Logger): void {
  reloaded.start(
    (change) => {
      if (change.kind === "client_secret") {
        for (const { clients } of issuers) clients.setFileSecrets(change.clientId, change.secrets);
      } else {
        issuers.find(({ issuer }) => issuer === change.issuer)?.keys.setSource(change.purpose, change.keys);
      }
    },
    (report) => logger[report.event === "secrets.failed" ? "error" : "info"](report),
  );
}

/** What each process signs with and accepts, by purpose; where there are several issuers, by issuer, too. */
export function keysToAgreeOn(issuers: readonly LiveIssuer[]): ReturnType<ReadinessOptions["keys"]> {
  return Object.fromEntries(
    issuers.flatMap(({ issuer, registry, keys: { current: keys }, ring }) => {
      const suffix = suffixOf(issuer, issuers);
      const cookies = keys.cookies.map(cookieKeyId);
      const signing = keys.signing.map(({ kid }) => kid);
      const superseded = registry.content.keys
        .filter(({ state }) => state === "retiring" || state === "retired")
        .map(({ kid }) => kid);
      return [
        [`tickets${suffix}`, { signsWith: ring.signingKid, accepts: ring.kids, superseded }],
        [`cookies${suffix}`, { signsWith: cookies[0] ?? "", accepts: cookies, superseded }],
        [`id_tokens${suffix}`, { signsWith: signing[0] ?? "", accepts: signing, superseded }],
      ];
    }),
  );
}

function ticketKeysOf({ ring, registry }: LiveIssuer): string[] {
  const registered = registry.content.keys.filter(({ purpose }) => purpose === "tickets");
  return [ring.signingKid, ...ring.kids, ...registered.map(({ kid }) => kid)];
}

/** What the stores know the installation by. Keys that were retired name it still: all may be replaced within a second. */
export function installationOf(issuers: readonly LiveIssuer[]): Installation {
  return {
    issuers: issuers.map(({ issuer }) => issuer),
    ticketKeys: [...new Set(issuers.flatMap(ticketKeysOf))],
  };
}

/** Why this process's keys are not those of the others. */
export function keyFaultsOf(issuers: readonly LiveIssuer[]): string[] {
  return issuers.flatMap(({ issuer, keys }) => keys.faults(suffixOf(issuer, issuers)));
}

function suffixOf(issuer: string, issuers: readonly LiveIssuer[]): string {
  return issuers.length === 1 ? "" : ` of ${issuer}`;
}

/** What all issuers of the process share. */
type Shared = Pick<HttpAppOptions, "proxies" | "operators" | "metrics" | "logger" | "clock" | "random" | "isCrawler"> &
  Pick<OidcParts, "failures"> & {
    /** Of all issuers. */
    readonly rooms: WaitingRooms;
    /** By name; null for what belongs to no room. */
    readonly storeOf: (name: string | null) => Pick<Store, "oidcAdapter"> | undefined;
    readonly pages: Pages;
    readonly visitorRoutes: (site: VisitorSite) => RouteTable[];
    readonly challenges: UsherConfig["challenges"];
  };

/**
 * Builds what one issuer has for itself: provider, gate, cookies, tokens, pages and routes for its own rooms. What it has
 * signed is worth nothing at another, since every key is its own.
 */
export function createIssuerApp(live: LiveIssuer, shared: Shared) {
  const { issuer, themes, rooms: directory, clients, keys, ring, bypassLinks, rehearsalPasses, sitesOf } = live;
  const { storeOf, pages, random, clock } = shared;
  const languages = createPageLanguages(directory);
  const rooms = onlyRooms(shared.rooms, (id) => directory.get(id) !== undefined);
  const programs: VisitorSite["programs"] = new Map();
  const responder = createPageResponder(
    pages,
    issuer,
    languages,
    createPageThemes(themes, clients, issuer),
    (room) => rooms.get(room)?.settings.rehearsal === true,
    programs,
  );
  const joinAddressOf = createJoinAddress(shared);
  const cookies = createVisitorCookies(issuer.startsWith("https:"));
  const stamps = createArrivalStamps(ring);
  const cookieBound = createCookieBound(cookies, rooms, stamps);
  const checks = createChecks({ ring, clock, random, challenges: shared.challenges, host: new URL(issuer).hostname });
  const keyedEntries = createKeyedEntries({ issuer, directory, cookies, visitorKeys: createVisitorKeys(ring), clock });
  const identities = createIdentities({ ...shared, issuer, keys, directory, cookies, cookieBound, keyedEntries });
  const devices = createDevices({ issuer, ring, cookies, clock });
  const invitations = createInvitationLinks({ keyedEntries, cookies, responder });
  /** What comes before a visit, a join, a claim and a login, in order. */
  const steps: GateSteps = {
    beforeVisit: [invitations.beforeVisit],
    beforeJoin: [
      keyedEntries.beforeJoin,
      createRehearsalStep(rehearsalPasses),
      devices.beforeJoin,
      createJoinCheck({ checks, cookies, joinAddressOf }),
    ],
    beforeClaim: [devices.beforeClaim],
    beforeLogin: [identities.beforeLogin, devices.beforeLogin],
    identify: keyedEntries.identify,
  };
  const parts: OidcParts = {
    ...shared,
    issuer,
    rooms,
    directory,
    clients,
    keys,
    cookies,
    cookieBound,
    stamps,
    responder,
    join: createJoining({ joinAddressOf, steps: steps.beforeJoin }),
    steps,
    identities,
    joinAddressOf,
    verdicts: new WeakMap(),
    adapter: (model, store) => storeOf(store)?.oidcAdapter(model) ?? null,
    languages: pages.languages,
  };
  const provider = createOidcProvider(parts);
  const entry = createGateEntry(parts);
  const ofVisitors = {
    ...shared,
    ...parts,
    responder,
    sitesOf,
    entry,
    checks,
    keyedEntries,
    devices,
    tokens: createAdmissionTokens(parts),
    bypassLinks,
    moveLinks: createMoveLinks(ring, random),
    handOvers: new Map(),
    programs,
  };
  const listener = createHttpApp({
    ...ofVisitors,
    more: shared.visitorRoutes({
      ...ofVisitors,
      theme: themes.usual ?? undefined,
      usualLanguage: () => languages.usual,
    }),
    gate: createGate({ ...parts, entry, provider }),
    provider,
  });
  return {
    issuer,
    rooms: parts.rooms,
    clients,
    listener,
    /** oidc-provider's. */
    events: provider.events,
    /** Tells its clients of admissions that have ended. */
    logouts: createBackchannelLogout({ ...parts, tokens: createLogoutTokens(parts) }),
  };
}
