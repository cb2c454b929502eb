import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import Koa, { type Middleware } from "koa";
import type { Clock } from "../lib/clock.ts";
import { derived } from "../lib/derived.ts";
import type { Logger } from "../lib/logger.ts";
import type { Random } from "../lib/random.ts";
import { type OidcProvider, redirectPostToGet, type VisitorCookies } from "../oidc/index.ts";
import type { RoomDirectory } from "../registry/index.ts";
import type { WaitingRooms } from "../room/index.ts";
import { createExemptPaths } from "./forward-auth/exempt-paths.ts";
import { createVerify } from "./forward-auth/verify.ts";
import { isRefused, refuseUnboundedTargets } from "./middleware/bounded-targets.ts";
import { renderErrors } from "./middleware/errors.ts";
import { methodNotAllowed, nothingHere } from "./middleware/nothing-here.ts";
import {
  createAskedByProxy,
  createClientAddress,
  createOriginForm,
  pinOrigin,
  refuseForeignTargets,
} from "./middleware/origin.ts";
import { readForm } from "./middleware/read-body.ts";
import { nameRequests } from "./middleware/request-id.ts";
import { robotsTag, tellRobots } from "./middleware/robots.ts";
import type { Routes } from "./middleware/router.ts";
import type { Metrics } from "./ops/metrics.ts";
import { observeRequests } from "./ops/observe.ts";
import { healthRoutes } from "./ops/routes.ts";
import type { BypassServiceOf } from "./visitor/bypass-service.ts";
import { languageChoice } from "./visitor/language-choice.ts";
import type { PageResponder } from "./visitor/page-responder.ts";
import { type PublicRoutesOptions, publicRoutes } from "./visitor/routes.ts";
import { answerStatus } from "./visitor/status.ts";
import { createTargets } from "./visitor/targets.ts";

export interface HttpAppOptions {
  readonly issuer: string;
  readonly trustedProxies: readonly string[];
  /** The issuer's own. */
  readonly rooms: WaitingRooms;
  /** As of `operatorsRoutes`, for every issuer: operators reach all rooms by any. None where they have a listener of their own. */
  readonly operators: readonly Routes[];
  readonly bypassServiceOf: BypassServiceOf;
  readonly sitesOf: PublicRoutesOptions["sitesOf"];
  /** The same, as they are configured. */
  readonly directory: RoomDirectory;
  readonly cookies: VisitorCookies;
  readonly gate: Middleware;
  readonly entry: PublicRoutesOptions["entry"];
  readonly tokens: PublicRoutesOptions["tokens"];
  readonly moveLinks: PublicRoutesOptions["moveLinks"];
  readonly joinAddressOf: PublicRoutesOptions["joinAddressOf"];
  readonly provider: OidcProvider;
  readonly responder: PageResponder;
  /** Tags of those that visitors may choose. */
  readonly languages: readonly string[];
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
}

/** The way of every request to one issuer, from top to bottom. */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const { issuer, rooms, responder, random, logger, metrics } = options;
  const app = new Koa();
  const ways = waysIn(options.directory);
  const visitors = publicRoutes({ ...options, ...ways, pause });
  const isAskedByProxy = createAskedByProxy(options.trustedProxies);

  app.use(pinOrigin(issuer, createClientAddress(options.trustedProxies)));
  app.use(nameRequests(random));
  app.use(observeRequests(metrics, logger));
  app.use(renderErrors(logger, responder));
  app.use(refuseUnboundedTargets);
  app.use(refuseForeignTargets(issuer));
  app.use(createVerify({ ...options, ...ways, isAskedByProxy }));
  // Behind the proxies' questions: a header of theirs may end up at a site that wants to be found.
  app.use(tellRobots);
  app.use(authorizationEndpoint(options.gate));
  app.use(logoutByGet);
  app.use(wellKnown);
  app.use(frontDoor(responder));
  app.use(languageChoice(options));
  for (const routes of [visitors.routes(), ...options.operators, healthRoutes().routes()]) {
    app.use(routes);
  }
  app.use(openIdConnect(options.provider));
  app.use(nothingHere);
  // Whatever still fails is a socket that went away in the middle of an answer.
  app.on("error", (error: unknown) => logger.debug({ event: "response.failed", err: error }, "the client went away"));
  const handle = app.callback();
  const originForm = createOriginForm(issuer);
  return (request, response) => {
    request.url = originForm(request.url ?? "");
    if (!isRefused(request) && answerStatus(rooms, request, response)) metrics.countStatus();
    else void handle(request, response);
  };
}

