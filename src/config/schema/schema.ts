/**
 * The shape of a configuration file, as written: snake_case, secrets still references. What a schema can't
 * see (duplicates, references between parts) is in cross-checks.ts; rooms are in room-schema.ts, secrets in secrets/.
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
import { SIGNING_ALGS } from "../secrets/signing-key.ts";
import { CLIENT_AUTH_METHODS } from "./client-authentication.ts";
import { addressRange, checked, duration, flag, list, mapping, oneOf, text, wholeNumber } from "./fields.ts";
import { keySet } from "./key-set.ts";
import { withKind } from "./kinds.ts";
import { PROFILE_NAMES } from "./profiles.ts";
import { room, sharedOutflow } from "./room-schema.ts";
import { issuerTheme, roomTheme } from "./theme-schema.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export const RESPONSE_MODES = ["query", "fragment", "form_post"] as const;

/** A place where a secret stands; resolved and checked in secrets/, which has the sources. */
const writtenSecret = withKind(z.unknown(), {
  json: {
    type: ["string", "object"],
    required: ["from"],
    properties: Object.fromEntries(
      ["from", "name", "path", "secret_id", "key", "region", "endpoint", "version_stage"].map((key) => [
        key,
        { type: "string" },
      ]),
    ),
    additionalProperties: false,
    $comment: "a secret",
  },
});
const secret = writtenSecret.optional();

export const issuer = checked("the public address of Usher, such as https://queue.example.com", issuerFault);
const redirectUri = checked("a redirect URI", redirectUriFault);
/** An address that Usher asks, or tells something, at a site. */
const backchannelUri = checked("an absolute URL", backchannelUriFault);
const initiateLoginUri = checked("an absolute URL", initiateLoginUriFault);
const targetLinkUri = checked("an absolute URL, or one that ends in /*", targetLinkUriFault);

export const client = mapping({
  client_id: text("a client id of printable ASCII characters without spaces", 128, /^[\x21-\x7e]+$/).describe(
    "as at any provider",
  ),
  client_secret: secret.describe(
    "as at any provider; a public client has none, nor has one that authenticates by a key of its own",
  ),
  previous_client_secret: secret.describe(
    "a further secret that is accepted, while the relying party changes over (docs/secrets.md)",
  ),
  token_endpoint_auth_method: oneOf("method", CLIENT_AUTH_METHODS)
    .optional()
    .describe(
      "`none`: a public client; `private_key_jwt`: by a key, with `jwks` or `jwks_uri`; else for the record, both ways are " +
        "taken; without it by profile",
    ),
  jwks: keySet
    .optional()
    .describe(
      "the public keys of a client that authenticates by one (docs/relying-parties/README.md#holding-a-client-to-more)",
    ),
  jwks_uri: backchannelUri.optional().describe("where it publishes them, in place of `jwks`"),
  require_pkce: flag()
    .optional()
    .describe("refuses requests without PKCE (S256), as for each public client; without it by profile"),
  require_pushed_authorization_requests: flag()
    .optional()
    .describe("refuses requests that were not pushed ahead (PAR); without it `false`"),
  dpop_bound_access_tokens: flag()
    .optional()
    .describe("binds its access tokens to a key of its own (DPoP); without it `false`"),
  response_modes: list(oneOf("response mode", RESPONSE_MODES), 3, 1)
    .optional()
    .describe("how it may be answered; without it by all three"),
  id_token_signed_response_alg: oneOf("algorithm", SIGNING_ALGS)
    .optional()
    .describe("what its ID tokens are signed with; Usher makes the key itself (docs/keys.md); without it `RS256`"),
  redirect_uris: list(redirectUri, 50, 1).describe(
    "compared exactly: https (http for localhost only), no fragment, no wildcard",
  ),
  post_logout_redirect_uris: list(redirectUri, 50).default([]).describe("where a visitor may go after logging out"),
  backchannel_logout_uri: backchannelUri
    .optional()
    .describe(
      "where the site is notified when an admission has ended (docs/relying-parties/README.md#the-end-of-a-visit)",
    ),
  backchannel_logout_session_required: flag()
    .optional()
    .describe("whether by a session id (`sid`), which its ID tokens have then, too; without it `true`"),
  room: text("the id of a room", 32)
    .optional()
    .describe("the line that its visitors stand in; this or `rooms` is required"),
  rooms: list(text("the id of a room", 32), 100, 1)
    .optional()
    .describe(
      "several lines: a request's parameter `room` picks one, else the first counts " +
        "(docs/relying-parties/README.md#several-rooms)",
    ),
  profile: oneOf("profile", PROFILE_NAMES)
    .default("generic")
    .describe("what kind of relying party it is, with defaults of its own (docs/relying-parties/README.md)"),
  login_timeout: duration(SECOND_MS, DAY_MS)
    .optional()
    .describe("how long the relying party remembers a login that it has begun; without it by profile"),
  initiate_login_uri: initiateLoginUri
    .optional()
    .describe(
      "where a fresh login starts, used verbatim but for `{target_link_uri}`; without it by profile, an address at the host of " +
        "the first redirect URI",
    ),
  initiate_login_uris: z
    .record(z.string(), initiateLoginUri, { error: "expected a mapping from rooms to absolute URLs" })
    .default({})
    .describe("the same by room, where it is another one"),
  target_link_uris: list(targetLinkUri, 100)
    .default([])
    .describe(
      "pages that the parameter `target_link_uri` may name: exact, or ending in `/*` " +
        "(docs/relying-parties/README.md#deep-links)",
    ),
  third_party_login: flag()
    .optional()
    .describe(
      "a fresh login starts with `iss` and `target_link_uri` (OpenID Connect Core, section 4); without it for `apache` with " +
        "targets only",
    ),
  remembered_logins: oneOf("number of logins", ["one", "many"])
    .optional()
    .describe("how many logins it remembers in one browser, so that tabs finish in any order; without it by profile"),
  refresh_tokens: flag().optional().describe("whether it may get refresh tokens; without it by profile"),
  claims: list(oneOf("claim", ["email", "email_verified"]), 2)
    .optional()
    .describe(
      "for sites that refuse a visitor without them: an `email` that nobody has, `email_verified` false; without it by profile",
    ),
  theme: roomTheme
    .nullish()
    .describe("how pages look to visitors who come with this client: as that of its room, which it overrides"),
});

