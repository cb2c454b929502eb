/**
 * The admin API is a table of routes. Each says in data who may use it, what it takes and what it answers with, from which its
 * description (OpenAPI) follows, and all are carried out by the same steps: the key, its role and rooms, the names in the query,
 * the subject, the values of the query, the body, the answer.
 */
import { Readable } from "node:stream";
import type Router from "@koa/router";
import type { Context } from "koa";
import type { z } from "zod";
import { type Role, unknownWord } from "../../config/index.ts";
import { type ErrorCode, StoreUnavailableError, UsherError } from "../../lib/errors.ts";
import type { DeepReadonly } from "../../lib/json.ts";
import { readJson } from "../../web/middleware/read-body.ts";
import { createRouter } from "../../web/middleware/router.ts";
import type { AuditLog } from "../audit/index.ts";
import type { Principal, PrincipalCheck } from "./access/principal.ts";
import type { PrincipalBounds } from "./access/principal-bounds.ts";
import type { RequestNotes } from "./audit/request-notes.ts";
import { audited } from "./audit/write-rows.ts";
import { badRequest, object, validate } from "./bodies.ts";

const noQuery = object({});

/** Unknown parameters that an error names, and the characters of a name: to look for what was meant takes time. */
const namedMax = 5;
const nameLengthMax = 64;

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What routes are grouped by in the description. */
export type AdminTag =
  | "Rooms"
  | "Line"
  | "Admissions"
  | "Visitors"
  | "Statistics"
  | "Clients"
  | "Keys"
  | "Admin keys"
  | "People"
  | "Events"
  | "Audit"
  | "Health"
  | "Backup"
  | "Incidents"
  | "Themes";

/**
 * What a principal for some rooms gets at a route: `room`, only where the path names one of these; `own`, what is of these rooms,
 * which the route itself sees to; `all`, nothing.
 */
export type Reach = "room" | "own" | "all";

/** Who may use a route, what it takes, and what it answers with. */
export interface RouteTerms<Query = unknown, Body = unknown, Answer = unknown> {
  /** One sentence, in plain text. */
  readonly summary: string;
  readonly tag: AdminTag;
  /** The least that is needed. */
  readonly role: Role;
  /** What is needed for this body, where that may be more. */
  roleFor?(body: Body): Role;
  /** Default: `room` where the path has one, else `all`. */
  readonly reach?: Reach;
  /** What it answers, exactly: the handler's type is compared with it, and tests compare each answer. */
  readonly answers: z.ZodType<Answer>;
  /** Why it may refuse, beside what any route may that takes the same; see `usualErrors` in the description. */
  readonly errors?: readonly ErrorCode[];
  /** The parameters of the query. Another one is refused: a misspelt one would have no effect without any sign of it. */
  readonly query?: z.ZodObject & z.ZodType<Query>;
  /** Without one, the body is not read. */
  readonly body?: z.ZodType<Body>;
  /** What a body may be, where it is checked only when it is known what it is about. */
  readonly describedBody?: z.ZodType;
  /** Bytes; see `readJson`. */
  readonly bodyMax?: number;
  /** Whether an `Idempotency-Key` makes it safe to repeat. */
  readonly isRepeatable?: true;
  /** Default: 200. */
  readonly status?: 201 | 204;
  /** Default: JSON. */
  readonly type?: string;
  /** What each event of a stream has as its data, for the description. */
  readonly eventData?: z.ZodType;
  /** The same answer as CSV, for clients that want that: by `format=csv`, which the query declares, or by `Accept`. */
  csv?(answer: Answer): string;
}

export interface AdminRequest<Subject, Query, Body> {
  readonly ctx: Context;
  readonly principal: Principal;
  /** What the route is about: a room, say. */
  readonly subject: Subject;
  readonly query: Query;
  readonly body: Body;
  /** By which a repeated request is known; null where the caller sent none. */
  readonly requestId: string | null;
  /** For its row in the audit. */
  readonly notes: RequestNotes;
}

export interface AdminRoute extends RouteTerms {
  readonly method: Method;
  /** Below `/admin`. */
  readonly path: string;
  readonly reach: Reach;
  /** Answers a value, which is sent as JSON, or a stream or bytes, which are sent as they are. @param body in place of that of the request */
  readonly answer: (ctx: Context, principal: Principal, notes: RequestNotes, body?: unknown) => Promise<unknown>;
}

/**
 * Makes routes about one kind of subject.
 *
 * @param find finds the subject of a request, and throws where the principal is not for it
 */
