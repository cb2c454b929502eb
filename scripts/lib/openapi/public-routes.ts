/** What is described of the routes that are in no table: those of visitors, of proxies and of operations. A test compares them. */
import { z } from "zod";
import { ROLES } from "../../../src/config/index.ts";
import {
  admissionAnswer,
  claimAnswer,
  drawAnswer,
  invitationBody,
  linkAnswer,
  moveAnswer,
  moveStateAnswer,
  pageAnswer,
  placeAnswer,
  pushAnswer,
  receiptAnswer,
  statusAnswer,
  statusPageAnswer,
  ticketAnswer,
  tokenAnswer,
} from "../../../src/web/visitor/answers.ts";
import type { DescribedRoute, Refusal } from "./routes.ts";

type Untagged = Omit<DescribedRoute, "tag">;

const html = ["text/html"];
const always: Refusal[] = ["bad_request", ["bad_request", 421], "request_too_long", "internal_error"];
const inRoom: Refusal[] = [...always, "unknown_room"];
const ofForm: Refusal[] = ["forbidden", "body_too_large", "unsupported_media_type"];
const ofTicket: Refusal[] = [...inRoom, "no_ticket", "invalid_ticket", "ticket_unreadable", "store_unavailable"];
const ofChange: Refusal[] = [...ofTicket, "forbidden", "room_recovering"];
/** The gate's, at `/authorize` and at links. */
export const gateErrors: Refusal[] = [
  ...inRoom,
  ["unknown_room", 400],
  "check_required",
  "cookies_blocked",
  "device_required",
  "entry_voided",
  "forbidden",
  "hold_on",
  "in_use",
  "invalid_invitation",
  "invitation_early",
  "link_preview",
  "moved",
  "navigation_required",
  ["navigation_required", 503],
  "network_refused",
  "not_open",
  ["other_device", 409],
  "place_expired",
  "place_left",
  "room_ended",
  "room_full",
  "room_recovering",
  "store_unavailable",
  "ticket_unreadable",
  "too_many_from_address",
  "too_many_logins",
  "too_many_places",
  "too_many_restarts",
  "uninvited",
  "unknown_target",
];
const ofSigningIn: Refusal[] = [...inRoom, "not_found", "provider_unavailable"];
/** The waiting page, whose status is the room's `waiting_status`; with 200 also a notice of the gate. */
export const waitingPage = [
  { status: 200, schema: [placeAnswer, pageAnswer], types: html, description: "The waiting page, or a notice." },
  { status: 202, schema: placeAnswer, types: html, description: "The waiting page, by `waiting_status`." },
  { status: 429, schema: placeAnswer, types: html, description: "The waiting page, by `waiting_status`." },
];
const seeOther = { status: 303, description: "Go on at `Location`." };
const aPage = { status: 200, schema: pageAnswer, types: html, description: "A page." };
const linkPage = { status: 200, schema: linkAnswer, types: html, description: "The page of the link." };

const text = z.string();
const browserAnswer = z
  .object({
    principal: z
      .object({
        kind: z.enum(["key", "person"]),
        id: text,
        name: text,
        role: z.enum(ROLES),
        rooms: z.array(text).nullable(),
      })
      .nullable(),
    /** As `GET /admin/sessions` names it. */
    session: text.nullable(),
    csrf_token: text.nullable(),
    sign_in: z.object({ key: z.boolean(), provider: z.boolean() }),
  })
  .meta({ id: "BrowserSession" });
const tag = "Public API";

