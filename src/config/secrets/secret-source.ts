import type { Random } from "../../lib/random.ts";
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

/** The keys of a reference beside `from`. */
export type Reference = Readonly<Record<string, string>>;

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
  fetch(reference: Reference, context: SecretContext): Promise<FetchedSecret>;
  /** How secrets are reloaded while the program runs; absent where they never change. */
  readonly reload?: SecretReload;
}

export interface SecretReload {
  /** Whether one value is there at a time; else the source itself says which other versions are accepted. */
  readonly holdsOneValue: boolean;
  /** Names where the secret comes from: references with the same name are read together. */
  originOf(reference: Reference, context: SecretContext): string;
  /** Watches one origin, for all references that name it. */
  watch(references: readonly WatchedReference[], context: ReloadContext): OriginWatch;
}

export interface WatchedReference {
  readonly reference: Reference;
  readonly versions: VersionsWanted;
}

export interface ReloadContext extends SecretContext {
  readonly secretsManager: SecretsManager;
  /** How often a service is asked. */
  readonly refreshMs: number;
  readonly random: Random;
}

export interface OriginWatch {
  /** Milliseconds until the first look. */
  readonly firstMs: number;
  /**
   * Looks once, and calls `read`, which fetches all references anew, where they may have changed.
   *
   * @returns after how many milliseconds to look again, and why the origin cannot be read; null where it can
   */
  look(read: () => Promise<void>): Promise<{ readonly nextMs: number; readonly fault: string | null }>;
}
