import type { World } from "./world.ts";

export interface RoomNumbers {
  serving: number;
  queued: number;
  waiting: number;
  [key: string]: unknown;
}

/** The room's numbers as they are now: an empty patch changes nothing and answers from the store, not from a snapshot. */
export async function numbers(world: World, room: string): Promise<RoomNumbers> {
  const answer = await world.admin.request("PATCH", `/rooms/${room}`, {});
  if (answer.status !== 200) throw new Error(`an empty patch answered ${answer.status}: ${answer.body}`);
  return answer.json() as RoomNumbers;
}

/** How the admissions of a room stand, in the order of the admin API. */
export async function admissionStatuses(world: World, room: string): Promise<string[]> {
  const answer = (await world.admin.request("GET", `/rooms/${room}/admissions`)).json();
  return (answer as { admissions: { status: string }[] }).admissions.map(({ status }) => status);
}

/** The last position that was handed out. */
export async function queued(world: World, room: string): Promise<number> {
  return (await numbers(world, room)).queued;
}
