import { createHash } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import { decodeNumber, encodeNumber, type KeyRing, readSigned } from "../room/index.ts";

/** Longer tokens are not looked at. */
const lengthMax = 256;
const context = "usher check pass v1";

/** How a pass was earned: by a proof of work, by a provider's challenge, or by waiting. */
const kinds = ["proof", "challenge", "wait"] as const;
export type PassKind = (typeof kinds)[number];

/** A right to join, once. Times are in milliseconds. */
export interface Pass {
  readonly id: string;
  readonly kind: PassKind;
  /** How hard a proof was. */
  readonly times: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Names a line and an address block in what is signed for a visitor from there. */
export function whereOf(line: string, address: string | null): string {
  return createHash("sha256")
    .update(`${line}\n${address ?? ""}`)
    .digest("base64url")
    .slice(0, 22);
}

/** Passes are `kid.payload.mac`, their payload `where~id~kind~times~fromMs~untilMs`. */
export function createPasses(ring: KeyRing) {
  return {
    encode(where: string, { id, kind, times, fromMs, untilMs }: Pass): string {
      return ring.sign(context, [where, id, kind, ...[times, fromMs, untilMs].map(encodeNumber)].join("~"));
    },

    /** Null for anything that is no pass for there. */
    read(where: string, token: string | undefined): Pass | null {
      const [ofWhere, id = "", named, ...numbers] = readSigned(ring, context, token, lengthMax);
      const kind = kinds.find((each) => each === named);
      if (ofWhere !== where || kind === undefined) return null;
      const [times = 0, fromMs = 0, untilMs = 0] = numbers.map(decodeNumber);
      return { id, kind, times, fromMs, untilMs };
    },
  };
}

/** So many are remembered. With the name each takes about 120 bytes. */
const usedMax = 50_000;

/**
 * What was used at this process, each until it is over. Beyond so many at once the oldest are forgotten, and may be used once
 * more: to make that happen, as many have to be earned.
 */
export function createUsedOnce(clock: Clock, max = usedMax) {
  const used = new Map<string, number>();

  function forget(): void {
    const nowMs = clock.now();
    for (const [id, untilMs] of used) {
      if (untilMs > nowMs && used.size <= max) return;
      used.delete(id);
    }
  }

  return {
    has: (id: string) => used.has(id),
    /** Whether it was not used before. It is from now on. */
    use(id: string, untilMs: number): boolean {
      if (used.has(id)) return false;
      used.set(id, untilMs);
      forget();
      return true;
    },
    /** It was not needed. */
    giveBack: (id: string) => void used.delete(id),
  };
}
