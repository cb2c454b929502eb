/** What a schema cannot say of itself: how its values are written, and what they are in the program. */
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
export function ownKind(schema: z.ZodType): Kind {
  return kinds.get(schema) ?? {};
}

/** Of the values of a schema, whether they may be left out or not. */
export function kindOf(schema: z.ZodType): Kind {
  return ownKind(innermost(schema));
}

/** Without what says that it may be left out. */
export function innermost(schema: z.ZodType): z.ZodType {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return innerType === undefined ? schema : innermost(innerType);
}
