import type { Random } from "../../lib/clock-and-random.ts";
import { withoutFinalLineEnd } from "../../lib/value-shape.ts";
import type { Path } from "../raw-document.ts";

/** A secret can't be had. The message is shown to the operator. */
export class SecretError extends Error {
  override name = "SecretError";
}

/** The reference names a version that there need not be always, and now there is none. */
export class SecretAbsent extends SecretError {
  override name = "SecretAbsent";
}

/** Environment variables, passed in by command.ts. An empty one counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a place has use for where a source keeps several versions of a secret: only the one in force, also the one
 * before it (both are accepted), or a whole key ring (the next one, too, so that all know it before it signs). `extra`: one that is
 * accepted beside another, whichever version the reference names. Of a key ring, and an extra one, a version that is named may be
 * missing.
 */
export type VersionsWanted = "current" | "accepted" | "key_ring" | "extra";

/** A place in the document where a secret stands, and what holds for its value. */
export interface SecretPlace {
  readonly path: Path;
  readonly versions: VersionsWanted;
  /** What is wrong with the value, without repeating it; null when nothing is. */
  readonly findFault: (value: string) => string | null;
  readonly findWarnings?: (value: string) => readonly string[];
}

/** Where a secret of AWS Secrets Manager is. Null: what the SDK finds (AWS_REGION, the profile; the service's public address). */
export interface SecretAddress {
  /** Name or ARN. */
  readonly secretId: string;
  readonly region: string | null;
  readonly endpoint: string | null;
}

/** See secrets-manager.ts. */
export interface SecretsManager {
  /**
   * The content of the version with that staging label, null when no version has it. What was asked once, or is being
   * asked, is not asked again, and a failure is remembered, too, until `forget`.
   *
   * @throws SecretError that says what is wrong and what to do
   */
  read(address: SecretAddress, stage: string): Promise<string | null>;
  /** @returns the staging labels that were asked for */
  forget(address: SecretAddress): readonly string[];
  /** Ends what is under way, and forgets everything. */
  close(): void;
}

export interface SecretContext {
  readonly env: Environment;
  /** Relative paths start here: the folder of the configuration file. */
  readonly baseDir: string;
  /** Shared by all references, so that equal ones are one request. */
  readonly secretsManager: SecretsManager;
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
 * Another kind is one more of these in SECRET_SOURCES.
 */
export interface SecretSource {
  readonly from: string;
  /** The keys beside `from` that are required; all text. */
  readonly fields: readonly string[];
  /** Those that may be left out; all text. */
  readonly optionalFields?: readonly string[];
  /** @throws SecretError that says what is missing and never contains a secret. */
  fetch(reference: Reference, versions: VersionsWanted, context: SecretContext): Promise<FetchedSecret>;
  /** Watches what a reference names while the program runs; absent where it never changes. */
  watch?(reference: Reference, context: ReloadContext): OriginWatch;
}

export interface ReloadContext extends SecretContext {
  /** How often a service is asked. */
  readonly refreshMs: number;
  readonly random: Random;
}

export interface OriginWatch {
  /** Of what is watched: references with the same name are read together. */
  readonly name: string;
  /** Whether one value is there at a time; else the source itself says which other versions are accepted. */
  readonly holdsOneValue: boolean;
  /** Milliseconds until the first look. */
  readonly firstMs: number;
  /**
   * Looks once, and calls `read`, which fetches all references anew, where they may have changed.
   *
   * @returns after how many milliseconds to look again, and why the origin cannot be read; null where it can
   */
  look(read: () => Promise<void>): Promise<{ readonly nextMs: number; readonly fault: string | null }>;
}

/**
 * The secret in a content that was fetched: all of it without a newline at its end, or the member `key` of a JSON object.
 *
 * @param name what the messages call the content
 * @throws SecretError that quotes nothing of the content
 */
export function readMember(content: string, key: string | undefined, name: string): string {
  const value = key === undefined ? withoutFinalLineEnd(content) : memberOf(content, key, name);
  const what = key === undefined ? name : `the member ${key} of ${name}`;
  if (typeof value !== "string") throw new SecretError(`${what} is ${kindOf(value)}: expected text in quotes`);
  if (value === "") throw new SecretError(`${what} is empty: write the secret into it`);
  return value;
}

function memberOf(content: string, key: string, name: string): unknown {
  let object: unknown;
  try {
    object = JSON.parse(content);
  } catch {
    // The parser's words quote the content.
    throw new SecretError(`${name} is no JSON, which key asks for: store a JSON object, or leave key out`);
  }
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    throw new SecretError(`${name} is ${kindOf(object)}, and key asks for a JSON object: store one, or leave key out`);
  }
  if (!Object.hasOwn(object, key)) throw new SecretError(`${name} has no member ${key}: add it, or correct key`);
  return (object as Record<string, unknown>)[key];
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
