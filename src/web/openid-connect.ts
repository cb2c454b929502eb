/** The endpoints of OpenID Connect: which there are, what is said of them, and how oidc-provider gets their requests. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, Middleware } from "koa";
import { z } from "zod";
import { type DescribedRoute, type Refusal, type RouteDescription, seeOtherAnswer } from "../lib/described-route.ts";
import { type OidcProvider, redirectPostToGet } from "../oidc/index.ts";
import { answerHeadersOf, robotsTag } from "./middleware/answer-headers.ts";
import { readForm } from "./middleware/read-body.ts";
import { methodNotAllowed } from "./middleware/router.ts";
import { aPage, gateErrors, waitingPage } from "./visitor/answers.ts";

const text = z.string();
const ofForm: readonly Refusal[] = ["body_too_large", "unsupported_media_type"];
const oauthErrors = [400, 401, 403, 429, 500, 503];

const authorizationRequest = z.looseObject({
  client_id: text,
  response_type: text.optional(),
  redirect_uri: text.optional(),
  scope: text.optional(),
  state: text.optional(),
  nonce: text.optional(),
  room: text.optional(),
  target_link_uri: text.optional(),
  ui_locales: text.optional(),
  theme: text.optional(),
});
const logoutRequest = z.looseObject({
  id_token_hint: text.optional(),
  client_id: text.optional(),
  post_logout_redirect_uri: text.optional(),
  state: text.optional(),
});
const claims = z
  .looseObject({
    sub: text,
    room: text.optional(),
    queue_position: z.int().nullable().optional(),
    admitted_via: text.optional(),
    admitted_at: z.number().optional(),
  })
  .meta({ id: "UserInfo" });

interface Endpoint {
  /** As the header `Allow` has them. */
  readonly methods: string;
  readonly routes: Partial<Record<"GET" | "POST", RouteDescription>>;
}

const discovery = (specification: string): Endpoint => ({
  methods: "GET, HEAD, OPTIONS",
  routes: {
    GET: {
      summary: `Shows the provider's metadata (${specification}).`,
      answers: [{ status: 200, schema: z.looseObject({ issuer: text }), description: "Metadata." }],
    },
  },
});
const userInfo: RouteDescription = {
  summary: "Tells the claims of the visitor of an access token.",
  answers: [{ status: 200, schema: claims, description: "The claims." }],
  oauthErrors,
  security: "accessToken",
};
/** A request of a client, which shows who it is. */
const ofClient = (description: Omit<RouteDescription, "oauthErrors" | "security">): Endpoint => ({
  methods: "POST, OPTIONS",
  routes: { POST: { ...description, oauthErrors, security: "client" } },
});

