/**
 * The shape of a configuration file, as written: snake_case, secrets still references. What a schema can't
 * see (duplicates, references between parts) is in cross-checks.ts; rooms are in room-schema.ts, secrets in secrets/.
 */
import { z } from "zod";
import {
  backchannelUriFault,
  initiateLoginUriFault,
  issuerFault,
  redirectUriFault,
  targetLinkUriFault,
} from "../checks/urls.ts";
import type { SettingsPart } from "../settings-part.ts";
import { adminOf, listenHost } from "./admin-schema.ts";
import { challengeProvider } from "./challenge-provider.ts";
import {
  CLIENT_AUTH_METHODS,
  EXTRA_CLAIMS,
  LOG_LEVELS,
  REMEMBERED_LOGINS,
  RESPONSE_MODES,
  SIGNING_ALGS,
} from "./choices.ts";
import {
  addressRange,
  checked,
  duration,
  flag,
  idText,
  list,
  mapping,
  oneOf,
  text,
  wholeNumber,
  wholeNumberOrAuto,
} from "./fields.ts";
import { writtenSecret } from "./invitations.ts";
import { keySet } from "./key-set.ts";
import { PROFILE_NAMES } from "./profiles.ts";
import { room, sharedOutflow } from "./room-schema.ts";
import { type Settings, writeSettings } from "./settings-codec.ts";
import { namedStores, store } from "./store-schema.ts";
import { issuerTheme, roomTheme } from "./theme-schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./times.ts";

const secret = writtenSecret.optional();

export const issuer = checked("the public address of Usher, such as https://queue.example.com", issuerFault);
const redirectUri = checked("a redirect URI", redirectUriFault);
/** An address at a site that Usher asks or notifies. */
const backchannelUri = checked("an absolute URL", backchannelUriFault);
const initiateLoginUri = checked("an absolute URL", initiateLoginUriFault);
const targetLinkUri = checked("an absolute URL, or one that ends in /*", targetLinkUriFault);

export const client = mapping({
  client_id: idText("a client id of printable ASCII characters without spaces", 128, /^[\x21-\x7e]+$/),
  client_secret: secret,
  previous_client_secret: secret,
  token_endpoint_auth_method: oneOf("method", CLIENT_AUTH_METHODS).optional(),
  jwks: keySet.optional(),
  jwks_uri: backchannelUri.optional(),
  require_pkce: flag().optional(),
  require_pushed_authorization_requests: flag().optional(),
  dpop_bound_access_tokens: flag().optional(),
  response_modes: list(oneOf("response mode", RESPONSE_MODES), 3, 1).optional(),
  id_token_signed_response_alg: oneOf("algorithm", SIGNING_ALGS).optional(),
  redirect_uris: list(redirectUri, 50, 1),
  post_logout_redirect_uris: list(redirectUri, 50).default([]),
  backchannel_logout_uri: backchannelUri.optional(),
  backchannel_logout_session_required: flag().optional(),
  room: text("the id of a room", 32).optional(),
  rooms: list(text("the id of a room", 32), 100, 1).optional(),
  profile: oneOf("profile", PROFILE_NAMES).default("generic"),
  login_timeout: duration(SECOND_MS, DAY_MS).optional(),
  initiate_login_uri: initiateLoginUri.optional(),
  initiate_login_uris: z
    .record(z.string(), initiateLoginUri, { error: "expected a mapping from rooms to absolute URLs" })
    .default({}),
  target_link_uris: list(targetLinkUri, 100).default([]),
  third_party_login: flag().optional(),
  remembered_logins: oneOf("number of logins", REMEMBERED_LOGINS).optional(),
  refresh_tokens: flag().optional(),
  claims: list(oneOf("claim", EXTRA_CLAIMS), 2).optional(),
  theme: roomTheme.nullish(),
});

/** What the program knows, and operators see: without secrets, which are in secrets/, and the look. */
export const clientSettings = client.omit({ client_secret: true, previous_client_secret: true, theme: true });

