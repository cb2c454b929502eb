import { UsherError } from "../../lib/errors.ts";

/** What cannot be answered now. @param retryMs when to ask again */
export function later(message: string, retryMs = 2_000): UsherError {
  const retryAfterSec = Math.ceil(retryMs / 1_000);
  return new UsherError("store_unavailable", message, { status: 503, expose: true, retryAfterSec });
}
