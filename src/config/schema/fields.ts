/** The kinds of values that occur in a configuration file. Each says what it allows when it refuses. */
import { createPublicKey, type JsonWebKey } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import { unknownWord } from "../checks/faults.ts";
import { URI_LENGTH_MAX } from "../checks/urls.ts";
import { type Ms, registeredKind, withKind } from "./settings-codec.ts";
import { DURATION_PATTERN, formatDuration, formatTime, parseDuration, readTime } from "./times.ts";

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
  const faultOf = (key: string) => whyNot(key) ?? unknownWord("key", key, keys);
  const unknownKey = z.custom<unknown>(() => false, {
    error: ({ path }) => faultOf(String(path?.at(-1) ?? "")),
    params: { isUnknownKey: true },
  });
  const strict = z.object(shape, refusal(what)).catchall(unknownKey);
  return withKind(strict as unknown as z.ZodObject<Shape, z.core.$strict>, { json: { additionalProperties: false } });
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

/** @param hinted what is said instead of a value that was meant, and only written wrongly */
function refusal(expected: string, isMisspelt: (input: unknown) => boolean = () => false, hinted = "") {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      `${input === undefined ? "required:" : "expected"} ${isMisspelt(input) ? hinted : expected}`,
  };
}

const isText = (input: unknown) => typeof input === "string";
const isDigits = (input: unknown) => typeof input === "string" && /^\d+$/.test(input);
const isNumberOrFlag = (input: unknown) => typeof input === "number" || typeof input === "boolean";

/** Text on one line, of whole characters. YAML reads unquoted 123, true and null as something else, so the message mentions quotes. */
export function text(what: string, lengthMax: number, pattern?: RegExp) {
  const expected = `${what}, at most ${lengthMax} characters`;
  const isAllowed = (value: string): boolean =>
    value !== "" && value.length <= lengthMax && !/\p{Cc}|\p{Cs}/u.test(value) && (pattern?.test(value) ?? true);
  const allowed = z
    .string(refusal(expected, isNumberOrFlag, `text: ${expected} (put it in quotes)`))
    .refine(isAllowed, { error: `expected ${expected}`, abort: true });
  const form = pattern?.flags === "" ? { pattern: pattern.source } : {};
  return withKind(allowed, { json: { minLength: 1, maxLength: lengthMax, ...form } });
}

/** The id of what registries keep by it. An object that is read from JSON loses a member of the name that is refused. */
export function idText(what: string, lengthMax: number, pattern: RegExp) {
  return text(what, lengthMax, pattern).refine((id) => id !== "__proto__", {
    error: "is a name that JavaScript keeps for itself: choose another id",
  });
}

/** An address or the like that `findFault` accepts; it answers what is wrong, or null. */
export function checked(what: string, findFault: (value: string) => string | null) {
  return text(what, URI_LENGTH_MAX).superRefine((value, context) => {
    const fault = findFault(value);
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  });
}

export function oneOf<const Words extends readonly [string, ...string[]]>(what: string, words: Words) {
  const { error } = refusal(`one of ${words.join(", ")}`);
  return z.enum(words, {
    error: (issue) => (typeof issue.input === "string" ? unknownWord(what, issue.input, words) : error(issue)),
  });
}

export function oneOfNumbers<const Numbers extends readonly [number, ...number[]]>(numbers: Numbers) {
  const expected = `one of ${numbers.join(", ")}`;
  return z.literal(numbers, refusal(expected, isDigits, `${expected} (without quotes)`));
}

export function wholeNumber(min: number, max: number) {
  return numberThat(`a whole number from ${min} to ${max}`, min, max, Number.isInteger, { type: "integer" });
}

/** A whole number, or the word `auto`. */
export function wholeNumberOrAuto(min: number, max: number) {
  const error = `expected auto, or a whole number from ${min} to ${max}`;
  const isSuch = (value: unknown) =>
    value === "auto" || (Number.isInteger(value) && (value as number) >= min && (value as number) <= max);
  const either = z.custom<"auto" | number>(isSuch, { error });
  return withKind(either, { anyOf: [z.literal("auto"), wholeNumber(min, max)] });
}

/** A number of whatever fineness, from `min` to `max`. */
export function number(min: number, max: number) {
  return numberThat(`a number from ${min} to ${max}`, min, max);
}

function numberThat(expected: string, min: number, max: number, isSuch = (_: number) => true, json = {}) {
  const within = z
    .number(refusal(expected, isDigits, `${expected} (without quotes)`))
    .refine((value) => isSuch(value) && value >= min && value <= max, { error: `expected ${expected}` });
  return withKind(within, { json: { ...json, minimum: min, maximum: max } });
}

export function flag() {
  return z.boolean(refusal("true or false"));
}

/**
 * A mapping, or the word `off` for none.
 *
 * @param example of the mapping
 * @param takesText whether any other text is for it, too
 */
export function orOff<Mapping extends z.ZodType>(whole: Mapping, example: string, takesText = false) {
  const mapping = whole as z.ZodType<z.output<Mapping>>;
  const off = z.literal("off", { error: `expected off, or a mapping such as ${example}` });
  const either = takesText
    ? eitherKind<z.output<Mapping> | "off">(mapping, offOrText(mapping))
    : eitherKind<z.output<Mapping> | "off">(mapping, off);
  return withKind(either, { like: whole, anyOf: [...(registeredKind(whole).anyOf ?? [whole]), off] });
}

