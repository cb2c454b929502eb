/**
 * Files that pages load from `/assets/`, under names that have the hash of what is in them, so that browsers and caches keep
 * them for good. Any process finds the file of any page of the same version and configuration, whichever process made the page.
 */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

/** What lies at `/assets/FILE`. */
export interface AssetFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Undefined where compression does not make it smaller. */
  readonly gzip: Buffer | undefined;
}

export const scriptType = "text/javascript";

/** `NAME-HASH`, without what says its type. */
export function hashedName(name: string, content: Buffer | string): string {
  return `${name}-${createHash("sha256").update(content).digest("hex").slice(0, 8)}`;
}

/** Compressed when it is asked for first. */
export function assetFile(type: string, plain: Buffer): AssetFile {
  let gzip: Buffer | undefined;
  return {
    type,
    plain,
    get gzip() {
      if (isCompressed(type)) return undefined;
      gzip ??= gzipSync(plain, { level: 9 });
      return gzip;
    },
  };
}

/** Images of pixels are. */
function isCompressed(type: string): boolean {
  return type.startsWith("image/") && type !== "image/svg+xml";
}
