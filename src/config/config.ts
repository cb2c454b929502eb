/**
 * The configuration as the rest of the program sees it: complete, checked, in camelCase, durations in
 * milliseconds, secrets resolved. `load.ts` makes it from YAML and environment.
 */
import type { z } from "zod";
import type { ProviderClient } from "../lib/openid/login.ts";
import type { ExtraClaim, FourEyesStep, LogLevel, ProfileName, SigningAlg } from "./schema/choices.ts";
import type { IdentityConfig, InvitationsConfig } from "./schema/entry.ts";
import type { WaysInConfig } from "./schema/room-schema.ts";
import type { RoomSettings } from "./schema/room-settings.ts";
import type { adminKey, challengeSettings, clientSettings, listen, pages, signInRule } from "./schema/schema.ts";
import type { Settings } from "./schema/settings-codec.ts";
import type { PartValues } from "./settings-part.ts";
import type { IssuerThemes } from "./themes/themes.ts";

export type { ExtraClaim, LogLevel, ProfileName, SigningAlg };

export interface RoomConfig {
  readonly id: string;
  /** Tells a room that was made at run time from an earlier one of the same id: what that one signed is worth nothing here. */
  readonly line?: string;
  /** Name of the store that keeps the line; absent: that of the installation. */
  readonly store?: string;
  readonly settings: RoomSettings;
  /** Tag of the language of its pages for visitors who ask for none that there is; null for English. No live change reaches it. */
  readonly language: string | null;
  readonly waysIn: WaysInConfig;
  /** Where visitors join by invitation alone; null: whoever comes. */
  readonly invitations: InvitationsConfig | null;
  /** Where visitors sign in before they join; null: nowhere. */
  readonly identity: IdentityConfig | null;
}

type WrittenClient = Settings<z.output<typeof clientSettings>>;
/** What a client has whether it is written or not: a default, or what follows from its profile. */
type Completed =
  | "rooms"
  | "loginTimeoutMs"
  | "tokenEndpointAuthMethod"
  | "initiateLoginUri"
  | "thirdPartyLogin"
  | "rememberedLogins"
  | "requirePkce"
  | "refreshTokens"
  | "claims";

/** A relying party: the settings of its entry, complete. */
export type ClientConfig = Omit<WrittenClient, "room" | Completed> &
  Required<Pick<WrittenClient, Completed>> & {
    /** Null for a public client (`token_endpoint_auth_method: none`), for which PKCE is required, and for one with keys. */
    readonly clientSecret: string | null;
    /** Further secrets that are accepted, so that one can be rotated; the newest first, never empty. */
    readonly olderClientSecrets?: readonly string[];
  };

/** Names the key in logs, its role and the rooms that it is for: see `grantOf` for what it has without these. `env` is the one from USHER_ADMIN_API_KEY. */
export type AdminKey = Settings<z.output<typeof adminKey>>;

/** What people get whose claims fit. */
export type SignInRule = Settings<z.output<typeof signInRule>>;

/** How people sign in by OpenID Connect. */
export interface SignInConfig extends ProviderClient {
  readonly rules: readonly SignInRule[];
}

/**
 * Keys from the configuration, already resolved. The first of each signs, the others still verify. An empty
 * list: nobody configured them, and `loadKeyMaterial` makes and keeps them in `secretsFile`.
 */
export interface KeysConfig {
  readonly tickets: readonly string[];
  /** RSA or P-256 private keys, each as PEM or as a JWK in JSON. */
  readonly signing: readonly string[];
  readonly cookies: readonly string[];
}

/** A provider of challenges, with what it knows this installation by. */
export type ChallengeConfig = Settings<z.output<typeof challengeSettings>> & { readonly secret: string };

/** A store that rooms may name. */
export interface NamedStoreConfig {
  readonly name: string;
  readonly url: string;
  /** See `StoreConfig`. */
  readonly prefix: string;
}

