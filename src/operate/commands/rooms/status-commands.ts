import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import type { Gateway } from "../gateway.ts";
import { addExamples } from "../help.ts";
import { type GatewayRequestOptions, gatewayOf, withGatewayRequest } from "../installation/gateway-options.ts";
import {
  CommandError,
  jsonLine,
  jsonText,
  printable,
  type Screen,
  type Terminal,
  tableOf,
  wholeNumberIn,
} from "../terminal.ts";
import {
  describeRoom,
  getRoom,
  hasNumbers,
  listRooms,
  type Room,
  type RoomWithoutNumbers,
  roomColumns,
  roomRow,
  whyNot,
} from "./room.ts";

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

type Rooms = readonly (Room | RoomWithoutNumbers)[];

/** A screen of its own, without a cursor; and the one before. */
const enterScreen = "\u001b[?1049h\u001b[?25l";
const leaveScreen = "\u001b[?25h\u001b[?1049l";
const home = "\u001b[H";
const clearToLineEnd = "\u001b[K";
const clearToEnd = "\u001b[J";

/** `usher watch`: all rooms, or one, again and again: a table at a terminal, else a line for each room. */
export function addWatchCommand(program: Command, terminal: Terminal): void {
  withGatewayRequest(program.command("watch [room]").description("show the rooms live; Ctrl-C ends it"))
    .option("--interval <seconds>", "between two looks, 1 to 3600", wholeNumberIn(1, 3_600), 2)
    .option("--count <looks>", "end after so many", wholeNumberIn(1, 1_000_000))
    .action(
      async (
        room: string | undefined,
        options: GatewayRequestOptions & {
          readonly interval: number;
          readonly count?: number;
        },
      ) => {
        const stop = terminal.listenForStop();
        const gateway = { ...gatewayOf(options, terminal.env, "has the role viewer"), stop };
        const look = async () => (room === undefined ? listRooms(gateway) : [await getRoom(gateway, room)]);
        const screen = options.json ? null : terminal.screen;
        // What is wrong from the beginning is an error. Later a gateway may be away for a while.
        let rooms: Rooms = await look();
        if (screen === null) return follow(rooms);
        screen.write(enterScreen);
        try {
          await paintAgainAndAgain(screen);
        } finally {
          screen.write(leaveScreen);
        }
        terminal.print(tableOf([roomColumns, ...rooms.map(roomRow)]));

        async function follow(first: Rooms): Promise<void> {
          for (const line of linesOf(first, options)) terminal.print(line);
          for (let looks = 1; looks !== options.count && (await isDue(options.interval, stop)); looks++) {
            const lines = await look().then(
              (next) => linesOf(next, options),
              (error) => (stop.aborted ? [] : [unanswered(error, options)]),
            );
            for (const line of lines) terminal.print(line);
          }
        }

        async function paintAgainAndAgain(display: Screen): Promise<void> {
          let trouble = "";
          for (let looks = 1; ; looks++) {
            display.write(frame(gateway, rooms, trouble, display.size()));
            if (looks === options.count || !(await isDue(options.interval, stop))) return;
            try {
              rooms = await look();
              trouble = "";
            } catch (error) {
              trouble = messageOf(error);
            }
          }
        }
      },
    );
  addExamples(program, "usher watch tickets --interval 5");
}

/** Waits; false where it was told to stop. */
async function isDue(seconds: number, stop: AbortSignal): Promise<boolean> {
  await sleep(seconds * 1_000, undefined, { signal: stop }).catch(() => {});
  return !stop.aborted;
}

/** The whole screen: what does not fit in width or height is left out, and said. */
function frame({ url }: Gateway, rooms: Rooms, trouble: string, size: ReturnType<Screen["size"]>): string {
  const [width, height] = [size.columns || 80, size.rows || 24];
  const updated = rooms.find(hasNumbers)?.updated_at ?? "";
  const head = [`${url}  ${updated}`, trouble === "" ? "" : `! ${trouble}`];
  const [columns = "", ...rows] = tableOf([roomColumns, ...rooms.map(roomRow)]).split("\n");
  const space = Math.max(1, height - head.length - 2);
  const left = rows.length - space;
  const visible = left > 0 ? [...rows.slice(0, space - 1), `… and ${left + 1} more: a higher window shows them`] : rows;
  const lines = [...head, columns, ...visible].map((line) => cut(printable(line), width) + clearToLineEnd);
  return `${home}${lines.join("\r\n")}${clearToEnd}`;
}

/** A longer line would wrap, and move all below it. */
function cut(line: string, width: number): string {
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, Math.max(0, width - 1)).join("")}…`;
}

function linesOf(rooms: Rooms, { json }: GatewayRequestOptions): string[] {
  return rooms.map((room) => (json ? jsonLine(room) : printable(lineOf(room))));
}

/** One line with names, for a log or `grep`. */
function lineOf(room: Room | RoomWithoutNumbers): string {
  if (!hasNumbers(room)) return `${room.room} without_numbers=${whyNot(room)}`;
  const { phase, serving, queued, waiting, live_admissions, outflow_per_minute, outflow_limit } = room;
  const figures = `serving=${serving} queued=${queued} waiting=${waiting} inside=${live_admissions}`;
  return `${room.updated_at} ${room.room} phase=${phase} ${figures} per_minute=${outflow_per_minute} limit=${outflow_limit ?? "none"}`;
}

function unanswered(error: unknown, { json }: GatewayRequestOptions): string {
  const message = messageOf(error);
  return json ? jsonLine({ error: message }) : printable(`! ${message}`);
}

/** @throws what is no answer of a gateway */
function messageOf(error: unknown): string {
  if (error instanceof CommandError) return error.message.replaceAll("\n", " ");
  throw error;
}
