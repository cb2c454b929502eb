/**
 * Secrets of the configuration: written literally, or as a reference `{ from: SOURCE, … }` that a source
 * resolves. Sources are registered here; load.ts resolves every secret while it loads, so that a missing
 * one is a fault like any other.
 */

import { environmentValue } from "../../lib/value-shape.ts";
import { unknownWord } from "../checks/words.ts";
import { fromFile } from "./from-file.ts";
import {
  type FetchedSecret,
  type OriginWatch,
  type Reference,
  type ReloadContext,
  type SecretContext,
  SecretError,
  type SecretSource,
  type VersionsWanted,
} from "./secret-source.ts";
import { fromSecretsManager } from "./secrets-manager/from-secrets-manager.ts";

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
  const known = [...fields, ...optionalFields];
  const unknown = Object.keys(rest).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new SecretError(unknownWord("key", unknown, ["from", ...known]));
  const reference: Record<string, string> = {};
  for (const field of known) {
    const value = rest[field];
    if (value === undefined && optionalFields.includes(field)) continue;
    if (typeof value !== "string" || value === "" || value.length > FIELD_LENGTH_MAX) {
      throw new SecretError(`{ from: ${from} } needs ${field}, as text`);
    }
    reference[field] = value;
  }
  return reference;
}
