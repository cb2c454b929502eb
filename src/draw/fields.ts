/** What was published does not have the shape that it should have; the message says where. */
export class ShapeError extends Error {
  override name = "ShapeError";
}

/** The fields of an object that came from elsewhere. All reading functions throw a ShapeError. */
export interface Fields {
  text(name: string, form?: { readonly pattern: RegExp; readonly called: string }): string;
  oneOf<T extends string>(name: string, texts: readonly T[]): T;
  /** A whole number from `min` on. */
  whole(name: string, min?: number): number;
  /** A time as text, of a day that there is. */
  time(name: string): string;
  object(name: string): Fields;
  list<T>(name: string, read: (value: unknown, path: string) => T): T[];
  value(name: string): unknown;
  /** Null where the field is null or missing. */
  orNull<T>(name: string, read: (name: string) => T): T | null;
  fail(name: string, expected: string): never;
}

export const hex = (bytes: number) => ({
  pattern: new RegExp(`^[0-9a-f]{${bytes * 2}}$`),
  called: `${bytes * 2} hexadecimal digits in lower case`,
});

/** ISO 8601, with the zone: without it, each reader would take it for another time. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** @param path where the object stands, for messages; "" for the whole */
export function readFields(value: unknown, path: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ShapeError(`${path === "" ? "the whole" : path}: expected an object`);
  }
  const entries = new Map<string, unknown>(Object.entries(value));
  const pathOf = (name: string) => (path === "" ? name : `${path}.${name}`);
  const fail = (name: string, expected: string): never => {
    throw new ShapeError(`${pathOf(name)}: expected ${expected}`);
  };

  const fields: Fields = {
    fail,
    value: (name) => entries.get(name),
    text(name, form) {
      const text = entries.get(name);
      if (typeof text !== "string") return fail(name, form?.called ?? "a text");
      return form === undefined || form.pattern.test(text) ? text : fail(name, form.called);
    },
    oneOf: (name, texts) => texts.find((text) => text === entries.get(name)) ?? fail(name, texts.join(" or ")),
    whole(name, min = 0) {
      const number = entries.get(name);
      return isWhole(number, min) ? number : fail(name, `a whole number from ${min} on`);
    },
    time(name) {
      const text = entries.get(name);
      return typeof text === "string" && instant.test(text) && !Number.isNaN(Date.parse(text))
        ? text
        : fail(name, "a time (ISO 8601)");
    },
    object: (name) => readFields(entries.get(name), pathOf(name)),
    list(name, read) {
      const values = entries.get(name);
      if (!Array.isArray(values)) return fail(name, "a list");
      return values.map((item: unknown, index) => read(item, `${pathOf(name)}[${index}]`));
    },
    orNull: (name, read) => ((entries.get(name) ?? null) === null ? null : read(name)),
  };
  return fields;
}

export function isWhole(value: unknown, min: number): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min;
}
