/** The kinds of values that occur in a configuration file. Each says what it allows when it refuses. */
import { isIP } from "node:net";
import { z } from "zod";
import { URI_LENGTH_MAX } from "../checks/urls.ts";
import { unknownWord } from "../checks/words.ts";
import { DURATION_PATTERN, formatDuration, parseDuration } from "./duration.ts";
import { type Ms, withKind } from "./kinds.ts";
import { formatTimeIn, readTime } from "./times.ts";
import { eitherKind } from "./words-by-language.ts";

/**
 * A mapping with exactly these keys; each unknown key is a fault of its own, with the key that may have been meant.
 *
 * @param what it is called: JSON has objects
 * @param whyNot says of a key that is known elsewhere why it cannot stand here; null for one that is known nowhere
 */
export function mapping<Shape extends z.ZodRawShape>(
  shape: Shape,
  what = "a mapping",
  whyNot: (key: string) => string | null = () => null,
) {
  const keys = Object.keys(shape);
  const refusal = (key: string) => whyNot(key) ?? unknownWord("key", key, keys);
  const unknownKey = z.custom<unknown>(() => false, { error: (issue) => refusal(String(issue.path?.at(-1) ?? "")) });
  const known = z.object(shape, { error: (issue) => missingOr(issue.input, what) }).catchall(unknownKey);
  return withKind(known as unknown as z.ZodObject<Shape, z.core.$strict>, { json: { additionalProperties: false } });
}

/** The same mapping without some of its keys, with the reasons why these cannot stand there. */
export function without<Shape extends z.ZodRawShape, Key extends keyof Shape & string>(
  whole: z.ZodObject<Shape>,
  whyNot: Readonly<Record<Key, string>>,
) {
  const reasons = new Map<string, string>(Object.entries(whyNot));
  const others = Object.entries(whole.shape).filter(([key]) => !reasons.has(key));
  return mapping(Object.fromEntries(others) as Omit<Shape, Key>, "a mapping", (key) => reasons.get(key) ?? null);
}

function missingOr(input: unknown, expected: string): string {
  return input === undefined ? `required: ${expected}` : `expected ${expected}`;
}

/** Text on one line. YAML reads unquoted 123, true and null as something else, so the message mentions quotes. */
export function text(what: string, lengthMax: number, pattern?: RegExp) {
  const expected = `${what}, at most ${lengthMax} characters`;
  const isAllowed = (value: string): boolean =>
    value !== "" && value.length <= lengthMax && !/\p{Cc}/u.test(value) && (pattern?.test(value) ?? true);
  const allowed = z
    .string({
      error: ({ input }) =>
        typeof input === "number" || typeof input === "boolean"
          ? `expected text: ${expected} (put it in quotes)`
          : missingOr(input, expected),
    })
    .refine(isAllowed, { error: `expected ${expected}`, abort: true });
  const form = pattern?.flags === "" ? { pattern: pattern.source } : {};
  return withKind(allowed, { json: { minLength: 1, maxLength: lengthMax, ...form } });
}

/** An address or the like that `findFault` accepts; it answers what is wrong, or null. */
export function checked(what: string, findFault: (value: string) => string | null) {
  return text(what, URI_LENGTH_MAX).superRefine((value, context) => {
    const fault = findFault(value);
    if (fault !== null) {
      context.addIssue({ code: "custom", message: fault });
    }
  });
}

export function oneOf<const Words extends readonly [string, ...string[]]>(what: string, words: Words) {
  return z.enum(words, {
    error: ({ input }) =>
      typeof input === "string" ? unknownWord(what, input, words) : missingOr(input, `one of ${words.join(", ")}`),
  });
}

export function oneOfNumbers<const Numbers extends readonly [number, ...number[]]>(numbers: Numbers) {
  const expected = `one of ${numbers.join(", ")}`;
  return z.literal(numbers, {
    error: ({ input }) =>
      typeof input === "string" && /^\d+$/.test(input)
        ? `expected ${expected} (without quotes)`
        : missingOr(input, expected),
  });
}

