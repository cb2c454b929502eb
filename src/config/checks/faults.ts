/**
 * What is wrong with a configuration, told to a human: where, what was written there, what is allowed.
 * Values of secrets never get in.
 */
import type { z } from "zod";
import { SetupError } from "../../lib/errors.ts";
import { formatPath, type Path, shorten, valueAt } from "../resolve/raw-document.ts";

export interface Fault {
  /** As in the YAML: `rooms[0].inlet.outflow_per_minute`; or the name of an environment variable or a file. */
  readonly path: string;
  /** As it was written, shortened; `missing`; `(hidden)` where it may be a secret; null where there is no value to show. */
  readonly value: string | null;
  /** What is wrong and what is allowed. */
  readonly message: string;
}

/** What is wrong in one mapping, with the path in it. */
export interface LocalFault {
  readonly path: Path;
  readonly message: string;
}

/** @param path of keys, as `inlet.weight` */
export function at(path: string, message: string): LocalFault {
  return { path: path.split("."), message };
}

/** The configuration can't be used. Carries every fault there is; `message` lists them, one per line. */
export class ConfigError extends SetupError {
  override readonly name = "ConfigError";
  readonly faults: readonly Fault[];

  constructor(heading: string, faults: readonly Fault[]) {
    super([heading, ...faults.map((fault) => `  ${formatFault(fault)}`)].join("\n"));
    this.faults = faults;
  }
}

export function formatFault({ path, value, message }: Fault): string {
  const where = path === "" ? "the document" : path;
  return `${where}: ${value === null ? "" : `${value}: `}${message}`;
}

/** Builds the fault for a place in a raw document, showing the value if it can't be a secret. */
export function faultAt(document: unknown, path: Path, message: string, mayBeSecret = false): Fault {
  return { path: formatPath(path), value: describeAt(document, path, mayBeSecret), message };
}

/**
 * The fault for an issue that the schema has found in what stands at a place of the document.
 *
 * @param mayBeSecret what features say of their keys: see `unquotedIn`
 */
export function faultOfIssue(
  document: unknown,
  issue: z.core.$ZodIssue,
  place: Path = [],
  mayBeSecret: (names: string, isUnknownKey: boolean) => boolean = () => false,
): Fault {
  const path = [...place, ...(issue.path as Path)];
  const names = namesOf(path);
  // The key may be that of a secret, misspelt.
  const isUnknownKey = issue.code === "custom" && issue.params?.isUnknownKey === true;
  const isMisspelt = isUnknownKey && BESIDE_SECRET.test(names);
  return faultAt(document, path, issue.message, isMisspelt || mayBeSecret(names, isUnknownKey));
}

/** Without indexes, from an issuer's section on. */
function namesOf(path: Path): string {
  const names = path.filter((step) => typeof step === "string");
  return (names[0] === "issuers" ? names.slice(1) : names).join(".");
}

const MAY_BE_SECRET = /secret|passw|token|cookie|credential|(^|[._-])key/i;
/** Keys of mappings in which a secret may stand. */
const BESIDE_SECRET = /^(store|stores\.[^.]+|clients|admin|admin\.sign_in|rooms\.(invitations|identity))\.[^.]+$/;
/** Places that stand among secrets or are called like one, and are none. */
const IS_PLAIN =
  /^admin\.keys\.(id|rooms)$|^rooms\.admission_token\.|^rooms\.verify\.|\.from$|^secrets_file$|^secrets\.refresh$|^clients\.(token_endpoint_auth_method|refresh_tokens)$|^rooms\.identity\.token_endpoint_auth_method$/;

function describeAt(document: unknown, path: Path, mayBeSecret: boolean): string | null {
  const value = valueAt(document, path);
  if (value === undefined) return "missing";
  const place = namesOf(path);
  if (/^(store|stores\.[^.]+)\.url$/.test(place))
    return typeof value === "string" ? describeUrl(value) : describeValue(value);
  const isHidden = mayBeSecret || (MAY_BE_SECRET.test(place) && !IS_PLAIN.test(place));
  return isHidden && typeof value !== "object" ? "(hidden)" : describeValue(value);
}

/** A value as it was written, short enough for one line. */
export function describeValue(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "a mapping";
  return shorten(typeof value === "string" ? JSON.stringify(withoutCredentials(value)) : String(value));
}

function withoutCredentials(text: string): string {
  return text.replace(/(:\/\/)[^/\s]*@/, "$1***@");
}

/** A URL without the credentials it may carry, parameters among them; hidden when it can't be read. */
export function describeUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || text.includes("@") !== (url.username !== "" || url.password !== "")) return "(hidden)";
  return describeValue(text.replace(/\?.*$/s, "?***"));
}
