/**
 * Resolves and checks every secret of a raw document: written literally, or as a reference `{ from: SOURCE, … }`. Goes by the raw
 * document, so that other faults hide none. Sources are registered in SECRET_SOURCES; load.ts resolves all secrets while it loads, so
 * that a missing one is a fault like any other.
 */
import { environmentValue, strayAround } from "../../lib/value-shape.ts";
import { type Fault, faultAt, unknownWord } from "../checks/faults.ts";
import { formatPath, valueAt } from "../raw-document.ts";
import type { SettingsPart } from "../settings-part.ts";
import { fromFile } from "./from-file.ts";
import { fromSecretsManager } from "./from-secrets-manager.ts";
import { type SecretGroup, secretGroups, secretPlaces } from "./secret-places.ts";
import {
  type FetchedSecret,
  type OriginWatch,
  type Reference,
  type ReloadContext,
  SecretAbsent,
  type SecretContext,
  SecretError,
  type SecretPlace,
  type SecretSource,
  type VersionsWanted,
} from "./secret-source.ts";

/** Side by side: of sources that do not answer, the slowest is waited for, not each in turn. Bounded, since files are opened. */
const PLACES_AT_ONCE = 100;

/**
 * Resolved values by path, as `clients[0].client_secret`: the one in force, then the other versions that its source
 * keeps. Empty where a version that there need not be is missing.
 */
export type ValuesByPlace = ReadonlyMap<string, readonly string[]>;

export interface ResolvedPlace {
  /** Usable, each once, the one in force first. With a fault those that it leaves, for other checks. */
  readonly values: readonly string[];
  /** Null: none. Never says the value. */
  readonly fault: string | null;
  readonly warnings: readonly string[];
  /** Of versions that are to come and cannot be used: one sentence each. */
  readonly leftOut: readonly string[];
}

/** `ignoreStoreUrl`: the environment names another store, so the file's is not looked at. */
export async function resolveSecrets(
  raw: unknown,
  parts: readonly SettingsPart[],
  context: SecretContext,
  ignoreStoreUrl: boolean,
) {
  const values = new Map<string, readonly string[]>();
  const faults: Fault[] = [];
  const warnings: string[] = [];
  const places = secretPlaces(raw, parts, ignoreStoreUrl);
  for (let from = 0; from < places.length; from += PLACES_AT_ONCE) {
    const some = places.slice(from, from + PLACES_AT_ONCE);
    const resolved = await Promise.all(
      some.map(async (place) => ({ place, ...(await resolvePlace(raw, place, context)) })),
    );
    for (const { place, fault, leftOut, ...each } of resolved) {
      const where = formatPath(place.path);
      values.set(where, each.values);
      if (fault !== null) faults.push(secretFaultAt(raw, place, fault));
      warnings.push(...[...each.warnings, ...leftOut].map((text) => `${where}: ${text}`));
    }
  }
  const faulty = new Set(faults.map(({ path }) => path));
  const groups = secretGroups(raw, parts);
  for (const group of groups) {
    const isFaulty = group.places.some(({ path }) => faulty.has(formatPath(path)));
    const fault = isFaulty ? null : emptyListFault(group, valuesOfGroup(group, values));
    if (fault !== null) faults.push(faultAt(raw, group.path, fault));
  }
  return { values, faults, warnings: [...warnings, ...uselessPrevious(groups, values)] };
}

/** Fetches and checks what stands at one place. Never throws for what an operator can mend. */
export async function resolvePlace(raw: unknown, place: SecretPlace, context: SecretContext): Promise<ResolvedPlace> {
  const { path, findFault, findWarnings, versions } = place;
  try {
    const { value, warnings, others = [], leftOut = [] } = await resolveSecret(valueAt(raw, path), versions, context);
    const [fault, stray] = [findFault(value), strayAround(value)];
    const judged = others.map((other) => ({ ...other, fault: findFault(other.value) }));
    const usable = judged.filter(({ fault }) => fault === null);
    const unusable = judged.filter(({ fault, isPast }) => fault !== null && !isPast);
    return {
      values: [...new Set([value, ...usable.map((other) => other.value)])],
      fault: fault === null || stray === null ? fault : `it ${stray}; ${fault}`,
      warnings: [...warnings, ...(stray === null ? [] : [`the secret ${stray}`]), ...(findWarnings?.(value) ?? [])],
      leftOut: [...leftOut, ...unusable.map(({ name, fault }) => `${name}: ${fault}`)],
    };
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    const isFine = error instanceof SecretAbsent && (versions === "key_ring" || versions === "extra");
    return { values: [], fault: isFine ? null : error.message, warnings: isFine ? [error.message] : [], leftOut: [] };
  }
}

/** All values of a group, each once, in the order in which they count. */
export function valuesOfGroup({ places }: SecretGroup, values: ValuesByPlace): readonly string[] {
  return [...new Set(places.flatMap(({ path }) => values.get(formatPath(path)) ?? []))];
}

