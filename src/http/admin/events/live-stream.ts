import { Readable } from "node:stream";
import { z } from "zod";
import { UsherError } from "../../../lib/errors.ts";
import { type AdminRoute, routesAbout } from "../admin-router.ts";
import type { LiveFeed } from "./live-feed.ts";
import { liveFigures } from "./live-figures.ts";

export interface LiveStreamOptions {
  readonly live: LiveFeed;
}

/** What consoles show. */
export function liveStreamRoutes({ live }: LiveStreamOptions): AdminRoute[] {
  return [
    routesAbout("/live", () => null)(
      "GET",
      "",
      {
        summary: "Streams the figures of all rooms each second (server-sent events), as this process knows them.",
        tag: "Events",
        role: "viewer",
        reach: "own",
        type: "text/event-stream",
        answers: z.instanceof(Readable),
        eventData: liveFigures,
        errors: ["store_unavailable"],
      },
      ({ ctx, principal }) => {
        const stream = live.open({
          reader: `${principal.kind} ${principal.id}`,
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
