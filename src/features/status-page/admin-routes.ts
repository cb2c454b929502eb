import { z } from "zod";
import { canonicalTag, formatTime, list, notATag, oneOf, plainText, text } from "../../config/index.ts";
import { type AdminRoute, routesAbout } from "../../operate/admin-api/admin-router.ts";
import {
  badRequest,
  nextCursor,
  nothing,
  object,
  pageOf,
  pageQuery,
  timeOrNone,
  timeOrNull,
  timeText,
} from "../../operate/admin-api/bodies.ts";
import type { WaitingRooms } from "../../room/index.ts";
import type { Incidents, IncidentView } from "./incidents.ts";
import { INCIDENT_BOUNDS, type IncidentState, incidentStates } from "./incidents-content.ts";

const { titleMax, textMax, roomsMax } = INCIDENT_BOUNDS;
const openStates = incidentStates.filter((state) => state !== "resolved") as [IncidentState, ...IncidentState[]];

const languageTag = text("a language tag, such as en or pt-BR", 35).transform((written, context) => {
  const tag = canonicalTag(written);
  if (tag !== null) return tag;
  context.addIssue({ code: "custom", message: notATag });
  return z.NEVER;
});
const words = plainText("what is known, as visitors are to read it", textMax).kind;
const newIncident = object({
  title: text("what is wrong, in a few words for visitors", titleMax),
  text: words,
  state: oneOf("state", openStates).default("investigating"),
  rooms: list(text("the id of a room", 32), roomsMax, 1).nullish(),
  language: languageTag.nullish(),
});
const newUpdate = object({ text: words, state: oneOf("state", incidentStates).optional() });

const incidentAnswer = z
  .object({
    id: z.string(),
    title: z.string(),
    state: z.enum(incidentStates),
    language: z.string().nullable(),
    /** Null: all rooms of the installation. */
    rooms: z.array(z.string()).nullable(),
    opened_at: timeText,
    resolved_at: timeOrNone,
    /** Oldest first. */
    updates: z.array(z.object({ at: timeText, state: z.enum(incidentStates), text: z.string() })),
  })
  .meta({ id: "Incident" });

const terms = { tag: "Incidents", role: "operator" } as const;

/** Incidents on the public status pages. An incident may affect no room, so only a principal for all rooms may write one. */
export function incidentRoutes({
  incidents,
  rooms,
}: {
  readonly incidents: Incidents;
  readonly rooms: WaitingRooms;
}): AdminRoute[] {
  // Behind a load balancer, what was written at one process is asked for at another.
  const route = routesAbout("/incidents", () => incidents.registry.refresh().catch(() => undefined));
  return [
    route(
      "GET",
      "",
      {
        ...terms,
        role: "viewer",
        summary: "Lists incidents: those that go on, then those resolved in the last 14 days.",
        query: object(pageQuery),
        answers: z.object({ incidents: z.array(incidentAnswer), next_cursor: nextCursor }),
      },
      ({ query }) => {
        const { page, next_cursor } = pageOf(incidents.all, query);
        return { incidents: page.map(incidentJson), next_cursor };
      },
    ),
    route(
      "POST",
      "",
      {
        ...terms,
        summary: "Opens an incident, which the status pages show within seconds.",
        body: newIncident,
        bodyMax: 65_536,
        status: 201,
        answers: incidentAnswer,
        errors: ["conflict"],
      },
      async ({ ctx, notes, body }) => {
        const named = body.rooms ?? null;
        const unknown = named?.find((id) => rooms.get(id) === undefined);
        if (unknown !== undefined) throw badRequest([{ path: ["rooms"], message: `there is no room ${unknown}` }]);
        const affected = named && [...new Set(named)];
        const id = await incidents.open({ ...body, rooms: affected, language: body.language ?? null });
        const created = incidents.find(id);
        notes.created(auditedOf(created));
        ctx.set("Location", `/admin/incidents/${id}`);
        return incidentJson(created);
      },
    ),
    route(
      "GET",
      "/:incident",
      { ...terms, role: "viewer", summary: "Shows an incident.", answers: incidentAnswer },
      ({ ctx }) => incidentJson(incidents.find(String(ctx.params.incident))),
    ),
    route(
      "POST",
      "/:incident/updates",
      {
        ...terms,
        summary: "Adds what is known now; with another state, where the incident has come to.",
        body: newUpdate,
        bodyMax: 65_536,
        status: 201,
        answers: incidentAnswer,
        errors: ["conflict"],
      },
      async ({ ctx, notes, body }) => {
        const id = String(ctx.params.incident);
        const before = auditedOf(incidents.find(id));
        await incidents.update(id, body);
        const now = incidents.find(id);
        // Visitors have read it, so no request leads back.
        notes.changed(before, auditedOf(now), null);
        return incidentJson(now);
      },
    ),
    route(
      "DELETE",
      "/:incident",
      { ...terms, summary: "Takes an incident off the status pages.", status: 204, answers: nothing },
      async ({ ctx, notes }) => {
        const id = String(ctx.params.incident);
        notes.removed(auditedOf(incidents.find(id)));
        await incidents.remove(id);
      },
    ),
  ];
}

/** As a row of the audit says it: with the latest update. */
function auditedOf({ title, state, rooms, updates }: IncidentView) {
  return { title, state, rooms, text: updates.at(-1)?.text };
}

function incidentJson({ id, title, state, language, rooms, openedMs, resolvedMs, updates }: IncidentView) {
  return {
    id,
    title,
    state,
    language,
    rooms: rooms && [...rooms],
    opened_at: formatTime(openedMs),
    resolved_at: timeOrNull(resolvedMs),
    updates: updates.map((update) => ({ at: formatTime(update.at_ms), state: update.state, text: update.text })),
  };
}
