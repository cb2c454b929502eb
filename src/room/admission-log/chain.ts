import { hash } from "node:crypto";
import { type ChainHead, createChainRecipe } from "./recipe.ts";

/** With Node's SHA-256. */
export const nodeRecipe = createChainRecipe((text) => hash("sha256", text));

export const { startOfChain, startOfAudit, chainHash } = nodeRecipe;

const pattern = /^(\d{1,15}):([0-9a-f]{64})$/i;

/** What is expected of a head on a command line. */
export const headFault = "expected a head as it was published: the number of a row, a colon and 64 hex digits";

/** A head as it is published, `SEQ:HASH`; null for anything else. */
export function parseHead(text: string): ChainHead | null {
  const [, seq, hash] = pattern.exec(text) ?? [];
  return seq === undefined || hash === undefined ? null : { seq: Number(seq), hash: hash.toLowerCase() };
}
