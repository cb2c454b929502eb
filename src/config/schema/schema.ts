/**
 * The shape of a configuration file, as written: snake_case, secrets still references. What a schema can't see (duplicates, references
 * between parts) is in cross-checks.ts; rooms are in room-schema.ts, secrets in secrets/, keys of features in their folders.
 */
import { z } from "zod";
import {
  backchannelUriFault,
  healthUrlFault,
  initiateLoginUriFault,
  issuerFault,
  redirectUriFault,
  targetLinkUriFault,
} from "../checks/urls.ts";
import { type SettingsPart, topOf } from "../settings-part.ts";
import { issuerTheme, roomTheme } from "../themes/theme-schema.ts";
import {
  CLIENT_AUTH_METHODS,
  EXTRA_CLAIMS,
  FOUR_EYES_STEPS,
  LOG_LEVELS,
  PROFILE_NAMES,
  REMEMBERED_LOGINS,
  RESPONSE_MODES,
  ROLES,
  SIGNING_ALGS,
} from "./choices.ts";
import { providerClient } from "./entry.ts";
import {
  addressRange,
  checked,
  duration,
  flag,
  idText,
  keySet,
  list,
  mapping,
  oneOf,
  text,
  wholeNumber,
  wholeNumberOrAuto,
  writtenSecret,
} from "./fields.ts";
import { challengeId } from "./joins.ts";
import { room, sharedOutflow } from "./room-schema.ts";
import { type Settings, writeSettings } from "./settings-codec.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./times.ts";

const roomsOf = list(text("the id of a room", 32), 1_000, 1).optional();

export const listenHost = text("a host name or address to listen on", 255, /^[\w.:-]+$/);

export const adminKey = mapping({
  id: idText("a name for the key", 64, /^[\w.-]+$/),
  key_sha256: text(
    'the SHA-256 of the key, 64 hexadecimal digits as of printf %s "$KEY" | sha256sum',
    64,
    /^[0-9a-f]{64}$/i,
  ).transform((hex) => hex.toLowerCase()),
  role: oneOf("role", ROLES).optional(),
  rooms: roomsOf,
});

export const signInRule = mapping({
  claim: text("the name of a claim, such as groups or realm_access.roles", 256),
  value: text("the value that the claim has, or has among others", 256),
  role: oneOf("role", ROLES),
  rooms: roomsOf,
});

/** @param secret as it stands in the file */
export const adminOf = <Secret extends z.ZodType>(secret: Secret) =>
  mapping({
    keys: list(adminKey, 100).default([]),
    listen: mapping({
      host: listenHost.default("127.0.0.1"),
      port: wholeNumber(0, 65_535),
    }).optional(),
    url: checked("the operators' address, such as https://usher.internal.example.com", issuerFault).optional(),
    sign_in: mapping({
      ...providerClient("people", secret),
      roles: list(signInRule, 100, 1),
    }).optional(),
    four_eyes: list(oneOf("step", FOUR_EYES_STEPS), FOUR_EYES_STEPS.length).default([]),
    session: mapping({
      lifetime: duration(5 * MINUTE_MS, 7 * DAY_MS).prefault("12h"),
      idle: duration(5 * MINUTE_MS, DAY_MS).prefault("1h"),
    }).prefault({}),
  });

const STORES_MAX = 20;
/** Of the keys of a store that says nothing else. */
export const defaultKeyPrefix = "usher:";
const redis = mapping({
  type: z.literal("redis"),
  url: writtenSecret.optional(),
  // No colon within: then no key of one prefix can be that of another. No brace: those around a room's name are a Cluster's hash tag.
  prefix: text("letters, digits, full stops, underscores and hyphens", 64, /^[A-Za-z0-9][\w.-]*:?$/)
    .transform((prefix) => (prefix.endsWith(":") ? prefix : `${prefix}:`))
    .default(defaultKeyPrefix),
});

export const store = z.discriminatedUnion(
  "type",
  [
    mapping({
      type: z.literal("memory"),
    }),
    redis,
  ],
  { error: "expected { type: memory } or { type: redis, url: … }" },
);

const namedStore = z.discriminatedUnion("type", [redis], { error: "expected { type: redis, url: … }" });

/** Those that a room may name. Their names are checked in store-checks.ts, whatever else is wrong with them. */
export const namedStores = z
  .record(z.string(), namedStore, { error: "expected stores by name, such as { b: { type: redis, url: … } }" })
  .superRefine((byName, context) => {
    const names = Object.keys(byName);
    if (names.length > STORES_MAX) {
      context.addIssue({ code: "custom", message: `expected at most ${STORES_MAX} stores` });
    }
  });

export const PROVIDERS = ["turnstile", "hcaptcha", "recaptcha", "custom"] as const;

const url = () => checked("an http or https URL", healthUrlFault);

/** @param secret the schema of a place where a secret stands */
export function challengeProvider<Secret extends z.ZodType>(secret: Secret) {
  return mapping({
    id: challengeId(),
    provider: oneOf("provider", PROVIDERS),
    site_key: text("the site key that the provider gave", 256, /^[\x21-\x7e]+$/),
    secret,
    name: text("what visitors read of the provider", 60).optional(),
    verify_url: url().optional(),
    script_url: url().optional(),
    timeout: duration(SECOND_MS / 2, 30 * SECOND_MS).prefault("5s"),
  });
}

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
  const ofIssuer = { ...perIssuer, ...(shapeOf(parts.filter(({ isPerIssuer }) => isPerIssuer)) as object) };
  const ofAll = { ...common, ...(shapeOf(parts.filter(({ isPerIssuer }) => !isPerIssuer)) as object) };
  return {
    ofOne: mapping({ issuer: issuer.optional(), ...ofIssuer, ...ofAll, issuers: z.undefined().optional() }),
    ofSeveral: mapping({
      ...ofAll,
      issuers: list(mapping({ issuer, ...ofIssuer }), 100, 1),
      issuer: elsewhere,
      rooms: elsewhere,
      clients: elsewhere,
      keys: elsewhere,
      ...(Object.fromEntries(parts.flatMap((part) => (part.isPerIssuer ? [[topOf(part), elsewhere]] : []))) as object),
    }),
  };
}

/** Parts that share a mapping stand in it together; what it is for, `SHARED` says. */
function shapeOf(parts: readonly SettingsPart[]): z.ZodRawShape {
  const shared = new Map<string, Record<string, z.ZodType>>();
  const alone = parts.flatMap((part) => {
    const [top = "", below] = part.key.split(".");
    if (below === undefined) return [[top, part.schema] as const];
    shared.set(top, { ...shared.get(top), [below]: part.schema });
    return [];
  });
  const together = [...shared].map(([top, shape]) => [
    top,
    mapping(shape)
      .prefault({})
      .describe(SHARED[top] ?? ""),
  ]);
  return Object.fromEntries([...alone, ...together]) as z.ZodRawShape;
}

/** What the mappings are for in which several features have their keys. */
const SHARED: Readonly<Record<string, string>> = {
  homes: "for sites that have the client of another waiting room: each is absent unless it stands here",
};

type Schemas = ReturnType<typeof documentSchemas>;
type DocumentOfOne = z.infer<Schemas["ofOne"]>;
export type Document = DocumentOfOne | z.infer<Schemas["ofSeveral"]>;
export type IssuerDocument = Pick<DocumentOfOne, "issuer" | "rooms" | "clients" | "keys" | "theme">;
export type ClientDocument = IssuerDocument["clients"][number];
