/**
 * The description of Usher's HTTP interface (OpenAPI 3.1), made from the tables of routes and the schemas that requests are read
 * by and answers are typed with.
 */
import { z } from "zod";
import { settingsChange } from "../../../src/config/schema/room-schema.ts";
import { gate, probe, roomSettings } from "../../../src/config/schema/room-settings.ts";
import { type Code, codeStatuses, type DescribedAnswer } from "../../../src/lib/described-route.ts";
import { type Definitions, type Json, jsonSchemaOf } from "../json-schema.ts";
import { type DescribedRoute, describedRoutes, pathOf, tags } from "./routes.ts";

interface Content {
  schema?: Json;
}
export interface Response {
  description?: string;
  content?: Record<string, Content>;
  /** The codes of errors that it is answered with. */
  "x-usher-errors"?: string[];
  $ref?: string;
}
export interface Parameter {
  name?: string;
  in?: string;
  required?: true;
  description?: string;
  schema?: Json;
  $ref?: string;
}
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, Response>;
  /** The least role that may use it, and what a key for some rooms gets: see `RouteTerms`. */
  "x-usher-role"?: string;
  "x-usher-reach"?: string;
}
export interface Description {
  openapi: "3.1.1";
  info: Json;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Definitions;
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
    securitySchemes: Record<string, Json>;
  };
}

/** Parts that are written once, and have no name where they are declared. */
const NAMED = new Map<unknown, string>([
  [roomSettings, "RoomSettings"],
  [gate, "HealthGate"],
  [probe, "SiteProbe"],
  [settingsChange, "RoomSettingsChange"],
]);

const PATH_PARAMETERS: Readonly<Record<string, Pick<Parameter, "description" | "schema">>> = {
  screen: { description: "The name of a screen of the console.", schema: { type: "string" } },
  room: { description: "The id of a room.", schema: { type: "string", pattern: "^[a-z0-9][a-z0-9-]{0,31}$" } },
  page: { description: "The id of a page, as the list of them has it.", schema: { type: "string" } },
  sub: { description: "A visitor, as the tokens say it (`sub`).", schema: { type: "string" } },
  ref: { description: "A visitor: a position, an entry number or a `sub`.", schema: { type: "string" } },
  client: { description: "The id of a client.", schema: { type: "string" } },
  row: { description: "The `seq` of a row of the audit.", schema: { type: "integer" } },
  kid: { description: "The id of a key.", schema: { type: "string" } },
  key: { description: "The id of an admin key.", schema: { type: "string" } },
  session: { description: "The id of a session, as the list of them has it.", schema: { type: "string" } },
  approval: { description: "The id of a step that waits for a second person.", schema: { type: "string" } },
  reference: { description: "The reference of a void, as the list of them has it.", schema: { type: "string" } },
  incident: { description: "The id of an incident.", schema: { type: "string" } },
  webhook: { description: "The id of a webhook.", schema: { type: "string" } },
  file: { description: "The name of a file, which has the hash of what is in it.", schema: { type: "string" } },
  customer: { description: "The customer id that a site's connector has.", schema: { type: "string" } },
  event: { description: "The id of a room, as a site's connector knows it.", schema: { type: "string" } },
  queue_id: { description: "A visitor, as a site's connector knows them.", schema: { type: "string" } },
  kind: { description: "Why a site's connector refuses a token.", schema: { type: "string" } },
  letter: { description: "The id of a dead letter.", schema: { type: "string" } },
};

const SECURITY: Readonly<Record<string, Json>> = {
  adminKey: { type: "http", scheme: "bearer", description: "An admin key." },
  ticket: { type: "http", scheme: "bearer", description: "A ticket of the room; a browser has it in a cookie." },
  client: { type: "http", scheme: "basic", description: "A client, or by another of its ways to authenticate." },
  accessToken: { type: "http", scheme: "bearer", description: "An access token." },
};

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description: "Makes the request safe to repeat for a day.",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,128}$" },
};

const CURSOR: Json = { type: "string", description: "The `next_cursor` of the page before." };

const component = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/**
 * @param version of Usher
 * @param meanings of error codes, in words
 */
