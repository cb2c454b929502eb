/** What somebody has written into a form and not sent yet: what would change by it, what is sent, and what is wrong with it. */
import type { Problem } from "../api/api.ts";
import type { Localized } from "../frame/speech.ts";
import { type Field, read, textOf, valueAt } from "./field.ts";
import { texts } from "./texts.ts";

/** The values of the fields, by where they come from. A room of the file has live values over those of the file. */
export interface Layers {
  readonly file: unknown;
  readonly live: unknown;
  readonly inForce: unknown;
  /** What the admin API stores as it was sent: a client, a webhook, a room that was made at run time. Null where there is none. */
  readonly document: unknown;
}

/** A field that is changed as a whole, and the layer that it changes. */
export interface Entry<OfField extends Field = Field> {
  readonly field: OfField;
  /** Whether it changes the document, and not the live values. */
  readonly isOfDocument: boolean;
}

export interface Draft {
  /** As the field has it; null gives the value back to the file, or takes it out of the document. */
  readonly text: string | null;
  /** What was in force when it was written. */
  readonly seen: string;
}

/** By path of a field. */
export type Drafts = ReadonlyMap<string, Draft>;

export interface Change<OfField extends Field = Field> {
  readonly entry: Entry<OfField>;
  readonly from: unknown;
  readonly to: unknown;
  /** As a merge patch has it (RFC 7396): null gives back, or takes out. */
  readonly sent: unknown;
}

export function valueInForce({ field, isOfDocument }: Entry, layers: Layers): unknown {
  return valueAt(isOfDocument ? layers.document : layers.inForce, field.path);
}

/** Differs once somebody else has changed the value. */
export function fingerprintOf(entry: Entry, layers: Layers): string {
  return JSON.stringify(valueInForce(entry, layers));
}

/** The paths of an entry's field and of the fields in it. */
export function pathsOf({ field: { path, allowed } }: Entry): readonly string[] {
  return allowed.kind === "mapping" ? [path, ...allowed.members.map((member) => member.path)] : [path];
}

/** Whether a live value lies over that of the file. It may be null. */
export function isLive({ field, isOfDocument }: Entry, layers: Layers): boolean {
  return !isOfDocument && hasPath(layers.live, field.path.split("."));
}

function hasPath(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  if (typeof value !== "object" || value === null) return false;
  const member = Object.entries(value).find(([name]) => name === key);
  return member !== undefined && hasPath(member[1], rest);
}

/** @param zone of local times @returns what would change, and by path why a field cannot be read */
export function changesIn<OfField extends Field>(
  entries: readonly Entry<OfField>[],
  layers: Layers,
  drafts: Drafts,
  zone: string,
): { readonly changes: readonly Change<OfField>[]; readonly faults: ReadonlyMap<string, Localized> } {
  const faults = new Map<string, Localized>();
  const changes = entries.flatMap((entry) => {
    if (!pathsOf(entry).some((path) => drafts.has(path))) return [];
    const change = changeOf(entry, layers, drafts, zone, faults);
    return change === null ? [] : [{ entry, ...change }];
  });
  return { changes, faults };
}

/** @param faults receives those of the entry */
function changeOf(
  entry: Entry,
  layers: Layers,
  drafts: Drafts,
  zone: string,
  faults: Map<string, Localized>,
): Omit<Change, "entry"> | null {
  const { field, isOfDocument } = entry;
  const from = valueInForce(entry, layers);
  const draft = drafts.get(field.path);
  const reverted = { from, to: isOfDocument ? null : valueAt(layers.file, field.path), sent: null };
  if (draft?.text === null) return reverted;
  if (field.allowed.kind === "mapping") return changeOfMapping(field, from, drafts, zone, faults);
  if (draft === undefined) return null;
  if (draft.text.trim() === "" && !isValueWhenEmpty(entry)) {
    if (from === null) return null;
    if (isOfDocument || isLive(entry, layers)) return reverted;
    faults.set(field.path, texts.faults.empty);
    return null;
  }
  const reading = read(field, draft.text, zone);
  if ("value" in reading) return isSame(entry, from, reading.value) ? null : { from, ...changeTo(reading.value) };
  faults.set(field.path, reading.fault);
  return null;
}

/** Whether an empty field is a value: a list of nothing. What a document has none of is left out. */
function isValueWhenEmpty({ field: { allowed }, isOfDocument }: Entry): boolean {
  return allowed.kind === "links" || (allowed.kind === "list" && !isOfDocument);
}

