/**
 * What is wrong with a configuration, told to a human: where, what was written there, what is allowed,
 * and which word was probably meant. Values of secrets never get in.
 */
import type { z } from "zod";
import { SetupError } from "../../lib/errors.ts";
import { formatPath, type Path, shorten, valueAt } from "../raw-document.ts";

export interface Fault {
  /** As in the YAML: `rooms[0].inlet.outflow_per_minute`; or the name of an environment variable or a file. */
  readonly path: string;
  /** As it was written, shortened; `missing`; `(hidden)` where it may be a secret; null where there is no value to show. */
  readonly value: string | null;
  /** What is wrong and what is allowed. */
  readonly message: string;
  /** Set where the key itself is wrong, and not its value. */
  readonly isOfKey?: true;
  /** Where in the text it is, if it was read from one. */
  readonly place?: Place;
}

/** A place in the text of a file. */
export interface Place {
  readonly file: string;
  /** From 1, as is the column, in characters. */
  readonly line: number;
  readonly column: number;
  /** The line without what may be secret, and what marks the place below it; null where nothing of it can be shown. */
  readonly excerpt: { readonly text: string; readonly marker: string } | null;
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
    super([heading, ...inOrder(faults).flatMap(describeFault)].map(harmless).join("\n"));
    this.faults = faults;
  }
}

/** What steers a terminal does not come from a file. */
function harmless(line: string): string {
  return line.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => (character === "\t" ? " " : "?"));
}

/** Those without a place first, then as they stand in the text. */
function inOrder(faults: readonly Fault[]): Fault[] {
  const lineOf = ({ place }: Fault) => place?.line ?? 0;
  return [...faults].sort((one, other) => lineOf(one) - lineOf(other));
}

/** The fault, and below it the line of the text where it is. */
function describeFault(fault: Fault): string[] {
  const lines = [`  ${formatFault({ ...fault, message: withoutLongList(fault.message) })}`];
  const { place } = fault;
  if (!place?.excerpt) return lines;
  const number = String(place.line);
  const margin = " ".repeat(number.length);
  return [...lines, `    ${number} | ${place.excerpt.text}`, `    ${margin} | ${place.excerpt.marker}`];
}

export function formatFault({ path, value, message, place }: Fault): string {
  const at = place === undefined ? [] : [`${place.file}:${place.line}:${place.column}`];
  const where = path === "" && place === undefined ? ["the document"] : path === "" ? [] : [path];
  return [...at, ...where, ...(value === null ? [] : [value]), message].join(": ");
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
  const fault = faultAt(document, path, issue.message, isMisspelt || mayBeSecret(names, isUnknownKey));
  return isUnknownKey ? { ...fault, isOfKey: true } : fault;
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

/**
 * The number of words of a list that are looked up among the allowed ones: more wrong ones are one mistake, made many
 * times.
 */
export const searchedMax = 10;

/** The message for a word that is none of the allowed ones. */
export function unknownWord(kind: string, word: string, allowed: readonly string[]): string {
  return `unknown ${kind}${didYouMean(word, allowed)}; allowed: ${allowed.join(", ")}`;
}

/** More words than these help nobody who reads them at a terminal. */
const listedMax = 12;

/** What `unknownWord` says, without the words that are allowed where there are many. */
function withoutLongList(message: string): string {
  const [, said = "", allowed = ""] = /^(unknown [^;]*); allowed: (.*)$/s.exec(message) ?? [];
  const count = allowed.split(", ").length;
  if (count <= listedMax) return message;
  return said.endsWith("?") ? said : `${said}; docs/configuration.md lists the ${count} that can stand here`;
}

/** A question behind another message; empty when no word is near. */
export function didYouMean(word: string, allowed: readonly string[]): string {
  const suggestion = suggest(word, allowed);
  return suggestion === null ? "" : `, did you mean ${suggestion}?`;
}

/** No word that is allowed anywhere is longer. */
const lengthMax = 64;

/** The allowed word that was probably meant; null when none is near. */
export function suggest(word: string, allowed: readonly string[]): string | null {
  if (word.length > lengthMax) return null;
  const plain = normalize(word);
  let best: string | null = null;
  let tooFar = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const candidate of allowed) {
    const distance = editDistance(plain, normalize(candidate), tooFar);
    if (distance < tooFar) [best, tooFar] = [candidate, distance];
  }
  return best;
}

/** `outflowPerMinute` and `outflow-per-minute` are near `outflow_per_minute`. */
function normalize(word: string): string {
  return word.toLowerCase().replace(/[_-]/g, "");
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other; some number from `tooFar` up
 * as soon as it is clear that there are so many.
 */
function editDistance(a: string, b: string, tooFar: number): number {
  // What one has more than the other has to be inserted.
  if (Math.abs(a.length - b.length) >= tooFar) return tooFar;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  let lastLeast = 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const substitution = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (beforeLast[j - 2] as number) + 1 : tooFar;
      const distance = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, substitution, swap);
      row.push(distance);
      least = Math.min(least, distance);
    }
    // Each row is made of the two before it.
    if (least >= tooFar && lastLeast >= tooFar) return tooFar;
    [beforeLast, last, lastLeast] = [last, row, least];
  }
  return last[b.length] as number;
}
