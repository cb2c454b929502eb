/** Builds the configuration out of checked parts: document, resolved secrets, environment. */
import { assembleRoom } from "./assemble-room.ts";
import type { AdminKey, ClientConfig, RoomConfig, StoreConfig, UsherConfig } from "./config.ts";
import { formatDuration } from "./duration.ts";
import type { Overrides } from "./environment.ts";
import { PROFILES } from "./profiles.ts";
import type { Document } from "./schema.ts";
import { formatTime } from "./times.ts";

export interface Parts {
  readonly document: Document;
  /** Resolved secrets by path, as `clients[0].client_secret`. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly overrides: Overrides;
  /** From the environment or the document. */
  readonly issuer: string;
  readonly secretsFile: string;
}

export function assembleConfig({ document, secrets, overrides, issuer, secretsFile }: Parts): UsherConfig {
  const { host, port, trusted_proxies } = document.listen;
  return {
    issuer,
    listen: { host, port: overrides.port ?? port, trustedProxies: trusted_proxies },
    store: overrides.store ?? toStore(document, secrets),
    rooms: document.rooms.map((room) => assembleRoom(room, document.shared_outflows)),
    clients: document.clients.map((client, index) => toClient(client, index, secrets)),
    admin: {
      keys: [...document.admin.keys.map(toAdminKey), ...(overrides.adminKey === null ? [] : [overrides.adminKey])],
    },
    keys: {
      tickets: toKeys("tickets", document, secrets),
      signing: toKeys("signing", document, secrets),
      cookies: toKeys("cookies", document, secrets),
    },
    secretsFile,
    logLevel: overrides.logLevel ?? document.log_level,
    demoPort: overrides.demoPort,
  };
}

/** What works and may still surprise the operator. `nowMs` since 1970. */
export function findWarnings(document: Document, config: UsherConfig, nowMs: number): string[] {
  const clientWarnings = document.clients.flatMap((client, index) => {
    const { loginTimeoutMs, startsLoginAtOrigin } = PROFILES[client.profile];
    const isTooLong = client.profile !== "generic" && (client.login_timeout ?? 0) > loginTimeoutMs;
    const isUnderivable = !startsLoginAtOrigin && client.initiate_login_uri === undefined;
    return [
      ...(isTooLong
        ? [
            `clients[${index}].login_timeout: by default this relying party (profile ${client.profile}) forgets a login sooner; ` +
              `more than ${formatDuration(loginTimeoutMs)} sends visitors back to a login that is gone`,
          ]
        : []),
      ...(isUnderivable
        ? [
            `clients[${index}].initiate_login_uri: not given; a login can't be started anew at the redirect URI's host ` +
              `(profile ${client.profile}): name the login address of the site itself`,
          ]
        : []),
    ];
  });
  const nobodyOperates =
    config.admin.keys.length === 0 ? ["admin.keys: there is no admin key, so nobody can operate the rooms"] : [];
  return [
    ...config.rooms.flatMap((room, index) => pastTimes(room, index, nowMs)),
    ...clientWarnings,
    ...nobodyOperates,
  ];
}

function pastTimes({ settings }: RoomConfig, index: number, nowMs: number): string[] {
  const { schedule, inlet } = settings;
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

function toStore({ store }: Document, secrets: Parts["secrets"]): StoreConfig {
  return store.type === "redis" ? { type: "redis", url: resolved(secrets, "store.url") } : { type: "memory" };
}

function toClient(client: Document["clients"][number], index: number, secrets: Parts["secrets"]): ClientConfig {
  const isPublic = client.token_endpoint_auth_method === "none";
  const [firstRedirectUri = ""] = client.redirect_uris;
  return {
    clientId: client.client_id,
    clientSecret: isPublic ? null : resolved(secrets, `clients[${index}].client_secret`),
    redirectUris: client.redirect_uris,
    postLogoutRedirectUris: client.post_logout_redirect_uris,
    room: client.room ?? client.rooms?.[0] ?? "",
    profile: client.profile,
    loginTimeoutMs: client.login_timeout ?? PROFILES[client.profile].loginTimeoutMs,
    initiateLoginUri: client.initiate_login_uri ?? `${new URL(firstRedirectUri).origin}/`,
    requirePkce: client.require_pkce ?? isPublic,
    refreshTokens: client.refresh_tokens ?? PROFILES[client.profile].refreshTokens,
  };
}

function toAdminKey({ id, key_sha256, rooms }: Document["admin"]["keys"][number]): AdminKey {
  return { id, sha256: key_sha256, rooms: rooms ?? null };
}

function toKeys(purpose: "tickets" | "signing" | "cookies", { keys }: Document, secrets: Parts["secrets"]): string[] {
  return keys[purpose].map((_, index) => resolved(secrets, `keys.${purpose}[${index}]`));
}

function resolved(secrets: Parts["secrets"], path: string): string {
  const value = secrets.get(path);
  if (value === undefined) {
    throw new Error(`${path} was not resolved, though nothing was wrong with it`);
  }
  return value;
}
