import type { AdminAnswers } from "../../client/index.ts";
import { allPages, askGateway, type Gateway } from "../gateway.ts";

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
