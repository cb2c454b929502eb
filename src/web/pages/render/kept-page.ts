import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Locale } from "../locales/locale.ts";
import type { KeptPage } from "../types.ts";

/** A page that is the same for all, as it is and compressed. */
export function keepPage(html: string, { tag: language }: Locale, contentSecurityPolicy: string): KeptPage {
  const plain = Buffer.from(html);
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  // Weak: both forms have it.
  return { plain, gzip: gzipSync(plain, { level: 9 }), etag: `W/"${hash}"`, language, contentSecurityPolicy };
}
