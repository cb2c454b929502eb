/** All routes with what is said of them where they are registered, for the description. */
import type { z } from "zod";
import type { Role } from "../../../src/config/index.ts";
import { features } from "../../../src/features/index.ts";
import type { DescribedRoute as DescribedInSource, Refusal, RouteGroup } from "../../../src/lib/described-route.ts";
import type { AdminRoute, AdminTag, Reach } from "../../../src/operate/admin-api/admin-router.ts";
import { onlyErrors } from "../../../src/operate/admin-api/bodies.ts";
import { type AdminRoutesOptions, allRoutes } from "../../../src/operate/admin-api/routes.ts";
import { signInRoutes } from "../../../src/operate/admin-api/sign-in/routes.ts";
import { debugRoutes } from "../../../src/operate/admin-api/visitors/debug-routes.ts";
import { consoleRoutes } from "../../../src/operate/console-files/routes.ts";
import type { RunningFeature, VisitorSite } from "../../../src/operate/feature.ts";
import { healthOf, loadFeatures } from "../../../src/operate/features.ts";
import { attentionCodesOf } from "../../../src/operate/health/index.ts";
import { opsRoutes } from "../../../src/operate/ops/routes.ts";
import { verifyRoute } from "../../../src/web/forward-auth/verify.ts";
import { robotsRoute } from "../../../src/web/middleware/answer-headers.ts";
import { healthRoutes, type RouteTable } from "../../../src/web/middleware/router.ts";
import { describedEndpoints } from "../../../src/web/openid-connect.ts";
import { issuerRoutes, publicRoutes } from "../../../src/web/visitor/routes.ts";

export interface DescribedRoute extends Omit<DescribedInSource, "tag" | "query" | "body" | "security"> {
  readonly tag: Tag;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
  readonly isRepeatable?: boolean;
  readonly errors: readonly Refusal[];
  readonly security?: DescribedInSource["security"] | "adminKey";
  /** The least that is needed, of the admin API. */
  readonly role?: Role;
  /** What a key for some rooms gets. */
  readonly reach?: Reach;
}

/** In the order in which they stand in the description. */
export const tags = {
  Rooms: "Rooms, with live numbers and settings.",
  Line: "What operators and the site's programs do to a room's line.",
  Admissions: "Who is in and who was, and the admission log.",
  Statistics: "How a room went, and how its line goes on.",
  Visitors: "How it stands with one visitor, and why.",
  Clients: "Relying parties.",
  Keys: "Usher's own keys.",
  "Admin keys": "Keys for the admin API, while Usher runs.",
  People: "How people sign in with a browser, their sessions, and the console.",
  Events: "What happens, told as it happens, and to webhooks.",
  Incidents: "What the public status pages say of what is wrong.",
  Audit: "Who changed what, and what was refused.",
  Operation: "What orchestrators and monitoring ask.",
  "Public API": "The room's status, and places for apps.",
  Pages: "What visitors' browsers are shown; told to programs as JSON.",
  Themes: "How the pages of rooms look, and the pages themselves, with made-up visitors.",
  Health: "How processes, store, keys and logs are, and what is not well.",
  Backup: "A copy of the installation.",
  "Forward authentication": "What a proxy in front of a site asks.",
  "OpenID Connect": "The provider's endpoints, as its specifications define them.",
} as const satisfies Record<AdminTag | RouteGroup, string>;
export type Tag = keyof typeof tags;

/** All that is described, in the order of the tags. */
export function describedRoutes(): DescribedRoute[] {
  const all = [...adminRoutes(), ...otherRoutes()];
  return Object.keys(tags).flatMap((tag) => all.filter((route) => route.tag === tag));
}

/** Stands for all parts that handlers are made of: none of them is called. */
const nothing: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => "" : nothing),
});

const always: readonly Refusal[] = ["bad_request", ["bad_request", 421], "request_too_long", "internal_error"];
const ofBody: readonly Refusal[] = ["body_too_large", "unsupported_media_type"];

