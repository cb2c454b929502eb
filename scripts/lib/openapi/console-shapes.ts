/** The shapes of the admin API's answers, as the console compares what comes with them (src/operate/console/api/reading.ts). */
import type { Shape, Shapes } from "../../../src/operate/console/api/reading.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses?: Record<string, Answer> }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const methods = ["get", "post", "put", "patch", "delete"];

export function consoleShapes({ paths, components }: Description): Shapes {
  const answers = Object.entries(paths)
    .filter(([path]) => path.startsWith("/admin"))
    .flatMap(([path, operations]) =>
      methods.flatMap((method) =>
        Object.entries(operations[method]?.responses ?? {})
          .filter(([status]) => status.startsWith("2"))
          .map(([status, answer]) => [`${method.toUpperCase()} ${path} ${status}`, shapeOfAnswer(answer)] as const),
      ),
    );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, shapeOf(schema)] as const);
  return { answers: Object.fromEntries(answers), schemas: Object.fromEntries(schemas) };
}

/** "-" for no content, "*" for what is no JSON. */
function shapeOfAnswer({ content }: Answer): Shape {
  if (content === undefined) return "-";
  const { schema } = content["application/json"] ?? {};
  return schema === undefined ? "*" : shapeOf(schema);
}

function shapeOf(schema: Schema): Shape {
  if (schema.$ref !== undefined) return `#${schema.$ref.split("/").at(-1)}`;
  if (schema.anyOf !== undefined) {
    const others = schema.anyOf.filter(({ type }) => type !== "null");
    const shapes = [...new Set(others.map((each) => JSON.stringify(shapeOf(each))))];
    const choices: readonly Shape[] = shapes.map((each) => JSON.parse(each));
    const isAny = choices.length === 0 || choices.includes("*");
    const shape = isAny ? "*" : choices.length === 1 ? (choices[0] ?? "*") : { "|": { ...choices } as never };
    return orNull(shape, others.length < schema.anyOf.length);
  }
  const types = [schema.type ?? (schema.const === undefined ? [] : typeof schema.const)].flat();
  const [type, ...more] = types.filter((each) => each !== "null");
  return orNull(type === undefined || more.length > 0 ? "*" : ofType(type, schema), types.includes("null"));
}

function orNull(shape: Shape, isNullable: boolean): Shape {
  return isNullable && shape !== "*" ? { "?": shape } : shape;
}

function ofType(type: string, { items, properties, required = [], additionalProperties }: Schema): Shape {
  if (type === "array") return { "[]": items === undefined ? "*" : shapeOf(items) };
  if (type !== "object") return type === "integer" ? "number" : type;
  if (properties === undefined) {
    return { "{}": typeof additionalProperties === "object" ? shapeOf(additionalProperties) : "*" };
  }
  const members = Object.entries(properties).map(
    ([name, each]) => [required.includes(name) ? name : `${name}?`, shapeOf(each)] as const,
  );
  return Object.fromEntries(members);
}
