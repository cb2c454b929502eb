import { hash } from "node:crypto";

/** A row by its number, and the hash of the chain up to it: SHA-256, 64 hex digits. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

/** What the first row of a room's log is chained to. */
export function startOfChain(room: string): ChainHead {
  return { seq: 0, hash: hash("sha256", `usher admission log v1\n${room}`) };
}

/** What the first row of an audit is chained to. */
export function startOfAudit(): ChainHead {
  return { seq: 0, hash: hash("sha256", "usher audit v1") };
}

/** SHA-256(previous hash in hex ‖ "\n" ‖ the line without its member `hash`), of UTF-8. */
export function chainHash(previousHash: string, text: string): string {
  return hash("sha256", `${previousHash}\n${text}`);
}

const pattern = /^(\d{1,15}):([0-9a-f]{64})$/i;

/** What is expected of a head on a command line. */
export const headFault = "expected a head as it was published: the number of a row, a colon and 64 hex digits";

/** A head as it is published, `SEQ:HASH`; null for anything else. */
export function parseHead(text: string): ChainHead | null {
  const [, seq, hash] = pattern.exec(text) ?? [];
  return seq === undefined || hash === undefined ? null : { seq: Number(seq), hash: hash.toLowerCase() };
}
