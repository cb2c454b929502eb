import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { describeSystemError } from "../../lib/system-errors.ts";

/** How the writing of the checkpoints goes. */
export interface CheckpointWatch {
  /** They could not be written: said in the log, and again once a minute while it lasts. */
  failed(error: unknown): void;
  written(): void;
  /** What keeps them from being written; null when nothing does. */
  failure(): CheckpointFailure | null;
}

export interface CheckpointFailure {
  readonly reason: string;
  /** Whether this process could write them before. */
  readonly wasWritten: boolean;
}

const repeatMs = 60_000;
const consequence =
  "the checkpoints beside the secrets file cannot be written, and places may be given twice if the store is lost";

export function createCheckpointWatch({ logger, clock }: { logger: Logger; clock: Clock }): CheckpointWatch {
  let failure: CheckpointFailure | null = null;
  let wasWritten = false;
  let reportedMs = 0;
  return {
    failure: () => failure,
    failed(error) {
      const isNew = failure === null;
      failure = { reason: `${consequence}: ${describeSystemError(error) ?? String(error)}`, wasWritten };
      if (!isNew && Math.abs(clock.now() - reportedMs) < repeatMs) return;
      reportedMs = clock.now();
      logger.error({ event: "checkpoints.failed", err: error }, failure.reason);
    },
    written() {
      wasWritten = true;
      if (failure !== null) logger.warn({ event: "checkpoints.written" }, "the checkpoints are written again");
      failure = null;
    },
  };
}
