/** Reads points in time as people write them. Temporal knows the calendar and the zones; nothing is reckoned here. */
import { Temporal } from "temporal-polyfill";
import { suggest } from "../checks/words.ts";

/** RFC 3339 with the seconds left out if one likes, then a zone as in RFC 9557; both may be missing in a local time. */
const FORM =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:\d{2})?(?:\[!?([\w+\-/.:]{1,64})\])?$/;
const ZONE_NAME = /^[A-Za-z][\w+\-/]{0,63}$/;
const ZONE_OFFSET = /^[+-]([01]\d|2[0-3]):[0-5]\d$/;

export type TimeReading = { readonly ms: number } | { readonly fault: string };

/**
 * Reads a time: with an offset or Z (`2027-03-01T10:00+01:00`), with a zone (`2027-03-01T10:00[Europe/Berlin]`), with both
 * if they agree, or local in `timeZone`. Answers milliseconds since 1970 in UTC, or what is wrong and what to write.
 *
 * @param timeZone an IANA name that `isTimeZone` knows; null where a local time has no zone to be of.
 */
export function readTime(value: unknown, timeZone: string | null): TimeReading {
  const [, date, time, offset, ownZone] = (typeof value === "string" ? FORM.exec(value) : null) ?? [];
  if (date === undefined || time === undefined) {
    return { fault: "expected a time such as 2027-03-01T10:00:00+01:00 or 2027-03-01T10:00[Europe/Berlin]" };
  }
  const plain = attempt(() => Temporal.PlainDateTime.from(`${date}T${time}`));
  if (plain === null) {
    return { fault: "there is no such date or time of day: write one of the calendar" };
  }
  if (ownZone !== undefined && !isTimeZone(ownZone) && !ZONE_OFFSET.test(ownZone)) {
    return { fault: unknownTimeZone(ownZone) };
  }
  const reading =
    offset === undefined ? readLocal(plain, ownZone ?? timeZone) : readExact(plain, offset.toUpperCase(), ownZone);
  return "ms" in reading && reading.ms <= 0 ? { fault: "expected a time after 1970-01-01T00:00Z" } : reading;
}

/** Whether a value is written as a time of the clocks on the wall, without saying where. */
export function isLocalTime(value: unknown): boolean {
  const [, date, , offset, ownZone] = (typeof value === "string" ? FORM.exec(value) : null) ?? [];
  return date !== undefined && offset === undefined && ownZone === undefined;
}

/** Whether a name is one of the IANA time zone database. */
export function isTimeZone(name: string): boolean {
  return ZONE_NAME.test(name) && attempt(() => new Intl.DateTimeFormat("en", { timeZone: name })) !== null;
}

export function unknownTimeZone(name: string): string {
  const meant = suggest(name, Intl.supportedValuesOf("timeZone"));
  return `unknown time zone${meant === null ? "" : `, did you mean ${meant}?`}; expected an IANA name such as Europe/Berlin`;
}

/**
 * Writes a time the way `readTime` reads it, with the offset that `timeZone` has then: `2027-03-01T10:00:00+01:00`. UTC where
 * there is none.
 */
export function formatTimeIn(ms: number, timeZone: string | null): string {
  // Another process may know more zones than this one.
  if (timeZone === null || !isTimeZone(timeZone)) {
    return formatTime(ms);
  }
  return Temporal.Instant.fromEpochMilliseconds(ms).toString({ timeZone });
}

/** Writes a time the way `readTime` reads it, in UTC: `2027-03-01T09:00:00.000Z`. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}

function readExact(plain: Temporal.PlainDateTime, offset: string, zone: string | undefined): TimeReading {
  const instant = attempt(() => Temporal.Instant.from(`${plain}${offset}`));
  if (instant === null) {
    return { fault: `there is no offset ${offset}: write one such as +01:00, or Z for UTC` };
  }
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
    };
  }
  const earlier = plain.toZonedDateTime(zone, { disambiguation: "earlier" });
  const later = plain.toZonedDateTime(zone, { disambiguation: "later" });
  if (earlier.equals(later)) {
    return { ms: earlier.epochMilliseconds };
  }
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
    if (error instanceof RangeError) {
      return null;
    }
    throw error;
  }
}
