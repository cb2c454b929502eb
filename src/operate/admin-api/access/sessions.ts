import { z } from "zod";
import { ROLES } from "../../../config/index.ts";
import { type AdminSessions, refreshAll } from "../../../registry/index.ts";
import { type AdminRoute, routesAbout } from "../admin-router.ts";
import { nextCursor, nothing, object, pageOf, pageQuery, timeOrNull, timeText } from "../bodies.ts";

const session = z
  .object({
    id: z.string(),
    principal: z.object({ kind: z.enum(["key", "person"]), id: z.string(), name: z.string() }),
    role: z.enum(ROLES),
    rooms: z.array(z.string()).nullable(),
    created_at: timeText.nullable(),
    /** To within a sixth of `admin.session.idle`. */
    last_used_at: timeText.nullable(),
    expires_at: timeText.nullable(),
  })
  .meta({ id: "AdminSession" });

export interface SessionRoutesOptions {
  readonly sessions: AdminSessions;
}

/** The sessions of operators' browsers, and how an admin ends them. */
export function sessionRoutes({ sessions }: SessionRoutesOptions): AdminRoute[] {
  const route = routesAbout("/sessions", () => refreshAll([sessions]));
  const terms = { tag: "People", role: "admin" } as const;
  return [
    route(
      "GET",
      "",
      {
        ...terms,
        summary: "Lists the sessions of operators' browsers, newest first.",
        query: object(pageQuery),
        answers: z.object({ sessions: z.array(session), next_cursor: nextCursor }),
      },
      ({ query }) => {
        const { page, next_cursor } = pageOf(
          sessions.views.map((view) => ({ ...view, id: view.session, principal: view.id })),
          query,
        );
        return {
          sessions: page.map(({ id, kind, principal, name, role, rooms, createdMs, seenMs, expiresMs }) => ({
            id,
            principal: { kind, id: principal, name },
            role,
            rooms,
            created_at: timeOrNull(createdMs),
            last_used_at: timeOrNull(seenMs),
            expires_at: timeOrNull(expiresMs),
          })),
          next_cursor,
        };
      },
    ),
    route(
      "DELETE",
      "/:session",
      { ...terms, summary: "Ends a session, at all processes.", status: 204, answers: nothing },
      ({ ctx }) => sessions.endNamed(String(ctx.params.session)),
    ),
  ];
}
