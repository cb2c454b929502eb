/** By what an entry's address is known in the store: keyed hashes of it and of its network, never the address itself. */
import { createHmac, randomBytes } from "node:crypto";
import { blockLength, rowLength, unknownRow } from "../../core/ports/lists.ts";
import { networkOf } from "../../lib/address-block.ts";
import type { Draw } from "../../store/contract/room-store.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import { type DrawSource, secretOf } from "./draw-source.ts";

/** 48 bits, which are eight characters in base64url. */
const hashBytes = 6;
/** Reads well on a phone, and makes no words. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";
const referenceLength = 8;

export type BlockRows = ReturnType<typeof createBlockRows>;

/** @param source null where nothing is known of draws */
export function createBlockRows(room: SyncedRoom, source: DrawSource | null) {
  function hashed(draw: Draw, use: string, text: string): Buffer | null {
    const secret = source === null ? undefined : secretOf(source, draw);
    if (secret === undefined) return null;
    return createHmac("sha256", secret)
      .update(`usher draw ${use} v1\n${room.id}\n${room.state?.edition}\n${draw.id}\n${text}`)
      .digest();
  }

  /** Null where this process lacks the key. */
  function blockOf(draw: Draw, block: string): string | null {
    return hashed(draw, "block", block)?.subarray(0, hashBytes).toString("base64url") ?? null;
  }

  return {
    /**
     * The row of an address block (lib/address-block.ts) in a draw that takes entries.
     *
     * @param addressOf null: the address is not known, or not counted
     */
    rowOf(draw: Draw, addressOf: () => string | null): string {
      const address = addressOf();
      const [exact, network] =
        address === null ? [null, null] : [blockOf(draw, address), blockOf(draw, networkOf(address))];
      return exact === null || network === null ? unknownRow : exact + network;
    },

    /** Both hashes of an address block; null where this process lacks the key. */
    blocksOf(draw: Draw, address: string): { readonly address: string; readonly network: string } | null {
      const [exact, network] = [blockOf(draw, address), blockOf(draw, networkOf(address))];
      return exact === null || network === null ? null : { address: exact, network };
    },

    /** The name of a void: the same for one request, whichever process carries it out. */
    referenceFor(draw: Draw, requestId: string | null): string {
      const bytes = (requestId === null ? null : hashed(draw, "void", requestId)) ?? randomBytes(referenceLength);
      return Array.from(bytes.subarray(0, referenceLength), (byte) => letters[byte % letters.length]).join("");
    },
  };
}

/** Hashes of rows as numbers, which take less memory than texts; -1 where one is not known. */
export function numbersOf(rows: string, part: "address" | "network"): number[] {
  const shift = part === "address" ? 0 : blockLength;
  const count = Math.floor(rows.length / rowLength);
  return Array.from({ length: count }, (_, index) => numberAt(rows, index * rowLength + shift));
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const digits = new Int8Array(128).fill(-1);
for (const [value, char] of [...alphabet].entries()) digits[char.charCodeAt(0)] = value;

function numberAt(rows: string, at: number): number {
  let number = 0;
  for (let index = at; index < at + blockLength; index++) {
    const digit = digits[rows.charCodeAt(index)] ?? -1;
    if (digit < 0) return -1;
    number = number * 64 + digit;
  }
  return number;
}

export function textOfNumber(number: number): string {
  let text = "";
  for (let rest = number; text.length < blockLength; rest = Math.floor(rest / 64)) text = alphabet[rest % 64] + text;
  return text;
}