/** Of keys that are configured and of which none is there now: new ones must not be made in their place. */
export function emptyListFault(group: SecretGroup, values: readonly string[]): string | null {
  return group.of.kind === "keys" && group.places.length > 0 && values.length === 0
    ? "none of its entries has the version that it names, so there is no key: name one with the version AWSCURRENT"
    : null;
}

/** A made-up value in place of every secret, another one at each place: for programs that look at the rest alone. */
export function standInSecrets(raw: unknown, parts: readonly SettingsPart[], ignoreStoreUrl: boolean) {
  const paths = secretPlaces(raw, parts, ignoreStoreUrl).map(({ path }) => formatPath(path));
  const standIn = (where: string) =>
    /^stores?\..*url$/.test(where) ? `redis://stand-in-${where.replaceAll(".", "-")}` : `(${where})`;
  const values = new Map(paths.map((where) => [where, [standIn(where)]]));
  return { values, faults: [], warnings: [] };
}

function secretFaultAt(raw: unknown, { path }: SecretPlace, message: string): Fault {
  const fault = faultAt(raw, path, message, true);
  // What a reference says is in the message.
  return typeof valueAt(raw, path) === "object" ? { ...fault, value: null } : fault;
}

function uselessPrevious(groups: readonly SecretGroup[], values: ValuesByPlace): string[] {
  return groups.flatMap(({ of, places }) => {
    const [secret = "", previous = ""] = places.map(({ path }) => formatPath(path));
    const [value] = values.get(previous) ?? [];
    const isUseless = of.kind !== "keys" && value !== undefined && values.get(secret)?.[0] === value;
    return isUseless ? [`${previous}: is the same as ${secret}: leave it out, or put the older one there`] : [];
  });
}

/** `{ from: env, name: SHOP_SECRET }`: an environment variable, without the line end after it. */
const fromEnv: SecretSource = {
  from: "env",
  fields: ["name"],
  async fetch({ name = "" }, _, { env }) {
    if (!/^[A-Za-z_]\w{0,127}$/.test(name)) {
      // Not repeated in the message: somebody may have put the secret itself here.
      throw new SecretError(
        "name is not the name of an environment variable (letters, digits and _): write the variable's name, not the secret",
      );
    }
    const value = environmentValue(env, name);
    if (value === "") {
      throw new SecretError(`the environment variable ${name} is not set: set it where Usher is started`);
    }
    return { value, warnings: [] };
  },
};

const SECRET_SOURCES: readonly SecretSource[] = [fromEnv, fromFile, fromSecretsManager];

const SECRET_LENGTH_MAX = 16_384;
const FIELD_LENGTH_MAX = 4_096;

/**
 * Resolves a secret as it stands in the document.
 * @throws SecretError whose message may be shown.
 */
export async function resolveSecret(
  written: unknown,
  versions: VersionsWanted,
  context: SecretContext,
  sources: readonly SecretSource[] = SECRET_SOURCES,
): Promise<FetchedSecret> {
  const secret = typeof written === "string" ? { value: written, warnings: [] } : await fetchSecret();
  if (!hasUsableLength(secret.value)) {
    throw new SecretError(`expected a secret of 1 to ${SECRET_LENGTH_MAX} characters`);
  }
  return { ...secret, ...(secret.others && { others: secret.others.filter(({ value }) => hasUsableLength(value)) }) };

  function fetchSecret(): Promise<FetchedSecret> {
    const names = sources.map((source) => source.from);
    if (typeof written !== "object" || written === null || Array.isArray(written)) {
      throw new SecretError(
        `${written === undefined ? "required" : "expected"}: text in quotes, or { from: ${names.join("|")}, … }`,
      );
    }
    const { from } = written as Record<string, unknown>;
    const source = sources.find((candidate) => candidate.from === from);
    if (source !== undefined) return source.fetch(checkFields(source, written), versions, context);
    throw new SecretError(`from: ${unknownWord("source", typeof from === "string" ? from : "", names)}`);
  }
}

/** Watches what a checked reference names; undefined for what stands there as it is, or never changes. */
export function watchSecret(written: unknown, context: ReloadContext): OriginWatch | undefined {
  if (typeof written !== "object" || written === null || !("from" in written)) return;
  const source = SECRET_SOURCES.find(({ from }) => from === written.from);
  return source?.watch?.(checkFields(source, written), context);
}

function hasUsableLength(value: string): boolean {
  return value !== "" && value.length <= SECRET_LENGTH_MAX;
}

function checkFields({ from, fields, optionalFields = [] }: SecretSource, written: object): Reference {
  const { from: _, ...rest } = written as Record<string, unknown>;
  const allowed = [...fields, ...optionalFields];
  const unknown = Object.keys(rest).find((key) => !allowed.includes(key));
  if (unknown !== undefined) throw new SecretError(unknownWord("key", unknown, ["from", ...allowed]));
  const reference: Record<string, string> = {};
  for (const field of allowed) {
    const value = rest[field];
    if (value === undefined && optionalFields.includes(field)) continue;
    if (typeof value !== "string" || value === "" || value.length > FIELD_LENGTH_MAX) {
      throw new SecretError(`{ from: ${from} } needs ${field}, as text`);
    }
    reference[field] = value;
  }
  return reference;
}
