/** Compares what gateways answer with docs/openapi.json: each answer to a test's client, without the test asking for it. */
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Description, Operation, Response } from "../../scripts/lib/openapi/document.ts";

export interface AnswerToCheck {
  readonly method: string;
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Ports at which gateways of these tests listen. What another server answers is its own business. */
const ports = new Set<string>();

export function expectDescribedAt(port: number): void {
  ports.add(String(port));
}

/** At any address of a gateway: what it does not have, and what is refused before a route is known. */
const anywhere: Readonly<Record<number, readonly string[]>> = {
  400: ["bad_request"],
  404: ["not_found", "unknown_room"],
  405: ["method_not_allowed"],
  414: ["request_too_long"],
  421: ["bad_request"],
  431: [],
};
/** At addresses that are no route's. */
const elsewhere: Readonly<Record<number, readonly string[]>> = {
  ...anywhere,
  401: ["unauthorized"],
  403: ["forbidden"],
  429: ["too_many_from_address"],
};

/** What is not as it is described, in a sentence; null for what is. */
export function undescribedIn(answer: AnswerToCheck): string | null {
  if (!ports.has(answer.url.port)) return null;
  const fault = faultOf(answer);
  if (fault === null) return null;
  const { method, url, status, body } = answer;
  return `${method} ${url.pathname} answered ${status}, which docs/openapi.json does not say: ${fault}: ${body.slice(0, 600)}`;
}

function faultOf({ method, url, status, headers, body }: AnswerToCheck): string | null {
  const operation = operationOf(method, url.pathname);
  const type = (headers["content-type"] ?? "").split(";")[0] ?? "";
  if (method !== "HEAD" && headers["content-length"] === "0" && type !== "") return `no content, of the type ${type}`;
  if (operation === undefined) {
    return method === "OPTIONS" || isIn(elsewhere, status, type, body) ? null : "there is no such route";
  }
  const response = resolved(operation.responses[status]);
  if (response === undefined) return isIn(anywhere, status, type, body) ? null : "this status is none of the route's";
  // A redirect speaks by its headers.
  if (method === "HEAD" || body === "" || response.content === undefined) return null;
  const contents = response.content;
  if (!(type in contents)) return `content of the type ${type || "(none)"} is none of the route's`;
  if (!/[/+]json$/.test(type)) return null;
  const value = JSON.parse(body) as { error?: unknown };
  const check = checkOf(contents[type]?.schema ?? {});
  if (!check(value)) return ajv.errorsText(check.errors, { dataVar: "body" });
  const codes = response["x-usher-errors"];
  const isError = typeof value === "object" && value !== null && "error_description" in value;
  const isOauth = JSON.stringify(contents[type]).includes("OAuthError");
  if (!isError || isOauth || codes === undefined || codes.includes(String(value.error))) return null;
  return `the error ${value.error} is none of the route's`;
}

/** People get a page in place of JSON, and Node answers by itself with neither type nor body. */
function isIn(codes: typeof anywhere, status: number, type: string, body: string): boolean {
  if (!(status in codes)) return false;
  if (type !== "application/json" || body === "") return true;
  return codes[status]?.includes((JSON.parse(body) as { error: string }).error) ?? false;
}

const description = JSON.parse(
  readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"),
) as Description;

/** Those with fewer parameters first. */
const routes = Object.entries(description.paths)
  .map(([path, operations]) => ({
    parameters: path.split("{").length,
    pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    operations,
  }))
  .sort((a, b) => a.parameters - b.parameters);

function operationOf(method: string, pathname: string): Operation | undefined {
  // A proxy appends the request's path, and asks by its method.
  const [verify] = /^\/rooms\/[^/]+\/verify(?=\/|$)/.exec(pathname) ?? [];
  const wanted = verify !== undefined || method === "HEAD" ? "get" : method.toLowerCase();
  return routes.find(({ pattern, operations }) => wanted in operations && pattern.test(verify ?? pathname))?.operations[
    wanted
  ];
}

function resolved(response: Response | undefined): Response | undefined {
  const name = response?.$ref?.split("/").at(-1);
  return name === undefined ? response : description.components.responses[name];
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { "date-time": instant } });
ajv.addSchema({ $id: "usher", components: closed(description.components) as object });
const checks = new WeakMap<object, ValidateFunction>();

function checkOf(schema: object): ValidateFunction {
  const check = checks.get(schema) ?? ajv.compile(absolute(closed(schema)) as object);
  checks.set(schema, check);
  return check;
}

/** Programs ignore members that they do not know; a test knows all that there are. */
function closed(value: unknown): unknown {
  return mapObjects(value, (json) =>
    "properties" in json && !("additionalProperties" in json) && json.type === "object"
      ? { ...json, additionalProperties: false }
      : json,
  );
}

function absolute(value: unknown): unknown {
  return mapObjects(value, (json) => (typeof json.$ref === "string" ? { ...json, $ref: `usher${json.$ref}` } : json));
}

function mapObjects(value: unknown, change: (json: Record<string, unknown>) => object): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (typeof value !== "object" || value === null) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapObjects(member, change)])));
}