const places: DescribedRoute[] = [
  {
    method: "GET",
    path: "/status.json",
    tag,
    summary: "Tells what the status page shows, for programs of any site.",
    answers: [
      { status: 200, schema: statusPageAnswer, description: "Nothing personal." },
      { status: 304, description: "It is still the same." },
    ],
    errors: [...always, "not_found"],
  },
  {
    method: "GET",
    path: "/rooms/:room/status",
    tag,
    summary: "Tells how the room is, for everybody.",
    answers: [{ status: 200, schema: statusAnswer, description: "Nothing personal; one second old at most." }],
    errors: [...inRoom, "store_unavailable"],
  },
  {
    method: "POST",
    path: "/rooms/:room/tickets",
    tag,
    summary: "Takes a place.",
    answers: [{ status: 201, schema: ticketAnswer, description: "The place, with its ticket." }],
    body: invitationBody.extend({
      proof: text.optional(),
      challenge_response: text.optional(),
      session: text.optional(),
    }),
    errors: [
      ...inRoom,
      ...ofForm,
      "check_required",
      ["device_required", 401],
      "entry_voided",
      "invalid_invitation",
      "invitation_early",
      "network_refused",
      "provider_unavailable",
      "room_closed",
      "room_full",
      "sign_in_required",
      "store_unavailable",
      "too_many_from_address",
      "uninvited",
    ],
  },
  {
    method: "GET",
    path: "/rooms/:room/tickets/me",
    tag,
    summary: "Tells the place.",
    answers: [{ status: 200, schema: placeAnswer, description: "The place." }],
    errors: ofTicket,
    security: "ticket",
  },
  {
    method: "DELETE",
    path: "/rooms/:room/tickets/me",
    tag,
    summary: "Gives up the place, or ends the admission.",
    answers: [{ status: 204, description: "Done." }],
    errors: ofChange,
    security: "ticket",
  },
  {
    method: "POST",
    path: "/rooms/:room/admission",
    tag,
    summary: "Reads the token that a visitor of a link came to a site with; uses nothing up.",
    plainText: text.max(4_096),
    answers: [{ status: 200, schema: admissionAnswer, description: "Whether, whose, and for how long yet." }],
    errors: [...inRoom, "unsupported_media_type"],
  },
  {
    method: "GET",
    path: "/rooms/:room/push",
    tag,
    summary: "Tells the key that browsers subscribe with to be notified, in a room with `push: true`.",
    answers: [{ status: 200, schema: pushAnswer, description: "The uncompressed point of P-256, base64url." }],
    errors: [...inRoom, "not_found"],
  },
  {
    method: "POST",
    path: "/rooms/:room/tickets/me/push",
    tag,
    summary: "Keeps where to notify the visitor of the turn, in place of what was kept before.",
    body: z.object({
      endpoint: text,
      keys: z.object({ p256dh: text, auth: text }),
      language: text.optional(),
      public_key: text.optional(),
    }),
    answers: [{ status: 204, description: "Kept." }],
    errors: [
      ...ofChange,
      "body_too_large",
      "conflict",
      "not_found",
      "room_full",
      "too_many_from_address",
      "unsupported_media_type",
    ],
    security: "ticket",
  },
  {
    method: "DELETE",
    path: "/rooms/:room/tickets/me/push",
    tag,
    summary: "The visitor is not notified any more.",
    answers: [{ status: 204, description: "Done." }],
    errors: [...ofChange, "not_found", "too_many_from_address"],
    security: "ticket",
  },
  {
    method: "POST",
    path: "/rooms/:room/tickets/me/claim",
    tag,
    summary: "Asks to enter.",
    answers: [{ status: 200, schema: claimAnswer, description: "The place, and what holds it." }],
    errors: [...ofChange, "device_required", ["device_required", 401], "other_device"],
    security: "ticket",
  },
  {
    method: "POST",
    path: "/rooms/:room/tickets/me/token",
    tag,
    summary: "Exchanges the ticket for an admission token, once it is the visitor's turn; renews one.",
    answers: [
      { status: 200, schema: tokenAnswer, description: "The token, and the ticket that replaces the one sent." },
      { status: 202, schema: claimAnswer, description: "Not yet: ask again after `poll_after_ms`." },
    ],
    errors: [
      ...ofChange,
      "admission_ended",
      ["device_required", 401],
      "entry_voided",
      "in_use",
      "moved",
      "other_device",
      "place_expired",
      "place_left",
      "room_ended",
      "sign_in_required",
      "too_many_logins",
    ],
    security: "ticket",
  },
  {
    method: "GET",
    path: "/rooms/:room/tickets/me/receipt",
    tag,
    summary: "Shows the signed receipt of an entry number.",
    answers: [{ status: 200, schema: receiptAnswer, description: "The receipt, a JWS." }],
    errors: [...ofTicket, "not_an_entry"],
    security: "ticket",
  },
  {
    method: "POST",
    path: "/rooms/:room/move",
    tag,
    summary: "Makes a link that carries the place to another browser.",
    answers: [
      { status: 200, schema: moveAnswer, types: html, description: "The link, or a page with it." },
      { ...seeOther, description: "Back to the waiting page, where the place cannot be moved." },
    ],
    errors: [...ofChange, "conflict", "move_spent"],
    security: "ticket",
  },
  {
    method: "GET",
    path: "/rooms/:room/move/state",
    tag,
    summary: "Tells whether the place was moved to another browser.",
    answers: [{ status: 200, schema: moveStateAnswer, description: "Whether, and the state of the place." }],
    errors: ofTicket,
    security: "ticket",
  },
  {
    method: "GET",
    path: "/rooms/:room/draw",
    tag,
    summary: "Shows the public record of the room's draws.",
    answers: [{ status: 200, schema: drawAnswer, types: html, description: "The record, or a page that explains it." }],
    errors: [...inRoom, "store_unavailable"],
  },
  {
    method: "GET",
    path: "/rooms/:room/calendar.ics",
    tag,
    summary: "The opening, or the next sale, for a calendar.",
    query: z.object({ of: z.enum(["opening", "next_sale"]).optional(), language: text.optional() }),
    answers: [{ status: 200, types: ["text/calendar"], description: "An entry (RFC 5545); nothing personal." }],
    errors: [...inRoom, "not_found", "store_unavailable"],
  },
  ...[
    ["", "What visitors may read while they wait.", "A page, the same for all."],
    ["/part", "The same as a part of the waiting page.", "What the page's script takes over."],
  ].map(
    ([part = "", summary = "", description = ""]): DescribedRoute => ({
      method: "GET",
      path: `/rooms/:room/while-waiting${part}`,
      tag,
      summary,
      query: z.object({ of: text.optional(), language: text.optional() }),
      answers: [
        { status: 200, types: html, description: `${description} \`of\` is \`while_waiting\` of the status.` },
        { status: 304, description: "It is still the same." },
      ],
      errors: [...inRoom, "not_found"],
    }),
  ),
];

