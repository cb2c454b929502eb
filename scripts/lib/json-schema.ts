/** JSON Schema of what is written, from the schemas that read it. */
import { z } from "zod";
import { registeredKind } from "../../src/config/schema/settings-codec.ts";

export interface Json {
  type?: string | string[];
  format?: string;
  description?: string;
  /** What is allowed, in words. */
  $comment?: string;
  $ref?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  maxLength?: number;
  items?: Json;
  prefixItems?: Json[];
  anyOf?: Json[];
  oneOf?: Json[];
  properties?: Record<string, Json>;
  additionalProperties?: boolean | Json;
  required?: string[];
  [keyword: string]: unknown;
}
export type Definitions = Record<string, Json>;

export interface Naming {
  readonly target: "draft-7" | "draft-2020-12";
  /** Of a part that is written once, and referred to elsewhere. */
  readonly nameOf: (part: z.ZodType) => string | undefined;
  /** Of a reference, before the name. */
  readonly prefix: string;
  /** Where the parts with names are put. */
  readonly definitions: Definitions;
}

/** zod's own would name parts by itself. */
const noMetadata = z.registry<Record<string, unknown>>();

/** A whole that has a name itself is not referred to. */
export function jsonSchemaOf(schema: z.ZodType, naming: Naming): Json {
  const { target, nameOf, prefix, definitions } = naming;
  const referTo = (part: z.ZodType, name: string) => {
    definitions[name] ??= jsonSchemaOf(part, naming);
    return { $ref: `${prefix}${name}` };
  };
  const ofPart = (part: z.ZodType) => {
    const name = nameOf(part);
    return name === undefined ? jsonSchemaOf(part, naming) : referTo(part, name);
  };
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: "input",
    target,
    metadata: noMetadata,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema: json }) {
      const part = zodSchema as unknown as z.ZodType;
      const name = part === schema ? undefined : nameOf(part);
      if (name !== undefined) {
        for (const keyword of Object.keys(json)) delete json[keyword];
        Object.assign(json, referTo(part, name));
        return;
      }
      const { id: _, ...said } = z.globalRegistry.get(part) ?? {};
      const { items, anyOf, json: more } = registeredKind(part);
      if (items !== undefined) Object.assign(json, { items: ofPart(items) });
      if (anyOf !== undefined) Object.assign(json, { anyOf: anyOf.map(ofPart) });
      Object.assign(json, more, said);
    },
  });
  return json as Json;
}
