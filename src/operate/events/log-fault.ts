import { UsherError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";

/**
 * Logs why a round failed that runs again by itself. A store that is away is reported elsewhere, and a conflict is over by the next
 * round, or is told as `registry.unreadable`: neither is logged here.
 */
export function logFault(logger: Logger): (error: unknown) => void {
  return (error) => {
    const isExpected = error instanceof UsherError && (error.code === "store_unavailable" || error.code === "conflict");
    if (!isExpected) logger.error({ event: "events.failed", err: error });
  };
}
