/** What an operator has written into the form of a room's settings, and what is sent of it. */

import type { Localized } from "../frame/speech.ts";
import { type Fault, faultsAt } from "../parts/form/faults.ts";
import type { Setting, SettingsGroup } from "./setting.ts";
import { texts } from "./texts.ts";
import { read, valueAt, writtenOf } from "./values.ts";
import { isZone } from "./zones.ts";

/** The settings of a room, from where each comes. */
export interface Told {
  readonly file: unknown;
  readonly live: unknown;
  readonly inForce: unknown;
  /** Of a room that was made at run time; null for one of the file. */
  readonly document: unknown;
}

/** A setting that is changed as a whole, and where it is kept. */
export interface Unit {
  readonly setting: Setting;
  readonly isOfDocument: boolean;
}

export interface Draft {
  /** As the field has it; null gives the setting back. */
  readonly text: string | null;
  /** What was in force when it was written. */
  readonly seen: string;
}

/** By path of a field. */
export type Drafts = ReadonlyMap<string, Draft>;

export interface Change {
  readonly unit: Unit;
  readonly from: unknown;
  readonly to: unknown;
  /** Null gives back, or takes away. */
  readonly sent: unknown;
}

export interface Changes {
  readonly changes: readonly Change[];
  /** By path of a field. */
  readonly faults: ReadonlyMap<string, Localized>;
}

export function unitsOf(groups: readonly SettingsGroup[]): readonly Unit[] {
  return groups.flatMap(({ settings, isOfDocument }) => settings.map((setting) => ({ setting, isOfDocument })));
}

export function inForceOf({ setting, isOfDocument }: Unit, told: Told): unknown {
  return valueAt(isOfDocument ? told.document : told.inForce, setting.path);
}

/** What says, when it is another one, that somebody else changed the setting. */
export function seenOf(unit: Unit, told: Told): string {
  return JSON.stringify(inForceOf(unit, told));
}

/** Paths of the fields of a setting: its own, and those of what is in it. */
export function fieldsOf({ setting: { path, allowed } }: Unit): readonly string[] {
  return allowed.kind === "mapping" ? [path, ...allowed.members.map((member) => member.path)] : [path];
}

const zonePath = "schedule.time_zone";
export const usualZone = "UTC";

/** Of local times in the form. */
export function zoneOf(told: Told, drafts: Drafts): string {
  const draft = drafts.get(zonePath);
  const given = draft?.text === null ? valueAt(told.file, zonePath) : (draft?.text ?? valueAt(told.inForce, zonePath));
  const zone = String(given ?? "").trim();
  return zone === "" ? usualZone : zone;
}

/** Times are shown in the zone, where there is such a zone. */
export function shownZone(zone: string): string {
  return isZone(zone) ? zone : usualZone;
}

export function changesIn(units: readonly Unit[], told: Told, drafts: Drafts): Changes {
  const faults = new Map<string, Localized>();
  const zone = zoneOf(told, drafts);
  const changes = units.flatMap((unit) => {
    if (!fieldsOf(unit).some((path) => drafts.has(path))) return [];
    const change = changeOf(unit, told, drafts, zone, faults);
    return change === null ? [] : [change];
  });
  return { changes, faults };
}

function changeOf(unit: Unit, told: Told, drafts: Drafts, zone: string, faults: Map<string, Localized>): Change | null {
  const { setting, isOfDocument } = unit;
  const from = inForceOf(unit, told);
  const draft = drafts.get(setting.path);
  const givenBack = { unit, from, to: isOfDocument ? null : valueAt(told.file, setting.path), sent: null };
  if (draft?.text === null) return givenBack;
  if (setting.allowed.kind === "mapping") return changeOfMapping(unit, from, drafts, zone, faults);
  if (draft === undefined) return null;
  if (draft.text.trim() === "" && !canBeEmpty(setting)) {
    if (from === null) return null;
    if (isOfDocument || isLive(unit, told)) return givenBack;
    faults.set(setting.path, texts.faults.empty);
    return null;
  }
  const reading = read(setting, draft.text, zone);
  if ("value" in reading) return isSame(setting, from, reading.value) ? null : { unit, from, ...both(reading.value) };
  faults.set(setting.path, reading.fault);
  return null;
}

