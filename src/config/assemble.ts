/** Builds the configuration out of checked parts: document, resolved secrets, environment. */
import { join, parse, resolve } from "node:path";
import { isAtLocalhost, TARGET_PLACEHOLDER } from "./checks/urls.ts";
import type { ChallengeConfig, ClientConfig, RoomConfig, StoreConfig, UsherConfig } from "./config.ts";
import type { Overrides } from "./environment.ts";
import { issuerPaths } from "./raw-document.ts";
import { PROFILES, secretlessReason } from "./schema/choices.ts";
import { identitySettings, invitationClass, invitationSettings } from "./schema/entry.ts";
import { type RoomDocument, type SharedOutflowDocument, waysIn } from "./schema/room-schema.ts";
import { readRoomSettings } from "./schema/room-settings.ts";
import {
  adminKey,
  type ClientDocument,
  challengeSettings,
  clientSettings,
  type Document,
  defaultKeyPrefix,
  type IssuerDocument,
  listen,
  pages,
  signInRule,
} from "./schema/schema.ts";
import { readSettings } from "./schema/settings-codec.ts";
import type { ValuesByPlace } from "./secrets/resolve-secrets.ts";
import type { KeyPurpose } from "./secrets/secret-places.ts";
import { readParts, type SettingsPart } from "./settings-part.ts";
import { assembleThemes, type ThemeParts } from "./themes/themes.ts";

const DEFAULT_SECRETS_FILE = ".usher/secrets.json";

export interface Parts extends ThemeParts {
  readonly document: Document;
  readonly parts: readonly SettingsPart[];
  readonly secrets: ValuesByPlace;
  readonly overrides: Overrides;
}

export function assembleConfig({ document, parts, secrets, overrides, logos, baseDir }: Parts): UsherConfig {
  const { port } = overrides;
  const { secrets_file, locales } = document;
  const secretsAt = (path: string) => valuesOf(secrets, path);
  const ofIssuers = parts.filter(({ isPerIssuer }) => isPerIssuer);
  const ofAll = parts.filter(({ isPerIssuer }) => !isPerIssuer);
  const writtenSecretsFile =
    secrets_file === undefined ? resolve(DEFAULT_SECRETS_FILE) : resolve(baseDir, secrets_file);
  const secretsFile = overrides.secretsFile ?? writtenSecretsFile;
  const issuers = mapIssuers(document, (section, prefix, index) => {
    const issuer = overrides.issuer ?? section.issuer ?? "";
    const keysFor = (purpose: KeyPurpose) => [
      ...new Set(section.keys[purpose].flatMap((_, at) => valuesOf(secrets, `${prefix}keys.${purpose}[${at}]`))),
    ];
    return {
      issuer,
      rooms: section.rooms.map((room, at) =>
        assembleRoom(room, document.shared_outflows, (key) => valuesOf(secrets, `${prefix}rooms[${at}].${key}`)),
      ),
      clients: section.clients.map((client, at) =>
        assembleClient(client, (key) => valuesOf(secrets, `${prefix}clients[${at}].${key}`)),
      ),
      keys: { tickets: keysFor("tickets"), signing: keysFor("signing"), cookies: keysFor("cookies") },
      parts: readParts(ofIssuers, section, (path) => secretsAt(prefix + path)),
      themes: assembleThemes(document, issuerPaths(document)[index] ?? [], { logos, baseDir }),
      secretsFile: document.issuers === undefined ? secretsFile : secretsFileOf(secretsFile, issuer),
    };
  });
  return {
    issuers,
    listen: { ...readSettings(listen, document.listen), ...(port !== null && { port }) },
    workers: document.workers,
    store: toStore(document, secrets, overrides.redisUrl),
    stores: Object.entries(document.stores ?? {}).map(([name, { prefix }]) => {
      const [url = ""] = valuesOf(secrets, `stores.${name}.url`);
      return { name, url, prefix };
    }),
    admin: assembleAdmin(document, secrets, overrides, issuers[0]?.issuer ?? ""),
    pages: readSettings(pages, document.pages),
    challenges: document.challenges.map(({ secret: _, ...written }, at): ChallengeConfig => {
      const [secret = ""] = valuesOf(secrets, `challenges[${at}].secret`);
      return { ...readSettings(challengeSettings, written), secret };
    }),
    parts: readParts(ofAll, document, secretsAt),
    secretsFile,
    logLevel: overrides.logLevel ?? document.log_level,
    ...(locales !== undefined && { localesDir: resolve(baseDir, locales) }),
    demoPort: overrides.demoPort,
  };
}

