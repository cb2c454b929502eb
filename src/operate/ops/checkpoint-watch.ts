import type { Clock } from "../../lib/clock-and-random.ts";
import type { Logger } from "../../lib/logger.ts";
import { describeSystemError } from "../../lib/system-errors.ts";

export interface CheckpointFailure {
  readonly reason: string;
  /** Whether this process could write them before. */
  readonly wasWritten: boolean;
}

const repeatMs = 60_000;
const consequence =
  "the checkpoints beside the secrets file cannot be written, and places may be given twice if the store is lost";

/** How the writing of the checkpoints goes. */
export function createCheckpointWatch({ logger, clock }: { logger: Logger; clock: Clock }) {
  let failure: CheckpointFailure | null = null;
  let wasWritten = false;
  let reportedMs = 0;
  let writtenMs: number | null = null;
  return {
    /** What keeps them from being written; null when nothing does. */
    failure: () => failure,
    /** When they were written last, by this process's clock. */
    writtenMs: () => writtenMs,
    /** They could not be written: said in the log, and again once a minute while it lasts. */
    failed(error: unknown): void {
      const isNew = failure === null;
      failure = { reason: `${consequence}: ${describeSystemError(error) ?? String(error)}`, wasWritten };
      if (!isNew && Math.abs(clock.now() - reportedMs) < repeatMs) return;
      reportedMs = clock.now();
      logger.error({ event: "checkpoints.failed", err: error }, failure.reason);
    },
    written(): void {
      wasWritten = true;
      writtenMs = clock.now();
      if (failure !== null) logger.warn({ event: "checkpoints.written" }, "the checkpoints are written again");
      failure = null;
    },
  };
}
