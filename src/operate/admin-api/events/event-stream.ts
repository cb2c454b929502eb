import { Readable } from "node:stream";
import { z } from "zod";
import { list, text } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import { noSuchRoom } from "../../../registry/index.ts";
import type { WaitingRooms } from "../../../room/index.ts";
import type { EventTypes } from "../../events/event-types.ts";
import { type EventStreams, Positions } from "../../events/index.ts";
import type { Principal } from "../access/principal.ts";
import { type AdminRoute, routesAbout } from "../admin-router.ts";
import { badRequest, object } from "../bodies.ts";

export interface EventStreamOptions {
  readonly streams: EventStreams;
  readonly eventTypes: EventTypes;
  readonly rooms: WaitingRooms;
}

/** Types of events, each whole or as a beginning with `*` behind it. */
export const typesWanted = list(text("a type of events such as usher.room.phase_changed, or usher.room.*", 64), 30, 1);

const streamQuery = object({
  room: text("the id of a room", 32).optional(),
  type: text("types of events, with commas between them", 2_000).optional(),
});

/** What happens, as it happens. */
export function eventStreamRoutes({ streams, eventTypes, rooms }: EventStreamOptions): AdminRoute[] {
  return [
    routesAbout("/events", () => null)(
      "GET",
      "",
      {
        summary: "Streams events as they happen (server-sent events), behind `Last-Event-ID` where that is sent.",
        tag: "Events",
        role: "viewer",
        reach: "own",
        query: streamQuery,
        type: "text/event-stream",
        answers: z.instanceof(Readable),
        errors: ["unknown_room", "store_unavailable"],
      },
      ({ ctx, principal, query: { room, type } }) => {
        if (room !== undefined) principal.requireRooms([room]);
        if (room !== undefined && rooms.get(room) === undefined) throw noSuchRoom();
        const types = typesOf(type, principal, eventTypes);
        const isOf = (id: string | null) => {
          if (room !== undefined) return id === room;
          return id === null ? principal.rooms === null : principal.isFor(id);
        };
        const stream = streams.open(
          {
            reader: `${principal.kind} ${principal.id}`,
            isOf: (line) => isOf(line.room),
            isFor: (type) => principal.hasRole("admin") || !eventTypes.isForAdmins(type),
            types,
            mayRead: () => principal.isInForce(),
          },
          positionsOf(ctx.get("Last-Event-ID")),
        );
        if (stream === null) {
          const message = "as many event streams are open as may be; close some, or ask another process";
          throw new UsherError("store_unavailable", message, { retryAfterSec: 5 });
        }
        // A proxy that gathers answers would keep events back.
        ctx.set("X-Accel-Buffering", "no");
        return stream;
      },
    ),
  ];
}

/**
 * Types of a query; null for all.
 *
 * @throws UsherError `bad_request` for one that there is not, `forbidden` for those of admins alone: else there would be nothing for
 * good, and nobody would say why
 */
export function typesOf(
  type: string | undefined,
  principal: Principal,
  eventTypes: EventTypes,
): readonly string[] | null {
  const types = type === undefined ? null : type.split(",").map((each) => each.trim());
  refuseUnknownType(types ?? [], "type", eventTypes);
  if (types?.some(eventTypes.isForAdmins)) principal.requireRole("admin");
  return types;
}

/** @throws UsherError `bad_request` */
export function refuseUnknownType(types: readonly string[], member: string, eventTypes: EventTypes): void {
  const unknown = eventTypes.findUnknown(types);
  if (unknown === undefined) return;
  const message = `there are no events ${unknown.slice(0, 64)}; there are: ${eventTypes.all.join(", ")}`;
  throw badRequest([{ path: [member], message }]);
}

/** @throws UsherError `bad_request` */
function positionsOf(id: string): Positions | null {
  if (id === "") return null;
  const positions = Positions.read(id);
  if (positions !== null) return positions;
  throw badRequest([{ path: ["Last-Event-ID"], message: "expected the id of an event of this stream" }]);
}
