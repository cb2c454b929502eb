/** Builds the configuration out of checked parts: document, resolved secrets, environment. */
import { join, parse, resolve } from "node:path";
import { findOtherSites, isAtLocalhost } from "../checks/urls.ts";
import { findClientWarnings, findRedirectWarnings, findRoomWarnings } from "../checks/warnings.ts";
import { issuerPaths } from "../raw-document.ts";
import { adminKey, signInRule } from "../schema/admin-schema.ts";
import { challengeSettings, type Document, type IssuerDocument, listen, pages } from "../schema/schema.ts";
import { readSettings } from "../schema/settings-codec.ts";
import { defaultKeyPrefix } from "../schema/store-schema.ts";
import type { ValuesByPlace } from "../secrets/resolve-secrets.ts";
import type { KeyPurpose } from "../secrets/secret-places.ts";
import { readParts, type SettingsPart } from "../settings-part.ts";
import { assembleClient } from "./assemble-client.ts";
import { assembleRoom } from "./assemble-room.ts";
import { assembleThemes, type ThemeParts } from "./assemble-themes.ts";
import type { ChallengeConfig, StoreConfig, UsherConfig } from "./config.ts";
import type { Overrides } from "./environment.ts";

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
  const issuers = eachIssuer(document, (own, prefix, index) => {
    const issuer = overrides.issuer ?? own.issuer ?? "";
    const keysFor = (purpose: KeyPurpose) => [
      ...new Set(own.keys[purpose].flatMap((_, at) => valuesOf(secrets, `${prefix}keys.${purpose}[${at}]`))),
    ];
    return {
      issuer,
      rooms: own.rooms.map((room, at) =>
        assembleRoom(room, document.shared_outflows, (key) => valuesOf(secrets, `${prefix}rooms[${at}].${key}`)),
      ),
      clients: own.clients.map((client, at) =>
        assembleClient(client, (key) => valuesOf(secrets, `${prefix}clients[${at}].${key}`)),
      ),
      keys: { tickets: keysFor("tickets"), signing: keysFor("signing"), cookies: keysFor("cookies") },
      parts: readParts(ofIssuers, own, (path) => secretsAt(prefix + path)),
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

/** What works and may still surprise the operator. `nowMs` since 1970. */
export function findWarnings(document: Document, config: UsherConfig, nowMs: number): string[] {
  const ofIssuers = eachIssuer(document, (own, prefix, index) => {
    const { rooms = [], clients = [] } = config.issuers[index] ?? {};
    const clientWarnings = clients.flatMap((client, at) => {
      const written = own.clients[at];
      const warnings = written === undefined ? [] : findClientWarnings(written, client);
      return warnings.map((warning) => `clients[${at}].${warning}`);
    });
    const roomWarnings = rooms.flatMap((room, at) =>
      [
        ...findRoomWarnings(room, nowMs),
        ...findRedirectWarnings(room, clients, config.issuers[index]?.issuer ?? ""),
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

/** @param read takes an issuer's part of the document and what its paths begin with */
function eachIssuer<T>(document: Document, read: (own: IssuerDocument, prefix: string, index: number) => T): T[] {
  return document.issuers === undefined
    ? [read(document, "", 0)]
    : document.issuers.map((own, index) => read(own, `issuers[${index}].`, index));
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