/**
 * Paths that oidc-provider answers, whose requests and answers its specifications define. Its own router takes other spellings of them,
 * too, so it gets none.
 */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  ["/.well-known/openid-configuration", discovery("OpenID Connect Discovery 1.0")],
  ["/.well-known/oauth-authorization-server", discovery("RFC 8414")],
  [
    "/.well-known/jwks.json",
    {
      methods: "GET, HEAD, OPTIONS",
      routes: {
        GET: {
          summary: "Shows the public keys that tokens are verified with.",
          answers: [
            {
              status: 200,
              schema: z.object({ keys: z.array(z.looseObject({ kty: text })) }),
              schemaType: "application/jwk-set+json",
              description: "A JWK Set.",
            },
          ],
        },
      },
    },
  ],
  [
    "/authorize",
    {
      methods: "GET",
      routes: {
        GET: {
          summary: "Shows the waiting page, or answers the authorization request once it is the visitor's turn.",
          query: authorizationRequest,
          answers: [
            ...waitingPage,
            { ...seeOtherAnswer, description: "To the client's `redirect_uri`, or to where it starts a login." },
          ],
          errors: gateErrors,
          oauthErrors,
        },
        POST: {
          summary: "Leads to the same request by GET.",
          form: authorizationRequest,
          answers: [seeOtherAnswer],
        },
      },
    },
  ],
  [
    "/token",
    ofClient({
      summary: "Exchanges an authorization code or a refresh token for tokens.",
      form: z.looseObject({ grant_type: text }),
      answers: [
        {
          status: 200,
          schema: z.looseObject({
            access_token: text,
            token_type: text,
            expires_in: z.int(),
            id_token: text.optional(),
          }),
          description: "The tokens.",
        },
      ],
    }),
  ],
  [
    "/par",
    ofClient({
      summary: "Takes a pushed authorization request (RFC 9126).",
      form: authorizationRequest.partial(),
      answers: [
        { status: 201, schema: z.looseObject({ request_uri: text, expires_in: z.int() }), description: "Its name." },
      ],
    }),
  ],
  [
    "/introspect",
    ofClient({
      summary: "Tells whether a token is good (RFC 7662).",
      form: z.looseObject({ token: text }),
      answers: [
        { status: 200, schema: z.looseObject({ active: z.boolean() }), description: "Whether, and whose it is." },
      ],
    }),
  ],
  [
    "/revoke",
    ofClient({
      summary: "Ends a token (RFC 7009).",
      form: z.looseObject({ token: text }),
      answers: [{ status: 200, description: "Done." }],
    }),
  ],
  ["/userinfo", { methods: "GET, POST, OPTIONS", routes: { GET: userInfo, POST: { ...userInfo, errors: ofForm } } }],
  [
    "/logout",
    {
      methods: "GET, POST",
      routes: {
        GET: {
          summary: "Ends the visit (OpenID Connect RP-Initiated Logout 1.0), or asks whether to.",
          query: logoutRequest,
          answers: [aPage, seeOtherAnswer],
          oauthErrors,
        },
        POST: { summary: "Leads to the same request by GET.", form: logoutRequest, answers: [seeOtherAnswer] },
      },
    },
  ],
  [
    "/logout/confirm",
    {
      methods: "POST",
      routes: {
        POST: {
          summary: "Ends the visit, by the button of the page.",
          form: z.object({ xsrf: text, logout: text.optional() }),
          answers: [seeOtherAnswer],
          oauthErrors,
        },
      },
    },
  ],
  [
    "/logout/success",
    {
      methods: "GET",
      routes: { GET: { summary: "Says that the visitor is logged out.", answers: [aPage], oauthErrors } },
    },
  ],
]);

/** All of them, and the spelling that `wellKnown` takes as well. */
export function describedEndpoints(): DescribedRoute[] {
  const all: [string, Endpoint["routes"]][] = [...endpoints].map(([path, { routes }]) => [path, routes]);
  return [...all, ["/userInfo", { GET: userInfo }] as const].flatMap(([path, routes]) =>
    Object.entries(routes).map(([method, route]) => ({ tag: "OpenID Connect" as const, method, path, ...route })),
  );
}

const authorizationPostToGet = redirectPostToGet("/authorize", readForm);
/** What of the authorization endpoint is answered otherwise than by `createAuthorize`. */
export const authorizationByPost: Middleware = (ctx, next) => {
  if (ctx.path !== "/authorize") return next();
  if (ctx.method === "POST") return authorizationPostToGet(ctx, next);
  throw methodNotAllowed(ctx, "GET, HEAD, POST");
};

const logoutPostToGet = redirectPostToGet("/logout", readForm);
/** Logout by POST comes without the SameSite=Lax cookies that name the visitor. */
export const logoutByGet: Middleware = (ctx, next) =>
  ctx.method === "POST" && ctx.path === "/logout" ? logoutPostToGet(ctx, next) : next();

/** Discovery and keys change rarely, and relying parties ask for them often. */
export const wellKnown: Middleware = async (ctx, next) => {
  if (ctx.path.startsWith("/.well-known/")) ctx.res.setHeader("Cache-Control", "public, max-age=3600");
  // Amazon Cognito and others spell it so.
  if (ctx.path === "/userInfo") ctx.req.url = (ctx.req.url ?? "").replace("/userInfo", "/userinfo");
  return next();
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
export function createProviderMount(provider: OidcProvider, issuer: string): (ctx: Context) => Promise<void> {
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

export function openIdConnect(askProvider: (ctx: Context) => Promise<void>): Middleware {
  return async (ctx, next) => {
    const methods = endpoints.get(ctx.path)?.methods;
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
