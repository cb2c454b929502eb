/** What is described of the endpoints of OpenID Connect, whose requests and answers their specifications define. */
import { z } from "zod";
import { pageAnswer } from "../../../src/web/visitor/answers.ts";
import { gateErrors, waitingPage } from "./public-routes.ts";
import type { DescribedRoute, Refusal } from "./routes.ts";

const text = z.string();
const html = ["text/html"];
const ofRequest: Refusal[] = ["bad_request", ["bad_request", 421], "request_too_long", "internal_error"];
const ofForm: Refusal[] = [...ofRequest, "body_too_large", "unsupported_media_type"];
const oauthErrors = [400, 401, 403, 429, 500, 503];
const page = { status: 200, schema: pageAnswer, types: html, description: "A page." };
const seeOther = { status: 303, description: "Go on at `Location`." };
const userinfo = z
  .looseObject({
    sub: text,
    room: text.optional(),
    queue_position: z.int().nullable().optional(),
    admitted_via: text.optional(),
    admitted_at: z.number().optional(),
  })
  .meta({ id: "UserInfo" });

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

const discovery = (path: string, specification: string): Omit<DescribedRoute, "tag"> => ({
  method: "GET",
  path,
  summary: `Shows the provider's metadata (${specification}).`,
  answers: [{ status: 200, schema: z.looseObject({ issuer: text }), description: "Metadata." }],
  errors: ofRequest,
});

const userInfo = (method: string, path: string): Omit<DescribedRoute, "tag"> => ({
  method,
  path,
  summary: "Tells the claims of the visitor of an access token.",
  answers: [{ status: 200, schema: userinfo, description: "The claims." }],
  errors: method === "GET" ? ofRequest : ofForm,
  oauthErrors,
  security: "accessToken",
});

const routes: readonly Omit<DescribedRoute, "tag">[] = [
  discovery("/.well-known/openid-configuration", "OpenID Connect Discovery 1.0"),
  discovery("/.well-known/oauth-authorization-server", "RFC 8414"),
  {
    method: "GET",
    path: "/.well-known/jwks.json",
    summary: "Shows the public keys that tokens are verified with.",
    answers: [
      {
        status: 200,
        schema: z.object({ keys: z.array(z.looseObject({ kty: text })) }),
        schemaType: "application/jwk-set+json",
        description: "A JWK Set.",
      },
    ],
    errors: ofRequest,
  },
  {
    method: "GET",
    path: "/authorize",
    summary: "Shows the waiting page, or answers the authorization request once it is the visitor's turn.",
    query: authorizationRequest,
    answers: [
      ...waitingPage,
      { ...seeOther, description: "To the client's `redirect_uri`, or to where it starts a login." },
    ],
    errors: gateErrors,
    oauthErrors,
  },
  {
    method: "POST",
    path: "/authorize",
    summary: "Leads to the same request by GET.",
    form: authorizationRequest,
    answers: [seeOther],
    errors: ofForm,
  },
  {
    method: "POST",
    path: "/token",
    summary: "Exchanges an authorization code or a refresh token for tokens.",
    form: z.looseObject({ grant_type: text }),
    answers: [
      {
        status: 200,
        schema: z.looseObject({ access_token: text, token_type: text, expires_in: z.int(), id_token: text.optional() }),
        description: "The tokens.",
      },
    ],
    errors: ofForm,
    oauthErrors,
    security: "client",
  },
  {
    method: "POST",
    path: "/par",
    summary: "Takes a pushed authorization request (RFC 9126).",
    form: authorizationRequest.partial(),
    answers: [
      { status: 201, schema: z.looseObject({ request_uri: text, expires_in: z.int() }), description: "Its name." },
    ],
    errors: ofForm,
    oauthErrors,
    security: "client",
  },
  {
    method: "POST",
    path: "/introspect",
    summary: "Tells whether a token is good (RFC 7662).",
    form: z.looseObject({ token: text }),
    answers: [
      { status: 200, schema: z.looseObject({ active: z.boolean() }), description: "Whether, and whose it is." },
    ],
    errors: ofForm,
    oauthErrors,
    security: "client",
  },
  {
    method: "POST",
    path: "/revoke",
    summary: "Ends a token (RFC 7009).",
    form: z.looseObject({ token: text }),
    answers: [{ status: 200, description: "Done." }],
    errors: ofForm,
    oauthErrors,
    security: "client",
  },
  userInfo("GET", "/userinfo"),
  userInfo("POST", "/userinfo"),
  userInfo("GET", "/userInfo"),
  {
    method: "GET",
    path: "/logout",
    summary: "Ends the visit (OpenID Connect RP-Initiated Logout 1.0), or asks whether to.",
    query: logoutRequest,
    answers: [page, seeOther],
    errors: ofRequest,
    oauthErrors,
  },
  {
    method: "POST",
    path: "/logout",
    summary: "Leads to the same request by GET.",
    form: logoutRequest,
    answers: [seeOther],
    errors: ofForm,
  },
  {
    method: "POST",
    path: "/logout/confirm",
    summary: "Ends the visit, by the button of the page.",
    form: z.object({ xsrf: text, logout: text.optional() }),
    answers: [seeOther],
    errors: ofForm,
    oauthErrors,
  },
  {
    method: "GET",
    path: "/logout/success",
    summary: "Says that the visitor is logged out.",
    answers: [page],
    errors: ofRequest,
    oauthErrors,
  },
];

export const oidcRoutesToDescribe: readonly DescribedRoute[] = routes.map((route) => ({
  ...route,
  tag: "OpenID Connect",
}));