function assembleAdmin(
  { admin }: Document,
  secrets: ValuesByPlace,
  overrides: Overrides,
  issuer: string,
): UsherConfig["admin"] {
  const { sign_in: written, listen: place = null } = admin;
  const [clientSecret = ""] = written === undefined ? [] : valuesOf(secrets, "admin.sign_in.client_secret");
  return {
    listen: place,
    url: admin.url ?? usualAddress(place, issuer),
    fourEyes: [...new Set(admin.four_eyes)],
    session: { lifetimeMs: admin.session.lifetime, idleMs: admin.session.idle },
    signIn:
      written === undefined
        ? null
        : {
            issuer: written.issuer,
            clientId: written.client_id,
            clientSecret,
            tokenEndpointAuthMethod: written.token_endpoint_auth_method,
            scopes: [...new Set(["openid", ...written.scopes])],
            rules: written.roles.map((rule) => readSettings(signInRule, rule)),
          },
    keys: [
      ...admin.keys.map((key) => readSettings(adminKey, key)),
      ...(overrides.adminKey ? [overrides.adminKey] : []),
    ],
  };
}

/** Where browsers find the operators' listener, as far as that follows from the file. */
function usualAddress(place: UsherConfig["admin"]["listen"], issuer: string): string | null {
  if (place === null) return issuer;
  return isAtLocalhost(place.host, place.port) ? `http://localhost:${place.port}` : null;
}

/** @param read takes an issuer's part of the document and what its paths begin with */
export function mapIssuers<T>(
  document: Document,
  read: (section: IssuerDocument, prefix: string, index: number) => T,
): T[] {
  return document.issuers === undefined
    ? [read(document, "", 0)]
    : document.issuers.map((section, index) => read(section, `issuers[${index}].`, index));
}

/** Beside the common one: `secrets.queue.example.com.json`. */
function secretsFileOf(common: string, issuer: string): string {
  const { dir, name, ext } = parse(common);
  return join(dir, `${name}.${encodeURIComponent(new URL(issuer).host)}${ext}`);
}

/** @param ofEnvironment the address that wins over the file's; null for none */
function toStore({ store }: Document, secrets: ValuesByPlace, ofEnvironment: string | null): StoreConfig {
  const prefix = store.type === "redis" ? store.prefix : defaultKeyPrefix;
  if (ofEnvironment !== null) return { type: "redis", url: ofEnvironment, prefix };
  if (store.type === "memory") return { type: "memory" };
  const [url = ""] = valuesOf(secrets, "store.url");
  return { type: "redis", url, prefix };
}

/** @throws Error for a place that was not resolved, though nothing was wrong with it */
function valuesOf(secrets: ValuesByPlace, path: string): readonly string[] {
  const values = secrets.get(path);
  if (values === undefined) throw new Error(`${path} was not resolved`);
  return values;
}

/**
 * Builds a client out of its checked document; what that leaves out, its profile says.
 *
 * @param readSecrets the values of one of its keys, that in force first
 */
