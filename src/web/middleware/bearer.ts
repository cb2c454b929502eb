import type { IncomingHttpHeaders } from "node:http";

/**
 * The token that is sent as `Authorization: Bearer` (RFC 6750, section 2.1): undefined where none is, null for one that can't be read.
 * What another scheme carries is for somebody else: a proxy that asks for a password has browsers send `Basic` with all requests.
 */
export function bearerTokenOf({ authorization = "" }: IncomingHttpHeaders): string | null | undefined {
  if (!/^Bearer(?: |$)/i.test(authorization)) return undefined;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null;
}
