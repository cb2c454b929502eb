/**
 * What the ids of rooms look like, as a part of expressions for addresses and ids that hold one. The settings say the same in words
 * (config/schema/room-settings.ts).
 */
export const roomIdShape = "[a-z0-9][a-z0-9-]{0,31}";

const whole = new RegExp(`^${roomIdShape}$`);

/** Whether there may be a room of this id. */
export function isRoomId(text: string): boolean {
  return whole.test(text);
}