function otherRoutes(): DescribedRoute[] {
  const tables = [
    healthRoutes,
    opsRoutes,
    signInRoutes,
    debugRoutes,
    consoleRoutes,
    publicRoutes,
    featureRoutes,
    issuerRoutes,
  ].flatMap((tablesOf: (parts: never) => RouteTable | RouteTable[]) => tablesOf(nothing as never));
  return [...tables.flatMap((table) => table.describe()), verifyRoute, robotsRoute, ...describedEndpoints()].map(
    (route) => ({ ...route, errors: [...usualErrorsOf(route), ...(route.errors ?? [])] }),
  );
}

/** What any route of visitors may refuse that takes the same. */
function usualErrorsOf({ tag, method, path, body, form, plainText, security }: DescribedInSource): Refusal[] {
  const isChange = method !== "GET" && (body !== undefined || form !== undefined || security === "ticket");
  return [
    ...always,
    ...(path.startsWith("/rooms/:room/") ? (["unknown_room"] as const) : []),
    ...(security === "ticket"
      ? (["no_ticket", "invalid_ticket", "ticket_unreadable", "store_unavailable"] as const)
      : []),
    // A form or a cookie of another site's page.
    ...(isChange && tag !== "OpenID Connect" ? (["forbidden"] as const) : []),
    ...(security === "ticket" && method !== "GET" ? (["room_recovering"] as const) : []),
    ...(body === undefined && form === undefined ? [] : ofBody),
    ...(plainText === undefined ? [] : (["unsupported_media_type"] as const)),
  ];
}

const loaded = await loadFeatures(features);
/** What features answer to visitors. */
export const featureRoutes = () =>
  loaded.flatMap(({ module }) => module.visitorRoutes?.(nothing as RunningFeature, nothing as VisitorSite) ?? []);
/** As the table of a gateway that does not run needs it. */
export const adminOptions: AdminRoutesOptions = {
  ...(nothing as AdminRoutesOptions),
  issuers: [],
  more: loaded.flatMap(({ module }) => module.adminRoutes?.(nothing as RunningFeature) ?? []),
  healthOfFeatures: healthOf(loaded),
  attentionCodes: attentionCodesOf(features),
};
/** The table of the admin API, with the routes of features. */
export const routeTable = allRoutes(adminOptions);

/** Routes that answer every request with an error stand in no description. */
function adminRoutes(): DescribedRoute[] {
  return routeTable.filter(({ answers }) => answers !== onlyErrors).map(describeAdminRoute);
}

function describeAdminRoute(route: AdminRoute): DescribedRoute {
  const { method, path, tag, summary, query, body, describedBody = body, isRepeatable = false } = route;
  const { status = 200, type, answers, role, reach } = route;
  const json = { schema: answers, ...(route.csv !== undefined && { types: ["text/csv"] }) };
  const typed = route.eventData === undefined ? { types: [type ?? ""] } : { schema: route.eventData, schemaType: type };
  const content = status === 204 ? {} : type === undefined ? json : typed;
  return {
    method,
    path: `/admin${path}`,
    tag,
    summary,
    query,
    body: describedBody,
    isRepeatable,
    answers: [{ status, ...content, description: status === 204 ? "Done." : "The answer." }],
    errors: [...usualErrorsOfAdmin(route), ...(route.errors ?? [])],
    security: "adminKey",
    role,
    reach,
  };
}

/** What any route of the admin API may refuse that takes the same. */
function usualErrorsOfAdmin({ path, body, isRepeatable }: AdminRoute): Refusal[] {
  return [
    ...always,
    "unauthorized",
    "forbidden",
    "too_many_from_address",
    "store_unavailable",
    ...(path.includes(":room") ? (["unknown_room", "room_recovering"] as const) : []),
    ...(path.replace(":room", "").includes(":") ? (["not_found"] as const) : []),
    ...(body === undefined ? [] : ofBody),
    ...(isRepeatable ? (["idempotency_key_reused", "too_many_requests"] as const) : []),
  ];
}

export const pathOf = (path: string) => path.replace(/:(\w+)/g, "{$1}");
