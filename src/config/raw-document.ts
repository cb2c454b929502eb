/** Looks into a document that nobody has checked yet: paths, the values there, and the sections of issuers. */
import { isObject } from "../lib/json.ts";

/** Keys and indexes from the root of the document, `["rooms", 0, "inlet"]`. */
export type Path = readonly (string | number)[];

export function formatPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") {
      return `${text}[${step}]`;
    }
    const key = /^[\w-]{1,64}$/.test(step) ? step : JSON.stringify(shorten(step));
    return text === "" ? key : `${text}.${key}`;
  }, "");
}

/** The value at a path of a raw document; undefined where there is none. */
export function valueAt(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    return (value as Record<string | number, unknown>)[step];
  }, document);
}

/** The indexes of the list at a path; none where there is no list. */
export function indexesAt(document: unknown, path: Path): number[] {
  const value = valueAt(document, path);
  return Array.isArray(value) ? [...value.keys()] : [];
}

/** The keys of the mapping at a path; none where there is no mapping. */
export function namesAt(document: unknown, path: Path): string[] {
  const value = valueAt(document, path);
  return isObject(value) ? Object.keys(value) : [];
}

export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** The keys of a document that belong to its single issuer, or to each entry of `issuers`. */
export const ISSUER_KEYS = ["issuer", "rooms", "clients", "keys"] as const;

export function hasIssuerList(raw: unknown): boolean {
  return valueAt(raw, ["issuers"]) !== undefined;
}

/** The document itself where it is of a single issuer, else each entry of `issuers`. */
export function issuerPaths(raw: unknown): Path[] {
  return hasIssuerList(raw) ? entriesAt(raw, ["issuers"]) : [[]];
}

/** The one that a place belongs to; all of them for a place that they share. */
export function issuerPathsAround(raw: unknown, path: Path): Path[] {
  return path[0] === "issuers" ? [path.slice(0, 2)] : issuerPaths(raw);
}

/** The entries of the lists of that name, of all issuers. */
export function entriesOfIssuers(raw: unknown, ...list: Path): Path[] {
  return issuerPaths(raw).flatMap((issuer) => entriesAt(raw, [...issuer, ...list]));
}

export function entriesAt(raw: unknown, list: Path): Path[] {
  return indexesAt(raw, list).map((index) => [...list, index]);
}

/** Places with the value of an earlier one, with the first of these. @param read undefined where there is none to compare */
export function repeated(places: readonly Path[], read: (place: Path) => unknown): (readonly [Path, first: Path])[] {
  const seen = new Map<unknown, Path>();
  return places.flatMap((place) => {
    const value = read(place);
    const first = seen.get(value);
    if (value !== undefined && first !== undefined) return [[place, first] as const];
    seen.set(value, place);
    return [];
  });
}