/** A mapping is sent as a whole, with the members that nobody changed. */
function changeOfMapping(
  field: Field,
  from: unknown,
  drafts: Drafts,
  zone: string,
  faults: Map<string, Localized>,
): Omit<Change, "entry"> | null {
  const { path, allowed } = field;
  if (allowed.kind !== "mapping") return null;
  const wasOff = textOf(field, from, zone) === "off";
  const state = drafts.get(path)?.text ?? (wasOff ? "off" : "on");
  if (state === "off") return wasOff ? null : { from, ...changeTo("off") };
  const members = allowed.members.flatMap((member): [string, unknown][] => {
    const key = member.path.slice(path.length + 1);
    const text = drafts.get(member.path)?.text ?? textOf(member, valueAt(from, key), zone);
    if (text.trim() === "") return [];
    const reading = read(member, text, zone);
    if ("value" in reading) return [[key, reading.value]];
    faults.set(member.path, reading.fault);
    return [];
  });
  const to = Object.fromEntries(members);
  const isFaulty = allowed.members.some((member) => faults.has(member.path));
  return isFaulty || JSON.stringify(to) === JSON.stringify(from) ? null : { from, ...changeTo(to) };
}

const changeTo = (value: unknown) => ({ to: value, sent: value });

function isSame({ field: { allowed }, isOfDocument }: Entry, from: unknown, to: unknown): boolean {
  if (allowed.kind === "time" || allowed.kind === "instant") {
    return Date.parse(String(from)) === Date.parse(String(to));
  }
  // A document leaves out what the gateway then decides; a room's live values are complete.
  const absent = isOfDocument ? null : allowed.kind === "flag" ? false : allowed.kind === "list" ? [] : null;
  return JSON.stringify(from ?? (allowed.kind === "links" ? "off" : absent)) === JSON.stringify(to);
}

/** The entries that somebody else has changed since they were written here. */
export function overtaken<OfField extends Field>(
  entries: readonly Entry<OfField>[],
  layers: Layers,
  drafts: Drafts,
): readonly Entry<OfField>[] {
  return entries.filter((entry) =>
    pathsOf(entry).some((path) => {
      const draft = drafts.get(path);
      return draft !== undefined && draft.seen !== fingerprintOf(entry, layers);
    }),
  );
}

/** The merge patch of changes. */
export function patchOf(changes: readonly Pick<Change, "entry" | "sent">[]): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const { entry, sent } of changes) {
    const [group = "", member] = entry.field.path.split(".");
    const before = patch[group];
    patch[group] = member === undefined ? sent : { ...(typeof before === "object" ? before : {}), [member]: sent };
  }
  return patch;
}

/** What the gateway says is wrong, and where. */
export interface Fault {
  /** As the admin API has it: `redirect_uris[0]`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

export function faultsOf(problem: Problem | null): readonly Fault[] {
  return problem?.answer?.faults ?? [];
}

/** The messages about a field and what is in it: those about an item of a list with its number, as people count. */
export function faultsAt(faults: readonly Fault[], path: string): string[] {
  return faults
    .filter((fault) => isIn(fault.path, path))
    .map(({ path: at, message }) => {
      const inside = at.slice(path.length);
      const [, item] = /^\[(\d+)\]$/.exec(inside) ?? [];
      if (item !== undefined) return `${Number(item) + 1}: ${message}`;
      return inside === "" ? message : `${inside.replace(/^\./, "")}: ${message}`;
    });
}

/** The faults of none of these fields. */
export function faultsElsewhere(faults: readonly Fault[], paths: readonly string[]): readonly Fault[] {
  return faults.filter((fault) => !paths.some((path) => isIn(fault.path, path)));
}

/** The messages by path of the field that they are about. */
export function faultsByField(
  faults: readonly Fault[],
  paths: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  // A member of a mapping has a field of its own, which comes before that of the mapping.
  const innerFirst = [...paths].sort((a, b) => b.length - a.length);
  const found = new Map<string, readonly string[]>();
  for (const fault of faults) {
    const field = innerFirst.find((path) => isIn(fault.path, path));
    if (field !== undefined) found.set(field, [...(found.get(field) ?? []), ...faultsAt([fault], field)]);
  }
  return found;
}

function isIn(path: string, whole: string): boolean {
  return path === whole || path.startsWith(`${whole}[`) || path.startsWith(`${whole}.`);
}