/** Settings of a client in the words of the file. */
export function writeClientSettings(settings: Settings<Partial<z.output<typeof clientSettings>>>) {
  return writeSettings(clientSettings, settings, null) as Record<string, unknown>;
}

/** How the waiting page comes: all of it in one answer, or with files beside it that browsers and caches keep. */
export const PAGE_ASSETS = ["inline", "linked"] as const;
export const pages = mapping({
  assets: oneOf("way", PAGE_ASSETS).default("inline"),
}).prefault({});

const challenge = challengeProvider(secret);
/** What the program knows: without the secret. */
export const challengeSettings = challenge.omit({ secret: true });

/** What each issuer has for itself. */
const perIssuer = {
  rooms: list(room, 1_000, 1),
  clients: list(client, 1_000).default([]),
  theme: issuerTheme.nullish(),
  keys: mapping({
    tickets: list(secret, 10).default([]),
    signing: list(secret, 10).default([]),
    cookies: list(secret, 10).default([]),
  }).prefault({}),
};

export const listen = mapping({
  host: listenHost.default("0.0.0.0"),
  port: wholeNumber(0, 65_535).default(3_000),
  trusted_proxies: list(addressRange(), 100).default([]),
  drain: duration(0, 10 * MINUTE_MS).prefault("5s"),
  max_connections: wholeNumber(1, 1_000_000).default(20_000),
});

/** What all issuers share. */
const common = {
  listen: listen.prefault({}),
  workers: wholeNumberOrAuto(1, 128).default(1),
  store: store.default({ type: "memory" }),
  stores: namedStores.nullish(),
  shared_outflows: list(sharedOutflow, 100).default([]),
  admin: adminOf(writtenSecret).prefault({}),
  pages,
  challenges: list(challenge, 20).default([]),
  secrets: mapping({
    refresh: duration(5 * SECOND_MS, HOUR_MS).prefault("60s"),
  }).prefault({}),
  secrets_file: text("the path of a file", 4_096).optional(),
  locales: text("the path of a folder", 4_096).optional(),
  /** Of a single issuer; of several, what lies under that of each. */
  theme: issuerTheme.nullish(),
  log_level: oneOf("log level", LOG_LEVELS).default("info"),
};

/** Not beside `issuers`: reported in issuer-checks.ts. */
const elsewhere = z.unknown().optional();

/** The whole document with the keys that features add: of a single issuer, whose keys stand in the document itself, and of several. */
export function documentSchemas(parts: readonly SettingsPart[]) {
  const shapeOf = (some: readonly SettingsPart[]) => Object.fromEntries(some.map(({ key, schema }) => [key, schema]));
  const ofEach = { ...perIssuer, ...(shapeOf(parts.filter(({ isPerIssuer }) => isPerIssuer)) as object) };
  const ofAll = { ...common, ...(shapeOf(parts.filter(({ isPerIssuer }) => !isPerIssuer)) as object) };
  return {
    ofOne: mapping({ issuer: issuer.optional(), ...ofEach, ...ofAll, issuers: z.undefined().optional() }),
    ofSeveral: mapping({
      ...ofAll,
      issuers: list(mapping({ issuer, ...ofEach }), 100, 1),
      ...{ issuer: elsewhere, rooms: elsewhere, clients: elsewhere, keys: elsewhere },
      ...(Object.fromEntries(
        parts.flatMap(({ key, isPerIssuer }) => (isPerIssuer ? [[key, elsewhere]] : [])),
      ) as object),
    }),
  };
}

type Schemas = ReturnType<typeof documentSchemas>;
type DocumentOfOne = z.infer<Schemas["ofOne"]>;
export type Document = DocumentOfOne | z.infer<Schemas["ofSeveral"]>;
export type IssuerDocument = Pick<DocumentOfOne, "issuer" | "rooms" | "clients" | "keys" | "theme">;
export type ClientDocument = IssuerDocument["clients"][number];
