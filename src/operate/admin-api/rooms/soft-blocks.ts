/** The admin API's route for recently refused joins and their reasons. */
import { z } from "zod";
import { formatTime } from "../../../config/index.ts";
import type { WaitingRoom } from "../../../room/index.ts";
import type { AdminRoute, RoutesAbout } from "../admin-router.ts";
import { timeText } from "../bodies.ts";

const refused = z.object({ rate: z.int(), entries: z.int(), network: z.int() });
const checked = z.object({ asked: z.int(), slowed: z.int(), passed: z.int(), failed: z.int() });
const softBlocksAnswer = z
  .object({
    room: z.string(),
    since: timeText,
    joined: z.int(),
    refused,
    checked,
    networks: z.array(z.object({ range: z.string(), rule: z.string().nullable(), refused, checked })),
  })
  .meta({ id: "SoftBlocks" });

export function softBlockRoutes(route: RoutesAbout<WaitingRoom>): AdminRoute[] {
  return [
    route(
      "GET",
      "/soft-blocks",
      {
        summary:
          "Tells whom the process that answers refused a place, or asked for a check, in the last minutes, and why.",
        tag: "Statistics",
        role: "operator",
        answers: softBlocksAnswer,
      },
      async ({ subject: room }) => {
        const { sinceMs, networks, ...seen } = room.softBlocks;
        return {
          room: room.id,
          since: formatTime(sinceMs),
          ...seen,
          networks: networks.map((network) => ({ ...network })),
        };
      },
    ),
  ];
}