/** The rooms' settings of the ways in, by room. A room that is not there has the strictest. */
function waysIn(rooms: RoomDirectory) {
  const none = {
    targets: createTargets([]),
    isExempt: createExemptPaths([]),
    validityMs: 0,
    allowedOrigins: new Set<string>(),
  };
  const byRoom = derived(
    () => [rooms.all],
    (all) =>
      new Map(
        all.map(({ id, waysIn: { targets, verify, admissionToken, allowedOrigins } }) => {
          const { validityMs } = admissionToken;
          const isExempt = createExemptPaths(verify.exempt);
          return [
            id,
            { targets: createTargets(targets), isExempt, validityMs, allowedOrigins: new Set(allowedOrigins) },
          ];
        }),
      ),
  );
  const of = (room: string) => byRoom().get(room) ?? none;
  return {
    targetsOf: (room: string) => of(room).targets,
    isExemptIn: (room: string, path: string) => of(room).isExempt(path),
    validityMsOf: (room: string) => of(room).validityMs,
    mayJoinFrom: (room: string, origin: string) => of(room).allowedOrigins.has(origin),
  };
}

/** The gate stands here. Paths are matched letter by letter: oidc-provider gets no other spelling (see `openIdConnect`). */
function authorizationEndpoint(gate: Middleware): Middleware {
  const postToGet = redirectPostToGet("/authorize", readForm);
  return (ctx, next) => {
    if (ctx.path !== "/authorize") return next();
    if (ctx.method === "GET" || ctx.method === "HEAD") return gate(ctx, next);
    if (ctx.method === "POST") return postToGet(ctx, next);
    throw methodNotAllowed(ctx, "GET, HEAD, POST");
  };
}

const logoutPostToGet = redirectPostToGet("/logout", readForm);
/** Logout by POST comes without the SameSite=Lax cookies that name the visitor. */
const logoutByGet: Middleware = (ctx, next) =>
  ctx.method === "POST" && ctx.path === "/logout" ? logoutPostToGet(ctx, next) : next();

/** Discovery and keys change rarely, and relying parties ask for them often. */
const wellKnown: Middleware = async (ctx, next) => {
  if (ctx.path.startsWith("/.well-known/")) ctx.res.setHeader("Cache-Control", "public, max-age=3600");
  // Amazon Cognito and others spell it so.
  if (ctx.path === "/userInfo") ctx.req.url = (ctx.req.url ?? "").replace("/userInfo", "/userinfo");
  return next();
};

/** Explains to a person who opens the issuer's root where to start. */
function frontDoor(responder: PageResponder): Middleware {
  return (ctx, next) => {
    if (ctx.path !== "/") return next();
    if (ctx.method !== "GET" && ctx.method !== "HEAD") throw methodNotAllowed(ctx, "GET, HEAD");
    responder.page(ctx, 200, { code: "front_door" });
    return undefined;
  };
}

/** Paths that oidc-provider answers. Its own router takes other spellings of them, too, so it gets none. */
export const oidcMethods: Readonly<Record<string, string>> = {
  "/authorize": "GET",
  "/token": "POST, OPTIONS",
  "/par": "POST, OPTIONS",
  "/introspect": "POST, OPTIONS",
  "/revoke": "POST, OPTIONS",
  "/userinfo": "GET, POST, OPTIONS",
  "/logout": "GET, POST",
  "/logout/confirm": "POST",
  "/logout/success": "GET",
  "/.well-known/jwks.json": "GET, HEAD, OPTIONS",
  "/.well-known/openid-configuration": "GET, HEAD, OPTIONS",
  "/.well-known/oauth-authorization-server": "GET, HEAD, OPTIONS",
};

/**
 * For the pages that oidc-provider makes itself (`form_post`). It adds the hash of its script to the policy. Relying
 * parties may look at the Origin of the form that comes from there, so it is sent, but nothing more. Our own pages
 * replace these headers.
 */
const foreignPageHeaders = {
  "Content-Security-Policy": "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "strict-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

function openIdConnect(provider: OidcProvider): Middleware {
  return async (ctx, next) => {
    const { path } = ctx;
    const methods = Object.hasOwn(oidcMethods, path) ? oidcMethods[path] : undefined;
    if (methods === undefined) return next();
    if (!methods.includes(ctx.method) && ctx.method !== "HEAD") throw methodNotAllowed(ctx, methods);
    // It writes the response itself, beside the cookies that the gate has set.
    ctx.respond = false;
    ctx.set("X-Request-Id", String(ctx.state.requestId));
    if (path.startsWith("/authorize") || path.startsWith("/logout")) ctx.set(foreignPageHeaders);
    if (path !== "/authorize") ctx.set(...robotsTag);
    if (ctx.method === "POST") drainWhenAnswered(ctx.req, ctx.res);
    await provider.handle(ctx.req, ctx.res, ctx.state.clientAddress);
  };
}

/** A body that was refused halfway would block the next request on the same connection. */
function drainWhenAnswered(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (!request.complete) request.resume();
  });
}
