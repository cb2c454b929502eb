import type { RoomMessage } from "../../room/index.ts";
import type { PollGuidance } from "../types.ts";

/** What the samples take from the room that they are of. */
export interface SampleRoom {
  readonly id: string;
  readonly title: string;
  readonly timeZone?: string | undefined;
  /** The operator's words; samples that show some themselves have those. */
  readonly message: RoomMessage | null;
  /** How long a turn is held, in milliseconds. */
  readonly claimWithinMs: number;
  readonly poll: PollGuidance;
}

export const madeUpRoom: SampleRoom = {
  id: "tickets",
  title: "Autumn tour tickets",
  message: null,
  claimWithinMs: 900_000,
  poll: { floor_ms: 2_000, ceiling_ms: 40_000, divisor: 10, spread_ms: 10_000 },
};

/** Where the visitor came from: the way back into the room. */
export const wayIn = "/authorize?client_id=shop&response_type=code&scope=openid";
