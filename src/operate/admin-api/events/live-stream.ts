import { Readable } from "node:stream";
import { z } from "zod";
import { text } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import { noSuchRoom } from "../../../registry/index.ts";
import type { WaitingRooms } from "../../../room/index.ts";
import { type AdminRoute, routesAbout } from "../admin-router.ts";
import { object } from "../bodies.ts";
import { company } from "./company.ts";
import type { LiveFeed } from "./live-feed.ts";
import { liveFigures } from "./live-figures.ts";

export interface LiveStreamOptions {
  readonly live: LiveFeed;
  readonly rooms: WaitingRooms;
}

const liveQuery = object({ room: text("the id of a room", 32).optional() });

/** What consoles show. */
export function liveStreamRoutes({ live, rooms }: LiveStreamOptions): AdminRoute[] {
  return [
    routesAbout("/live", () => null)(
      "GET",
      "",
      {
        summary:
          "Streams the figures of all rooms each second (server-sent events), as this process knows them; with `room` also who else has that one open.",
        tag: "Events",
        role: "viewer",
        reach: "own",
        type: "text/event-stream",
        answers: z.instanceof(Readable),
        query: liveQuery,
        eventData: z.union([liveFigures, company]),
        errors: ["unknown_room", "store_unavailable"],
      },
      ({ ctx, principal, query: { room } }) => {
        if (room !== undefined) principal.requireRooms([room]);
        if (room !== undefined && rooms.get(room) === undefined) throw noSuchRoom();
        const { kind, id, name, role } = principal;
        const reader = `${kind} ${id}`;
        const stream = live.open({
          reader,
          inRoom: room === undefined ? null : { room, reader, kind, name: name ?? id, role },
          isFor: (room) => principal.isFor(room),
          mayRead: () => principal.isInForce(),
        });
        if (stream === null) {
          const message = "as many streams of figures are open as may be; close some, or ask another process";
          throw new UsherError("store_unavailable", message, { retryAfterSec: 5 });
        }
        // A proxy that gathers answers would keep the figures back.
        ctx.set("X-Accel-Buffering", "no");
        return stream;
      },
    ),
  ];
}
