import { createHash } from "node:crypto";
import { networkOf } from "../../lib/address-block.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import { decodeNumber, encodeNumber, type KeyRing, readSigned } from "../../room/index.ts";

/** Longer tokens are not looked at. */
const lengthMax = 320;
const context = "usher check pass v1";

/** How a pass was earned: by a proof of work, by a provider's challenge, or by waiting. `session` has earned nothing yet. */
const kinds = ["proof", "challenge", "wait", "session"] as const;
export type PassKind = (typeof kinds)[number];

/** A right to join, once. Times are in milliseconds. */
export interface Pass {
  /** Where it was earned, or begun. */
  readonly network: string;
  /** Whose it is: a name that a visitor has from the first question to the join, over all passes. */
  readonly session: string;
  readonly id: string;
  readonly kind: PassKind;
  /** How hard a proof was. */
  readonly times: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Names a line, and the network around an address block, in what is signed for a visitor from there. */
export interface Where {
  readonly line: string;
  readonly network: string;
}

export function whereOf(line: string, address: string | null): Where {
  return { line: hashOf(line), network: hashOf(`${line}\n${address === null ? "" : networkOf(address)}`) };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** Passes are `kid.payload.mac`, their payload `line~network~session~id~kind~times~fromMs~untilMs`. */
export function createPasses(ring: KeyRing) {
  return {
    encode(line: string, { network, session, id, kind, times, fromMs, untilMs }: Pass): string {
      const numbers = [times, fromMs, untilMs].map(encodeNumber);
      return ring.sign(context, [line, network, session, id, kind, ...numbers].join("~"));
    },

    /** Null for anything that is no pass for that line. Where it was earned is for the reader to judge. */
    read(line: string, token: string | undefined): Pass | null {
      const [ofLine, network = "", session = "", id = "", named, ...numbers] = readSigned(
        ...([ring, context, token, lengthMax] as const),
      );
      const kind = kinds.find((candidate) => candidate === named);
      if (ofLine !== line || kind === undefined) return null;
      const [times = 0, fromMs = 0, untilMs = 0] = numbers.map(decodeNumber);
      return { network, session, id, kind, times, fromMs, untilMs };
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
    refund: (id: string) => void used.delete(id),
  };
}