export function wholeNumber(min: number, max: number) {
  const expected = `a whole number from ${min} to ${max}`;
  const whole = z
    .number({
      error: ({ input }) =>
        typeof input === "string" && /^\d+$/.test(input)
          ? `expected ${expected} (without quotes)`
          : missingOr(input, expected),
    })
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, { error: `expected ${expected}` });
  return withKind(whole, { json: { type: "integer", minimum: min, maximum: max } });
}

/** A number of whatever fineness, from `min` to `max`. */
export function number(min: number, max: number) {
  const expected = `a number from ${min} to ${max}`;
  const within = z
    .number({ error: ({ input }) => missingOr(input, expected) })
    .refine((value) => value >= min && value <= max, { error: `expected ${expected}` });
  return withKind(within, { json: { minimum: min, maximum: max } });
}

export function flag() {
  return z.boolean({ error: ({ input }) => missingOr(input, "true or false") });
}

/** A mapping, or the word `off` for none. @param example of the mapping */
export function orOff<Mapping extends z.ZodType>(whole: Mapping, example: string) {
  const off = z.literal("off", { error: `expected off, or a mapping such as ${example}` });
  const either = eitherKind<z.output<Mapping> | "off">(whole as z.ZodType<z.output<Mapping>>, off);
  return withKind(either, { like: whole, anyOf: [whole, off] });
}

/** A list of at most `max` items. Those of a longer one are not looked at. */
export function list<Item extends z.ZodType>(item: Item, max: number, min = 0) {
  const expected = min > 0 ? `a list of ${min} to ${max} items` : `a list of at most ${max} items`;
  const items: z.ZodType<z.output<Item>[], unknown[]> = z.array(item as z.ZodType<z.output<Item>, unknown>);
  const some = z
    .array(z.unknown(), {
      error: ({ input }) => missingOr(input, typeof input === "string" ? `${expected}, in brackets: [ … ]` : expected),
    })
    .min(min, { error: `expected ${expected}` })
    .max(max, { error: `expected ${expected}` })
    .pipe(items);
  return withKind(some, { items: item });
}

/** A duration within bounds (milliseconds); the parsed value is in milliseconds. */
export function duration(minMs: number, maxMs: number) {
  const expected = `a duration from ${formatDuration(minMs)} to ${formatDuration(maxMs)}, such as 20m, 90s or 1h30m`;
  const within = z.unknown().transform((value, context) => {
    const durationMs = typeof value === "string" ? parseDuration(value) : null;
    if (durationMs !== null && durationMs >= minMs && durationMs <= maxMs) {
      return durationMs as Ms;
    }
    context.addIssue({ code: "custom", message: refuseDuration(value, expected) });
    return z.NEVER;
  });
  return withKind(within, {
    isMs: true,
    write: formatDuration,
    json: {
      type: "string",
      pattern: DURATION_PATTERN.source,
      $comment: `${formatDuration(minMs)} to ${formatDuration(maxMs)}`,
    },
  });
}

/** A time, as it will be read: a local one needs the zone beside it, so that room-times.ts checks it, and the codec reads it. */
export function time() {
  return withKind(z.custom<Ms>(), {
    isMs: true,
    read: (written, zone) => {
      const reading = readTime(written, zone);
      return "ms" in reading ? reading.ms : null;
    },
    write: formatTimeIn,
    json: { type: "string", $comment: "a time" },
  });
}

function refuseDuration(value: unknown, expected: string): string {
  const isBareNumber = typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value));
  return isBareNumber
    ? `a unit is missing (did you mean ${value}s or ${value}m?); expected ${expected}`
    : `expected ${expected}`;
}

/** An address or a CIDR range, IPv4 or IPv6. */
export function addressRange() {
  return text("an IP address or CIDR range such as 10.0.0.0/8", 64).refine(isAddressRange, {
    error: "expected an IP address or CIDR range such as 10.0.0.0/8",
  });
}

function isAddressRange(value: string): boolean {
  const [address = "", prefix, ...rest] = value.split("/");
  const version = isIP(address);
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
  return version !== 0 && isPrefix && rest.length === 0;
}