const pages: readonly Untagged[] = [
  { method: "GET", path: "/", summary: "Says that visitors start at the site.", answers: [aPage], errors: always },
  {
    method: "GET",
    path: "/status",
    summary: "The status page: how the rooms are, and incidents.",
    query: z.object({ language: text.optional() }),
    answers: [
      { status: 200, types: html, description: "A page, the same for all." },
      { status: 304, description: "It is still the same." },
    ],
    errors: [...always, "not_found"],
  },
  {
    method: "GET",
    path: "/usher.js",
    summary: "The tag for pages of sites.",
    answers: [
      { status: 200, types: ["text/javascript"], description: "A script, for any origin." },
      { status: 304, description: "It is still the same." },
    ],
    errors: always,
  },
  {
    method: "POST",
    path: "/language",
    summary: "Keeps the language that the visitor has chosen.",
    form: z.object({ language: text, return: text.optional() }),
    answers: [seeOther],
    errors: [...always, ...ofForm],
  },
  {
    method: "GET",
    path: "/assets/:file",
    summary: "A file of a page, or a part of its script.",
    answers: [
      { status: 200, types: ["text/javascript", "text/css", "image/*"], description: "Its name has its hash." },
    ],
    errors: [...always, "not_found"],
  },
  {
    method: "GET",
    path: "/rooms/:room/enter",
    summary: "Leads into the line, and from there to a site, with an admission token.",
    query: z.object({ target: text.optional(), ui_locales: text.optional(), theme: text.optional() }),
    answers: [...waitingPage, { ...seeOther, description: "To the site, with `usher_token`." }],
    errors: gateErrors,
  },
  {
    method: "GET",
    path: "/rooms/:room/identity/start",
    summary: "Leads to the provider at which visitors sign in before they join, in a room with `identity`.",
    query: z.object({ return: text.optional() }),
    answers: [{ ...seeOther, description: "To the provider." }, aPage],
    errors: [...ofSigningIn, "navigation_required", ["navigation_required", 503], "link_preview"],
  },
  {
    method: "GET",
    path: "/rooms/:room/identity/callback",
    summary: "Takes the visitor whom the provider has signed in, and leads on to where they were.",
    query: z.object({ state: text.optional(), code: text.optional(), iss: text.optional(), error: text.optional() }),
    answers: [seeOther, aPage],
    errors: [...ofSigningIn, "sign_in_failed", "navigation_required", ["navigation_required", 503], "link_preview"],
  },
  {
    method: "POST",
    path: "/rooms/:room/rejoin",
    summary: "Gives up a place that is worth nothing any more, and leads back to the line.",
    form: z.object({ return: text, edition: text.optional(), position: text.optional() }),
    answers: [seeOther],
    errors: [...inRoom, ...ofForm],
  },
  {
    method: "POST",
    path: "/rooms/:room/check",
    summary: "Takes what a page did for a check before a join, and keeps the pass for it in a cookie.",
    form: z.object({ proof: text.optional(), challenge_response: text.optional() }),
    answers: [{ status: 204, description: "Done: ask for the page anew." }],
    errors: [...inRoom, ...ofForm, "check_required", "provider_unavailable"],
  },
  {
    method: "POST",
    path: "/rooms/:room/device",
    summary:
      "Takes a page's proof of the browser's key, and keeps what it is worth in a cookie; or lets the visitor go on without.",
    form: z.object({ proof: text.optional(), return: text.optional() }),
    answers: [
      { status: 204, description: "Done: ask for the page anew." },
      { ...seeOther, description: "Back to `return`, without a key, where the room lets visitors." },
    ],
    errors: [...inRoom, ...ofForm, "device_required", "not_found"],
  },
  {
    method: "GET",
    path: "/rooms/:room/draw/checker.js",
    summary: "The program with which the page of a draw checks it.",
    answers: [{ status: 200, types: ["text/javascript"], description: "A worker." }],
    errors: inRoom,
  },
  {
    method: "GET",
    path: "/rooms/:room/push/worker.js",
    summary: "The service worker of the waiting page, in a room with `push: true`.",
    answers: [{ status: 200, types: ["text/javascript"], description: "A service worker." }],
    errors: [...inRoom, "not_found"],
  },
  {
    method: "GET",
    path: "/rooms/:room/bypass",
    summary: "Shows a bypass link's page, which uses nothing up.",
    query: z.object({ link: text }),
    answers: [linkPage, { ...seeOther, description: "To sign in first, in a room with `identity`." }],
    errors: [...inRoom, "bypass_void"],
  },
  {
    method: "POST",
    path: "/rooms/:room/bypass",
    summary: "Lets the visitor in by a bypass link.",
    form: z.object({ link: text }),
    answers: [linkPage, seeOther],
    errors: [
      ...inRoom,
      ...ofForm,
      "bypass_full",
      "bypass_held",
      "bypass_later",
      "bypass_unreadable",
      "bypass_void",
      "in_use",
      "store_unavailable",
      "too_many_logins",
    ],
  },
  {
    method: "GET",
    path: "/rooms/:room/move",
    summary: "Asks whether to go on waiting in this browser; uses nothing up.",
    query: z.object({ place: text }),
    answers: [
      {
        status: 200,
        schema: [linkAnswer, placeAnswer],
        types: html,
        description: "The page of the link, or the place.",
      },
      seeOther,
    ],
    errors: [...inRoom, "move_void", "store_unavailable", "ticket_unreadable"],
  },
  {
    method: "POST",
    path: "/rooms/:room/move/here",
    summary: "Takes the place over into this browser.",
    form: z.object({ place: text }),
    answers: [
      { status: 200, schema: [linkAnswer, placeAnswer, pageAnswer], types: html, description: "The place is here." },
      seeOther,
    ],
    errors: [
      ...inRoom,
      ...ofForm,
      "cookies_blocked",
      "move_void",
      "room_recovering",
      "store_unavailable",
      "ticket_unreadable",
    ],
  },
  ...(["GET", "POST"] as const).map((method) => ({
    method,
    path: "/rooms/:room/leave",
    summary: method === "GET" ? "Gives up the place, or asks whether to." : "Gives up the place.",
    ...(method === "GET"
      ? { query: z.object({ return: text.optional() }) }
      : { form: z.object({ return: text.optional() }) }),
    answers: [aPage, seeOther],
    errors: [
      ...inRoom,
      ...(method === "GET" ? [] : ofForm),
      "room_recovering",
      "store_unavailable",
      "ticket_unreadable",
    ] as Refusal[],
  })),
];

