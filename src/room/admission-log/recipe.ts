/** How a chain is computed, for any SHA-256: browsers have another one than Node. */

/** A row by its number, and the hash of the chain up to it: SHA-256, 64 hex digits. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

/** Of a text as UTF-8, in hex. */
export type Sha256 = (text: string) => string;

export type ChainRecipe = ReturnType<typeof createChainRecipe>;

export function createChainRecipe(sha256: Sha256) {
  return {
    /** What the first row of a room's log is chained to. */
    startOfChain: (room: string): ChainHead => ({ seq: 0, hash: sha256(`usher admission log v1\n${room}`) }),
    /** What the first row of an audit is chained to. */
    startOfAudit: (): ChainHead => ({ seq: 0, hash: sha256("usher audit v1") }),
    /** SHA-256(previous hash in hex ‖ "\n" ‖ the line without its member `hash`), of UTF-8. */
    chainHash: (previousHash: string, text: string): string => sha256(`${previousHash}\n${text}`),
  };
}
