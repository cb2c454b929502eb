/** The admin API's table of routes, for the description. */
import { features } from "../../../src/features/index.ts";
import type { AdminRoute } from "../../../src/operate/admin-api/admin-router.ts";
import { onlyErrors } from "../../../src/operate/admin-api/bodies.ts";
import { type AdminRoutesOptions, allRoutes } from "../../../src/operate/admin-api/routes.ts";
import type { RunningFeature } from "../../../src/operate/feature.ts";
import { healthOf, loadFeatures } from "../../../src/operate/features.ts";
import { attentionCodesOf } from "../../../src/operate/health/index.ts";
import type { DescribedRoute, Refusal } from "./routes.ts";

/** Stands for all parts that handlers are made of: none of them is called. */
const nothing: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => "" : nothing),
});

const loaded = await loadFeatures(features);
/** As the table of a gateway that does not run needs it. */
export const adminOptions: AdminRoutesOptions = {
  ...(nothing as AdminRoutesOptions),
  issuers: [],
  ofFeatures: [],
  more: loaded.flatMap(({ module }) => module.adminRoutes?.(nothing as RunningFeature) ?? []),
  healthOfFeatures: healthOf(loaded),
  attentionCodes: attentionCodesOf(features),
};
/** The table of the admin API, with the routes of features. */
export const routeTable = allRoutes(adminOptions);

/** Routes that answer every request with an error stand in no description. */
export function adminRoutesToDescribe(): DescribedRoute[] {
  return routeTable.filter(({ answers }) => answers !== onlyErrors).map(describe);
}

function describe(route: AdminRoute): DescribedRoute {
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
    errors: [...usualErrors(route), ...(route.errors ?? [])],
    security: "adminKey",
    role,
    reach,
  };
}

/** What any route may refuse that takes the same. */
function usualErrors({ path, body, isRepeatable }: AdminRoute): Refusal[] {
  return [
    "bad_request",
    ["bad_request", 421],
    "unauthorized",
    "forbidden",
    "too_many_from_address",
    "request_too_long",
    "internal_error",
    "store_unavailable",
    ...(path.includes(":room") ? (["unknown_room", "room_recovering"] as const) : []),
    ...(path.replace(":room", "").includes(":") ? (["not_found"] as const) : []),
    ...(body === undefined ? [] : (["body_too_large", "unsupported_media_type"] as const)),
    ...(isRepeatable ? (["idempotency_key_reused", "too_many_requests"] as const) : []),
  ];
}
