/** A calendar entry (iCalendar, RFC 5545), with a reminder. What it says may hold anything: it stays the text of its property. */

export interface CalendarEvent {
  /** The same for the same event, so that a calendar replaces what it has. */
  readonly uid: string;
  readonly summary: string;
  readonly startsMs: number;
  /** When this was true. */
  readonly stampMs: number;
  /** Where to go; null for nowhere. */
  readonly url: string | null;
  /** Minutes before the start at which the calendar reminds. */
  readonly remindsMinutesBefore: number;
}

/** Octets in a line, without its end (section 3.1). */
const lineOctetsMax = 75;

export function writeCalendar(event: CalendarEvent): string {
  const { uid, startsMs, stampMs, url, remindsMinutesBefore } = event;
  const summary = textValue(event.summary);
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Usher//Waiting room//EN",
    "BEGIN:VEVENT",
    `UID:${textValue(uid)}`,
    `DTSTAMP:${utc(stampMs)}`,
    `DTSTART:${utc(startsMs)}`,
    `SUMMARY:${summary}`,
    ...(url === null ? [] : [`URL:${uriValue(url)}`, `DESCRIPTION:${textValue(url)}`]),
    // It does not make its owner busy.
    "TRANSP:TRANSPARENT",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${summary}`,
    `TRIGGER:-PT${remindsMinutesBefore}M`,
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
  ]
    .map((line) => `${fold(line)}\r\n`)
    .join("");
}

/** Section 3.3.11. Other control characters are none of a text. */
function textValue(text: string): string {
  return (
    text
      .replace(/\r\n?|\u2028|\u2029/g, "\n")
      .replace(/[^\P{Cc}\n]/gu, "")
      // Half of a character is none.
      .replace(/\p{Cs}/gu, "")
      .replace(/[\\;,]/g, (character: string) => `\\${character}`)
      .replaceAll("\n", "\\n")
  );
}

/** Section 3.3.13: not escaped, so nothing may stand in it that no address has. */
function uriValue(url: string): string {
  return url.replace(/[^\x21-\x7e]/g, "");
}

/** Section 3.3.5, form 2: whole seconds of UTC. */
function utc(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+|[-:]/g, "");
}

/** Section 3.1: longer lines go on behind a line break and a space, and no character is cut. */
function fold(line: string): string {
  let folded = "";
  let octets = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (octets + length > lineOctetsMax) {
      folded += "\r\n ";
      octets = 1;
    }
    folded += character;
    octets += length;
  }
  return folded;
}
