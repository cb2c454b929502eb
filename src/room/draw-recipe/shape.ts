/** What was published does not have the shape that it should have; the message says where. */
export class ShapeError extends Error {
  override name = "ShapeError";
}

/**
 * Answers a value that came from elsewhere, when it is what it should be.
 *
 * @param path where it stands, for messages; "" for the whole
 * @throws ShapeError
 */
export type Read<T> = (value: unknown, path: string) => T;

/** What stands where `isValid` says so. @param expected for messages */
export function valueThat<T>(expected: string, isValid: (value: unknown) => boolean): Read<T> {
  return (value, path) => (isValid(value) ? (value as T) : refuse(path, expected));
}

export const text = valueThat<string>("a text", (value) => typeof value === "string");

/** A whole number from `min` on. */
export function whole(min = 0): Read<number> {
  return valueThat(`a whole number from ${min} on`, (value) => isWhole(value, min));
}

export function isWhole(value: unknown, min: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= min;
}

export function hex(bytes: number): Read<string> {
  const pattern = new RegExp(`^[0-9a-f]{${bytes * 2}}$`);
  return textLike(`${bytes * 2} hexadecimal digits in lower case`, (value) => pattern.test(value));
}

/** ISO 8601, with the zone: without it, each reader would take it for another time. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
export const time = textLike("a time (ISO 8601)", (value) => instant.test(value) && !Number.isNaN(Date.parse(value)));

function textLike(expected: string, isValid: (value: string) => boolean): Read<string> {
  return valueThat(expected, (value) => typeof value === "string" && isValid(value));
}

export function oneOf<const T extends string>(...texts: readonly T[]): Read<T> {
  return valueThat(texts.join(" or "), (value) => texts.some((text) => text === value));
}

export function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (value, path) =>
    Array.isArray(value) ? value.map((item, index) => read(item, `${path}[${index}]`)) : refuse(path, "a list");
}

/** Null where the value is null or missing. */
export function orNull<T>(read: Read<T>): Read<T | null> {
  return (value, path) => ((value ?? null) === null ? null : read(value, path));
}

/** These members of an object, which may have more. */
export function objectOf<T extends object>(members: { readonly [Name in keyof T]: Read<T[Name]> }): Read<Readonly<T>> {
  const reads: [string, Read<unknown>][] = Object.entries(members);
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse(path, "an object");
    const members = new Map<string, unknown>(Object.entries(value));
    const pathOf = (name: string) => (path === "" ? name : `${path}.${name}`);
    return Object.fromEntries(reads.map(([name, read]) => [name, read(members.get(name), pathOf(name))])) as T;
  };
}

function refuse(path: string, expected: string): never {
  throw new ShapeError(`${path === "" ? "the whole" : path}: expected ${expected}`);
}
