import type { Random } from "../../lib/random.ts";
import type { BypassClaim } from "../../store/contract/room-store.ts";
import type { KeyRing } from "./key-ring.ts";

/** How long a link lets somebody in after it was made. */
const validMs = 3 * 60_000;
/** Longer tokens are not looked at. The longest target that is allowed makes one of 2,900 characters. */
const maxTokenLength = 4_096;

/** A right to enter a room once, ahead of its line, for the holder of the link. Times are of the store's wall clock. */
export interface BypassLink extends BypassClaim {
  readonly room: string;
  /** Where it leads; null for where the room's visitors go otherwise. */
  readonly target: string | null;
}

/** Makes and reads links. That one is used once is seen to by the store; every process reads those of the others. */
export interface BypassLinks {
  make(room: string, nowMs: number, target: string | null): BypassLink;
  encode(link: BypassLink): string;
  /** Undefined for anything that is not a link of this room, whatever its age. */
  read(room: string, token: string | undefined): BypassLink | undefined;
}

const context = "usher bypass link v1";
const base = 36;

/** A token is `kid.payload.mac`, its payload `room~id~madeMs~expiresMs~target`, with the target in base64url. */
export function createBypassLinks(ring: KeyRing, random: Random): BypassLinks {
  return {
    make: (room, nowMs, target) => {
      const madeMs = Math.floor(nowMs);
      return { room, id: random.bytes(9).toString("base64url"), madeMs, expiresMs: madeMs + validMs, target };
    },

    encode({ room, id, madeMs, expiresMs, target }) {
      const encoded = Buffer.from(target ?? "").toString("base64url");
      return ring.sign(context, [room, id, madeMs.toString(base), expiresMs.toString(base), encoded].join("~"));
    },

    read(room, token) {
      if (token === undefined || token.length > maxTokenLength) return undefined;
      const verified = ring.verify(context, token);
      if (typeof verified === "string") return undefined;
      const [ofRoom, id = "", made = "", expires = "", target = ""] = verified.payload.split("~");
      if (ofRoom !== room) return undefined;
      return {
        room,
        id,
        madeMs: Number.parseInt(made, base),
        expiresMs: Number.parseInt(expires, base),
        target: target === "" ? null : Buffer.from(target, "base64url").toString(),
      };
    },
  };
}
