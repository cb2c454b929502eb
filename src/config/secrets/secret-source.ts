import type { SecretsManager } from "./secrets-manager.ts";

/** Environment variables, passed in by command.ts. An empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a place has use for where a source keeps several versions of a secret: only the one in force, also the one
 * before it (both are accepted), or a whole key ring (the next one, too, so that all know it before it signs). `extra`: one that is
 * accepted beside another, whichever version the reference names.
 */
export type VersionsWanted = "current" | "accepted" | "key_ring" | "extra";

export interface SecretContext {
  readonly env: Environment;
  /** Relative paths start here: the folder of the configuration file. */
  readonly baseDir: string;
  /** Default: `current`. */
  readonly versions?: VersionsWanted;
  /** Shared by all references, so that equal ones are one request. Default: one for this reference alone. */
  readonly secretsManager?: SecretsManager;
}

/** A further version of a secret, beside the one in force. */
export interface OtherVersion {
  /** As its source calls it. */
  readonly name: string;
  readonly value: string;
  /** It was in force before. One that cannot be used never was, and is left out without a word. */
  readonly isPast: boolean;
}

export interface FetchedSecret {
  /** The one in force. */
  readonly value: string;
  /** What the operator should know, such as loose permissions. Never the value. */
  readonly warnings: readonly string[];
  /** The newest first. Absent: none. */
  readonly others?: readonly OtherVersion[];
  /** Of versions that are to come and cannot be used: one sentence each, without the value. */
  readonly leftOut?: readonly string[];
}

/**
 * A place where secrets are kept outside the configuration file, written there as `{ from: NAME, … }`.
 * Another kind is one more of these in the registry of index.ts.
 */
export interface SecretSource {
  readonly from: string;
  /** The keys beside `from` that are required; all text. */
  readonly fields: readonly string[];
  /** Those that may be left out; all text. */
  readonly optionalFields?: readonly string[];
  /** @throws SecretError that says what is missing and never contains a secret. */
  fetch(reference: Readonly<Record<string, string>>, context: SecretContext): Promise<FetchedSecret>;
}
