/**
 * The seam by which a feature adds a key to the configuration file. A feature declares its part; the loader is passed all
 * parts, reads and checks them with everything else, and keeps their values unread. `settingsOf` gives a value back to the
 * part that declared it.
 */
import type { z } from "zod";
import { type Fault, formatFault } from "./checks/faults.ts";
import { formatPath, issuerPaths, type Path, valueAt } from "./raw-document.ts";
import type { SecretPlace } from "./secrets/secret-source.ts";

/** Secrets that stand together for one thing, such as the current and the previous one of a webhook. The first counts most. */
export interface FollowedSecrets {
  /** Names them to those who follow changes. */
  readonly name: string;
  readonly path: Path;
  readonly places: readonly SecretPlace[];
}

/**
 * What a feature adds to the configuration file. `raw` is the whole document as it was written, of which nothing has been
 * checked; `place` is where the part stands in it.
 */
export interface SettingsPart<Value = unknown> {
  /** In the document; or in each issuer's section of it. With a dot, in a mapping that several parts share: `homes.queue_it`. */
  readonly key: string;
  readonly isPerIssuer?: boolean;
  /** What may stand there, with a default for a document that has nothing. Its descriptions are in the reference. */
  readonly schema: z.ZodType;
  /** What a schema cannot see: duplicates, references to other keys. */
  readonly check?: (raw: unknown, place: Path) => readonly Fault[];
  /** What works and may still surprise the operator, in a document that has no faults. */
  readonly warn?: (raw: unknown, place: Path) => readonly Fault[];
  /** Secrets that are read when Usher starts. */
  readonly secrets?: (raw: unknown, place: Path) => readonly SecretPlace[];
  /** Secrets that are also followed while Usher runs: see `ReloadedSecrets.follow`. */
  readonly followedSecrets?: (raw: unknown, place: Path) => readonly FollowedSecrets[];
  /**
   * Paths, without indexes, whose values no message may quote. Places that are named like a secret need not be listed, nor
   * unknown keys of a part with secrets.
   */
  readonly unquoted?: RegExp;
  /** Builds the value from the checked settings. @param secretsAt by the path within the part */
  readonly read: (written: never, secretsAt: (path: string) => readonly string[]) => Value;
  /** Whose clients come to the issuer's rooms by the part's value, each with its own interface: operators see it at the room. */
  readonly homes?: (value: never) => readonly RoomHome[];
  /** What an issuer answers to everybody by the part's value: it is asked for from outside, to see that it is there. */
  readonly publicAnswers?: (value: never) => readonly PublicAnswer[];
}

/** A room that clients of another system come to. */
export interface RoomHome {
  readonly room: string;
  /** By its own name, in whatever language. */
  readonly system: string;
  /** What its clients call the room; empty where they need no name. */
  readonly ids: readonly string[];
  /** Its page, such as `docs/homes/aws.md`. */
  readonly guide: string;
}

/** An answer by GET that everybody gets. */
export interface PublicAnswer {
  /** For whom it is, in a word or two. */
  readonly about: string;
  /** The rooms that it is of. */
  readonly rooms: readonly string[];
  /** Path and query, at the issuer. */
  readonly target: string;
  /** Of the request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** What is wrong with an answer of this status, and the way out, without a full stop at the end; null for nothing. */
  readonly findFault: (answer: {
    readonly url: string;
    readonly headers: Headers;
    readonly text: string;
  }) => string | null;
}

/** Declares a part. */
export function settingsPart<Schema extends z.ZodType, Value>(
  part: Omit<SettingsPart<Value>, "schema" | "read"> & {
    readonly schema: Schema;
    readonly read: (written: z.output<Schema>, secretsAt: (path: string) => readonly string[]) => Value;
  },
): SettingsPart<Value> {
  return part;
}

declare const unread: unique symbol;
/** The values of all parts, by key. Only the part that declared a value knows what it is. */
export type PartValues = ReadonlyMap<string, unknown> & { readonly [unread]: true };

/** The settings of a part. @param config of the installation, or of an issuer where each has its own */
export function settingsOf<Value>({ parts }: { readonly parts: PartValues }, part: SettingsPart<Value>): Value {
  if (!parts.has(part.key)) throw new TypeError(`the configuration was loaded without the part ${part.key}`);
  return parts.get(part.key) as Value;
}

/** What all parts say of an issuer's rooms. @param issuer the section with their values */
export function homesOfParts(issuer: Parameters<typeof settingsOf>[0], parts: readonly SettingsPart[]): RoomHome[] {
  return partsOfIssuers(parts).flatMap((part) => part.homes?.(settingsOf(issuer, part) as never) ?? []);
}

/** What all parts say that an issuer answers. @param issuer the section with their values */
export function publicAnswersOfParts(
  issuer: Parameters<typeof settingsOf>[0],
  parts: readonly SettingsPart[],
): PublicAnswer[] {
  return partsOfIssuers(parts).flatMap((part) => part.publicAnswers?.(settingsOf(issuer, part) as never) ?? []);
}

function partsOfIssuers(parts: readonly SettingsPart[]): SettingsPart[] {
  return parts.filter(({ isPerIssuer }) => isPerIssuer);
}

/** @param prefix of the section: empty, or an issuer's */
export function readParts(
  parts: readonly SettingsPart[],
  section: object,
  secretsAt: (path: string) => readonly string[],
): PartValues {
  const values = parts.map(({ key, read }) => {
    const written = valueAt(section, key.split(".")) as never;
    return [key, read(written, (path) => secretsAt(`${key}.${path}`))] as const;
  });
  return new Map(values) as ReadonlyMap<string, unknown> as PartValues;
}

/** Whether a value may be a secret of one of the parts. Takes its path without indexes. */
export function unquotedIn(parts: readonly SettingsPart[]): (names: string, isUnknownKey: boolean) => boolean {
  return (names, isUnknownKey) => {
    const part = parts.find(({ key }) => names === key || names.startsWith(`${key}.`));
    const hasSecrets = part?.secrets !== undefined || part?.followedSecrets !== undefined;
    return (isUnknownKey && hasSecrets) || part?.unquoted?.test(names) === true;
  };
}

/** All places of a document where a part may stand. */
export function placesOfPart(raw: unknown, { key, isPerIssuer }: SettingsPart): Path[] {
  const steps = key.split(".");
  return isPerIssuer ? issuerPaths(raw).map((issuer) => [...issuer, ...steps]) : [steps];
}

/** How the place of an issuer's part may be written, of the only issuer or of one of several. @param index of the issuer */
export function namesOfPlace({ key }: Pick<SettingsPart, "key">, index: number): string[] {
  const steps = key.split(".");
  return [steps, ["issuers", index, ...steps]].map(formatPath);
}

/** What all parts warn of in a document without faults. */
export function warningsOfParts(raw: unknown, parts: readonly SettingsPart[]): string[] {
  return parts.flatMap((part) =>
    placesOfPart(raw, part).flatMap((place) => (part.warn?.(raw, place) ?? []).map(formatFault)),
  );
}

/** The key at the top of the document, or of an issuer's section. */
export function topOf({ key }: SettingsPart): string {
  return key.split(".", 1)[0] ?? key;
}
