import type { World } from "./world.ts";

export interface RoomNumbers {
  serving: number;
  queued: number;
  waiting: number;
  [key: string]: unknown;
}

/** The room's numbers by the admin API, straight from the store and not from a snapshot a second old. */
export async function numbers(world: World, room: string): Promise<RoomNumbers> {
  const answer = await world.admin.request("POST", `/rooms/${room}/serving`, { increment_by: 0 });
  if (answer.status !== 200) throw new Error(`increment by 0 answered ${answer.status}: ${answer.body}`);
  return answer.json() as RoomNumbers;
}

/** The last position that was handed out. */
export async function queued(world: World, room: string): Promise<number> {
  return (await numbers(world, room)).queued;
}