export function assembleClient(
  client: ClientDocument,
  readSecrets: (key: "client_secret" | "previous_client_secret") => readonly string[],
): ClientConfig {
  const { restart: _, tokenEndpointAuthMethod, requirePkce, ...usual } = PROFILES[client.profile];
  const { room, ...settings } = readSettings(clientSettings, client);
  const older = client.previous_client_secret === undefined ? [] : readSecrets("previous_client_secret");
  const [clientSecret = null, ...olderClientSecrets] = secretlessReason(client.token_endpoint_auth_method)
    ? []
    : new Set([...readSecrets("client_secret"), ...older]);
  return {
    ...usual,
    ...startOfLogins(client),
    rooms: room === undefined ? [] : [room],
    tokenEndpointAuthMethod: tokenEndpointAuthMethod ?? "client_secret_basic",
    requirePkce: requirePkce || client.token_endpoint_auth_method === "none",
    ...(client.backchannel_logout_uri !== undefined && { backchannelLogoutSessionRequired: true }),
    ...settings,
    clientSecret,
    ...(olderClientSecrets.length > 0 && { olderClientSecrets }),
  };
}

/**
 * How Usher starts a fresh login at the site. A client with targets keeps them by the means of its profile, unless the
 * configuration names another address. Without targets the start is the profile's path.
 */
function startOfLogins(client: ClientDocument): Pick<ClientConfig, "initiateLoginUri" | "thirdPartyLogin"> {
  const { path, targetParameter, takesThirdPartyLogin } = PROFILES[client.profile].restart;
  const { initiate_login_uri: configured, third_party_login: wanted, target_link_uris: targets } = client;
  const [redirectUri = ""] = client.redirect_uris;
  if (configured !== undefined) return { initiateLoginUri: configured, thirdPartyLogin: wanted ?? false };
  if (takesThirdPartyLogin && (wanted ?? targets.length > 0)) {
    return { initiateLoginUri: redirectUri, thirdPartyLogin: true };
  }
  const start = `${new URL(redirectUri).origin}${path ?? "/"}`;
  const target = `${start.includes("?") ? "&" : "?"}${targetParameter}=${TARGET_PLACEHOLDER}`;
  const initiateLoginUri = targetParameter !== null && targets.length > 0 ? start + target : start;
  return { initiateLoginUri, thirdPartyLogin: wanted ?? false };
}

/**
 * Builds a room out of its checked document.
 *
 * @param secretsAt resolved values by the key of a secret in the room
 */
export function assembleRoom(
  room: RoomDocument,
  sharedOutflows: readonly SharedOutflowDocument[],
  secretsAt: (key: string) => readonly string[],
): RoomConfig {
  const { inlet, ...settings } = readRoomSettings(room);
  const { weight, ...inletSettings } = inlet;
  // The rooms of one keep the same limit each, since each room's settings travel by themselves.
  const shared = sharedOutflows.find(({ id }) => id === room.inlet.shared_outflow);
  const sharedOutflow = shared
    ? { id: shared.id, outflowPerMinute: shared.outflow_per_minute, weight: weight ?? 1 }
    : null;
  return {
    id: room.id,
    ...(room.store !== undefined && { store: room.store }),
    settings: { ...settings, title: room.title ?? room.id, inlet: { ...inletSettings, sharedOutflow } },
    language: room.language ?? null,
    waysIn: readSettings(waysIn, room),
    invitations: assembleInvitations(room, secretsAt),
    identity: assembleIdentity(room, secretsAt),
  };
}

function assembleInvitations(
  { entry, invitations: written, schedule }: RoomDocument,
  secretsAt: (key: string) => readonly string[],
): RoomConfig["invitations"] {
  if (entry === "open" || written === undefined) return null;
  const reading = { zone: schedule.time_zone ?? null };
  const classes = written.classes.map((each) => readSettings(invitationClass, each, reading));
  const settings = readSettings(invitationSettings, written, reading);
  return { ...settings, classes, secrets: written.secret === undefined ? [] : secretsAt("invitations.secret") };
}

function assembleIdentity(
  { identity: written }: RoomDocument,
  secretsAt: (key: string) => readonly string[],
): RoomConfig["identity"] {
  if (written === undefined) return null;
  const settings = readSettings(identitySettings, written);
  const [clientSecret = ""] = secretsAt("identity.client_secret");
  return { ...settings, scopes: [...new Set(["openid", ...settings.scopes])], clientSecret };
}
