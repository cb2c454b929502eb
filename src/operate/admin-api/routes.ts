import type Router from "@koa/router";
import type { FailedAttempts } from "../../lib/address-buckets.ts";
import { type ApiKeyRoutesOptions, apiKeyRoutes } from "./access/api-keys.ts";
import { type BrowserSessions, Principal } from "./access/principal.ts";
import type { PrincipalBounds } from "./access/principal-bounds.ts";
import { type SessionRoutesOptions, sessionRoutes } from "./access/sessions.ts";
import { type AdminRoute, createAdminRouter } from "./admin-router.ts";
import { type AuditRoutesOptions, auditRoutes } from "./audit/audit-routes.ts";
import { type ClientRoutesOptions, clientRoutes } from "./clients/clients.ts";
import { type EventStreamOptions, eventStreamRoutes } from "./events/event-stream.ts";
import { type LiveStreamOptions, liveStreamRoutes } from "./events/live-feed.ts";
import { type HealthRoutesOptions, healthRoutes } from "./health.ts";
import { keyRoutes } from "./keys.ts";
import { type RoomRoutesOptions, roomRoutes } from "./rooms/rooms.ts";
import { type ThemeRoutesOptions, themeRoutes } from "./themes.ts";

export interface AdminRoutesOptions
  extends ClientRoutesOptions,
    RoomRoutesOptions,
    ApiKeyRoutesOptions,
    SessionRoutesOptions,
    AuditRoutesOptions,
    EventStreamOptions,
    LiveStreamOptions,
    HealthRoutesOptions,
    ThemeRoutesOptions {
  readonly issuers: ThemeRoutesOptions["issuers"] & AuditRoutesOptions["issuers"];
  /** Those of features. */
  readonly more: readonly AdminRoute[];
  readonly failures: FailedAttempts;
  readonly bounds: PrincipalBounds;
  readonly browsers: BrowserSessions;
}

/** What operators and their programs ask. JSON only. */
export function adminRoutes(options: AdminRoutesOptions): Pick<Router, "routes"> {
  const { adminKeys, failures, browsers } = options;
  const check = Principal.createCheck(Principal.createKeyCheck(adminKeys, failures), browsers, failures);
  return createAdminRouter(check, allRoutes(options), options);
}

/** The table, in the order in which they are registered. */
export function allRoutes(options: AdminRoutesOptions): AdminRoute[] {
  const table: AdminRoute[] = [
    // Before the steps of a room, which answer any other POST below it.
    ...options.more,
    ...clientRoutes(options),
    ...keyRoutes(options.issuers),
    ...apiKeyRoutes(options),
    ...sessionRoutes(options),
    ...roomRoutes(options),
    ...themeRoutes(options),
    ...eventStreamRoutes(options),
    ...liveStreamRoutes(options),
    ...healthRoutes(options),
    ...auditRoutes(options, () => table),
  ];
  return table;
}
