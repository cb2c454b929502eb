import { isObject } from "./json.ts";

/** What of an event is told to people. */
export interface EventSummary {
  readonly type: string;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event in one line: `tickets: room phase changed (edition: 7, phase: prequeue → open)`. */
export function eventInWords({ type, subject, data }: EventSummary): string {
  const what = type.replace(/^usher\./, "").replaceAll(/[._]/g, " ");
  const about = subject.replace(/^rooms\//, "");
  const before = isObject(data.before) ? data.before : {};
  const details = Object.entries(data).flatMap(([name, value]) => {
    if (name === "room" || (name === "before" && isObject(value))) return [];
    if (name === "changes" && isObject(value)) return Object.entries(value).map(changeInWords);
    const was = before[name];
    if (was !== undefined && was !== value) return [`${name}: ${written(was)} → ${written(value)}`];
    return value === null ? [] : [`${name}: ${written(value)}`];
  });
  return `${about}: ${what}${details.length === 0 ? "" : ` (${details.join(", ")})`}`;
}

function changeInWords([name, change]: [string, unknown]): string {
  return isObject(change) ? `${name}: ${written(change.before)} → ${written(change.after)}` : name;
}

function written(value: unknown): string {
  if (value === null || value === undefined) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}
