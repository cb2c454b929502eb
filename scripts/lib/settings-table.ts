/**
 * What the console's form of a room's settings is made from: each setting that an operator can change, from the schema, with the
 * words of docs/configuration.md. A setting more in the schema is in the console by itself.
 */
import type { z } from "zod";
import { DOCUMENT_KEYS, room, settingsChange } from "../../src/config/schema/room-schema.ts";
import { membersOf } from "../../src/config/schema/settings-codec.ts";
import type { Allowed, Field } from "../../src/operate/console/forms/field.ts";
import type { Json } from "./json-schema.ts";

/** It has a control of its own. */
const elsewhere = ["message"];
const file = "src/operate/console/settings/settings-table.ts";

interface Group {
  readonly name: string;
  readonly isOfDocument: boolean;
  readonly settings: readonly Field[];
}

/** @param schema the JSON Schema of the configuration file, with its descriptions */
export function settingsTable(schema: Json): Readonly<Record<string, string>> {
  const { room: written } = schema.definitions as Record<string, Json>;
  const json = written?.properties ?? {};
  const ofDocument = (membersOf(room) ?? []).filter(([key]) => DOCUMENT_KEYS.includes(key));
  const groups = [...groupsOf(membersOf(settingsChange) ?? [], json, false), ...groupsOf(ofDocument, json, true)];
  const lines = [
    "/** Written by `npm run reference` from the schema of a room and docs/configuration.md. Change those. */",
    'import type { SettingsGroup } from "./room-settings.ts";',
    "",
    "export const settingsTable: readonly SettingsGroup[] = [",
    ...groups.flatMap(({ settings, ...group }) => [
      `  { ...${JSON.stringify(group)}, settings: [`,
      ...settings.map((setting) => `    ${JSON.stringify(setting)},`),
      "  ] },",
    ]),
    "];",
    "",
    "/** What settings and groups of them mean, by their paths. meanings.ts has the same in German. */",
    "export const meanings = {",
    ...groups.flatMap(meaningsOf).map(([path, meaning]) => `  ${JSON.stringify(path)}: ${JSON.stringify(meaning)},`),
    "} as const;",
    "",
  ];
  return { [file]: lines.join("\n") };

  function meaningsOf({ name, settings }: Group): [string, string][] {
    const paths = settings.flatMap(({ path, allowed }) =>
      allowed.kind === "mapping" ? [path, ...allowed.members.map((member) => member.path)] : [path],
    );
    return [...(name === "" ? [] : [name]), ...paths].map((path) => [path, meaningAt(json, path.split("."))]);
  }
}

/** What docs/configuration.md says of a setting, without its links: they lead nowhere in the console. */
function meaningAt(properties: Readonly<Record<string, Json>>, [key = "", ...rest]: readonly string[]): string {
  const json = properties[key] ?? {};
  if (rest.length === 0) return (json.description ?? "").replace(/ \(docs\/[^)]*\)/g, "");
  const mapping = [json, ...(json.anyOf ?? [])].find((variant) => variant.properties !== undefined);
  return meaningAt(mapping?.properties ?? {}, rest);
}

/** Settings without a group are in the first, which has no name. */
function groupsOf(
  members: readonly [string, z.ZodType][],
  json: Readonly<Record<string, Json>>,
  isOfDocument: boolean,
): Group[] {
  const listed = members.filter(([key]) => !elsewhere.includes(key));
  const plain = listed.filter(([, member]) => membersOf(member) === null);
  const grouped = listed.filter(([, member]) => membersOf(member) !== null);
  return [
    { name: "", isOfDocument, settings: plain.map(([key]) => fieldOf(key, json[key])) },
    ...grouped.map(([name, member]) => ({
      name,
      isOfDocument,
      settings: (membersOf(member) ?? []).map(([key]) => fieldOf(`${name}.${key}`, json[name]?.properties?.[key])),
    })),
  ];
}

function fieldOf(path: string, json: Json = {}): Field {
  return { path, allowed: allowedOf(path, json) };
}

/** @throws Error for a kind of value that the console's form does not know yet */
function allowedOf(path: string, json: Json): Allowed {
  const variants = (json.anyOf ?? [json]).flatMap((each) => each.anyOf ?? [each]);
  const list = variants.find((each) => each.items?.properties !== undefined);
  if (list?.items?.properties?.range !== undefined) return { kind: "ranges" };
  if (list?.items?.properties?.ranges !== undefined) return { kind: "rules" };
  if (list?.items?.properties?.triggers !== undefined) return { kind: "siteRules" };
  if (list !== undefined) return { kind: "links", itemsMax: list.maxItems ?? 0 };
  const words = variants.find((each) => each.enum !== undefined);
  const elsewhere = variants.find((each) => each.properties?.redirect !== undefined);
  if (elsewhere !== undefined) return { kind: "redirect", choices: (words?.enum ?? []).filter(isWord) };
  const byLanguage = variants.find((each) => typeof each.additionalProperties === "object" && !each.properties);
  if (byLanguage !== undefined) {
    const { $comment } = byLanguage.additionalProperties as Json;
    return $comment === "Markdown" ? { kind: "markdown" } : { kind: "words" };
  }
  const number = variants.find((each) => each.minimum !== undefined && each.maximum !== undefined);
  if (number !== undefined && variants.some((each) => each.const === "off")) {
    return { kind: "wholeOrOff", minimum: number.minimum ?? 0, maximum: number.maximum ?? 0 };
  }
  const written = (json.anyOf ?? [json]).find((each) => each.properties !== undefined) ?? json;
  const { type, $comment: comment = "", minimum, maximum, maxLength, maxItems, properties } = written;
  const kind = [type].flat()[0];
  if (properties !== undefined) {
    const members = Object.entries(properties).map(([key, member]) => fieldOf(`${path}.${key}`, member));
    return { kind: "mapping", members };
  }
  if (written.enum !== undefined) return { kind: "choice", choices: written.enum.filter(isChoice) };
  if (kind === "boolean") return { kind: "flag" };
  if (kind === "array") return { kind: "list", itemsMax: maxItems ?? 0 };
  if (minimum !== undefined && maximum !== undefined) {
    return { kind: kind === "integer" ? "whole" : "number", minimum, maximum };
  }
  if (kind === "string" && comment === "a time") return { kind: "time" };
  if (kind === "string" && comment === "a time zone") return { kind: "zone" };
  if (kind === "string" && written.pattern !== undefined && comment !== "") return { kind: "duration", range: comment };
  if (kind === "string") return { kind: "text", lengthMax: maxLength ?? 0 };
  throw new Error(`the console has no field for ${path}: add its kind to forms/field.ts`);
}

function isWord(value: unknown): value is string {
  return typeof value === "string";
}

function isChoice(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
