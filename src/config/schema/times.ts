/** Reads and writes durations and points in time as people do. Temporal knows the calendar and the zones; nothing is reckoned here. */
import { Temporal } from "temporal-polyfill";
import { didYouMean } from "../checks/faults.ts";

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

const UNITS: readonly (readonly [suffix: string, ms: number])[] = [
  ["d", DAY_MS],
  ["h", HOUR_MS],
  ["m", MINUTE_MS],
  ["s", SECOND_MS],
  ["ms", 1],
];

/** Of what is written; `parseDuration` says what else holds. */
export const DURATION_PATTERN =
  /^(?:(\d{1,15})d)?(?:(\d{1,15})h)?(?:(\d{1,15})m(?!s))?(?:(\d{1,15})s)?(?:(\d{1,15})ms)?$/;

/**
 * Reads a duration such as `20m`, `1h30m` or `500ms`: whole numbers with the units d, h, m, s, ms, largest
 * first, each at most once. Answers milliseconds, or null when the text is none or is not exact as a number.
 */
export function parseDuration(text: string): number | null {
  const match = DURATION_PATTERN.exec(text);
  if (text === "" || match === null) return null;
  const totalMs = UNITS.reduce((sum, [, ms], index) => sum + Number(match[index + 1] ?? 0) * ms, 0);
  return Number.isSafeInteger(totalMs) ? totalMs : null;
}

/** Writes whole milliseconds the way `parseDuration` reads them, as short as possible: `1h30m`, `0s`. */
export function formatDuration(durationMs: number): string {
  let restMs = durationMs;
  let text = "";
  for (const [suffix, ms] of UNITS) {
    const count = Math.floor(restMs / ms);
    restMs -= count * ms;
    text += count > 0 ? `${count}${suffix}` : "";
  }
  return text === "" ? "0s" : text;
}

/** RFC 3339 with the seconds left out if one likes, then a zone as in RFC 9557; both may be missing in a local time. */
const FORM =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:\d{2})?(?:\[!?([\w+\-/.:]{1,64})\])?$/;
const ZONE_NAME = /^[A-Za-z][\w+\-/]{0,63}$/;
const ZONE_OFFSET = /^[+-]([01]\d|2[0-3]):[0-5]\d$/;

/** `localMs`: of a local time without a zone, as if it were of UTC; such times are still in some order. */
type TimeReading = { readonly ms: number } | { readonly fault: string; readonly localMs?: number };

/**
 * Reads a time: with an offset or Z (`2027-03-01T10:00+01:00`), with a zone (`2027-03-01T10:00[Europe/Berlin]`), with both
 * if they agree, or local in `timeZone`. Answers milliseconds since 1970 in UTC, or what is wrong and what to write.
 *
 * @param timeZone an IANA name that `isTimeZone` knows; null where a local time has no zone to be of.
 */
export function readTime(value: unknown, timeZone: string | null): TimeReading {
  const [, date, time, offset, writtenZone] = (typeof value === "string" ? FORM.exec(value) : null) ?? [];
  if (date === undefined || time === undefined) {
    return { fault: "expected a time such as 2027-03-01T10:00:00+01:00 or 2027-03-01T10:00[Europe/Berlin]" };
  }
  const plain = attempt(() => Temporal.PlainDateTime.from(`${date}T${time}`));
  if (plain === null) return { fault: "there is no such date or time of day: write one of the calendar" };
  if (writtenZone !== undefined && !isTimeZone(writtenZone) && !ZONE_OFFSET.test(writtenZone)) {
    return { fault: unknownTimeZone(writtenZone) };
  }
  const reading =
    offset === undefined
      ? readLocal(plain, writtenZone ?? timeZone)
      : readExact(plain, offset.toUpperCase(), writtenZone);
  const ms = "ms" in reading ? reading.ms : reading.localMs;
  return ms !== undefined && ms <= 0 ? { fault: "expected a time after 1970-01-01T00:00Z" } : reading;
}

/** Whether a name is one of the IANA time zone database. */
export function isTimeZone(name: string): boolean {
  // Asked of Temporal, which reads times in it: Intl takes some abbreviations (PST) that Temporal refuses.
  return (
    ZONE_NAME.test(name) && attempt(() => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)) !== null
  );
}

export function unknownTimeZone(name: string): string {
  const hint = didYouMean(name, Intl.supportedValuesOf("timeZone"));
  return `unknown time zone${hint}; expected an IANA name such as Europe/Berlin`;
}

/**
 * Writes a time the way `readTime` reads it: with the offset that `timeZone` has then (`2027-03-01T10:00:00+01:00`), or in UTC
 * (`2027-03-01T09:00:00.000Z`).
 */
export function formatTime(ms: number, timeZone: string | null = null): string {
  // Another process may know more zones than this one.
  if (timeZone === null || !isTimeZone(timeZone)) return new Date(ms).toISOString();
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ timeZone });
}

function readExact(plain: Temporal.PlainDateTime, offset: string, zone: string | undefined): TimeReading {
  const instant = attempt(() => Temporal.Instant.from(`${plain}${offset}`));
  if (instant === null) return { fault: `there is no offset ${offset}: write one such as +01:00, or Z for UTC` };
  // Z names an instant, and no local time (RFC 9557, section 2.2): it agrees with every zone.
  if (zone !== undefined && offset !== "Z" && !instant.toZonedDateTimeISO(zone).toPlainDateTime().equals(plain)) {
    const right = plain.toZonedDateTime(zone);
    return {
      fault: `the offset ${offset} contradicts the zone; in ${zone} it is ${right.offset} then: write ${right}`,
    };
  }
  return { ms: instant.epochMilliseconds };
}

function readLocal(plain: Temporal.PlainDateTime, zone: string | null): TimeReading {
  if (zone === null) {
    return {
      fault: `a local time without a zone: give schedule.time_zone, such as Europe/Berlin, or write "${plain}[Europe/Berlin]"`,
      localMs: plain.toZonedDateTime("UTC").epochMilliseconds,
    };
  }
  const earlier = plain.toZonedDateTime(zone, { disambiguation: "earlier" });
  const later = plain.toZonedDateTime(zone, { disambiguation: "later" });
  if (earlier.equals(later)) return { ms: earlier.epochMilliseconds };
  return {
    fault: later.toPlainDateTime().equals(plain)
      ? `occurs twice in ${zone}, as the clocks are put back: write ${earlier} or ${later}`
      : `does not exist in ${zone}, as the clocks are put forward over it: write ${later} or another time`,
  };
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
