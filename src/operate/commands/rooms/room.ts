/** A room as commands ask for it, and as they describe it. */
import type { AdminAnswers } from "../../client/index.ts";
import { allPages, askGateway, type Gateway } from "../gateway.ts";
import { figure, printable, tableOf } from "../terminal.ts";

export type Room = AdminAnswers["Room"];
/** A room of which the process that was asked knows no numbers: not yet, or because it is not in force there. */
export type RoomWithoutNumbers = AdminAnswers["UnknownRoom"] | AdminAnswers["UnusedRoom"];

export function hasNumbers(room: Room | RoomWithoutNumbers): room is Room {
  return "phase" in room;
}

/** @throws CommandError */
export function getRoom(gateway: Gateway, room: string): Promise<Room | RoomWithoutNumbers> {
  return askGateway(gateway, (client) => client.GET("/admin/rooms/{room}", { params: { path: { room } } }));
}

/** All rooms that the key may see. @throws CommandError */
export async function listRooms(gateway: Gateway): Promise<(Room | RoomWithoutNumbers)[]> {
  const pages = await allPages(gateway, (client, query) => client.GET("/admin/rooms", { params: { query } }));
  return pages.flatMap(({ rooms }) => rooms);
}

/** A room in lines: where it is, how its line moves, and what is wrong. */
export function describeRoom(room: Room | RoomWithoutNumbers): string {
  if (!hasNumbers(room)) return `${room.room} has no numbers here: ${whyNot(room)}.`;
  const rows = [
    ["room", `${room.room} (${room.title})`],
    ...(room.settings.rehearsal === true ? [["rehearsal", "the pages say that nothing is sold here"]] : []),
    ["phase", phaseOf(room)],
    ["line", `serving ${figure(room.serving)} of ${figure(room.queued)}, ${figure(room.waiting)} waiting`],
    ["called", `${figure(room.pending)} about to enter, ${figure(room.absent)} absent`],
    ["inside", figure(room.live_admissions)],
    ["pace", `${paceOf(room)} a minute`],
    ...times(room),
    ...(room.availability === "ready" ? [] : [["store", `${room.availability}; all this is from ${room.updated_at}`]]),
    ...(room.held_until === null ? [] : [["held", `nobody is admitted before ${room.held_until}`]]),
    ...messageRow(room),
    ...room.warnings.map((warning) => ["warning", warning]),
  ];
  return tableOf(rows);
}

/** Rooms side by side. */
export const roomColumns = ["ROOM", "PHASE", "SERVING", "QUEUED", "WAITING", "INSIDE", "PER MINUTE", "LIMIT"] as const;

/** A room as the columns have it. */
export function roomRow(room: Room | RoomWithoutNumbers): string[] {
  if (!hasNumbers(room)) return [room.room, whyNot(room), "-", "-", "-", "-", "-", "-"];
  const { serving, queued, waiting, live_admissions, outflow_per_minute, outflow_limit } = room;
  const figures = [serving, queued, waiting, live_admissions].map(figure);
  const limit = outflow_limit === null ? "none" : figure(outflow_limit);
  return [room.room, phaseOf(room), ...figures, outflow_per_minute.toFixed(1), limit];
}

/** What happened, after a step. */
export function describeStep(
  room: string,
  { phase, serving, queued, waiting }: Pick<Room, "serving" | "queued" | "waiting"> & { readonly phase?: string },
): string {
  const isPhase = phase === undefined ? "" : ` is ${phase}`;
  // Nobody has the places yet that are called.
  const callsAhead = serving - queued;
  if (waiting === 0 && callsAhead > 0 && (phase ?? "open") === "open") {
    const who = callsAhead === 1 ? "next who comes is" : `next ${figure(callsAhead)} who come are`;
    return printable(`${room}${isPhase}: nobody waits; the ${who} called at once.`);
  }
  return printable(`${room}${isPhase}: serving ${figure(serving)} of ${figure(queued)}, ${figure(waiting)} waiting.`);
}

/** With why it is so, and whether the store answers. */
export function phaseOf({ phase, phase_reason, availability }: Room): string {
  const reason = phase_reason === null ? "" : ` (${phase_reason})`;
  return `${phase}${reason}${availability === "ready" ? "" : `, ${availability}`}`;
}

function paceOf({ outflow_per_minute, outflow_limit }: Room): string {
  return `${outflow_per_minute.toFixed(1)}${outflow_limit === null ? "" : ` of at most ${figure(outflow_limit)}`}`;
}

function times({ prequeue_at, opens_at, ends_at }: Room): string[][] {
  const named = [
    ["prequeue", prequeue_at],
    ["opens", opens_at],
    ["ends", ends_at],
  ] as const;
  return named.flatMap(([name, time]) => (time === null ? [] : [[name, time]]));
}

function messageRow({ settings: { message } }: Room): string[][] {
  if (message === null || message === undefined) return [];
  const text = typeof message === "string" ? message : message.text;
  return [["message", typeof text === "string" ? text : JSON.stringify(text)]];
}

/** Such as `unusable`, or `away`. */
export function whyNot(room: RoomWithoutNumbers): string {
  const status = room.status ?? "active";
  return status === "active" && "availability" in room ? room.availability : status;
}
