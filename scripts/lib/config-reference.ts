/**
 * What follows from the schema of the configuration file: the JSON Schema for editors, the tables of every key in
 * docs/configuration.md, and the table that the console's form is made from. What a key means is said by the schema, where it is a feature's,
 * or stands in that page alone; so does what a key that is left out means, where that follows from something else.
 */
import type { z } from "zod";
import { room } from "../../src/config/schema/room-schema.ts";
import { client, documentSchemas } from "../../src/config/schema/schema.ts";
import { issuerTheme, roomTheme } from "../../src/config/themes/theme-schema.ts";
import { features } from "../../src/features/index.ts";
import { settingsPartsOf } from "../../src/operate/feature.ts";
import { type Definitions, type Json, jsonSchemaOf } from "./json-schema.ts";
import { settingsTable } from "./settings-table.ts";

/** Written once, since they stand in several places, or are long. */
const NAMED = new Map<unknown, string>([
  [room, "room"],
  [client, "client"],
  [issuerTheme, "theme"],
  [roomTheme, "room_theme"],
]);

const BEGIN =
  "<!-- begin: keys, order, allowed values and defaults are written by `npm run reference`; what each key means is yours to write -->";
const END = "<!-- end -->";

/** docs/configuration.md has no row for some keys; the message names them. */
export class MissingWords extends Error {}

/** The files as they should be. @param page docs/configuration.md as it is @throws MissingWords */
export function reference(page: string): Readonly<Record<string, string>> {
  const words = wordsIn(page);
  const schema = jsonSchema(words);
  const [head, rest = ""] = page.split(BEGIN);
  return {
    "config/usher.schema.json": `${JSON.stringify(schema, null, 1)}\n`,
    ...settingsTable(schema),
    "docs/configuration.md": `${head}${BEGIN}\n\n${markdown(schema, words)}\n\n${END}${rest.split(END)[1] ?? ""}`,
  };
}

/** The words about a key. */
interface Words {
  readonly meaning: string;
  readonly fallback: string;
}