export function openApi(version: string, meanings: ReadonlyMap<string, string>): Description {
  const schemas: Definitions = { Error: errorSchema(), OAuthError: oauthErrorSchema };
  const responses: Record<string, Response> = {};
  const pathParameters: Record<string, Parameter> = {};
  const paths: Description["paths"] = {};
  for (const route of describedRoutes()) {
    const path = pathOf(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return tidied({
    openapi: "3.1.1",
    info: {
      title: "Usher",
      version,
      description:
        "A virtual waiting room that is an OpenID Connect provider. With `admin.listen`, what is under `/admin`, `/metrics`, `/readyz` and this description are on the operators' listener alone; all else is under the issuer. A program ignores members that it does not know.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas,
      responses,
      parameters: { ...pathParameters, IdempotencyKey: IDEMPOTENCY_KEY },
      securitySchemes: { ...SECURITY },
    },
  });

  function toJson(schema: z.ZodType): Json {
    const nameOf = (part: z.ZodType) => z.globalRegistry.get(part)?.id ?? NAMED.get(part);
    const prefix = "#/components/schemas/";
    const naming = { target: "draft-2020-12", nameOf, prefix, definitions: schemas } as const;
    const name = nameOf(schema);
    if (name === undefined) return jsonSchemaOf(schema, naming);
    schemas[name] ??= jsonSchemaOf(schema, naming);
    return { $ref: `${prefix}${name}` };
  }

  function operationOf(route: DescribedRoute): Operation {
    const { method, path, tag, summary, security, role, reach } = route;
    const parameters = parametersOf(route);
    const requestBody = requestBodyOf(route);
    return {
      operationId: [method.toLowerCase(), ...(path.match(/\w+/g) ?? [])].join("_"),
      tags: [tag],
      summary,
      security: security === undefined ? [] : [{ [security]: [] }],
      ...(role !== undefined && { "x-usher-role": role }),
      ...(reach !== undefined && { "x-usher-reach": reach }),
      ...(parameters.length > 0 && { parameters }),
      ...(requestBody && { requestBody }),
      responses: responsesOf(route),
    };
  }

  function parametersOf({ path, query, isRepeatable }: DescribedRoute): Parameter[] {
    const ofPath = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
      const known = PATH_PARAMETERS[name];
      if (known === undefined) throw new Error(`${path}: say what the parameter ${name} is`);
      pathParameters[name] = { name, in: "path", required: true, ...known };
      return component("parameters", name);
    });
    const { properties = {}, required = [] } = query === undefined ? {} : toJson(query);
    const ofQuery = Object.entries(properties).map(([name, schema]) => ({
      name,
      in: "query",
      ...(required.includes(name) && { required: true as const }),
      schema: name === "cursor" ? CURSOR : schema,
    }));
    return [...ofPath, ...ofQuery, ...(isRepeatable ? [component("parameters", "IdempotencyKey")] : [])];
  }

  function requestBodyOf({ body, form, plainText }: DescribedRoute): Operation["requestBody"] {
    const byType = { "application/json": body, "application/x-www-form-urlencoded": form, "text/plain": plainText };
    const [type = "", described] = Object.entries(byType).find(([, each]) => each !== undefined) ?? [];
    if (described === undefined) return undefined;
    const schema = toJson(described);
    return { required: (schema.required ?? []).length > 0, content: { [type]: { schema } } };
  }

  function responsesOf(route: DescribedRoute): Operation["responses"] {
    const byStatus = new Map<number, { answers: DescribedAnswer[]; codes: Code[] }>();
    const at = (status: number) => {
      const found = byStatus.get(status) ?? { answers: [], codes: [] };
      byStatus.set(status, found);
      return found;
    };
    for (const answer of route.answers) at(answer.status).answers.push(answer);
    for (const refusal of route.errors) {
      const [code, status] = typeof refusal === "string" ? [refusal, codeStatuses[refusal]] : refusal;
      const { codes } = at(status);
      if (!codes.includes(code)) codes.push(code);
    }
    for (const status of route.oauthErrors ?? []) at(status);
    const sorted = [...byStatus].sort(([a], [b]) => a - b);
    return Object.fromEntries(
      sorted.map(([status, { answers, codes }]) => [status, responseOf(route, status, answers, codes.sort())]),
    );
  }

  function responseOf(
    { path, oauthErrors = [] }: DescribedRoute,
    status: number,
    answers: readonly DescribedAnswer[],
    codes: readonly Code[],
  ): Response {
    const isOauth = oauthErrors.includes(status);
    // Errors are told as pages to people.
    const isPage = !path.startsWith("/admin") || /^\/admin\/(sign-(?!.*logout)|debug-link)/.test(path);
    const ofAnswers = answers.flatMap(({ schema }) => (schema === undefined ? [] : [schema].flat()));
    const all = [
      ...ofAnswers.map((schema) => toJson(schema as z.ZodType)),
      ...(isOauth ? [component("schemas", "OAuthError")] : []),
      ...(codes.length > 0 ? [component("schemas", "Error")] : []),
    ];
    const schemaType = answers.find((answer) => answer.schemaType !== undefined)?.schemaType ?? "application/json";
    const types = new Set([
      ...(all.length > 0 ? [schemaType] : []),
      ...answers.flatMap(({ types = [] }) => types),
      ...(isPage && (codes.length > 0 || isOauth) ? ["text/html"] : []),
    ]);
    const schema = all.length === 1 ? all[0] : { anyOf: all };
    const contents = [...types].map((type) => [type, type === schemaType ? { schema } : {}]);
    const said = [
      ...answers.map(({ description }) => description),
      ...(isOauth ? ["An error of OAuth 2.0 or OpenID Connect."] : []),
      ...codes.map((code) => `\`${code}\`: ${meanings.get(code) ?? ""}.`.replace(": .", ".")),
    ];
    const response: Response = {
      description: said.join(" "),
      ...(types.size > 0 && { content: Object.fromEntries(contents) }),
      ...(codes.length > 0 && { "x-usher-errors": [...codes] }),
    };
    if (answers.length > 0) return response;
    const usual = codes.map((code) => (codeStatuses[code] === status ? code : `${code}-${status}`));
    const name = [...(isOauth ? ["oauth"] : []), ...usual, ...(isPage ? ["page"] : [])].join(".");
    responses[name] = response;
    return component("responses", name);
  }
}

