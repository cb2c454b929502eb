import type { Command } from "commander";
import { addExamples } from "../help.ts";
import { type GatewayRequestOptions, gatewayOf, withGatewayRequest } from "../installation/gateway-options.ts";
import { jsonText, type Terminal, tableOf } from "../terminal.ts";
import { describeRoom, getRoom, listRooms, roomColumns, roomRow } from "./room.ts";

/** `usher status`: all rooms in a table, or one in lines. */
export function addStatusCommand(program: Command, { env, print }: Terminal): void {
  withGatewayRequest(program.command("status [room]").description("how a room is, or all of them")).action(
    async (room: string | undefined, options: GatewayRequestOptions) => {
      const gateway = gatewayOf(options, env, "has the role viewer");
      const found = room === undefined ? await listRooms(gateway) : await getRoom(gateway, room);
      if (options.json) print(jsonText(found));
      else if (!Array.isArray(found)) print(describeRoom(found));
      else if (found.length === 0) print("There are no rooms that this key may see.");
      else print(tableOf([roomColumns, ...found.map(roomRow)]));
    },
  );
  addExamples(program, "usher status tickets");
}