const adminKey = mapping({
  id: text("a name for the key", 64, /^[\w.-]+$/).describe("names the key in logs"),
  key_sha256: text(
    'the SHA-256 of the key, 64 hexadecimal digits as of printf %s "$KEY" | sha256sum',
    64,
    /^[0-9a-f]{64}$/i,
  )
    .transform((hex) => hex.toLowerCase())
    .describe('of the key, as of `printf %s "$KEY" | sha256sum`; make one with `openssl rand -hex 32`'),
  rooms: list(text("the id of a room", 32), 1_000, 1)
    .optional()
    .describe("what it may change; without it every room, and all else"),
});

const listenHost = text("a host name or address to listen on", 255, /^[\w.:-]+$/);

const store = z.discriminatedUnion(
  "type",
  [
    mapping({
      type: z.literal("memory").describe("`memory`: in this one process; `redis`: in Redis 6.2 or later, or Valkey"),
    }),
    mapping({
      type: z.literal("redis"),
      url: secret.describe("`redis:`, `rediss:`, `redis-sentinel:` or `redis-cluster:`; read at the start"),
    }),
  ],
  { error: "expected { type: memory } or { type: redis, url: … }" },
);

const beacon = mapping({
  urls: list(checked("an http or https URL", healthUrlFault), 10, 1)
    .nullish()
    .describe("mirrors; without it those of the League of Entropy"),
  timeout: duration(100, 10 * SECOND_MS)
    .prefault("3s")
    .describe("how long one of them may take"),
  chain: mapping({
    hash: text("the hash of a drand chain, 64 lower-case hexadecimal digits", 64, /^[0-9a-f]{64}$/).describe(
      "of the chain, 64 lower-case hexadecimal digits",
    ),
    public_key: text(
      "the public key of a drand chain, 192 lower-case hexadecimal digits",
      192,
      /^[0-9a-f]{192}$/,
    ).describe("of the chain, 192 lower-case hexadecimal digits"),
    genesis: wholeNumber(0, 10_000_000_000).describe("the time of its first round, in seconds since 1970"),
    period: wholeNumber(1, 3_600).describe("seconds from one round to the next"),
  })
    .nullish()
    .describe("another drand network; without it quicknet"),
}).prefault({});

/** What each issuer has for itself. */
const ownParts = {
  rooms: list(room, 1_000, 1).describe("the lines, each with its settings; at least one"),
  clients: list(client, 1_000).default([]).describe("relying parties: what stands in front of the protected sites"),
  theme: issuerTheme.nullish().describe("how its pages look (docs/themes.md)"),
  keys: mapping({
    tickets: list(secret, 10).default([]).describe("at least 32 characters each: `openssl rand -hex 32`"),
    signing: list(secret, 10)
      .default([])
      .describe(
        "RSA of 2048 bits or more, or P-256, as PEM: `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048`",
      ),
    cookies: list(secret, 10).default([]).describe("at least 32 characters each"),
  })
    .prefault({})
    .describe(
      "keys of Usher itself; the first of each list signs, the others verify (docs/keys.md); keys that are not given are made " +
        "once and kept in `secrets_file`; processes on several machines need the same keys",
    ),
};

