import type { Random } from "../../lib/clock-and-random.ts";
import type { LinkClaim } from "../../store/contract/room-store.ts";
import { decodeNumber, encodeNumber, type KeyRing, readSigned } from "./ticket.ts";

/** How long a link admits a visitor after it was made. */
const validMs = 3 * 60_000;
/** Longer tokens are not looked at. The longest target that is allowed makes one of 2,900 characters. */
const maxTokenLength = 4_096;

/** A right to enter a room once, ahead of its line, for the holder of the link. Times are of the store's wall clock. */
export interface BypassLink extends LinkClaim {
  readonly room: string;
  /** Where it leads; null for where the room's visitors go otherwise. */
  readonly target: string | null;
}

export type BypassLinks = ReturnType<typeof createBypassLinks>;

const context = "usher bypass link v1";

/**
 * Makes and reads links. That one is used once is seen to by the store; every process reads those of the others. A token is
 * `kid.payload.mac`, its payload `room~id~madeMs~expiresMs~target`, with the target in base64url.
 */
export function createBypassLinks(ring: KeyRing, random: Random) {
  return {
    make(room: string, nowMs: number, target: string | null): BypassLink {
      const madeMs = Math.floor(nowMs);
      return { room, id: random.bytes(9).toString("base64url"), madeMs, expiresMs: madeMs + validMs, target };
    },

    encode({ room, id, madeMs, expiresMs, target }: BypassLink): string {
      const encoded = Buffer.from(target ?? "").toString("base64url");
      return ring.sign(context, [room, id, encodeNumber(madeMs), encodeNumber(expiresMs), encoded].join("~"));
    },

    /** Undefined for anything that is not a link of this room, whatever its age. */
    read(room: string, token: string | undefined): BypassLink | undefined {
      const [ofRoom, id = "", made, expires, encoded = ""] = readSigned(ring, context, token, maxTokenLength);
      if (ofRoom !== room) return undefined;
      const target = encoded === "" ? null : Buffer.from(encoded, "base64url").toString();
      return { room, id, madeMs: decodeNumber(made), expiresMs: decodeNumber(expires), target };
    },
  };
}
