/** Local times of a room's zone, and the instants that they are. The browser knows the zones; nothing is reckoned but offsets. */

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** As a field for date and time writes it; with the offset where the clock shows a time twice. */
const localPattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2})?(?:\.\d+)?([+-]\d{2}:\d{2})?$/;

export interface Instant {
  readonly ms: number;
  /** Such as `+02:00`. */
  readonly offset: string;
}

export function isZone(name: string): boolean {
  try {
    return name !== "" && formatOf(name).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/**
 * The instants at which the clocks of a zone show a local time: usually one, none where they are put forward over it, two where
 * they are put back. Null for what is no local time.
 */
export function instantsOf(local: string, zone: string): readonly Instant[] | null {
  const [, day, time, seconds = ":00", offset] = localPattern.exec(local) ?? [];
  const asUtcMs = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${seconds}Z`);
  if (Number.isNaN(asUtcMs)) return null;
  const offsets = [...new Set([asUtcMs - dayMs, asUtcMs, asUtcMs + dayMs].map((ms) => offsetMs(ms, zone)))];
  return offsets
    .map((each) => ({ ms: asUtcMs - each, offset: offsetText(each) }))
    .filter((each) => offsetMs(each.ms, zone) === asUtcMs - each.ms)
    .filter((each) => offset === undefined || each.offset === offset)
    .sort((a, b) => a.ms - b.ms);
}

/** `2027-03-01T10:00`, with seconds where there are any, and the offset where that time comes twice. */
export function localOf(ms: number, zone: string): string {
  const offset = offsetMs(ms, zone);
  const text = new Date(ms + offset).toISOString().replace(/(?::00)?\.\d+Z$/, "");
  return (instantsOf(text, zone)?.length ?? 0) > 1 ? `${text}${offsetText(offset)}` : text;
}

/** Without the offset, as a field shows it. */
export function fieldTime(local: string): string {
  return local.replace(/[+-]\d{2}:\d{2}$/, "");
}

/** As the admin API takes it, the same everywhere. */
export function exactTime(local: string, { offset }: Instant): string {
  return `${fieldTime(local)}${offset}`;
}

/** Making one takes long, and a form asks for the same zone many times a second. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached !== undefined) return cached;
  const format = new Intl.DateTimeFormat("en-u-ca-iso8601", {
    timeZone: zone,
    hourCycle: "h23",
    ...({ year: "numeric", month: "2-digit", day: "2-digit" } as const),
    ...({ hour: "2-digit", minute: "2-digit", second: "2-digit" } as const),
  });
  formats.set(zone, format);
  return format;
}

function offsetMs(ms: number, zone: string): number {
  const part = new Map(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const local = `${part.get("year")}-${part.get("month")}-${part.get("day")}T${part.get("hour")}:${part.get("minute")}:${part.get("second")}Z`;
  return Date.parse(local) - Math.floor(ms / 1_000) * 1_000;
}

function offsetText(ms: number): string {
  const minutes = Math.abs(Math.round(ms / minuteMs));
  const two = (value: number) => String(value).padStart(2, "0");
  return `${ms < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
