/** What works and may still surprise the operator. Each warning begins with its key. */
import { createTargetList } from "../../lib/link-target.ts";
import { comparesAddress, decide, type RuleSet, readRules, ruleWarnings } from "../../lib/rules/index.ts";
import { mapIssuers } from "../assemble.ts";
import type { ClientConfig, RoomConfig, UsherConfig } from "../config.ts";
import { formatPath } from "../raw-document.ts";
import { PROFILES } from "../schema/choices.ts";
import type { ClientDocument, Document } from "../schema/schema.ts";
import { formatDuration, formatTime } from "../schema/times.ts";
import { findOtherSites, TARGET_PLACEHOLDER } from "./urls.ts";

/** @param nowMs since 1970 */
export function findWarnings(document: Document, config: UsherConfig, nowMs: number): string[] {
  const ofIssuers = mapIssuers(document, (section, prefix, index) => {
    const { rooms = [], clients = [] } = config.issuers[index] ?? {};
    const clientWarnings = clients.flatMap((client, at) => {
      const written = section.clients[at];
      const warnings = written === undefined ? [] : findClientWarnings(written, client);
      return warnings.map((warning) => `clients[${at}].${warning}`);
    });
    const roomWarnings = rooms.flatMap((room, at) =>
      [
        ...findRoomWarnings(room, nowMs),
        ...findRedirectWarnings(room, clients, config.issuers[index]?.issuer ?? ""),
        ...findAddressWarnings(room, config.listen.trustedProxies),
      ].map((warning) => `rooms[${at}].${warning}`),
    );
    const sites = clients.map(({ initiateLoginUri }) => initiateLoginUri.replace(/[?{].*$/s, ""));
    const otherSites = findOtherSites(config.issuers[index]?.issuer ?? "", sites).map(
      (warning) => `issuer: ${warning}`,
    );
    return [...roomWarnings, ...clientWarnings, ...otherSites].map((warning) => prefix + warning);
  });
  const nobodyOperates =
    config.admin.keys.length === 0 && config.admin.signIn === null
      ? [`admin.keys: ${withoutKeys(config.admin.url)}`]
      : [];
  return [
    ...ofIssuers.flat(),
    ...nobodyOperates,
    ...findSignInWarnings(config.admin),
    ...findFourEyesWarnings(config.admin),
  ];
}

/** A session of an operator's browser is open to all pages of its origin. */
function findSignInWarnings({ signIn, listen, url }: UsherConfig["admin"]): string[] {
  if (signIn === null || listen !== null) return [];
  const wayOut = "give operators a listener and an address of their own (admin.listen, admin.url; docs/tls.md)";
  return [
    `admin.sign_in: people sign in at the visitors' origin, ${url}, where a fault in a page of visitors could act for them: ${wayOut}`,
  ];
}

function findFourEyesWarnings({ fourEyes, signIn, keys }: UsherConfig["admin"]): string[] {
  if (fourEyes.length === 0 || signIn !== null || keys.length > 1) return [];
  const wayOut = "set admin.sign_in, or name a second key";
  return [`admin.four_eyes: ${fourEyes.join(", ")} take the word of two, and here is one who can give it: ${wayOut}`];
}

function withoutKeys(address: string | null): string {
  const byKey = "there is neither an admin key nor admin.sign_in here, so";
  return address === null
    ? `${byKey} only a key that was made at run time can operate the rooms`
    : `${byKey} unless a key was made at run time, people sign in by the link that each start prints`;
}

export function findClientWarnings(client: ClientDocument, config: ClientConfig): string[] {
  const { profile } = client;
  const { loginTimeoutMs, restart } = PROFILES[profile];
  const warnings: string[] = [];
  if (profile !== "generic" && (client.login_timeout ?? 0) > loginTimeoutMs) {
    warnings.push(
      `login_timeout: by default this relying party (profile ${profile}) forgets a login sooner; ` +
        `more than ${formatDuration(loginTimeoutMs)} sends visitors back to a login that is gone, unless ` +
        `its own timeout${profile === "apache" ? " (OIDCStateTimeout)" : ""} is longer than this`,
    );
  }
  if (restart.path === null && client.initiate_login_uri === undefined) {
    warnings.push(
      "initiate_login_uri: not given; a login can't be started anew at the redirect URI's host " +
        `(profile ${profile}): name the login address of the site itself`,
    );
  }
  if (profile === "alb" && client.refresh_tokens === false) {
    warnings.push(
      "refresh_tokens: without them the load balancer never asks again before its SessionTimeout " +
        "(7 days by default): whose admission ends, or is ended by an operator, stays in until then",
    );
  }
  const strandedRooms = roomsThatRestartElsewhere(config);
  if (strandedRooms.length > 0) {
    warnings.push(
      `initiate_login_uris: nothing for ${strandedRooms.join(", ")}; after a long wait the login of these ` +
        `rooms is started at the address of ${config.rooms[0]}, and may lead into its line`,
    );
  }
  return warnings;
}

/** Where the address says which page the visitor wants, the page says of which room it is. */
function roomsThatRestartElsewhere(client: ClientConfig): readonly string[] {
  const carriesTarget = client.initiateLoginUri.includes(TARGET_PLACEHOLDER) || client.thirdPartyLogin;
  return carriesTarget ? [] : client.rooms.slice(1).filter((room) => !Object.hasOwn(client.initiateLoginUris, room));
}

/** @param nowMs since 1970 */
export function findRoomWarnings(room: RoomConfig, nowMs: number): string[] {
  const { schedule, inlet, draw, timeZone } = room.settings;
  const past = (path: string, timeMs: number | null, what: string) =>
    timeMs !== null && timeMs <= nowMs ? [`${path}: ${formatTime(timeMs, timeZone)} is past: ${what}`] : [];
  const isBeaconIdle = draw.order === "arrival" && draw.beacon !== "none";
  return [
    ...past("schedule.ends_at", schedule.endsAtMs, "the room has ended"),
    ...past("inlet.ends_at", inlet.endsAtMs, "the line does not move by itself any more"),
    ...(isBeaconIdle
      ? ["draw.beacon: not used, since places go by arrival (draw.order): there is nothing to draw"]
      : []),
    ...findWayInWarnings(room),
  ];
}

/**
 * A page to which visitors are sent who meet no line must not lead back to the line. A page of the same site may be free, which only its
 * operator knows.
 */
export function findRedirectWarnings(room: RoomConfig, clients: readonly ClientConfig[], issuer: string): string[] {
  const { whenIdle, whenEnded } = room.settings;
  const { targets, verify } = room.waysIn;
  const ofRoom = clients.filter(({ rooms }) => rooms.includes(room.id));
  const isProtected = createTargetList(targets);
  return [["when_idle", whenIdle] as const, ["when_ended", whenEnded] as const].flatMap(([key, address]) => {
    if (address === "page" || address === "pass_through") return [];
    const { origin, pathname } = new URL(address);
    const circle = "visitors would go in a circle; name a page that no line stands before";
    if (origin === issuer && (pathname === "/authorize" || pathname === `/rooms/${room.id}/enter`))
      return [`${key}.redirect: leads back into this room: ${circle}`];
    const isFree =
      createTargetList(verify.exempt.map((path) => origin + path))(address) !== null || passesByRule(room, address);
    if (isProtected(address) !== null && !isFree)
      return [
        `${key}.redirect: is one of the room's targets: where forward authentication stands before it, ${circle}`,
      ];
    const client = ofRoom.find((each) => each.redirectUris.some((uri) => new URL(uri).origin === origin));
    if (client === undefined || isFree) return [];
    return [`${key}.redirect: is at the site of client ${client.clientId}: if that page needs its login, ${circle}`];
  });
}

export function findWayInWarnings({ waysIn }: RoomConfig): string[] {
  return [...cookieDomainWarnings(waysIn), ...targetWarnings(waysIn), ...ruleWarningsOf(waysIn)];
}

function ruleWarningsOf({ rules }: RoomConfig["waysIn"]): string[] {
  const set = ruleSetOf(rules);
  if (set === null) return [];
  return ruleWarnings(set).map(({ path, message }) => `${formatPath(["rules", ...path])}: ${message}`);
}

/** What is not known lets nobody pass, which an operator who names addresses did not mean. */
function findAddressWarnings({ waysIn }: RoomConfig, trustedProxies: readonly string[]): string[] {
  const set = ruleSetOf(waysIn.rules);
  if (set === null || !comparesAddress(set) || trustedProxies.length > 0) return [];
  return [
    "rules: they compare the visitor's address (ip.src, verified_crawler), which is not known: name the proxies that say it in listen.trusted_proxies",
  ];
}

/** Whether a page needs no admission, whoever opens it. */
function passesByRule({ waysIn }: RoomConfig, address: string): boolean {
  const set = ruleSetOf(waysIn.rules);
  if (set === null) return false;
  const { protocol, host: authority, pathname, search } = new URL(address);
  const request = {
    method: "GET",
    protocol: protocol === "https:" ? "https" : "http",
    authority,
    target: pathname + search,
    header: () => undefined,
    address: null,
  } as const;
  return decide(set, request).action !== "queue";
}

function ruleSetOf(rules: RoomConfig["waysIn"]["rules"]): RuleSet | null {
  const read = rules == null ? null : readRules(rules);
  return read !== null && "set" in read ? read.set : null;
}

function cookieDomainWarnings({ targets, verify: { cookieDomain } }: RoomConfig["waysIn"]): string[] {
  if (cookieDomain == null) return [];
  const hosts = new Set(targets.map((target) => new URL(target.replace(/\*$/, "")).hostname));
  return hosts.size === 1 && !hosts.has(cookieDomain)
    ? [
        `verify.cookie_domain: all targets are at ${[...hosts].join("")}, so no other host needs the cookie: leave it out, and no ` +
          "other host can read or replace it",
      ]
    : [
        `verify.cookie_domain: every host below ${cookieDomain}, also one that others run or take over, can read the admission of a ` +
          "visitor and replace it",
      ];
}

function targetWarnings({ targets, verify }: RoomConfig["waysIn"]): string[] {
  const isUsed = targets.length > 0 || verify.exempt.length > 0;
  if (!isUsed || targets.some((target) => !target.endsWith("/*"))) return [];
  const example = `${new URL(targets[0] ?? "https://shop.example.com").origin}/`;
  return [
    "targets: no exact address is listed: a visitor who asks for an address that is not on the list (forward authentication), or " +
      `follows a link without a target, is answered with 400 (unknown_target); add the address that they are to reach, such as ${example}`,
  ];
}
