/** How routes of a room are registered: for pages, for scripts of any site, and for those who show a ticket. */
import type { Context } from "koa";
import type { RouteDescription, RouteGroup } from "../../lib/described-route.ts";
import { UsherError } from "../../lib/errors.ts";
import type { Ticket, WaitingRoom, WaitingRooms } from "../../room/index.ts";
import { allowAnyOrigin } from "../middleware/cross-origin.ts";
import { createRouteTable } from "../middleware/router.ts";

/** The ticket that a request came with. */
export interface Presented {
  readonly ticket: Ticket;
  /** By the cookie, else as a bearer token. */
  readonly isCookie: boolean;
}

type Method = "GET" | "POST" | "DELETE";
type Handler = (ctx: Context, room: WaitingRoom) => unknown;

export type RoomRoutes = ReturnType<typeof createRoomRoutes>;

/** @param presented reads the ticket that a request came with, and throws where it has none */
export function createRoomRoutes(
  rooms: Pick<WaitingRooms, "get">,
  presented: (ctx: Context, room: WaitingRoom, cookieCounts: boolean) => Presented,
) {
  const table = createRouteTable("/rooms/:room");

  const inRoom = (handler: Handler) => (ctx: Context) => {
    const room = rooms.get(ctx.params.room);
    if (room === undefined) throw new UsherError("unknown_room", "there is no room of this name");
    return handler(ctx, room);
  };

  /** @param allow of which origins the scripts are that may ask */
  function script(
    method: Method,
    path: string,
    describe: () => RouteDescription,
    handler: Handler,
    allow: Parameters<typeof table.addForScripts>[3] = allowAnyOrigin,
  ): void {
    table.addForScripts(method, path, describe, allow, inRoom(handler));
  }

  return {
    table,
    script,

    page(
      method: Method,
      path: string,
      describe: () => RouteDescription,
      handler: Handler,
      group: RouteGroup = "Pages",
    ): void {
      table.add(group, method, path, describe, inRoom(handler));
    },

    /** @param cookieCounts whether the ticket may come in the cookie */
    ofHolder(
      method: Method,
      path: string,
      describe: () => RouteDescription,
      handler: (ctx: Context, room: WaitingRoom, presented: Presented) => unknown,
      cookieCounts = true,
    ): void {
      const answer: Handler = (ctx, room) => handler(ctx, room, presented(ctx, room, cookieCounts));
      script(method, path, () => ({ ...describe(), security: "ticket" }), answer);
    },
  };
}
