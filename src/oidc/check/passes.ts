import { createHash } from "node:crypto";
import { networkOf } from "../../lib/address-block.ts";
import type { Clock } from "../../lib/clock-and-random.ts";
import { decodeNumber, encodeNumber, type KeyRing, readSigned } from "../../room/index.ts";

/** Longer tokens are ignored. */
const lengthMax = 320;
const context = "usher check pass v1";

/** What a pass was given for: a proof of work, a provider's challenge, or waiting. `session`: nothing yet. */
const kinds = ["proof", "challenge", "wait", "session"] as const;
export type PassKind = (typeof kinds)[number];

/** A right to join, once. Times are in milliseconds. */
export interface Pass {
  /** The network where the check was done, or begun. */
  readonly network: string;
  /** Identifies the visitor from the first check to the join, across all passes. */
  readonly session: string;
  readonly id: string;
  readonly kind: PassKind;
  /** Difficulty of the proof of work. */
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

    /** Null for anything that is not a pass for that line. The caller decides whether its network counts. */
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

/** How many used passes are remembered; each takes about 120 bytes with its name. */
const usedMax = 50_000;

/**
 * Passes used at this process, each until it expires. Beyond the bound the oldest are forgotten and could be used once more; an attacker
 * would have to obtain that many passes first.
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
    /** Marks the pass as used. Returns whether it was unused before. */
    use(id: string, untilMs: number): boolean {
      if (used.has(id)) return false;
      used.set(id, untilMs);
      forget();
      return true;
    },
    /** Marks it as unused again: it was not needed. */
    refund: (id: string) => void used.delete(id),
  };
}
