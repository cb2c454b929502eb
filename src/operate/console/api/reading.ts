/**
 * Whether an answer is Usher's: portals, proxies and caches answer, too, with pages, with JSON of another shape, or with half of an answer.
 * What the admin API's description says of its answers stands in shapes.json, which `npm run reference` writes. Pure functions.
 */
import shapes from "./shapes.json" with { type: "json" };

/**
 * The name of a type; `#NAME` for a schema, `*` for anything, `-` for nothing at all. `?`: or null. `|`: one of these. `[]`: a list. `{}`: by
 * any names. Else members, whose name ends in `?` where they may be missing.
 */
export type Shape = string | { readonly [member: string]: Shape };

export interface Shapes {
  /** By method, path and status. */
  readonly answers: Readonly<Record<string, Shape>>;
  readonly schemas: Readonly<Record<string, Shape>>;
}

const { answers, schemas } = shapes as Shapes;

export function fits(value: unknown, shape: Shape): boolean {
  if (typeof shape === "string") {
    if (shape === "*") return value !== undefined;
    if (shape.startsWith("#")) return fits(value, schemas[shape.slice(1)] ?? "*");
    return typeof value === shape;
  }
  const { "?": orNull, "|": choices, "[]": items, "{}": values } = shape;
  if (orNull !== undefined) return value === null || fits(value, orNull);
  if (choices !== undefined) return Object.values(choices).some((each) => fits(value, each));
  if (items !== undefined) return Array.isArray(value) && value.every((each) => fits(each, items));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const members = value as Readonly<Record<string, unknown>>;
  if (values !== undefined) return Object.values(members).every((each) => fits(each, values));
  return Object.entries(shape).every(([name, inner]) => {
    const member = name.replace(/\?$/, "");
    return (member !== name && members[member] === undefined) || fits(members[member], inner);
  });
}

/** JSON of a schema of the API; null for anything else. */
export function readEvent<Answer>(text: string, schema: string): Answer | null {
  try {
    const value: unknown = JSON.parse(text);
    return fits(value, `#${schema}`) ? (value as Answer) : null;
  } catch {
    return null;
  }
}

export function isJson(response: Response): boolean {
  return /json\b/.test(response.headers.get("content-type") ?? "");
}

/** Whether an answer to `operation` is the gateway's, of the shape that its description gives. @param operation method and path */
export async function isOurs(operation: string, response: Response): Promise<boolean> {
  // The API sends nobody elsewhere.
  if (response.redirected) return false;
  if (!response.ok) return isJson(response);
  const shape = answers[`${operation} ${response.status}`];
  if (shape === undefined) return false;
  if (shape === "*") return true;
  const text = await response.clone().text();
  if (shape === "-") return text === "";
  try {
    return isJson(response) && fits(JSON.parse(text), shape);
  } catch {
    return false;
  }
}
