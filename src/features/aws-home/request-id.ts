/**
 * The request id of the AWS interface, in which the place lies: a UUID of version 4's shape, whose 122 free bits are the number that the join
 * gave (36), the second of the claim clock at which it did (30), the edition (6), and a MAC (50). So a visitor who waits costs the store nothing,
 * and an id outlives it.
 *
 * The MAC is made with the issuer's ticket keys, and issuer, room, line and the whole edition are in what it is made of: an id of another one, or
 * of a key that was rotated out, is read as none. Guessing one place takes 2^50 requests. Whoever has an id gets its tokens, so the visitor is known
 * by other bits of the same keyed hash, which say nothing of the id.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import type { MacKey } from "../../config/index.ts";
import type { Random } from "../../lib/clock-and-random.ts";
import { derived } from "../../lib/derived.ts";

/** The place that an id holds. */
export interface IdentifiedPlace {
  /** As tickets name the visitor: `ROOM.` and 128 bits. */
  readonly sub: string;
  readonly edition: number;
  /** That the join gave; 0 for a visitor who needs none, since everybody passes. */
  readonly number: number;
  /** Second of the room's claim clock, in milliseconds; rounded up, so that no turn ends early. 0 without a place. */
  readonly joinedMs: number;
}

export interface RequestIdParts {
  readonly issuer: string;
  readonly room: string;
  /** Distinguishes a room from an earlier one of the same id; "" for one of the configuration file. */
  readonly line: string;
  readonly keys: () => readonly MacKey[];
  readonly random: Random;
}

export type RequestIds = ReturnType<typeof createRequestIds>;

/** By this the contract tells a request id from a mistake; what follows is not looked at (`re.match`). */
const contractShape = /^\w{8}-\w{4}-\w{4}-\w{4}-\w{12}/;
const exactShape = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const context = "usher aws request id v1";

const secondsMax = 2 ** 30;
/** Numbers from here on are none: the bits are those of chance. */
const withoutPlace = 2 ** 35;
/** Bytes that the MAC covers as they stand in the id; of the last one the upper six bits. */
const coveredBytes = 10;
const macBytes = 7;
const subBytes = 16;

/** Whether a text has the shape that the contract asks for. Not every such text is an id. */
export function isRequestIdShape(text: string): boolean {
  return contractShape.test(text);
}

/** An id that nobody has a place by: for an event that there is not. */
export function createStrayId(random: Random): string {
  return writeUuid(random.bytes(16));
}

/** The request ids of one room. */
export function createRequestIds({ issuer, room, line, keys, random }: RequestIdParts) {
  const current = derived(
    () => [keys()],
    (ring) =>
      ring.map(({ kid, secret }) =>
        createSecretKey(
          createHmac("sha256", createSecretKey(secret)).update([context, kid, issuer, room, line].join("\n")).digest(),
        ),
      ),
  );

  return {
    /** @throws TypeError for a number that does not fit */
    encode({ edition, number, joinedMs }: Omit<IdentifiedPlace, "sub">): string {
      if (number < 0 || number >= withoutPlace) throw new TypeError(`${number} does not fit a request id`);
      const bytes = number === 0 ? random.bytes(16) : Buffer.alloc(16);
      if (number > 0) writePlace(bytes, number, Math.ceil(joinedMs / 1_000) % secondsMax);
      else bytes[0] = (bytes[0] ?? 0) | 0x80;
      setFixedBits(bytes);
      bytes[9] = (edition % 64) << 2;
      const [key] = current();
      if (key === undefined) throw new TypeError("there is no key to make request ids with");
      const digest = digestOf(key, bytes, edition);
      bytes[9] |= (digest[0] ?? 0) & 3;
      digest.copy(bytes, coveredBytes, 1, macBytes);
      return writeUuid(bytes);
    },

    /**
     * The place of an id of this room's edition; null for every other text. Never throws. Constant time in the MAC.
     *
     * @param now the edition, and the claim clock (ms) by which the second of the join is completed
     */
    decode(text: string, { edition, claimMs }: { readonly edition: number; readonly claimMs: number }) {
      if (text.length !== 36 || !exactShape.test(text)) return null;
      const bytes = Buffer.from(text.replaceAll("-", ""), "hex");
      const last = bytes[9] ?? 0;
      if (last >> 2 !== edition % 64) return null;
      const mac = Buffer.allocUnsafe(macBytes);
      mac[0] = last & 3;
      bytes.copy(mac, 1, coveredBytes);
      bytes[9] = last & 0xfc;
      for (const key of current()) {
        const digest = digestOf(key, bytes, edition);
        const sub = `${room}.${digest.toString("base64url", subBytes)}`;
        digest[0] = (digest[0] ?? 0) & 3;
        if (timingSafeEqual(digest.subarray(0, macBytes), mac)) return placeOf(bytes, sub, edition, claimMs);
      }
      return null;
    },
  };
}

function digestOf(key: KeyObject, bytes: Buffer, edition: number): Buffer {
  const covered = Buffer.allocUnsafe(coveredBytes + 8);
  bytes.copy(covered, 0, 0, coveredBytes);
  covered.writeDoubleBE(edition, coveredBytes);
  return createHmac("sha256", key).update(covered).digest();
}

/** The number is in the first 36 bits, the second in the 30 behind them that are free. */
function writePlace(bytes: Buffer, number: number, second: number): void {
  bytes.writeUIntBE(number * 4_096 + Math.floor(second / 2 ** 18), 0, 6);
  bytes.writeUInt16BE(Math.floor(second / 64) % 4_096, 6);
  bytes[8] = second % 64;
}

function placeOf(bytes: Buffer, sub: string, edition: number, claimMs: number): IdentifiedPlace {
  const head = bytes.readUIntBE(0, 6);
  const number = Math.floor(head / 4_096);
  if (number >= withoutPlace) return { sub, edition, number: 0, joinedMs: 0 };
  const second = (head % 4_096) * 2 ** 18 + (bytes.readUInt16BE(6) % 4_096) * 64 + ((bytes[8] ?? 0) % 64);
  // 34 years apart: the one that is nearest to now.
  const rounds = Math.round((claimMs / 1_000 - second) / secondsMax);
  return { sub, edition, number, joinedMs: (second + rounds * secondsMax) * 1_000 };
}

/** RFC 9562, section 5.4. */
function setFixedBits(bytes: Buffer): void {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
}

function writeUuid(bytes: Buffer): string {
  setFixedBits(bytes);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
