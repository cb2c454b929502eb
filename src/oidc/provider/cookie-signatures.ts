import { createHmac, timingSafeEqual } from "node:crypto";

/** What Koa signs cookies with and verifies them by. */
interface CookieSignatures {
  sign(data: string): string;
  verify(data: string, signature: string): boolean;
  /** By which of the keys it was signed; -1: by none. */
  index(data: string, signature: string): number;
}

/** HMAC-SHA-256, where Koa by itself would take SHA-1. The first key signs, all verify. */
export function createCookieSignatures(keys: readonly string[]): CookieSignatures {
  const mac = (data: string, key: string) => createHmac("sha256", key).update(data).digest();
  const index = (data: string, signature: string) => {
    const presented = Buffer.from(signature, "base64url");
    return keys.findIndex((key) => {
      const own = mac(data, key);
      return own.length === presented.length && timingSafeEqual(own, presented);
    });
  };
  return {
    sign: (data) => mac(data, keys[0] ?? "").toString("base64url"),
    verify: (data, signature) => index(data, signature) >= 0,
    index,
  };
}
