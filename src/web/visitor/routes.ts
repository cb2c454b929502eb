import { z } from "zod";
import { javaScript, seeOtherAnswer } from "../../lib/described-route.ts";
import { createRouteTable, type RouteTable } from "../middleware/router.ts";
import { aPage } from "./answers.ts";
import { addCalendarRoute } from "./calendar.ts";
import { addClaimRoutes } from "./claim.ts";
import { addDeviceRoute } from "./device-answers.ts";
import { addCheckRoute } from "./join-check.ts";
import { addAdmissionRoute } from "./links/admission.ts";
import { addBypassRoutes } from "./links/bypass.ts";
import { addDrawRoutes } from "./links/draw.ts";
import { addEnterRoute } from "./links/enter.ts";
import { addIdentityRoutes } from "./links/identity.ts";
import { addLeaveRoutes } from "./links/leave.ts";
import { addMoveRoutes } from "./links/move.ts";
import { languageChoice } from "./pages/language-choice.ts";
import { createAssets } from "./pages/send-file.ts";
import { addWhileWaitingRoutes } from "./pages/while-waiting.ts";
import type { VisitorParts } from "./parts.ts";
import { createRoomRoutes } from "./room-routes.ts";
import { addPaceRoute, addStatusRoute } from "./status.ts";
import { addTicketRoutes, createTickets } from "./tickets.ts";

/** What is of no room: the front door, and what pages of Usher and of sites load. */
export function issuerRoutes(
  options: Parameters<typeof languageChoice>[0] & Pick<VisitorParts, "responder">,
): RouteTable {
  const { responder } = options;
  const table = createRouteTable();
  const text = z.string();
  table.add(
    "Pages",
    "GET",
    "/",
    () => ({ summary: "Says that visitors start at the site.", answers: [aPage] }),
    // Explains to a person who opens the issuer's root where to start.
    (ctx) => responder.page(ctx, 200, { code: "front_door" }),
  );
  table.add(
    "Pages",
    "POST",
    "/language",
    () => ({
      summary: "Keeps the language that the visitor has chosen.",
      form: z.object({ language: text, return: text.optional() }),
      answers: [seeOtherAnswer],
    }),
    languageChoice(options),
  );
  table.add(
    "Pages",
    "GET",
    "/assets/:file",
    () => ({
      summary: "A file of a page, or a part of its script.",
      answers: [{ status: 200, types: [...javaScript, "text/css", "image/*"], description: "Its name has its hash." }],
      errors: ["not_found"],
    }),
    createAssets(responder),
  );
  return table;
}

/** What visitors' pages and apps ask: the room's status, and their own place; and the links to a room. */
export function publicRoutes(parts: VisitorParts): RouteTable {
  const tickets = createTickets(parts);
  const routes = createRoomRoutes(parts.rooms, tickets.presented);
  addStatusRoute(routes);
  addPaceRoute(routes);
  addTicketRoutes(routes, tickets, parts);
  addClaimRoutes(routes, parts);
  addAdmissionRoute(routes, parts);
  addMoveRoutes(routes, parts);
  addDrawRoutes(routes, parts);
  addCalendarRoute(routes, parts);
  addWhileWaitingRoutes(routes, parts.responder.whileWaiting);
  addEnterRoute(routes, parts);
  addIdentityRoutes(routes, parts);
  addCheckRoute(routes, parts);
  addDeviceRoute(routes, parts);
  addBypassRoutes(routes, parts);
  addLeaveRoutes(routes, parts);
  return routes.table;
}
