import type { IncomingMessage } from "node:http";

/** Whether an answer may be compressed with gzip (RFC 9110, section 12.5.3): it is named, and not refused by a weight of 0. */
export function acceptsGzip({ headers }: IncomingMessage): boolean {
  const encoding = headers["accept-encoding"];
  return typeof encoding === "string" && /\bgzip\b(?!\s*;\s*q=0(\.0+)?\s*(,|$))/.test(encoding);
}
