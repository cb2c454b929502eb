/** The kinds of values in bodies, queries and answers. They are those of the configuration file, and so are their messages. */
import { z } from "zod";
import {
  duration,
  formatPath,
  formatTime,
  mapping,
  type Path,
  readTime,
  text,
  wholeNumber,
} from "../../config/index.ts";
import type { UsherError } from "../../lib/errors.ts";
import { isObject } from "../../lib/json.ts";
import { badDocument, type IssuerRegistry } from "../../registry/index.ts";

/** A JSON object with exactly these members. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return mapping(shape, "an object");
}

/** A merge patch (RFC 7396) of the members of an object, in which null takes one away. For descriptions. */
export function patchOf<Shape extends z.ZodRawShape>(whole: z.ZodObject<Shape>) {
  const members = Object.entries(whole.shape).map(([name, member]) => [name, (member as z.ZodType).nullish()]);
  return object(Object.fromEntries(members) as Record<string, z.ZodType>);
}

/** A JSON object whose members are checked later, when it is known what they are about. */
export const anyObject = z.custom<Record<string, unknown>>(isObject, { error: "expected an object" });

const noMember = z.custom<unknown>(() => false, { error: "unknown key: this request takes no body" });
export const emptyBody = object({}).catchall(noMember);

export const issuerName = text("the address of an issuer", 2_048).optional();

/** @throws UsherError `bad_request` when none is named, and there are several */
export function issuerNamed(issuers: readonly IssuerRegistry[], name: string | undefined): IssuerRegistry {
  const found = name === undefined && issuers.length === 1 ? issuers[0] : issuers.find(({ issuer }) => issuer === name);
  if (found !== undefined) return found;
  const issuerNames = issuers.map(({ issuer }) => issuer).join(", ");
  const message =
    name === undefined ? `required: one of ${issuerNames}` : `there is no such issuer; there are: ${issuerNames}`;
  throw badRequest([{ path: ["issuer"], message }]);
}

/** A whole number in a query. */
export function queryNumber(min: number, max: number) {
  const numberOrText = (value: unknown) => (typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value);
  return z.preprocess(numberOrText, wholeNumber(min, max));
}

/** How many a page of a list may have. */
export const pageSize = queryNumber(1, 500).default(100);

/** Read by the list itself, which wrote it into the page before. */
export const opaqueCursor = z.unknown().optional();

/** Of lists that are paged by index: the cursor is that of the first one. */
export const pageQuery = { limit: pageSize, cursor: queryNumber(0, Number.MAX_SAFE_INTEGER).default(0) };

export function pageOf<T>(all: readonly T[], { limit, cursor }: { limit: number; cursor: number }) {
  const end = cursor + limit;
  return { page: all.slice(cursor, end), next_cursor: end < all.length ? String(end) : null };
}

/** Of a list: the cursor of the next page; null for the last one. */
export const nextCursor = z.string().nullable();

/** A point in time: RFC 3339, in UTC or with the offset of a zone. */
export const timeText = z.string().meta({ format: "date-time" });

/** Null: never, or not known. */
export const timeOrNone = timeText.nullable();

/** Of a route without content (204). */
export const nothing = z.void();

/** Of a route that answers every request with an error that helps: it stands in no description. */
export const onlyErrors = z.never();

export function wrongCursor(): UsherError {
  return badRequest([{ path: ["cursor"], message: "expected the next_cursor of the page before" }]);
}

/** @throws UsherError `bad_request` that names every faulty member */
export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw badRequest(result.error.issues.map(({ path, message }) => ({ path: path as Path, message })));
}

export function badRequest(faults: readonly { readonly path: Path; readonly message: string }[]): UsherError {
  return badDocument(faults.map(({ path, message }) => ({ path: formatPath(path), message })));
}

/** A point in time, written as in the file, and with its offset or zone: there is none beside it. Milliseconds since 1970. */
export const exactTime = text("a time such as 2027-03-01T10:00:00+01:00", 100).transform((written, context) => {
  const reading = readTime(written, null);
  if ("ms" in reading) return reading.ms;
  context.addIssue({ code: "custom", message: reading.fault });
  return z.NEVER;
});

export function timeOrNull(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : formatTime(ms);
}

/** `logged_out` for `loggedOut`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const dayMs = 86_400_000;
/** Of a secret's rotation: how long the one before it is accepted, too. */
export const rotation = object({ overlap: duration(0, 30 * dayMs).prefault("24h") });

/** Something that was looked at, and what was found. */
export const findingAnswer = z.object({
  about: z.string(),
  status: z.enum(["ok", "warning", "fault"]),
  text: z.string(),
});