const forwardAuthentication: DescribedRoute = {
  method: "GET",
  path: "/rooms/:room/verify",
  tag: "Forward authentication",
  summary:
    "Says whether a request to the site may pass. A proxy may append the request's path and query to the address.",
  answers: [
    { status: 200, description: "It may; who it is stands in the headers `X-Usher-…`." },
    { status: 302, description: "Send the visitor to `Location`." },
    { status: 401, description: "It may not; with `?refuse=401` the address is in `X-Usher-Location`." },
  ],
  errors: [...inRoom, "forbidden", "admission_required"],
};

const faults = z.array(z.string());
const ready = { warnings: faults.optional() };
const operation: readonly Untagged[] = [
  {
    method: "GET",
    path: "/healthz",
    summary: "Says that the process runs.",
    answers: [{ status: 200, schema: z.object({ status: z.literal("ok") }), description: "It runs." }],
    errors: always,
  },
  {
    method: "GET",
    path: "/readyz",
    summary: "Says whether the process can serve, and why not.",
    answers: [
      { status: 200, schema: z.object({ status: z.literal("ok"), ...ready }), description: "It can." },
      {
        status: 503,
        schema: z.object({ status: z.literal("not_ready"), faults, ...ready }),
        description: "It cannot.",
      },
    ],
    errors: always,
  },
  {
    method: "GET",
    path: "/metrics",
    summary: "Shows metrics for Prometheus.",
    answers: [{ status: 200, types: ["text/plain"], description: "Metrics." }],
    errors: always,
  },
  {
    method: "GET",
    path: "/openapi.json",
    summary: "Shows this description.",
    answers: [{ status: 200, schema: z.looseObject({ openapi: text }), description: "OpenAPI 3.1." }],
    errors: always,
  },
  {
    method: "GET",
    path: "/robots.txt",
    summary: "Keeps crawlers away.",
    answers: [{ status: 200, types: ["text/plain"], description: "Rules for crawlers." }],
    errors: always,
  },
];

