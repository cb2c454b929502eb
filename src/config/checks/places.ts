/** Places in a document that nobody has checked yet. */
import { indexesAt, type Path, valueAt } from "../resolve/raw-document.ts";

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
