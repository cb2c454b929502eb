/**
 * The admin API is a table of routes. Each says in data what it takes and what it answers with, from which its description
 * (OpenAPI) follows, and all are carried out by the same steps: the key, the names in the query, the rights, the subject (which may refuse the key), the values of the query, the
 * body, the answer.
 */
import { Readable } from "node:stream";
import type Router from "@koa/router";
import type { Context } from "koa";
import type { z } from "zod";
import { unknownWord } from "../../config/index.ts";
import type { ErrorCode } from "../../lib/errors.ts";
import { readJson } from "../middleware/read-body.ts";
import { createRouter } from "../middleware/router.ts";
import { badRequest, object, validate } from "./bodies.ts";
import type { KeyCheck, VerifiedKey } from "./verified-key.ts";

const noQuery = object({});

/** Unknown parameters that an error names, and the characters of a name: to look for what was meant takes time. */
const namedMax = 5;
const nameLengthMax = 64;

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What routes are grouped by in the description. */
export type AdminTag = "Rooms" | "Line" | "Admissions" | "Clients" | "Keys";

/** What a handler may answer: what JSON makes of it is the same whether it may be changed or not. */
type Told<T> = T extends object ? { readonly [Name in keyof T]: Told<T[Name]> } : T;

/** What a route takes, and what it answers with. */
export interface RouteTerms<Query = unknown, Body = unknown, Answer = unknown> {
  /** One sentence, in plain text. */
  readonly summary: string;
  readonly tag: AdminTag;
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
  /** What takes a key with all rights; a key for some rooms is refused. Default: nothing. */
  readonly allRights?: string;
  /** Default: 200. */
  readonly status?: 201 | 204;
  /** Default: JSON. */
  readonly type?: string;
}

export interface AdminRequest<Subject, Query, Body> {
  readonly ctx: Context;
  readonly key: VerifiedKey;
  /** What the route is about: a room, say. */
  readonly subject: Subject;
  readonly query: Query;
  readonly body: Body;
  /** By which a repeated request is known; null where the caller sent none. */
  readonly requestId: string | null;
}

export interface AdminRoute extends RouteTerms {
  readonly method: Method;
  /** Below `/admin`. */
  readonly path: string;
  /** Answers a value, which is sent as JSON, or a stream. */
  readonly answer: (ctx: Context, key: VerifiedKey) => Promise<unknown>;
}

/**
 * Makes routes about one kind of subject.
 *
 * @param find finds the subject of a request, and throws where the key is not for it
 */
export function routesAbout<Subject>(prefix: string, find: (ctx: Context, key: VerifiedKey) => Subject) {
  return <Answer, Query = unknown, Body = undefined>(
    method: Method,
    path: string,
    terms: RouteTerms<Query, Body, Answer>,
    answer: (
      request: AdminRequest<Awaited<Subject>, Query, Body>,
    ) => Told<NoInfer<Answer>> | Promise<Told<NoInfer<Answer>>>,
  ): AdminRoute => ({
    ...terms,
    method,
    path: `${prefix}${path}`,
    async answer(ctx, key) {
      if (terms.allRights !== undefined) key.requireAllRights(terms.allRights);
      const subject = await find(ctx, key);
      const query = validate(terms.query ?? noQuery, ctx.query) as Query;
      const body = (terms.body && validate(terms.body, await readJson(ctx, terms.bodyMax))) as Body;
      const requestId = terms.isRepeatable ? requestIdOf(ctx, key) : null;
      return answer({ ctx, key, subject, query, body, requestId });
    },
  });
}

export type RoutesAbout<Subject> = ReturnType<typeof routesAbout<Subject>>;

/** The only way to a handler, which is reached with a verified key alone. */
export function createAdminRouter(check: KeyCheck, routes: readonly AdminRoute[]): Pick<Router, "routes"> {
  const router = createRouter("/admin");
  for (const { method, path, query = noQuery, status = 200, type = "json", answer } of routes) {
    router.register(path, [method], async (ctx) => {
      const key = check(ctx);
      ctx.set("Cache-Control", "no-store");
      refuseUnknownQuery(ctx, Object.keys(query.shape));
      const answered = await answer(ctx, key);
      ctx.status = status;
      if (status === 204) return;
      ctx.type = type;
      // A terminal shows its prompt on the line after it.
      ctx.body = answered instanceof Readable ? answered : `${JSON.stringify(answered)}\n`;
    });
  }
  return router;
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
function requestIdOf(ctx: Context, { id }: VerifiedKey): string | null {
  const given = ctx.get("Idempotency-Key");
  if (given === "") return null;
  if (/^[\x21-\x7e]{1,128}$/.test(given)) return `${id}:${given}`;
  throw badRequest([{ path: ["Idempotency-Key"], message: "1 to 128 visible ASCII characters" }]);
}
