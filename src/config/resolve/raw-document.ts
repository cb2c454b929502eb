/** Looks into a document that nobody has checked yet. */

import { isObject } from "../../lib/json.ts";

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
