/**
 * Secrets of the configuration: written literally, or as a reference `{ from: SOURCE, … }` that a source
 * resolves. Sources are registered here; load.ts resolves every secret while it loads, so that a missing
 * one is a fault like any other.
 */
import { unknownWord } from "../checks/words.ts";
import { fromEnv } from "./from-env.ts";
import { fromFile } from "./from-file.ts";
import { fromSecretsManager } from "./from-secrets-manager.ts";
import { SecretError } from "./secret-error.ts";
import type { FetchedSecret, Reference, SecretContext, SecretReload, SecretSource } from "./secret-source.ts";

const SECRET_SOURCES: readonly SecretSource[] = [fromEnv, fromFile, fromSecretsManager];

const SECRET_LENGTH_MAX = 16_384;

/**
 * Resolves a secret as it stands in the document.
 * @throws SecretError whose message may be shown.
 */
export async function resolveSecret(
  written: unknown,
  context: SecretContext,
  sources: readonly SecretSource[] = SECRET_SOURCES,
): Promise<FetchedSecret> {
  const secret =
    typeof written === "string" ? { value: written, warnings: [] } : await fetchSecret(written, context, sources);
  if (!hasUsableLength(secret.value)) {
    throw new SecretError(`expected a secret of 1 to ${SECRET_LENGTH_MAX} characters`);
  }
  return secret.others === undefined
    ? secret
    : { ...secret, others: secret.others.filter(({ value }) => hasUsableLength(value)) };
}

/** A reference to a source that reloads its secrets; null for what stands there as it is, or never changes. */
export function reloadable(written: unknown): { readonly reload: SecretReload; readonly reference: Reference } | null {
  if (typeof written !== "object" || written === null || !("from" in written)) return null;
  const { from, ...rest } = written;
  const source = SECRET_SOURCES.find((candidate) => candidate.from === from);
  return source?.reload === undefined ? null : { reload: source.reload, reference: checkFields(source, rest) };
}

function hasUsableLength(value: string): boolean {
  return value !== "" && value.length <= SECRET_LENGTH_MAX;
}

async function fetchSecret(
  written: unknown,
  context: SecretContext,
  sources: readonly SecretSource[],
): Promise<FetchedSecret> {
  const names = sources.map((source) => source.from);
  if (typeof written !== "object" || written === null || Array.isArray(written)) {
    throw new SecretError(
      `${written === undefined ? "required" : "expected"}: text in quotes, or { from: ${names.join("|")}, … }`,
    );
  }
  const { from, ...rest } = written as Record<string, unknown>;
  const source = sources.find((candidate) => candidate.from === from);
  if (source === undefined) {
    throw new SecretError(`from: ${unknownWord("source", typeof from === "string" ? from : "", names)}`);
  }
  return source.fetch(checkFields(source, rest), context);
}

function checkFields(source: SecretSource, rest: Record<string, unknown>): Record<string, string> {
  const { from, fields, optionalFields = [] } = source;
  const unknown = Object.keys(rest).find((key) => !fields.includes(key) && !optionalFields.includes(key));
  if (unknown !== undefined) {
    throw new SecretError(unknownWord("key", unknown, ["from", ...fields, ...optionalFields]));
  }
  const given = [...fields, ...optionalFields.filter((field) => rest[field] !== undefined)];
  const entries = given.map((field): [string, string] => {
    const value = rest[field];
    if (typeof value !== "string" || value === "" || value.length > 4_096) {
      throw new SecretError(`{ from: ${from} } needs ${field}, as text`);
    }
    return [field, value];
  });
  return Object.fromEntries(entries);
}
