/** Types of the admin API for `openapi-fetch`, from its description. The library's own generator takes no TypeScript of today. */
import type { Json } from "../json-schema.ts";
import type { Description, Operation, Parameter } from "./document.ts";

const HEAD = `/** Written by \`npm run reference\` from docs/openapi.json: what the admin API takes and answers. */

interface Answer<Type extends string, Content> {
  headers: { [name: string]: unknown };
  content: { [Name in Type]: Content };
}
interface Empty {
  headers: { [name: string]: unknown };
  content?: never;
}
interface None {
  query?: never;
  header?: never;
  path?: never;
  cookie?: never;
}
`;

/** The operations that take an admin key. */
export function clientTypes({ paths, components }: Description): string {
  const ofAdmin = Object.entries(paths).filter(([path]) => path.startsWith("/admin/"));
  const used = new Set(namesIn(JSON.stringify(ofAdmin)).concat("Error"));
  // A part may refer to others.
  for (const name of used) for (const other of namesIn(JSON.stringify(components.schemas[name]))) used.add(other);
  const schemas = [...used].sort().map((name) => `    ${name}: ${typeOf(components.schemas[name] ?? {}, "    ")};\n`);
  const routes = ofAdmin.map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, operation]) => operationOf(method, operation));
    return `  ${JSON.stringify(path)}: {\n    parameters: None;\n${operations.join("")}  };\n`;
  });
  return `${HEAD}
export interface paths {
${routes.join("")}}

export interface components {
  schemas: {
${schemas.join("")}  };
}
`;

  function operationOf(method: string, operation: Operation): string {
    const { parameters = [], requestBody, responses } = operation;
    const all = parameters.map((parameter) => components.parameters[nameOf(parameter.$ref)] ?? parameter);
    const inside = "        ";
    const groups = (["query", "header", "path"] as const).map((place) => groupOf(place, all));
    const [body] = Object.values(requestBody?.content ?? {});
    const optional = requestBody?.required === true ? "" : "?";
    const bodyType =
      body === undefined
        ? "requestBody?: never"
        : `requestBody${optional}: {\n${inside}content: { "application/json": ${typeOf(body.schema, inside)} };\n      }`;
    const answers = Object.entries(responses).map(([status, response]) => {
      const { content } = components.responses[nameOf(response.$ref)] ?? response;
      const [type, { schema = { type: "string" } } = {}] = Object.entries(content ?? {})[0] ?? [];
      const answer = type === undefined ? "Empty" : `Answer<${JSON.stringify(type)}, ${typeOf(schema, inside)}>`;
      return `${inside}${status}: ${answer};\n`;
    });
    return `    /** ${operation.summary} */
    ${method}: {
      parameters: {
${groups.join("")}        cookie?: never;
      };
      ${bodyType};
      responses: {
${answers.join("")}      };
    };
`;
  }
}

function groupOf(place: "query" | "header" | "path", all: readonly Parameter[]): string {
  const own = all.filter((parameter) => parameter.in === place);
  const members = own.map(
    ({ name = "", required, schema = {} }) =>
      `          ${keyOf(name)}${required ? "" : "?"}: ${typeOf(schema, "          ")};\n`,
  );
  const optional = own.some(({ required }) => required) ? "" : "?";
  return own.length === 0
    ? `        ${place}?: never;\n`
    : `        ${place}${optional}: {\n${members.join("")}        };\n`;
}

/** @param at indentation of what stands around it */
function typeOf(json: Json, at: string): string {
  const { $ref, anyOf, type, items, prefixItems, properties } = json;
  if ($ref !== undefined) return `components["schemas"][${JSON.stringify(nameOf($ref))}]`;
  if (json.enum !== undefined) return json.enum.map((value) => JSON.stringify(value)).join(" | ");
  if ("const" in json) return JSON.stringify(json.const);
  if (anyOf !== undefined) return [...new Set(anyOf.map((each) => typeOf(each, at)))].join(" | ");
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...json, type: each }, at)).join(" | ");
  if (type === "array" && prefixItems !== undefined) {
    return `[${prefixItems.map((item) => typeOf(item, at)).join(", ")}]`;
  }
  if (type === "array") return listOf(typeOf(items ?? {}, at));
  if (type === "object" && properties !== undefined) return objectOf(json, at);
  if (type === "object") return `{ [name: string]: ${typeOf(additionalOf(json), at)} }`;
  return (
    { integer: "number", number: "number", string: "string", boolean: "boolean", null: "null" }[type ?? ""] ?? "unknown"
  );
}

function listOf(item: string): string {
  return / [|] /.test(item) ? `(${item})[]` : `${item}[]`;
}

function objectOf({ properties = {}, required = [] }: Json, at: string): string {
  const members = Object.entries(properties).map(([name, member]) => {
    const said = member.description === undefined ? "" : `${at}  /** ${member.description} */\n`;
    return `${said}${at}  ${keyOf(name)}${required.includes(name) ? "" : "?"}: ${typeOf(member, `${at}  `)};\n`;
  });
  return members.length === 0 ? "Record<string, never>" : `{\n${members.join("")}${at}}`;
}

function additionalOf({ additionalProperties }: Json): Json {
  return typeof additionalProperties === "object" ? additionalProperties : {};
}

const keyOf = (name: string) => (/^\w+$/.test(name) ? name : JSON.stringify(name));
const nameOf = (ref: string | undefined) => ref?.split("/").at(-1) ?? "";
const namesIn = (text: string) => [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = ""]) => name);