/** What docs/configuration.md says of each key. */
function wordsIn(page: string): Map<string, Words> {
  const rows = page.split("\n").flatMap((line): [string, Words][] => {
    const [, key, meaning = "", , fallback = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const path = /^`([a-z][\w.[\]]*)`$/.exec(key ?? "")?.[1];
    return path === undefined ? [] : [[path, { meaning, fallback }]];
  });
  return new Map(rows);
}

/** Of the whole file, whether it has one issuer or several. */
function jsonSchema(words: Map<string, Words>): Json {
  const definitions: Definitions = {};
  const { ofOne, ofSeveral } = documentSchemas(settingsPartsOf(features));
  const { required: _, ...one } = toJson(ofOne, definitions);
  const { issuers = {} } = toJson(ofSeveral, definitions).properties ?? {};
  const schema = withoutNulls({
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Configuration of Usher",
    ...one,
    anyOf: [{ required: ["rooms"] }, { required: ["issuers"] }],
    properties: { ...one.properties, issuers },
    definitions,
  });
  for (const [key, json] of Object.entries(schema.properties ?? {})) describe(schema, key, json, words);
  // Rooms and clients have the same, and a title.
  const { room_theme } = schema.definitions as Definitions;
  for (const [key, json] of Object.entries(room_theme?.properties ?? {})) describe(schema, `theme.${key}`, json, words);
  return JSON.parse(JSON.stringify(schema), dropFallback) as Json;
}

/** What the words of the reference say of a key that is not there is no keyword of a schema. A key of the configuration may have that name. */
function dropFallback(this: unknown, name: string, value: unknown): unknown {
  return name === "fallback" && typeof value === "string" ? undefined : value;
}

/** Links of the page lead nowhere in an editor. @param words to which those of the schema are added */
function describe(schema: Json, path: string, json: Json, words: Map<string, Words>): void {
  for (const row of rows(path, json, false, schema.definitions as Definitions)) {
    const { description: said, fallback: saidFallback = "" } = row.json as { description?: string; fallback?: string };
    if (said !== undefined) words.set(row.path, { meaning: said, fallback: saidFallback });
    const { meaning = "", fallback = "" } = words.get(row.path) ?? {};
    const usual = row.fallback !== undefined || /^(none)?$/.test(fallback) ? "" : `; without it: ${fallback}`;
    row.json.description = `${meaning}${usual}`
      .replaceAll("\\|", "|")
      .replace(/\[([^\]]*)\]\(([\w/-]+\.md[#\w-]*)\)/g, "$1 (docs/$2)");
  }
}

function toJson(schema: z.ZodType, definitions: Definitions): Json {
  const prefix = "#/definitions/";
  return jsonSchemaOf(schema, { target: "draft-7", nameOf: (part) => NAMED.get(part), prefix, definitions });
}

/** A key that may be empty says so in one word. */
function withoutNulls(json: Json): Json {
  const whole = Object.fromEntries(Object.entries(json).map(([keyword, value]) => [keyword, eachIn(value)])) as Json;
  if (whole.default === null) delete whole.default;
  const [value, nothing] = whole.anyOf ?? [];
  if (nothing?.type !== "null" || typeof value?.type !== "string") return whole;
  const { anyOf: _, ...others } = whole;
  return { ...others, ...value, type: [value.type, "null"] };
}

function eachIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(eachIn);
  return typeof value === "object" && value !== null ? withoutNulls(value as Json) : value;
}

/** Where docs/configuration.md says more of what is allowed. */
const EXPLAINED: Readonly<Record<string, string>> = {
  "a time": "[a time](#times)",
  "a secret": "[a secret](#how-a-secret-is-written)",
};

/** The tables, one for each part of the file, and first one of what is no part. */
function markdown(schema: Json, words: ReadonlyMap<string, Words>): string {
  const parts = Object.entries(schema.properties ?? {}).map(
    ([key, json]) => [key, rows(key, json, false, schema.definitions as Definitions)] as const,
  );
  const silent = parts.flatMap(([, all]) => all.map(({ path }) => path)).filter((path) => !words.get(path)?.meaning);
  if (silent.length > 0) {
    throw new MissingWords(`docs/configuration.md does not say what they mean: give each a row: ${silent.join(", ")}`);
  }
  const table = (all: readonly Row[]) =>
    [
      "| key | meaning | allowed | default |",
      "|---|---|---|---|",
      ...all.map(({ path, allowed, fallback }) => {
        const own = words.get(path);
        return `| \`${path}\` | ${own?.meaning} | ${allowed} | ${fallback ?? (own?.fallback || "none")} |`;
      }),
    ].join("\n");
  const isPlain = (all: readonly Row[]) => all.length === 1;
  return [
    table(parts.flatMap(([, all]) => (isPlain(all) ? all : []))),
    ...parts.filter(([, all]) => !isPlain(all)).map(([key, all]) => `### \`${key}\`\n\n${table(all)}`),
  ].join("\n\n");
}

interface Row {
  readonly path: string;
  readonly json: Json;
  readonly allowed: string;
  /** Undefined where the schema knows none: then the page says what it is. */
  readonly fallback: string | undefined;
}

/** The row of a key, and those of what stands below it. */
function rows(path: string, json: Json, isRequired: boolean, definitions: Definitions): Row[] {
  const isList = json.items !== undefined;
  const members = membersOf(isList ? (json.items as Json) : json, definitions);
  const own = isList && members !== null ? `${path}[]` : path;
  const fallback = isRequired ? "required" : defaultOf(json);
  const row = { path: own, json, allowed: allowed(json, definitions), fallback };
  // What is explained elsewhere on the page.
  const isElsewhere = /\.(theme|colors\.dark)$/.test(own) || /^issuers\[\]\./.test(own);
  if (members === null || isElsewhere) return [row];
  const below = Object.entries(members.properties).flatMap(([key, member]) =>
    rows(`${own}.${key}`, member, members.required.includes(key), definitions),
  );
  return [row, ...below];
}

/** What stands in a mapping, also in one that may be something else instead; null for other values. */
function membersOf(json: Json, definitions: Definitions) {
  const variants = variantsOf(json, definitions).filter(({ properties }) => properties !== undefined);
  if (variants.length === 0 || json.$comment !== undefined) return null;
  const properties: Record<string, Json> = {};
  for (const variant of variants) {
    for (const [key, member] of Object.entries(variant.properties ?? {})) {
      const known = properties[key];
      properties[key] = known === undefined ? member : { ...known, enum: [known.const, member.const] };
    }
  }
  const required = (variants[0]?.required ?? []).filter((key) =>
    variants.every((each) => each.required?.includes(key)),
  );
  return { properties, required };
}

function variantsOf(json: Json, definitions: Definitions): Json[] {
  const { $ref, anyOf = json.oneOf } = json;
  if ($ref !== undefined) return variantsOf(definitions[$ref.replace("#/definitions/", "")] ?? {}, definitions);
  return anyOf === undefined ? [json] : anyOf.flatMap((variant) => variantsOf(variant, definitions));
}

function allowed(json: Json, definitions: Definitions): string {
  const ofEach = variantsOf(json, definitions)
    .filter(({ type }) => type !== "null")
    .map((variant) => {
      const { $comment, type, items, minimum, maximum, maxItems, maxLength } = variant;
      if ($comment !== undefined) return EXPLAINED[$comment] ?? $comment;
      if (variant.enum !== undefined) return variant.enum.map(code).join(", ");
      if (variant.const !== undefined) return code(variant.const);
      if (items?.enum !== undefined) return `a list of ${items.enum.map(code).join(", ")}`;
      if (items !== undefined) return `a list of at most ${maxItems}`;
      const kind = [type].flat()[0];
      if (kind === "boolean") return "`true`, `false`";
      if (minimum !== undefined) return `${minimum} to ${maximum}`;
      if (kind === "object") return "a mapping";
      return maxLength === undefined || maxLength > 500 ? "text" : `text, at most ${maxLength} characters`;
    });
  return [...new Set(ofEach)].join(" or ");
}

function defaultOf({ default: value }: Json): string | undefined {
  // Those of its members stand below.
  if (JSON.stringify(value) === "{}") return "";
  return value === undefined || (Array.isArray(value) && value.length === 0) ? undefined : code(value);
}

/** As YAML has it on one line. */
function code(value: unknown): string {
  const inner = (item: unknown): string => {
    if (Array.isArray(item)) return `[${item.map(inner).join(", ")}]`;
    return typeof item === "object" && item !== null
      ? `{ ${Object.entries(item)
          .map(([key, member]) => `${key}: ${inner(member)}`)
          .join(", ")} }`
      : String(item);
  };
  return `\`${inner(value)}\``;
}
