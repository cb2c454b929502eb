import type { IncomingMessage } from "node:http";
import { preferenceLengthMax } from "../../lib/request-bounds.ts";

/** Whether an answer may be compressed with gzip (RFC 9110, section 12.5.3): it is named, and not refused by a weight of 0. */
export function acceptsGzip({ headers }: IncomingMessage): boolean {
  const encoding = headers["accept-encoding"];
  // A long header is no preference.
  if (typeof encoding !== "string" || encoding.length > preferenceLengthMax) return false;
  return /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/.test(encoding);
}
