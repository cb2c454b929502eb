import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import type { Gateway } from "../gateway.ts";
import { addExamples } from "../help.ts";
import { type GatewayRequestOptions, gatewayOf, withGatewayRequest } from "../installation/gateway-options.ts";
import { CommandError, jsonLine, printable, type Screen, type Terminal, tableOf, wholeNumberIn } from "../terminal.ts";
import { barOf, chartOf, endOf, type Movement, movementLines, movementOf, painter, type Style } from "./movement.ts";
import {
  describeRoom,
  getRoom,
  hasNumbers,
  listRooms,
  phaseOf,
  type Room,
  type RoomWithoutNumbers,
  roomColumns,
  roomRow,
  whyNot,
} from "./room.ts";

type Rooms = readonly (Room | RoomWithoutNumbers)[];

/** Characters of a row of the table: of its bar, and of its chart. */
const [barInTable, chartInTable] = [10, 12];
/** What is asked of each room by itself. */
const movementEveryMs = 10_000;
const movementRoomsMax = 8;

async function movementsOf(gateway: Gateway, rooms: Rooms): Promise<Map<string, Movement>> {
  const asked = rooms.filter(hasNumbers).slice(0, movementRoomsMax);
  const found = await Promise.all(
    asked.map(async ({ room, updated_at }) => [room, await movementOf(gateway, room, updated_at)] as const),
  );
  return new Map(found.flatMap(([id, movement]) => (movement === null ? [] : [[id, movement] as const])));
}

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
        const paint = painter(terminal.env);
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
          let [movements, askedAtMs] = [new Map<string, Movement>(), Number.NEGATIVE_INFINITY];
          for (let looks = 1; ; looks++) {
            if (trouble === "" && performance.now() - askedAtMs >= movementEveryMs) {
              // What does not answer this time stays as it was.
              movements = new Map([...movements, ...(await movementsOf(gateway, rooms))]);
              askedAtMs = performance.now();
            }
            const picture = { gateway, rooms, movements, isOne: room !== undefined, trouble };
            display.write(frame(picture, display.size(), paint));
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

/** What is on the screen. */
interface Picture {
  readonly gateway: Gateway;
  readonly rooms: Rooms;
  /** By room, of those of which it is known. */
  readonly movements: ReadonlyMap<string, Movement>;
  /** Whether one room was named, which then has the whole screen. */
  readonly isOne: boolean;
  /** Why the latest look failed; empty where it did not. */
  readonly trouble: string;
}

/** The whole screen: what does not fit in width or height is left out, and said. */
function frame(picture: Picture, size: ReturnType<Screen["size"]>, paint: ReturnType<typeof painter>): string {
  const { gateway, rooms, trouble } = picture;
  const [width, height] = [size.columns || 80, size.rows || 24];
  const updated = rooms.find(hasNumbers)?.updated_at ?? "";
  const fitted = (line: string) => cut(printable(line), width);
  const head = [
    paint(fitted(`${gateway.url}  ${updated}`), "quiet"),
    trouble === "" ? "" : paint(fitted(`! ${trouble}`), "bad"),
  ];
  const space = Math.max(2, height - head.length - 1);
  const body = picture.isOne ? linesOfOne(picture, width) : tableLines(picture, space);
  const painted = body.map((line, index) => paintedLine(fitted(line), rooms[picture.isOne ? 0 : index - 1], paint));
  const lines = [...head, ...painted.slice(0, space)].map((line) => line + clearToLineEnd);
  return `${home}${lines.join("\r\n")}${clearToEnd}`;
}

/** All rooms in a table, with how each moves. */
function tableLines({ rooms, movements }: Picture, space: number): string[] {
  const rows = rooms.map((room) => {
    const movement = movements.get(room.room);
    const bar = hasNumbers(room) ? barOf(room.serving, room.queued, barInTable) : "";
    const lately = movement === undefined ? "" : chartOf(movement.entered.slice(-chartInTable));
    return [...roomRow(room), bar, lately, movement === undefined ? "" : endOf(movement.lineEnds)];
  });
  const [columns = "", ...lines] = tableOf([[...roomColumns, "SERVED", "ENTERED", "LINE ENDS"], ...rows]).split("\n");
  const left = lines.length - (space - 1);
  if (left <= 0) return [columns, ...lines];
  return [columns, ...lines.slice(0, space - 2), `… and ${left + 1} more: a higher window shows them`];
}

function linesOfOne({ rooms: [room], movements }: Picture, width: number): string[] {
  if (room === undefined) return [];
  const bar = hasNumbers(room) ? [barOf(room.serving, room.queued, Math.min(60, width)), ""] : [];
  const movement = movements.get(room.room);
  return [...bar, ...describeRoom(room).split("\n"), ...(movement === undefined ? [] : movementLines(movement))];
}

const phaseStyles: Readonly<Record<Room["phase"], Style>> = {
  idle: "quiet",
  prequeue: "attention",
  open: "good",
  paused: "attention",
  ended: "bad",
  passthrough: "attention",
};

/** The phase where it stands as a word of its own, and what is full of a bar or a chart. */
function paintedLine(line: string, room: Rooms[number] | undefined, paint: ReturnType<typeof painter>): string {
  const bars = (text: string) => text.replace(/█+(?=░|\s|$)|[▁-█]{2,}/g, (full) => paint(full, "good"));
  if (room === undefined || !hasNumbers(room)) return bars(line);
  const style = room.availability === "ready" ? phaseStyles[room.phase] : "bad";
  const phase = phaseOf(room);
  const [, before = "", after] = new RegExp(`^((?:phase|${room.room}) +)${escaped(phase)}( .*)?$`).exec(line) ?? [];
  return before === "" ? bars(line) : before + paint(phase, style) + bars(after ?? "");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
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
