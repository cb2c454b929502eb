import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Context } from "koa";
import { z } from "zod";
import type { Clock } from "../../lib/clock-and-random.ts";
import { html, notModified } from "../../lib/described-route.ts";
import { acceptsGzip } from "../../lib/request.ts";
import { strictTransportOf } from "../../web/middleware/answer-headers.ts";
import { allowAnyOrigin } from "../../web/middleware/cross-origin.ts";
import { createRouteTable, type RouteTable } from "../../web/middleware/router.ts";
import type { Pages, StaticPage, Theme } from "../../web/pages/index.ts";
import { type StatusParts, statusFacts, statusPageAnswer } from "./facts.ts";
import { pageVariables } from "./page.ts";

export interface StatusPageOptions extends StatusParts {
  readonly issuer: string;
  readonly pages: Pick<Pages, "withoutScript" | "languages">;
  readonly status: StatusParts["status"] & {
    readonly theme: Theme | undefined;
    /** Tag of the language that all rooms have in common; undefined for none. */
    readonly language: () => string | undefined;
  };
  /** The store's. */
  readonly clock: Clock;
}

interface CachedAnswer extends Pick<StaticPage, "plain" | "gzip" | "etag"> {
  readonly headers: Readonly<Record<string, string>>;
}

/** So often at most what is known is looked at. */
const reuseMs = 1_000;
/** Caches go on showing what they have for a day while this installation cannot be reached (RFC 5861). */
const cacheControl = "public, max-age=10, s-maxage=10, stale-while-revalidate=30, stale-if-error=86400";

/** The public status page, where the issuer has one: `GET /status` for people, and `GET /status.json` for programs. No cookie is read or set. */
export function statusPageRoutes(options: StatusPageOptions): RouteTable {
  const { issuer, pages, status, clock } = options;
  const table = createRouteTable();
  if (!status.enabled) return table;
  const common = {
    "Cache-Control": cacheControl,
    "X-Content-Type-Options": "nosniff",
    Vary: "Accept-Encoding",
    ...strictTransportOf(issuer),
  };
  const ofPages = {
    ...common,
    "Content-Type": "text/html; charset=utf-8",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
  };
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let text = "";
  /** By language, and the JSON by `json`. */
  let answers = new Map<string, () => CachedAnswer>();

  /** Those of what is known now. */
  function current(): typeof answers {
    const nowMs = Math.floor(clock.now());
    if (Math.abs(nowMs - lookedAtMs) < reuseMs) return answers;
    lookedAtMs = nowMs;
    const { view, json } = statusFacts(options, nowMs);
    const next = JSON.stringify([view, json]);
    if (next === text) return answers;
    text = next;
    const pageIn = (chosen: string | undefined) => () => {
      const usual = status.language();
      const wishes = { chosen: chosen ?? usual, language: undefined };
      const page = pages.withoutScript("status-page", status.theme, wishes, (locale) => pageVariables(view, locale));
      const { contentSecurityPolicy: policy, language } = page;
      return { ...page, headers: { ...ofPages, "Content-Security-Policy": policy, "Content-Language": language } };
    };
    answers = new Map([
      ["json", once(() => keepJson(json, common))],
      ["page", once(pageIn(undefined))],
      ...pages.languages.map((tag) => [`page ${tag}`, once(pageIn(tag))] as const),
    ]);
    return answers;
  }

  table.addForScripts(
    "GET",
    "/status.json",
    () => ({
      summary: "Tells what the status page shows, for programs of any site.",
      answers: [{ status: 200, schema: statusPageAnswer, description: "Nothing personal." }, notModified],
      errors: ["not_found"],
    }),
    allowAnyOrigin,
    (ctx) => answer(ctx, current().get("json")),
  );
  table.add(
    "Pages",
    "GET",
    "/status",
    () => ({
      summary: "The status page: how the rooms are, and incidents.",
      query: z.object({ language: z.string().optional() }),
      answers: [{ status: 200, types: html, description: "A page, the same for all." }, notModified],
      errors: ["not_found"],
    }),
    (ctx) => {
      const { language } = ctx.query;
      const all = current();
      answer(ctx, all.get(`page ${language}`) ?? all.get("page"));
    },
  );
  return table;
}

function answer(ctx: Context, make: (() => CachedAnswer) | undefined): void {
  if (make === undefined) throw new TypeError("there is always a page");
  const { headers, etag, plain, gzip } = make();
  ctx.set(headers);
  ctx.set("ETag", etag);
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const isShort = acceptsGzip(ctx.headers);
  if (isShort) ctx.set("Content-Encoding", "gzip");
  ctx.body = isShort ? gzip : plain;
}

function keepJson(json: object, common: Readonly<Record<string, string>>): CachedAnswer {
  const plain = Buffer.from(`${JSON.stringify(json)}\n`);
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  const headers = { ...common, "Content-Type": "application/json; charset=utf-8" };
  return { plain, gzip: gzipSync(plain), etag: `W/"${hash}"`, headers };
}

/** Made when it is asked for first. */
function once<T>(make: () => T): () => T {
  let computed: { readonly value: T } | undefined;
  return () => {
    computed ??= { value: make() };
    return computed.value;
  };
}
