import type { AdminAnswers } from "../../../operate/client/index.ts";

type SettingsChange = AdminAnswers["RoomSettingsChange"];

/** A value that was changed at run time. */
export interface LiveSetting {
  /** Such as `inlet.outflow_per_minute`. */
  readonly path: string;
  readonly now: unknown;
  /** What comes back with the file's. */
  readonly file: unknown;
}

export interface NewTimes {
  /** As the browser writes a local time; empty for none. */
  readonly opensAt: string;
  readonly prequeueAt: string;
}

/** All that differs at run time from the file. */
export function liveSettings(room: Pick<AdminAnswers["Room"], "settings_live" | "settings_file">): LiveSetting[] {
  return leaves(room.settings_live, []).map(({ path, value }) => ({
    path: path.join("."),
    now: value,
    file: valueAt(room.settings_file, path),
  }));
}

/**
 * The change that gives back what is not retained, and enters the new times.
 *
 * @param retained paths
 */
export function changeFor(
  live: readonly LiveSetting[],
  retained: readonly string[],
  { opensAt, prequeueAt }: NewTimes,
): SettingsChange {
  const body: Record<string, unknown> = {};
  for (const { path } of live) if (!retained.includes(path)) put(body, path.split("."), null);
  if (opensAt !== "") put(body, ["schedule", "opens_at"], new Date(opensAt).toISOString());
  if (prequeueAt !== "") put(body, ["schedule", "prequeue_at"], new Date(prequeueAt).toISOString());
  return body;
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** A message and a list are one value. */
function leaves(change: object, above: readonly string[]): Leaf[] {
  return Object.entries(change).flatMap(([name, value]: [string, unknown]) => {
    const path = [...above, name];
    return isGroup(value) && name !== "message" ? leaves(value, path) : [{ path, value }];
  });
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function valueAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inside, name) => (isGroup(inside) ? inside[name] : undefined), document);
}

function put(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = "", ...below] = path;
  if (below.length === 0) {
    body[name] = value;
    return;
  }
  const group = body[name];
  const inside = isGroup(group) ? group : {};
  body[name] = inside;
  put(inside, below, value);
}
