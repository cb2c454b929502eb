/** Builds the configuration out of checked parts: document, resolved secrets, environment. */
import { join, parse } from "node:path";
import { findClientWarnings } from "../checks/client-warnings.ts";
import { findWayInWarnings } from "../checks/way-in-warnings.ts";
import { type Document, type IssuerDocument, listen } from "../schema/schema.ts";
import { readSettings } from "../schema/settings-codec.ts";
import { formatTimeIn } from "../schema/times.ts";
import type { KeyPurpose } from "../secrets/secret-places.ts";
import type { ValuesByPlace } from "../secrets/secret-values.ts";
import { assembleClient } from "./assemble-client.ts";
import { assembleRoom } from "./assemble-room.ts";
import { assembleThemes, type ThemeParts } from "./assemble-themes.ts";
import type { AdminKey, BeaconConfig, RoomConfig, StoreConfig, UsherConfig } from "./config.ts";
import type { Overrides } from "./environment.ts";

export interface Parts {
  readonly document: Document;
  readonly secrets: ValuesByPlace;
  readonly overrides: Overrides;
  readonly secretsFile: string;
  /** Absolute path. */
  readonly localesDir?: string;
  readonly themes: ThemeParts;
}

export function assembleConfig({ document, secrets, overrides, secretsFile, localesDir, themes }: Parts): UsherConfig {
  const { port } = overrides;
  return {
    issuers: eachIssuer(document, (own, prefix) => {
      const issuer = overrides.issuer ?? own.issuer ?? "";
      return {
        issuer,
        rooms: own.rooms.map((room) => assembleRoom(room, document.shared_outflows)),
        clients: own.clients.map((client, index) =>
          assembleClient(client, (key) => resolved(secrets, `${prefix}clients[${index}].${key}`)),
        ),
        keys: {
          tickets: toKeys("tickets", own, prefix, secrets),
          signing: toKeys("signing", own, prefix, secrets),
          cookies: toKeys("cookies", own, prefix, secrets),
        },
        themes: assembleThemes(document, own, prefix, themes),
        secretsFile: document.issuers === undefined ? secretsFile : secretsFileOf(secretsFile, issuer),
      };
    }),
    listen: { ...readSettings(listen, document.listen, { zone: null }), ...(port !== null && { port }) },
    store: overrides.store ?? toStore(document, secrets),
    admin: {
      listen: document.admin.listen ?? null,
      keys: [...document.admin.keys.map(toAdminKey), ...(overrides.adminKey === null ? [] : [overrides.adminKey])],
    },
    beacon: toBeacon(document),
    secretsFile,
    logLevel: overrides.logLevel ?? document.log_level,
    ...(localesDir !== undefined && { localesDir }),
    demoPort: overrides.demoPort,
  };
}

/** What works and may still surprise the operator. `nowMs` since 1970. */
export function findWarnings(document: Document, config: UsherConfig, nowMs: number): string[] {
  const ofIssuers = eachIssuer(document, (own, prefix, index) => {
    const { rooms = [], clients = [] } = config.issuers[index] ?? {};
    const clientWarnings = clients.flatMap((client, at) => {
      const written = own.clients[at];
      return written === undefined ? [] : findClientWarnings(written, client, at);
    });
    const roomWarnings = rooms.flatMap((room, at) => [
      ...pastTimes(room, at, nowMs),
      ...idleBeacon(room, at),
      ...findWayInWarnings(room, at),
    ]);
    return [...roomWarnings, ...clientWarnings].map((warning) => prefix + warning);
  });
  const nobodyOperates =
    config.admin.keys.length === 0 ? ["admin.keys: there is no admin key, so nobody can operate the rooms"] : [];
  return [...ofIssuers.flat(), ...nobodyOperates];
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

function pastTimes({ settings }: RoomConfig, index: number, nowMs: number): string[] {
  const { schedule, inlet, timeZone } = settings;
  const formatTime = (ms: number) => formatTimeIn(ms, timeZone ?? null);
  const isPast = (timeMs: number | null): timeMs is number => timeMs !== null && timeMs <= nowMs;
  return [
    ...(isPast(schedule.endsAtMs)
      ? [`rooms[${index}].schedule.ends_at: ${formatTime(schedule.endsAtMs)} is past: the room has ended`]
      : []),
    ...(isPast(inlet.endsAtMs)
      ? [
          `rooms[${index}].inlet.ends_at: ${formatTime(inlet.endsAtMs)} is past: the line does not move by itself any more`,
        ]
      : []),
  ];
}

function idleBeacon({ settings: { draw } }: RoomConfig, index: number): string[] {
  if (draw.order === "random" || draw.beacon === "none") return [];
  return [`rooms[${index}].draw.beacon: not used, since places go by arrival (draw.order): there is nothing to draw`];
}

function toStore({ store }: Document, secrets: Parts["secrets"]): StoreConfig {
  return store.type === "redis" ? { type: "redis", url: theOne(secrets, "store.url") } : { type: "memory" };
}

function toBeacon({ beacon: { urls, timeout, chain } }: Document): BeaconConfig {
  return {
    urls: urls ?? null,
    timeoutMs: timeout,
    chain: chain
      ? { hash: chain.hash, publicKey: chain.public_key, genesisSec: chain.genesis, periodSec: chain.period }
      : null,
  };
}

function toAdminKey({ id, key_sha256, rooms }: Document["admin"]["keys"][number]): AdminKey {
  return { id, sha256: key_sha256, rooms: rooms ?? null };
}

function toKeys(
  purpose: KeyPurpose,
  { keys }: IssuerDocument,
  prefix: string,
  secrets: Parts["secrets"],
): readonly string[] {
  const values = keys[purpose].flatMap((_, index) => resolved(secrets, `${prefix}keys.${purpose}[${index}]`));
  return [...new Set(values)];
}

function theOne(secrets: Parts["secrets"], path: string): string {
  const [value] = resolved(secrets, path);
  return value ?? notResolved(path);
}

function resolved(secrets: Parts["secrets"], path: string): readonly string[] {
  return secrets.get(path) ?? notResolved(path);
}

function notResolved(path: string): never {
  throw new Error(`${path} was not resolved, though nothing was wrong with it`);
}
