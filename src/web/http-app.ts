import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Context, Middleware } from "koa";
import { type OidcProvider, redirectPostToGet } from "../oidc/index.ts";
import { createAuthorize, type GateAnswer, isAuthorize } from "./authorize.ts";
import { createVerify } from "./forward-auth/verify.ts";
import { type AppParts, createAround, createKoa } from "./koa-app.ts";
import { answerHeadersOf, robotsTag, tellRobots } from "./middleware/answer-headers.ts";
import { createOriginForm, isRefused, refuseForeignTargets } from "./middleware/incoming.ts";
import { readForm } from "./middleware/read-body.ts";
import { createRouter, healthRoutes, methodNotAllowed, nothingHere } from "./middleware/router.ts";
import { languageChoice } from "./visitor/pages/language-choice.ts";
import { createAssets } from "./visitor/pages/send-file.ts";
import type { VisitorParts } from "./visitor/parts.ts";
import { publicRoutes } from "./visitor/routes.ts";
import { answerSiteTag, type SiteTag } from "./visitor/site-tag.ts";
import { createStatusAnswer } from "./visitor/status.ts";
import { type StatusPageOptions, statusPageRoutes } from "./visitor/status-page/routes.ts";
import { createPlaceAnswer } from "./visitor/tickets.ts";

export interface HttpAppOptions extends VisitorParts, AppParts {
  readonly gate: (ctx: Context) => Promise<GateAnswer>;
  readonly provider: OidcProvider;
  /** Tags of those that visitors may choose. */
  readonly languages: readonly string[];
  readonly siteTag: SiteTag;
  readonly pages: StatusPageOptions["pages"];
  readonly incidents: StatusPageOptions["incidents"];
  readonly status: StatusPageOptions["status"];
}

/** The way of every request to one issuer, from top to bottom. */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const { issuer, rooms, responder, metrics, gate } = options;
  const around = createAround(options, issuer, responder);
  const app = createKoa(around, issuer);
  app.use(refuseForeignTargets(issuer));
  app.use(createVerify(options));
  // Behind the proxies' questions: a header of theirs may end up at a site that wants to be found.
  app.use(tellRobots);
  app.use(authorizationByPost);
  app.use(logoutByGet);
  app.use(wellKnown);
  const own = createRouter();
  // Explains to a person who opens the issuer's root where to start.
  own.get("/", (ctx) => responder.page(ctx, 200, { code: "front_door" }));
  own.get("/usher.js", answerSiteTag(options.siteTag));
  own.get("/assets/:file", createAssets(responder));
  own.post("/language", languageChoice(options));
  for (const router of [own, statusPageRoutes(options), publicRoutes(options), healthRoutes()])
    app.use(router.routes());
  for (const routes of options.operators) app.use(routes);
  const askProvider = createProviderMount(options.provider, issuer);
  app.use(openIdConnect(askProvider));
  app.use(nothingHere);
  const callback = app.callback();
  const handle: RequestListener = (request, response) => void callback(request, response);
  const answerStatus = createStatusAnswer(rooms, issuer);
  const answerPlace = createPlaceAnswer(options);
  const authorize = createAuthorize({ ...around, gate, provider: askProvider });
  const tellPlace: typeof answerPlace = (request, response) => {
    const sinceMs = performance.now();
    if (!answerPlace(request, response)) return false;
    metrics.observeRequest("rooms", "GET", 200, (performance.now() - sinceMs) / 1e3);
    return true;
  };
  const originForm = createOriginForm(issuer);
  return (request, response) => {
    request.url = originForm(request.url ?? "");
    if (isRefused(request)) handle(request, response);
    else if (answerStatus(request, response)) metrics.countStatus();
    else if (isAuthorize(request)) authorize(request, response);
    else if (!tellPlace(request, response)) handle(request, response);
  };
}

const authorizationPostToGet = redirectPostToGet("/authorize", readForm);
/** What of the authorization endpoint is answered otherwise than by `createAuthorize`. */
const authorizationByPost: Middleware = (ctx, next) => {
  if (ctx.path !== "/authorize") return next();
  if (ctx.method === "POST") return authorizationPostToGet(ctx, next);
  throw methodNotAllowed(ctx, "GET, HEAD, POST");
};

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
  "X-Frame-Options": "DENY",
};

/** Has oidc-provider answer. It writes the response itself, beside the cookies that the gate has set. */
function createProviderMount(provider: OidcProvider, issuer: string): (ctx: Context) => Promise<void> {
  const pageHeaders = { ...answerHeadersOf(issuer), ...foreignPageHeaders };
  return async (ctx) => {
    const { path } = ctx;
    ctx.respond = false;
    ctx.set("X-Request-Id", String(ctx.state.requestId));
    if (path.startsWith("/authorize") || path.startsWith("/logout")) ctx.set(pageHeaders);
    if (path !== "/authorize") ctx.set(...robotsTag);
    if (ctx.method === "POST") drainWhenAnswered(ctx.req, ctx.res);
    await provider.handle(ctx.req, ctx.res, ctx.state.clientAddress);
  };
}

function openIdConnect(askProvider: (ctx: Context) => Promise<void>): Middleware {
  return async (ctx, next) => {
    const methods = Object.hasOwn(oidcMethods, ctx.path) ? oidcMethods[ctx.path] : undefined;
    if (methods === undefined) return next();
    if (!methods.includes(ctx.method) && ctx.method !== "HEAD") throw methodNotAllowed(ctx, methods);
    await askProvider(ctx);
  };
}

/** A body that was refused halfway would block the next request on the same connection. */
function drainWhenAnswered(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (!request.complete) request.resume();
  });
}
