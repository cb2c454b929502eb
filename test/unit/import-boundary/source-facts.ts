/** Reads from the text of a module what it imports and which of the watched globals it touches. */
import { parseAst } from "vitest/node";

export interface Import {
  /** Null for a dynamic import of something computed. */
  readonly specifier: string | null;
  /** Whether nothing of it is left at run time. */
  readonly isTypeOnly: boolean;
  /** Whether it is loaded when that is reached, and not with the module. */
  readonly isDynamic?: true;
}

export interface SourceFacts {
  readonly imports: readonly Import[];
  /** Such as `process.env`, `Date.now`, `new Date()`, `console`. */
  readonly globals: readonly string[];
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const WATCHED_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  process: ["env", "exit"],
  Date: ["now"],
  Math: ["random"],
};

export function readSource(code: string, name: string): SourceFacts {
  const imports: Import[] = [];
  const globals: string[] = [];
  walk(parseAst(code, { lang: name.endsWith(".tsx") ? "tsx" : "ts" }, name), (node) => {
    imports.push(...importsOf(node));
    globals.push(...globalsOf(node));
  });
  return { imports, globals };
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      walk(item, visit);
    }
  } else if (isNode(value)) {
    visit(value);
    walk(Object.values(value), visit);
  }
}

function importsOf(node: Node): Import[] {
  switch (node.type) {
    case "ImportDeclaration":
      return [{ specifier: literal(node.source), isTypeOnly: isTypeOnly(node, "importKind") }];
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return isNode(node.source)
        ? [{ specifier: literal(node.source), isTypeOnly: isTypeOnly(node, "exportKind") }]
        : [];
    case "ImportExpression":
      return [{ specifier: literal(node.source), isTypeOnly: false, isDynamic: true }];
    case "TSImportType":
      return [{ specifier: literal(node.source), isTypeOnly: true }];
    case "TSExternalModuleReference":
      return [{ specifier: literal(node.expression), isTypeOnly: false }];
    case "CallExpression":
      return isIdentifier(node.callee, "require") ? [{ specifier: null, isTypeOnly: false }] : [];
    default:
      return [];
  }
}

/** `import type …`, or every name in the braces is marked with `type` and there is one. */
function isTypeOnly(node: Node, kind: "importKind" | "exportKind"): boolean {
  const specifiers = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : [];
  return (
    node[kind] === "type" || (specifiers.length > 0 && specifiers.every((specifier) => specifier[kind] === "type"))
  );
}

function globalsOf(node: Node): string[] {
  if (node.type === "MemberExpression") {
    const object = globalName(node.object);
    const property = memberName(node);
    const isWatched = object !== null && property !== null && WATCHED_MEMBERS[object]?.includes(property);
    return [...(isWatched ? [`${object}.${property}`] : []), ...(object === "console" ? ["console"] : [])];
  }
  if (node.type === "VariableDeclarator") {
    const object = globalName(node.init);
    const names = patternNames(node.id);
    return (object === null ? [] : (WATCHED_MEMBERS[object] ?? []))
      .filter((member) => names.includes(member))
      .map((member) => `${object}.${member}`)
      .concat(object === "console" ? ["console"] : []);
  }
  const isCall = node.type === "NewExpression" || node.type === "CallExpression";
  const readsClock = isCall && globalName(node.callee) === "Date" && isEmpty(node.arguments);
  return readsClock ? ["new Date()"] : [];
}

/** The name of a global, also behind `globalThis.`; null for anything else. */
function globalName(value: unknown): string | null {
  if (!isNode(value)) {
    return null;
  }
  if (value.type === "Identifier" && typeof value.name === "string") {
    return value.name;
  }
  const isGlobalThis = value.type === "MemberExpression" && isIdentifier(value.object, "globalThis");
  return isGlobalThis ? memberName(value) : null;
}

function memberName(node: Node): string | null {
  if (node.computed === true) {
    return literal(node.property);
  }
  return isNode(node.property) && typeof node.property.name === "string" ? node.property.name : null;
}

/** The keys of `{ a, b: c }` on the left of a declaration. */
function patternNames(pattern: unknown): unknown[] {
  if (!isNode(pattern) || pattern.type !== "ObjectPattern" || !Array.isArray(pattern.properties)) {
    return [];
  }
  return pattern.properties.map((property) => (isNode(property) && isNode(property.key) ? property.key.name : null));
}

function literal(value: unknown): string | null {
  return isNode(value) && value.type === "Literal" && typeof value.value === "string" ? value.value : null;
}

function isIdentifier(value: unknown, name: string): boolean {
  return isNode(value) && value.type === "Identifier" && value.name === name;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
