/** Finds every secret of a raw document, resolves and checks it. Goes by the raw document, so that other faults hide none. */
import { redisUrlFault } from "../lib/redis-url.ts";
import { type Fault, faultAt } from "./faults.ts";
import { entriesOfIssuers } from "./issuer-paths.ts";
import { formatPath, type Path, valueAt } from "./raw-document.ts";
import { resolveSecret } from "./secrets/index.ts";
import { type SecretContext, SecretError } from "./secrets/secret-source.ts";
import { readSigningKey } from "./signing-key.ts";

const MAC_KEY_LENGTH_MIN = 32;
const CLIENT_SECRET_LENGTH_ADVISED = 16;

export interface SecretValues {
  /** Resolved values by path, as `clients[0].client_secret`. */
  readonly values: ReadonlyMap<string, string>;
  readonly faults: readonly Fault[];
  readonly warnings: readonly string[];
}

interface SecretPlace {
  readonly path: Path;
  /** What is wrong with the value, without repeating it; null when nothing is. */
  readonly findFault: (value: string) => string | null;
  readonly findWarning?: (value: string) => string | null;
}

/** `ignoreStoreUrl`: the environment names another store, so the file's is not looked at. */
export async function resolveSecrets(
  raw: unknown,
  context: SecretContext,
  ignoreStoreUrl: boolean,
): Promise<SecretValues> {
  const values = new Map<string, string>();
  const faults: Fault[] = [];
  const warnings: string[] = [];
  for (const { path, findFault, findWarning } of secretPlaces(raw, ignoreStoreUrl)) {
    const where = formatPath(path);
    try {
      const secret = await resolveSecret(valueAt(raw, path), context);
      const fault = findFault(secret.value);
      const warning = findWarning?.(secret.value) ?? null;
      values.set(where, secret.value);
      faults.push(...(fault === null ? [] : [faultAt(raw, path, fault)]));
      warnings.push(...[...secret.warnings, ...(warning === null ? [] : [warning])].map((text) => `${where}: ${text}`));
    } catch (error) {
      if (!(error instanceof SecretError)) {
        throw error;
      }
      const fault = faultAt(raw, path, error.message);
      // What a reference says is in the message.
      faults.push(typeof valueAt(raw, path) === "object" ? { ...fault, value: null } : fault);
    }
  }
  return { values, faults, warnings };
}

/** A value that nobody knows, and another one each, wherever there is a secret: for whoever looks at the rest alone. */
export function standInSecrets(raw: unknown, ignoreStoreUrl: boolean): SecretValues {
  const paths = secretPlaces(raw, ignoreStoreUrl).map(({ path }) => formatPath(path));
  const values = new Map(paths.map((where) => [where, where === "store.url" ? "redis://stand-in" : `(${where})`]));
  return { values, faults: [], warnings: [] };
}

function secretPlaces(raw: unknown, ignoreStoreUrl: boolean): SecretPlace[] {
  const places: SecretPlace[] = [];
  if (!ignoreStoreUrl && valueAt(raw, ["store", "type"]) === "redis") {
    places.push({ path: ["store", "url"], findFault: redisUrlFault });
  }
  for (const client of entriesOfIssuers(raw, "clients")) {
    const path = [...client, "client_secret"];
    if (valueAt(raw, path) !== undefined) {
      places.push({ path, findFault: clientSecretFault, findWarning: clientSecretWarning });
    }
  }
  const keyPlaces = { tickets: macKeyFault, signing: signingKeyFault, cookies: macKeyFault };
  for (const [purpose, findFault] of Object.entries(keyPlaces)) {
    places.push(...entriesOfIssuers(raw, "keys", purpose).map((path) => ({ path, findFault })));
  }
  return places;
}

/** RFC 6749, appendix A.2: printable ASCII. */
function clientSecretFault(value: string): string | null {
  return /^[\x20-\x7e]{1,1024}$/.test(value) ? null : "expected at most 1024 printable ASCII characters";
}

function clientSecretWarning(value: string): string | null {
  return value.length < CLIENT_SECRET_LENGTH_ADVISED
    ? `fewer than ${CLIENT_SECRET_LENGTH_ADVISED} characters can be guessed: openssl rand -hex 32 makes a good one`
    : null;
}

function macKeyFault(value: string): string | null {
  return value.length < MAC_KEY_LENGTH_MIN
    ? `expected at least ${MAC_KEY_LENGTH_MIN} characters: openssl rand -hex 32 makes them`
    : null;
}

function signingKeyFault(value: string): string | null {
  try {
    readSigningKey(value);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
