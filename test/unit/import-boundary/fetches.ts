import { parseAst } from "vitest/node";

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const httpModule = /^node:https?$/;
const httpClient = /^(?:undici|axios|got|node-fetch|node:http2)$/;

/** What stands in every module that fetches: the others need not be parsed. */
const watched = /fetch|node:http|undici|axios|got|createRemoteJWKSet/;

/**
 * Whether a module fetches by itself: by Node's `fetch`, by a client of a module for HTTP, or by the fetch of a library that reads
 * answers of any length.
 */
export function fetches(code: string, name = "a.ts"): boolean {
  if (!watched.test(code)) return false;
  let found = false;
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    else if (isNode(value)) {
      found ||= isFetch(value);
      for (const each of Object.values(value)) visit(each);
    }
  };
  visit(parseAst(code, { lang: name.endsWith("x") ? "tsx" : "ts" }, name));
  return found;
}

function isFetch(node: Node): boolean {
  switch (node.type) {
    case "CallExpression":
      return [node.callee, ...(node.arguments as Node[])].some(isGlobalFetch) || isUnboundedKeySet(node);
    case "AssignmentPattern":
      return isGlobalFetch(node.right);
    case "VariableDeclarator":
      return isGlobalFetch(node.init);
    case "MemberExpression":
      return nameOf(node.object) === "globalThis" && nameOf(node.property) === "fetch";
    case "ImportDeclaration":
      return node.importKind !== "type" && isClientOfHttp(node);
    default:
      return false;
  }
}

function isClientOfHttp({ source, specifiers }: Node): boolean {
  const from = String((source as Node).value);
  const isUsed = ({ type, importKind, imported }: Node) =>
    importKind !== "type" && (type !== "ImportSpecifier" || /^(?:request|get)$/.test(nameOf(imported)));
  return httpClient.test(from) || (httpModule.test(from) && (specifiers as Node[]).some(isUsed));
}

/** jose takes a fetch of ours under a symbol. */
function isUnboundedKeySet({ callee, arguments: given }: Node): boolean {
  if (nameOf(callee) !== "createRemoteJWKSet") return false;
  const options = (given as Node[])[1];
  const properties = (options?.properties ?? []) as Node[];
  return !properties.some(({ computed }) => computed === true);
}

function isGlobalFetch(value: unknown): boolean {
  return nameOf(value) === "fetch";
}

function nameOf(value: unknown): string {
  return isNode(value) && value.type === "Identifier" ? String(value.name) : "";
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}
