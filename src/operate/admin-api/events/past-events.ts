import { z } from "zod";
import { text } from "../../../config/index.ts";
import type { WaitingRoom } from "../../../room/index.ts";
import type { EventTypes } from "../../events/event-types.ts";
import type { PastEvents } from "../../events/index.ts";
import type { AdminRoute, RoutesAbout } from "../admin-router.ts";
import { nextCursor, object, pageSize, queryNumber, timeText } from "../bodies.ts";
import { typesOf } from "./event-stream.ts";

export interface PastEventsOptions {
  readonly past: PastEvents;
  readonly eventTypes: EventTypes;
}

const query = object({
  type: text("types of events, with commas between them", 2_000).optional(),
  limit: pageSize,
  cursor: queryNumber(0, Number.MAX_SAFE_INTEGER).optional(),
});

const cloudEvent = z
  .object({
    specversion: z.literal("1.0"),
    id: z.string(),
    source: z.string(),
    type: z.string(),
    subject: z.string(),
    time: timeText,
    datacontenttype: z.literal("application/json"),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Event" });

/** What has happened in a room, as far back as the store keeps it. */
export function pastEventRoutes(
  onRoom: RoutesAbout<WaitingRoom>,
  { past, eventTypes }: PastEventsOptions,
): AdminRoute[] {
  return [
    onRoom(
      "GET",
      "/events",
      {
        summary: "Lists the events of a room that are kept, the latest first.",
        tag: "Events",
        role: "viewer",
        query,
        answers: z.object({ events: z.array(cloudEvent), next_cursor: nextCursor }),
      },
      async ({ subject: room, principal, query: { type, limit, cursor = null } }) => {
        const types = typesOf(type, principal, eventTypes);
        const { events, before } = await past.read(room.id, { types, before: cursor, limit });
        return { events, next_cursor: before === null ? null : String(before) };
      },
    ),
  ];
}