const page = [{ status: 200, types: html, description: "A page." }];
const ofSignIn: Refusal[] = [...always, "not_found", "too_many_from_address"];
const atProvider: Refusal[] = [...ofSignIn, "provider_unavailable"];
const ofSignInForm: Refusal[] = [...ofForm, "unauthorized", "store_unavailable"];

/** What operators' browsers show. */
const operatorsConsole: Untagged[] = [
  ...[
    ["/console", "Shows the console to people who are signed in, and sends others to sign in."],
    ["/console/:screen", "Shows a screen of the console, whether there is such a screen or not."],
    ["/console/rooms/:room", "Shows the console's screen of a room, whether there is such a room or not."],
    [
      "/console/rooms/:room/:screen",
      "Shows one of the console's screens of a room, whether there is such a one or not.",
    ],
  ].map(
    ([path = "", summary = ""]): Untagged => ({
      method: "GET",
      path,
      summary,
      answers: [...page, { status: 302, description: "Go on at `Location`." }],
      errors: [...always, "store_unavailable", ...(path === "/console" ? [] : (["not_found"] as const))],
    }),
  ),
  {
    method: "GET",
    path: "/console/files/:file",
    summary: "Shows a file of the console, which never changes.",
    answers: [{ status: 200, types: ["text/javascript", "text/css"], description: "A script or a stylesheet." }],
    errors: [...always, "not_found"],
  },
];

