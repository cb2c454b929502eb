/** Times of the wall clock, as they are told, and of the flow clock, by which admissions end. */
import type { Room } from "./room.ts";

/** A time of the wall clock, as the flow clock will see it. */
export function toFlow(room: Room, wallMs: number): number {
  return room.flowMs + (wallMs - room.atMs);
}

export function toWall(room: Room, flowMs: number): number {
  return room.atMs + (flowMs - room.flowMs);
}