function errorSchema(): Json {
  return {
    type: "object",
    description: "Why a request is refused. The code is stable, the text is not.",
    required: ["error", "error_description"],
    properties: {
      error: { type: "string", enum: Object.keys(codeStatuses).sort() },
      error_description: { type: "string" },
      faults: {
        type: "array",
        description: "Of `bad_request`, where members of a body or a query are wrong: which, and why; at most 20.",
        items: {
          type: "object",
          required: ["path", "message"],
          properties: { path: { type: "string" }, message: { type: "string" } },
        },
      },
      reason: {
        type: "string",
        description: "Of `admission_ended`: how it has ended. Of `entry_voided`: why, as the organiser says.",
      },
      reference: { type: "string", description: "Of `entry_voided`: by which to ask the organiser about it." },
      sign_in: { type: "string", description: "Of `sign_in_required`: what to open in a browser." },
      enter: { type: "string", description: "Of `admission_required`: where to get one." },
      opens_at: { type: ["string", "null"], format: "date-time", description: "Of `not_open` and `invitation_early`." },
      check: {
        type: "object",
        description:
          "Of `check_required`: what is to be done first. `challenge` is Altcha's, version 2; `provider` and `site_key` are of a challenge. `session` comes with `challenge`, and goes with its proof, so that it counts after a change of network.",
        properties: {
          type: { enum: ["proof_of_work", "challenge"] },
          challenge: { type: "object" },
          provider: { type: "string" },
          site_key: { type: "string" },
          session: { type: "string" },
        },
        required: ["type"],
      },
      dpop_nonce: {
        type: "string",
        description: "Of `device_required`: to be signed; an app finds it in the header `DPoP-Nonce`, too.",
      },
      redirect: { type: "string", description: "Of `not_open` and `room_ended`: where the organiser sends visitors." },
      would: {
        type: "string",
        description: "Of `confirmation_required` and `approval_required`: what the request would do.",
      },
      takes_two: {
        type: "boolean",
        description: "Of `confirmation_required`: whether the confirmed request then waits for a second person.",
      },
      approval: { type: "string", description: "Of `approval_required`: the id of what waits for a second person." },
      confirm: {
        type: "string",
        description: "Of `confirmation_required`: for the header `Confirm` of the next request.",
      },
      expires_at: {
        type: "string",
        format: "date-time",
        description: "Of a link that stays valid, of `confirm` and of `approval`.",
      },
    },
  };
}

const oauthErrorSchema: Json = {
  type: "object",
  description: "RFC 6749, sections 4.1.2.1 and 5.2.",
  required: ["error"],
  properties: {
    error: { type: "string" },
    error_description: { type: "string" },
    scope: { type: "string" },
    state: { type: "string" },
    iss: { type: "string" },
  },
};

/** A choice of one is no choice, what may be null says so in one word, and that whole numbers are exact goes without saying. */
function tidied<T>(value: T): T {
  if (Array.isArray(value)) return value.map(tidied) as T;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => Math.abs(member) !== Number.MAX_SAFE_INTEGER);
  const json = Object.fromEntries(members.map(([key, member]) => [key, tidied(member)])) as Json;
  const { anyOf, ...others } = json;
  const [first, second] = Array.isArray(anyOf) ? anyOf : [];
  if (first === undefined) return json as T;
  if (second === undefined) return { ...others, ...first } as T;
  const isPlain = typeof first.type === "string" && first.enum === undefined && first.const === undefined;
  if (anyOf?.length !== 2 || second.type !== "null" || !isPlain) return json as T;
  return { ...others, ...first, type: [first.type as string, "null"] } as T;
}