/** What all issuers share. */
const commonParts = {
  listen: mapping({
    host: listenHost.default("0.0.0.0").describe("the address to listen on"),
    port: wholeNumber(0, 65_535).default(3_000).describe("0 takes any free one"),
    trusted_proxies: list(addressRange(), 100)
      .default([])
      .describe(
        "addresses and ranges of proxies whose `X-Forwarded-For` is believed, with several `issuers` their `X-Forwarded-Host`, " +
          "too; they alone may ask for forward authentication (docs/forward-auth.md), or this machine where none are named",
      ),
    drain: duration(0, 10 * MINUTE_MS)
      .prefault("5s")
      .describe(
        "after `SIGTERM`, how long requests go on being answered while `/readyz` is already 503, so that a restart costs nobody " +
          "a request (docs/upgrade.md#restarting)",
      ),
    max_connections: wholeNumber(1, 1_000_000)
      .default(20_000)
      .describe("connections that are open at the same time, at each listener; further ones are refused"),
  })
    .prefault({})
    .describe("the public listener"),
  store: store
    .default({ type: "memory" })
    .describe(
      "where places are kept: `{ type: memory }`, or `{ type: redis, url }` with `maxmemory-policy noeviction`",
    ),
  shared_outflows: list(sharedOutflow, 100)
    .default([])
    .describe("limits that several rooms share; not in a Redis Cluster"),
  admin: mapping({
    keys: list(adminKey, 100).default([]).describe("keys for the admin API, by the SHA-256 of each"),
    listen: mapping({
      host: listenHost.default("127.0.0.1").describe("the address to listen on"),
      port: wholeNumber(0, 65_535).describe("0 takes any free one"),
    })
      .optional()
      .describe(
        "a listener for operators: `/admin`, `/metrics` and `/readyz` are answered there alone, and nowhere in public; `/healthz` " +
          "on both; without it all on the one listener",
      ),
  })
    .prefault({})
    .describe("operators"),
  beacon: beacon.describe("public random numbers of rooms with `draw.beacon: drand` (docs/draw.md)"),
  secrets: mapping({
    refresh: duration(5 * SECOND_MS, HOUR_MS)
      .prefault("60s")
      .describe("how often AWS Secrets Manager is asked again; an outage there leaves the last values in force"),
  })
    .prefault({})
    .describe("secrets that are kept elsewhere (docs/secrets.md)"),
  secrets_file: text("the path of a file", 4_096)
    .optional()
    .describe(
      "where keys that were made are kept; a relative path starts at the configuration file's folder; without it " +
        "`.usher/secrets.json` in the folder where Usher was started",
    ),
  locales: text("the path of a folder", 4_096)
    .optional()
    .describe("texts of your own: a language that is not built in, or other words (docs/languages.md#your-own-texts)"),
  /** Of a single issuer; of several, what lies under that of each. */
  theme: issuerTheme
    .nullish()
    .describe("how all pages look: logo, colours, words, links, foot, templates (docs/themes.md)"),
  log_level: oneOf("log level", LOG_LEVELS).default("info").describe("of the JSON lines on standard output"),
};

/** A single issuer, whose parts stand in the document itself. */
export const document = mapping({
  issuer: issuer
    .optional()
    .describe(
      "the public address of Usher, a bare origin; `http` for localhost only; without it that in `USHER_ISSUER`",
    ),
  ...ownParts,
  ...commonParts,
  issuers: z.undefined().optional(),
});

/** Not beside `issuers`: told in issuer-checks.ts. */
const elsewhere = z.unknown().optional();

/** Several issuers. */
export const documentOfSeveral = mapping({
  ...commonParts,
  issuers: list(
    mapping({ issuer: issuer.describe("its public address, a bare origin"), ...ownParts }),
    100,
    1,
  ).describe(
    "several issuers, each with what is its own, in place of `issuer`, `rooms`, `clients` and `keys` (docs/brands.md)",
  ),
  issuer: elsewhere,
  rooms: elsewhere,
  clients: elsewhere,
  keys: elsewhere,
});

export type Document = z.infer<typeof document> | z.infer<typeof documentOfSeveral>;
export type IssuerDocument = Pick<z.infer<typeof document>, "issuer" | "rooms" | "clients" | "keys" | "theme">;
export type ClientDocument = IssuerDocument["clients"][number];