export type StoreConfig =
  | { readonly type: "memory" }
  | {
      readonly type: "redis";
      readonly url: string;
      /** Begins all keys, and ends with a colon. */
      readonly prefix: string;
    };

/** A provider with all that is its own. Ids of rooms and clients are unique over all issuers, and so are hosts. */
export interface IssuerConfig {
  /** A bare origin without trailing slash; http only for localhost, 127.0.0.1 and [::1]. */
  readonly issuer: string;
  readonly rooms: readonly RoomConfig[];
  readonly clients: readonly ClientConfig[];
  readonly keys: KeysConfig;
  readonly themes: IssuerThemes;
  /** What features added to its section of the file. */
  readonly parts: PartValues;
  /** Absolute path of the file in which those of its keys are kept that nobody configured. */
  readonly secretsFile: string;
}

export interface UsherConfig {
  /** At least one. */
  readonly issuers: readonly IssuerConfig[];
  readonly listen: Settings<z.output<typeof listen>>;
  /** Processes that this gateway is made of; `auto`: as many as there are cores, where the store can be shared. */
  readonly workers: "auto" | number;
  /** What belongs to no room, and all rooms that name no other. */
  readonly store: StoreConfig;
  readonly stores: readonly NamedStoreConfig[];
  readonly admin: {
    readonly keys: readonly AdminKey[];
    /** Where all that is operators' is answered, and there alone; null: beside the rest. */
    readonly listen: { readonly host: string; readonly port: number } | null;
    /** A bare origin: where operators' browsers reach it. Null where that is unknown: then nobody signs in. */
    readonly url: string | null;
    readonly signIn: SignInConfig | null;
    /** Steps that take the word of two people. */
    readonly fourEyes: readonly FourEyesStep[];
    readonly session: { readonly lifetimeMs: number; readonly idleMs: number };
  };
  /** Whether the waiting page has its style and script in it, or as files beside it. */
  readonly pages: Settings<z.output<typeof pages>>;
  readonly challenges: readonly ChallengeConfig[];
  /** What features added to the file. */
  readonly parts: PartValues;
  /** Absolute path. A single issuer's keys are kept in it, those of several and the checkpoints beside it. */
  readonly secretsFile: string;
  readonly logLevel: LogLevel;
  /** Absolute path of the folder with the operator's own texts of the pages; absent where there is none. */
  readonly localesDir?: string;
  /** Port of the demonstration site; only the demonstration uses it. */
  readonly demoPort: number;
}

/** A private key as a JWK with `kid`, for oidc-provider's `jwks` and for jose. */
export type SigningJwk = RsaSigningJwk | EcSigningJwk | OkpSigningJwk;
export type RsaSigningJwk = JwkOf<"RSA", "RS256" | "PS256", "n" | "e" | "d" | "p" | "q" | "dp" | "dq" | "qi">;
export type EcSigningJwk = JwkOf<"EC", "ES256", "x" | "y" | "d"> & { readonly crv: "P-256" };
export type OkpSigningJwk = JwkOf<"OKP", "EdDSA", "x" | "d"> & { readonly crv: "Ed25519" };
type JwkOf<Kty, Alg, Members extends string> = { readonly kty: Kty; readonly alg: Alg; readonly use: "sig" } & {
  readonly [Member in "kid" | Members]: string;
};

/** A key that makes and checks MACs. */
export interface MacKey {
  /** Derived from the key, so that equal keys have equal ids everywhere. */
  readonly kid: string;
  readonly secret: Uint8Array;
}

/** The keys in use. The first of each list signs (of `signing`, the first of each algorithm), the others verify. No list is empty. */
export interface KeyMaterial {
  readonly tickets: readonly MacKey[];
  /** RS256 is always among them, and first. */
  readonly signing: readonly SigningJwk[];
  readonly cookies: readonly string[];
  /** For draws: the order of those who came before the opening. */
  readonly draw: readonly MacKey[];
}
