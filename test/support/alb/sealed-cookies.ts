/** What the load balancer gives the browser to keep: encrypted, and cut into cookies that browsers take. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** "Most browsers limit a cookie to 4K in size" (guide, "Authentication flow", step 4); they count name and value. */
const COOKIE_BYTES_MAX = 4_096;
/** Cookies of 16K in all, hence four of them (guide, "Authentication flow"). */
const SHARDS_MAX = 4;

/** Encrypts and decrypts with a key of its own. Others can neither read nor change what it has sealed. */
export interface Sealer {
  seal(value: object): string;
  /** Undefined for anything that this sealer has not made. */
  open(text: string): unknown;
}

export function createSealer(): Sealer {
  const key = randomBytes(32);
  return {
    seal(value) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    open(text) {
      try {
        const bytes = Buffer.from(text, "base64url");
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES));
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        const opened = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
        return JSON.parse(opened.toString("utf8"));
      } catch {
        return undefined;
      }
    },
  };
}

function shardName(name: string, index: number): string {
  return `${name}-${index}`;
}

/** The cookies `name-0`, `name-1` … that hold a text; undefined when it is too long for them. */
export function shard(name: string, text: string): [string, string][] | undefined {
  const chars = COOKIE_BYTES_MAX - shardName(name, 0).length;
  const count = Math.ceil(text.length / chars);
  if (count > SHARDS_MAX) return undefined;
  return Array.from({ length: count }, (_, index) => [
    shardName(name, index),
    text.slice(index * chars, (index + 1) * chars),
  ]);
}

/** The text that a browser brings back in shards; undefined when there is none. */
export function joinShards(name: string, cookies: ReadonlyMap<string, string>): string | undefined {
  let text = "";
  for (let index = 0; index < SHARDS_MAX; index++) text += cookies.get(shardName(name, index)) ?? "";
  return text === "" ? undefined : text;
}