function offOrText<Output>(ofText: z.ZodType<Output>): z.ZodType<Output | "off"> {
  return z.unknown().transform((value, context) => (value === "off" ? value : read(ofText, value, context)));
}

/** A mapping or any other value, by what was written: only the faults of that kind are reported. */
export function eitherKind<Output>(ofMapping: z.ZodType<Output>, ofOther: z.ZodType<Output>) {
  const either = z
    .unknown()
    .transform((value, context) =>
      typeof value === "object" && value !== null ? read(ofMapping, value, context) : read(ofOther, value, context),
    );
  return withKind(either, { anyOf: [ofOther, ofMapping] });
}

function read<Output>(kind: z.ZodType<Output>, value: unknown, context: z.RefinementCtx): Output {
  const { data, error } = kind.safeParse(value);
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: "custom", path: [...path], message });
  return error === undefined ? (data as Output) : z.NEVER;
}

/** A list of at most `max` items. Those of a longer one are not looked at. */
export function list<Item extends z.ZodType>(item: Item, max: number, min = 0) {
  const expected = min > 0 ? `a list of ${min} to ${max} items` : `a list of at most ${max} items`;
  const items: z.ZodType<z.output<Item>[], unknown[]> = z.array(item as z.ZodType<z.output<Item>, unknown>);
  const some = z
    .array(z.unknown(), refusal(expected, isText, `${expected}, in brackets: [ … ]`))
    .min(min, { error: `expected ${expected}` })
    .max(max, { error: `expected ${expected}` })
    .pipe(items);
  return withKind(some, { items: item });
}

/** A duration within bounds (milliseconds); the parsed value is in milliseconds. */
export function duration(minMs: number, maxMs: number) {
  const expected = `a duration from ${formatDuration(minMs)} to ${formatDuration(maxMs)}, such as 20m, 90s or 1h30m`;
  const isWithin = (value: unknown) => {
    const ms = typeof value === "string" ? parseDuration(value) : null;
    return ms !== null && ms >= minMs && ms <= maxMs;
  };
  const within = z.custom<string>(isWithin, { error: ({ input }) => refuseDuration(input, expected) });
  const read = within.transform((text) => parseDuration(text) as Ms);
  return withKind(read, {
    isMs: true,
    write: formatDuration,
    json: {
      type: "string",
      pattern: DURATION_PATTERN.source,
      $comment: `${formatDuration(minMs)} to ${formatDuration(maxMs)}`,
    },
  });
}

/** A time, as it will be read: a local one needs the zone beside it, so that room-rules.ts checks it, and the codec reads it. */
export function time() {
  return withKind(z.custom<Ms>(), {
    isMs: true,
    read: (written, zone) => {
      const reading = readTime(written, zone);
      return "ms" in reading ? reading.ms : null;
    },
    write: formatTime,
    json: { type: "string", $comment: "a time" },
  });
}

function refuseDuration(value: unknown, expected: string): string {
  return typeof value === "number" || isDigits(value)
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

/** A place where a secret stands; resolved and checked in secrets/, which has the sources. */
export const writtenSecret = withKind(z.unknown(), {
  json: {
    type: ["string", "object"],
    required: ["from"],
    properties: Object.fromEntries(
      ["from", "name", "path", "secret_id", "key", "region", "endpoint", "version_stage"].map((key) => [
        key,
        { type: "string" },
      ]),
    ),
    additionalProperties: false,
    $comment: "a secret",
  },
});

const keysMax = 20;
const expectedKeySet = `expected { keys: [ … ] } with 1 to ${keysMax} public keys (RFC 7517), as a client publishes them`;

/** A client's public keys, as JSON has them. */
export interface KeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/** A JWK Set of public keys that signatures can be verified with. A private one is refused: it is nobody's business here. */
const checkedKeySet = z.custom<KeySet>((value) => keySetFault(value) === null, {
  error: ({ input }) => keySetFault(input) ?? expectedKeySet,
});

export const keySet = withKind(checkedKeySet, {
  json: {
    type: "object",
    $comment: "`{ keys: [ … ] }`, public keys (RFC 7517)",
    required: ["keys"],
    properties: { keys: { type: "array", items: { type: "object" }, minItems: 1, maxItems: keysMax } },
  },
});

function keySetFault(value: unknown): string | null {
  const keys = typeof value === "object" && value !== null && "keys" in value ? value.keys : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > keysMax) return expectedKeySet;
  if (keys.some((key) => typeof key === "object" && key !== null && ("d" in key || "k" in key))) {
    return "a private key is among them: give the public ones only, and make a new key, since this one was shown";
  }
  return keys.every(isPublicKey) ? null : `${expectedKeySet}: RSA of 2048 bits or more, EC or OKP`;
}

function isPublicKey(jwk: unknown): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
    return asymmetricKeyType !== "rsa" || (asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048;
  } catch {
    return false;
  }
}