/** Where operators' browsers sign in. */
const signIn: Untagged[] = [
  {
    method: "GET",
    path: "/admin/session",
    summary: "Returns the principal signed in with this browser, the CSRF token, and the available ways to sign in.",
    answers: [{ status: 200, schema: browserAnswer, description: "Open to strangers." }],
    errors: always,
  },
  { method: "GET", path: "/admin/sign-in", summary: "Shows the page to sign in.", answers: page, errors: ofSignIn },
  {
    method: "POST",
    path: "/admin/sign-in/key",
    summary: "Signs a browser in with an admin key.",
    form: z.object({ key: text, return_to: text.optional() }),
    answers: [seeOther],
    errors: [...ofSignIn, ...ofSignInForm],
  },
  {
    method: "GET",
    path: "/admin/sign-in/link",
    summary: "Shows the page of a link that was printed at start, without using it up.",
    query: z.object({ token: text.optional() }),
    answers: page,
    errors: [...ofSignIn, "unauthorized", "store_unavailable"],
  },
  {
    method: "POST",
    path: "/admin/sign-in/link",
    summary: "Signs a browser in by a link that was printed at start, once.",
    form: z.object({ token: text }),
    answers: [seeOther],
    errors: [...ofSignIn, ...ofSignInForm],
  },
  {
    method: "GET",
    path: "/admin/debug-link",
    summary:
      "Shows how it stands with one visitor, to the browser that opened the link; to others before that its page.",
    query: z.object({ token: text.optional(), updates: text.optional() }),
    answers: page,
    errors: [...ofSignIn, "forbidden", "store_unavailable"],
  },
  {
    method: "POST",
    path: "/admin/debug-link",
    summary: "Opens a debug link in this browser, the first one.",
    form: z.object({ token: text }),
    answers: [seeOther],
    errors: [...ofSignIn, ...ofForm, "store_unavailable"],
  },
  {
    method: "GET",
    path: "/admin/sign-in/start",
    summary: "Sends a browser to the provider.",
    query: z.object({ return_to: text.optional() }),
    answers: [{ status: 302, description: "Go on at `Location`." }],
    errors: atProvider,
  },
  {
    method: "GET",
    path: "/admin/sign-in/callback",
    summary: "Takes a browser back from the provider.",
    answers: [seeOther],
    errors: [...atProvider, "sign_in_failed", "forbidden", "store_unavailable"],
  },
  {
    method: "POST",
    path: "/admin/sign-in/back-channel-logout",
    summary: "Takes a logout token of the provider, which ends sessions.",
    form: z.object({ logout_token: text }),
    answers: [{ status: 200, schema: z.object({}), description: "The sessions have ended." }],
    errors: [...atProvider, ...ofForm, "store_unavailable"],
  },
  {
    method: "POST",
    path: "/admin/sign-out",
    summary: "Ends the session of this browser.",
    form: z.object({ csrf_token: text.optional() }),
    answers: [
      {
        status: 200,
        schema: z.object({ end_session_url: text.nullable() }),
        types: html,
        description: "Where the session at the provider ends, or null.",
      },
    ],
    errors: [...ofSignIn, ...ofSignInForm],
  },
];

export const publicRoutesToDescribe: readonly DescribedRoute[] = [
  ...operation.map((route) => ({ ...route, tag: "Operation" as const })),
  ...[...signIn, ...operatorsConsole].map((route) => ({ ...route, tag: "People" as const })),
  ...places,
  ...pages.map((route) => ({ ...route, tag: "Pages" as const })),
  forwardAuthentication,
];