export function routesAbout<Subject>(prefix: string, find: (ctx: Context, principal: Principal) => Subject) {
  return <Answer, Query = unknown, Body = undefined>(
    method: Method,
    path: string,
    terms: RouteTerms<Query, Body, Answer>,
    answer: (
      request: AdminRequest<Awaited<Subject>, Query, Body>,
    ) => DeepReadonly<NoInfer<Answer>> | Promise<DeepReadonly<NoInfer<Answer>>>,
  ): AdminRoute => ({
    ...terms,
    method,
    path: `${prefix}${path}`,
    reach: terms.reach ?? (`${prefix}${path}/`.includes("/:room/") ? "room" : "all"),
    async answer(ctx, principal, notes, supplied) {
      const subject = await find(ctx, principal);
      const query = validate(terms.query ?? noQuery, ctx.query) as Query;
      const body = (terms.body && validate(terms.body, supplied ?? (await readJson(ctx, terms.bodyMax)))) as Body;
      if (terms.roleFor !== undefined) principal.requireRole(terms.roleFor(body));
      const requestId = terms.isRepeatable ? requestIdOf(ctx, principal) : null;
      return answer({ ctx, principal, subject, query, body, requestId, notes });
    },
  });
}

export type RoutesAbout<Subject> = ReturnType<typeof routesAbout<Subject>>;

/** The only way to a handler, which is reached by a principal alone that has the route's role, for its rooms. */
export function createAdminRouter(
  check: PrincipalCheck,
  routes: readonly AdminRoute[],
  { audit, bounds }: { readonly audit: Pick<AuditLog, "record">; readonly bounds: PrincipalBounds },
): Pick<Router, "routes"> {
  const router = createRouter("/admin");
  for (const route of routes) {
    const { method, path, query = noQuery, status = 200, type = "json", csv, answer } = route;
    const carryOut = async (ctx: Context, principal: Principal, notes: RequestNotes) => {
      ctx.set("Cache-Control", "no-store");
      requireGrant(principal, route, ctx.params);
      if (ctx.get("Idempotency-Key") !== "") bounds.take(principal, "request with an Idempotency-Key");
      refuseUnknownQuery(ctx, Object.keys(query.shape));
      const answered = await answer(ctx, principal, notes);
      ctx.status = status;
      if (status === 204) return;
      if (csv !== undefined && wantsCsv(ctx)) {
        ctx.type = "text/csv";
        ctx.body = csv(answered);
        return;
      }
      ctx.type = type;
      const isWritten = answered instanceof Readable || Buffer.isBuffer(answered);
      // A terminal shows its prompt on the line after it.
      ctx.body = isWritten ? answered : `${JSON.stringify(answered)}\n`;
    };
    router.register(path, [method], (ctx) =>
      audited(audit, ctx, route, async (notes, knowPrincipal) => {
        const principal = await check(ctx, knowPrincipal);
        return carryOut(ctx, principal, notes).catch(exposeReason);
      }),
    );
  }
  return router;
}

/** An operator can mend what keeps the store away; visitors learn only that it is. */
function exposeReason(error: unknown): never {
  if (!(error instanceof StoreUnavailableError)) throw error;
  const { message, retryAfterSec, cause, reason } = error;
  throw new UsherError(error.code, `${message} (${reason})`, {
    cause,
    reason,
    ...(retryAfterSec !== undefined && { retryAfterSec }),
  });
}

/** A client that accepts both gets JSON. */
function wantsCsv(ctx: Context): boolean {
  const { format } = ctx.query;
  return format === undefined ? ctx.accepts("json", "text/csv") === "text/csv" : format === "csv";
}

/** @throws UsherError `forbidden` for one that may not use the route, or not for this room */
export function requireGrant(
  principal: Principal,
  { role, reach }: Pick<AdminRoute, "role" | "reach">,
  { room }: Readonly<Record<string, string | undefined>>,
): void {
  principal.requireRole(role);
  if (reach === "all") principal.requireAllRooms();
  if (reach === "room") principal.requireRooms([String(room)]);
}

/** @throws UsherError `bad_request` that names parameters that are not taken */
function refuseUnknownQuery(ctx: Context, taken: readonly string[]): void {
  const unknown = Object.keys(ctx.query).filter((name) => !taken.includes(name));
  if (unknown.length === 0) return;
  const whyNot = (name: string) =>
    taken.length === 0
      ? "unknown query parameter; this request takes none"
      : unknownWord("query parameter", name, taken);
  throw badRequest(
    unknown.slice(0, namedMax).map((name) => ({ path: [name.slice(0, nameLengthMax)], message: whyNot(name) })),
  );
}

/** @throws UsherError `bad_request` */
function requestIdOf(ctx: Context, { kind, id }: Principal): string | null {
  const header = ctx.get("Idempotency-Key");
  if (header === "") return null;
  if (/^[\x21-\x7e]{1,128}$/.test(header)) return `${kind} ${id} ${header}`;
  throw badRequest([{ path: ["Idempotency-Key"], message: "1 to 128 visible ASCII characters" }]);
}
