/**
 * The two spellings of settings, of which the schema declares one. Written, in the configuration file and the admin API, they
 * are snake_case with durations and times as text. In the program they are camelCase in milliseconds: `claim_within: 15m` is
 * `claimWithinMs: 900000`. What a schema cannot say of that itself is its kind.
 */
import { z } from "zod";

declare const milliseconds: unique symbol;
/** A duration, or a time since 1970 in UTC, in milliseconds. In the program its name ends in `Ms`. */
export type Ms = number & { readonly [milliseconds]: true };

export interface Kind {
  readonly isMs?: true;
  /** Reads what the schema has checked. A local time is of `zone`; null for none. */
  readonly read?: (written: unknown, zone: string | null) => unknown;
  /** Writes a value as the file has it. */
  readonly write?: (value: never, zone: string | null) => unknown;
  /** Its values are spelled as those of this schema. Where the word `off` may stand instead, that is null in the program. */
  readonly like?: z.ZodType;
  /** A live change can say `off`, where the file says nothing; an example of the mapping. */
  readonly offExample?: string;
  /** JSON Schema of what is written, as far as zod does not know it. */
  readonly json?: Readonly<Record<string, unknown>>;
  readonly items?: z.ZodType;
  readonly anyOf?: readonly z.ZodType[];
}

/** By schema. What is made of one by a check or a description is of the same kind. */
const kinds = z.registry<Record<string, unknown>>();

/** Registers a schema, and answers it. */
export function withKind<Schema extends z.ZodType>(schema: Schema, kind: Kind): Schema {
  kinds.add(schema, { ...kind });
  return schema;
}

/** Of the schema itself. */
export function registeredKind(schema: z.ZodType): Kind {
  return kinds.get(schema) ?? {};
}

/** Of the values of a schema, whether they may be left out or not. */
export function kindOf(schema: z.ZodType): Kind {
  return registeredKind(innermost(schema));
}

/** Without what says that it may be left out. */
export function innermost(schema: z.ZodType): z.ZodType {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return innerType === undefined ? schema : innermost(innerType);
}

type Camel<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Key;
type Name<Key, Value> = [NonNullable<Value>] extends [Ms] ? `${Camel<Key> & string}Ms` : Camel<Key>;

/** What checked settings are in the program. `off` is null there. */
export type Settings<Checked> = Checked extends Ms
  ? number
  : Checked extends "off"
    ? null
    : Checked extends readonly unknown[]
      ? Readonly<Checked>
      : Checked extends object
        ? { readonly [Key in keyof Checked as Name<Key, Checked[Key]>]: Settings<Exclude<Checked[Key], undefined>> }
        : Checked;

export interface Reading {
  /** Of local times; null for none. */
  readonly zone: string | null;
  /** Of a change: what stands for `off`, since null means something else there. */
  readonly none?: unknown;
}

/** The name in the program of a key whose values are of this schema. */
export function nameOf(key: string, schema: z.ZodType): string {
  const name = key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return kindOf(schema).isMs ? `${name}Ms` : name;
}

/** Reads settings that the schema has checked. */
export function readSettings<Schema extends z.ZodType>(
  schema: Schema,
  checked: z.output<Schema>,
  reading: Reading = { zone: null },
): Settings<z.output<Schema>> {
  return read(schema, checked, reading) as Settings<z.output<Schema>>;
}

function read(schema: z.ZodType, checked: unknown, reading: Reading): unknown {
  const kind = kindOf(schema);
  if (checked === undefined) return undefined;
  // In the file, a key that is empty is as good as left out.
  if (checked === null) return reading.none === undefined && schema.def.type === "optional" ? undefined : null;
  if (checked === "off" && (kind.like || kind.offExample)) return reading.none ?? null;
  if (kind.like) return read(kind.like, checked, reading);
  if (kind.read) return kind.read(checked, reading.zone);
  const members = membersOf(schema);
  return members === null
    ? checked
    : ofMembers(members, ([key, member]) => [
        nameOf(key, member),
        read(member, (checked as Record<string, unknown>)[key], reading),
      ]);
}

/** Writes settings, or those of them that there are. @param zone of times; null for UTC */
export function writeSettings(schema: z.ZodType, value: unknown, zone: string | null): unknown {
  const kind = kindOf(schema);
  if (value === undefined) return undefined;
  if (kind.like) return value === null ? "off" : writeSettings(kind.like, value, zone);
  if (value === null) return null;
  if (kind.write) return kind.write(value as never, zone);
  const members = membersOf(schema);
  return members === null
    ? value
    : ofMembers(members, ([key, member]) => [
        key,
        writeSettings(member, (value as Record<string, unknown>)[nameOf(key, member)], zone),
      ]);
}

/** The members of a mapping; null for every other kind of schema. */
export function membersOf(schema: z.ZodType): [key: string, member: z.ZodType][] | null {
  const inner = innermost(schema);
  return inner instanceof z.ZodObject ? Object.entries(inner.shape as Record<string, z.ZodType>) : null;
}

function ofMembers(members: [string, z.ZodType][], entryOf: (member: [string, z.ZodType]) => [string, unknown]) {
  return Object.fromEntries(members.map(entryOf).filter(([, value]) => value !== undefined));
}
