/**
 * The shape of a configuration file, as written: snake_case, secrets still references. What a schema can't
 * see (duplicates, references between parts) is in cross-checks.ts; secrets are in secrets/.
 */
import { z } from "zod";
import { addressRange, duration, flag, list, mapping, oneOf, text, wholeNumber } from "./fields.ts";
import { PROFILE_NAMES } from "./profiles.ts";
import { issuerFault, redirectUriFault, URI_LENGTH_MAX, webAddressFault } from "./urls.ts";
import { unknownWord } from "./words.ts";

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export const OUTFLOW_PER_MINUTE_MAX = 1_000_000;

/** A place where a secret stands; resolved and checked in secrets/. */
const secret = z.unknown().optional();

export const roomId = text(
  "a room id of lower-case letters, digits and hyphens, not beginning with a hyphen",
  32,
  /^[a-z0-9][a-z0-9-]*$/,
);

/** Text that `findFault` accepts; it answers what is wrong, or null. */
function checked(what: string, findFault: (value: string) => string | null) {
  return text(what, URI_LENGTH_MAX).superRefine((value, context) => {
    const fault = findFault(value);
    if (fault !== null) {
      context.addIssue({ code: "custom", message: fault });
    }
  });
}

export const issuer = checked("the public address of Usher, such as https://queue.example.com", issuerFault);
const redirectUri = checked("a redirect URI", redirectUriFault);
const webAddress = checked("an absolute URL", webAddressFault);

const INLETS = ["manual", "periodic"] as const;

/** A room's settings one by one: the configuration file and the admin API check them alike. */
export const roomFields = {
  title: text("a title", 200),
  message: text("a message", 500),
  inletType: oneOf("inlet", INLETS),
  outflowPerMinute: wholeNumber(1, OUTFLOW_PER_MINUTE_MAX),
  duration: duration(SECOND_MS, 7 * DAY_MS),
  claimWithin: duration(SECOND_MS, DAY_MS),
  loginsPerAdmission: wholeNumber(1, 1_000),
};
const { outflowPerMinute } = roomFields;

const inlet = z.discriminatedUnion(
  "type",
  [
    mapping({ type: z.literal("manual"), outflow_per_minute: outflowPerMinute.nullish() }),
    mapping({ type: z.literal("periodic"), outflow_per_minute: outflowPerMinute }),
  ],
  {
    error: ({ input }) => {
      const type = typeof input === "object" && input !== null && "type" in input ? input.type : undefined;
      if (typeof type === "string") {
        return unknownWord("inlet", type, INLETS);
      }
      return `expected a mapping with type: ${INLETS.join(" or ")}`;
    },
  },
);

const room = mapping({
  id: roomId,
  title: roomFields.title.optional(),
  message: roomFields.message.optional(),
  inlet: inlet.default({ type: "manual" }),
  admission: mapping({
    duration: roomFields.duration.default(20 * 60 * SECOND_MS),
    claim_within: roomFields.claimWithin.default(15 * 60 * SECOND_MS),
    logins_per_admission: roomFields.loginsPerAdmission.default(20),
  }).prefault({}),
});

const client = mapping({
  client_id: text("a client id of printable ASCII characters without spaces", 128, /^[\x21-\x7e]+$/),
  client_secret: secret,
  token_endpoint_auth_method: z
    .literal("none", {
      error:
        "expected none (a public client); confidential clients leave it out and may use client_secret_basic or _post",
    })
    .optional(),
  require_pkce: flag().optional(),
  redirect_uris: list(redirectUri, 50, 1),
  post_logout_redirect_uris: list(redirectUri, 50).default([]),
  room: text("the id of a room", 32).optional(),
  rooms: list(text("the id of a room", 32), 100, 1).optional(),
  profile: oneOf("profile", PROFILE_NAMES).default("generic"),
  login_timeout: duration(SECOND_MS, DAY_MS).optional(),
  initiate_login_uri: webAddress.optional(),
});

const adminKey = mapping({
  id: text("a name for the key", 64, /^[\w.-]+$/),
  key_sha256: text("the SHA-256 of the key, 64 hexadecimal digits", 64, /^[0-9a-f]{64}$/i).transform((hex) =>
    hex.toLowerCase(),
  ),
  rooms: list(text("the id of a room", 32), 1_000, 1).optional(),
});

const store = z.discriminatedUnion(
  "type",
  [mapping({ type: z.literal("memory") }), mapping({ type: z.literal("redis"), url: secret })],
  { error: "expected { type: memory } or { type: redis, url: … }" },
);

export const document = mapping({
  issuer: issuer.optional(),
  listen: mapping({
    host: text("a host name or address to listen on", 255, /^[\w.:-]+$/).default("0.0.0.0"),
    port: wholeNumber(0, 65_535).default(3_000),
    trusted_proxies: list(addressRange(), 100).default([]),
  }).prefault({}),
  store: store.default({ type: "memory" }),
  rooms: list(room, 1_000, 1),
  clients: list(client, 1_000).default([]),
  admin: mapping({ keys: list(adminKey, 100).default([]) }).prefault({}),
  keys: mapping({
    tickets: list(secret, 10).default([]),
    signing: list(secret, 10).default([]),
    cookies: list(secret, 10).default([]),
  }).prefault({}),
  secrets_file: text("the path of a file", 4_096).optional(),
  log_level: oneOf("log level", LOG_LEVELS).default("info"),
});

export type Document = z.infer<typeof document>;
