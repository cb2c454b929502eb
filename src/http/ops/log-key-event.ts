import type { Logger } from "../../lib/logger.ts";
import type { KeyEvent } from "../../registry/index.ts";

/** Says what happens to an issuer's keys, and who did it. Never a key. */
export function logKeyEvent(event: KeyEvent & { readonly issuer: string }, logger: Logger): void {
  if (event.event === "key.upkeep_failed") {
    logger.error({ event: event.event, issuer: event.issuer, err: event.error }, "the keys could not be looked after");
    return;
  }
  const { isForced, event: name, admin, ...named } = event;
  const fields = { ...named, ...(admin !== null && { admin }) };
  if (isForced)
    logger.warn({ event: name, ...fields, forced: true }, "before its time: what others kept may not be accepted");
  else logger.info({ event: name, ...fields });
}