/** A list of nothing says something. */
function canBeEmpty({ allowed }: Setting): boolean {
  return allowed.kind === "list" || allowed.kind === "links";
}

/** The whole is sent, with what nobody changed. */
function changeOfMapping(
  unit: Unit,
  from: unknown,
  drafts: Drafts,
  zone: string,
  faults: Map<string, Localized>,
): Change | null {
  const { path, allowed } = unit.setting;
  if (allowed.kind !== "mapping") return null;
  const wasOff = writtenOf(unit.setting, from, zone) === "off";
  const state = drafts.get(path)?.text ?? (wasOff ? "off" : "on");
  if (state === "off") return wasOff ? null : { unit, from, ...both("off") };
  const members = allowed.members.flatMap((member): [string, unknown][] => {
    const key = member.path.slice(path.length + 1);
    const text = drafts.get(member.path)?.text ?? writtenOf(member, valueAt(from, key), zone);
    if (text.trim() === "") return [];
    const reading = read(member, text, zone);
    if ("value" in reading) return [[key, reading.value]];
    faults.set(member.path, reading.fault);
    return [];
  });
  const to = Object.fromEntries(members);
  const isFaulty = allowed.members.some((member) => faults.has(member.path));
  return isFaulty || JSON.stringify(to) === JSON.stringify(from) ? null : { unit, from, ...both(to) };
}

const both = (value: unknown) => ({ to: value, sent: value });

function isSame({ allowed }: Setting, from: unknown, to: unknown): boolean {
  if (allowed.kind === "time") return Date.parse(String(from)) === Date.parse(String(to));
  const usual =
    allowed.kind === "flag" ? false : allowed.kind === "list" ? [] : allowed.kind === "links" ? "off" : null;
  return JSON.stringify(from ?? usual) === JSON.stringify(to);
}

/** Whether a live change lies over the file. */
export function isLive({ setting, isOfDocument }: Unit, told: Told): boolean {
  return !isOfDocument && hasPath(told.live, setting.path.split("."));
}

/** A live value may be none, over the file's. */
function hasPath(told: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  if (typeof told !== "object" || told === null) return false;
  const member = Object.entries(told).find(([name]) => name === key);
  return member !== undefined && hasPath(member[1], rest);
}

/** Settings that somebody else changed since they were written here. */
export function overtaken(units: readonly Unit[], told: Told, drafts: Drafts): readonly Unit[] {
  return units.filter((unit) =>
    fieldsOf(unit).some((path) => {
      const draft = drafts.get(path);
      return draft !== undefined && draft.seen !== seenOf(unit, told);
    }),
  );
}

/** The merge patch. */
export function bodyOf(changes: readonly Pick<Change, "unit" | "sent">[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { unit, sent } of changes) {
    const [group = "", member] = unit.setting.path.split(".");
    const before = body[group];
    body[group] = member === undefined ? sent : { ...(typeof before === "object" ? before : {}), [member]: sent };
  }
  return body;
}

/** What the gateway says is wrong, by path of the field that it is about. */
export function faultsByField(faults: readonly Fault[], fields: readonly string[]): ReadonlyMap<string, string> {
  // What is in a mapping has a field of its own.
  const innerFirst = [...fields].sort((a, b) => b.length - a.length);
  const found = new Map<string, string>();
  for (const fault of faults) {
    const field = innerFirst.find((path) => faultsAt([fault], path).length > 0);
    if (field !== undefined) found.set(field, [found.get(field) ?? [], ...faultsAt([fault], field)].flat().join("; "));
  }
  return found;
}
