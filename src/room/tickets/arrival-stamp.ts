import { decodeNumber, encodeNumber, type KeyRing, readSigned } from "./key-ring.ts";
import { decodeRequests, encodeRequests, type SeenRequest } from "./login-request.ts";

/** Longer tokens are not looked at. */
const maxTokenLength = 512;

/** Proof that a visitor came while nobody could be given a position. */
export interface ArrivalStamp {
  readonly room: string;
  /** Clock of the process that met them, in milliseconds. */
  readonly arrivedMs: number;
  /** Authorization requests this visitor came with, oldest first. An arrival may be older than the login that it comes back with. */
  readonly requests: readonly SeenRequest[];
}

export type ArrivalStamps = ReturnType<typeof createArrivalStamps>;

const context = "usher arrival stamp v1";

export function createArrivalStamps(ring: KeyRing) {
  return {
    issue: ({ room, arrivedMs, requests }: ArrivalStamp) =>
      ring.sign(context, `${room}~${encodeNumber(arrivedMs)}~${encodeRequests(requests)}`),

    /** Undefined for anything that is not a stamp of this room. */
    read(room: string, token: string | undefined): ArrivalStamp | undefined {
      const [ofRoom, arrived, requests = ""] = readSigned(ring, context, token, maxTokenLength);
      return ofRoom === room
        ? { room, arrivedMs: decodeNumber(arrived), requests: decodeRequests(requests) }
        : undefined;
    },
  };
}
