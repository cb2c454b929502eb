/** Asks AWS Secrets Manager again now and then, for each secret in its own rhythm. */
import type { Random } from "../../lib/random.ts";
import { SecretError } from "../secrets/secret-error.ts";
import { nameOf, type SecretsManager } from "../secrets/secrets-manager.ts";
import type { SecretAddress } from "../secrets/secrets-manager-failures.ts";
import type { FaultBoard } from "./fault-board.ts";
import { type Repeated, repeat } from "./repeat.ts";
import type { Timers } from "./timers.ts";

const BACKOFF_MAX_MS = 300_000;

export interface ReloadedSecret {
  readonly address: SecretAddress;
  /** All staging labels that its references ask for, in reading order. */
  readonly stages: readonly string[];
  /** Where it is told when it can't be read: the first of its references. */
  readonly place: string;
  /** Takes what was read, for each of its references. */
  take(): Promise<void>;
}

export interface RoundsOptions {
  readonly timers: Timers;
  readonly random: Random;
  readonly refreshMs: number;
  readonly manager: SecretsManager;
  readonly board: FaultBoard;
  readonly isStopped: () => boolean;
}

export function createRounds(secret: ReloadedSecret, options: RoundsOptions): Repeated {
  const { timers, random, refreshMs, manager, board, isStopped } = options;
  const { address, stages, place, take } = secret;
  const usualMs = () => refreshMs * (0.9 + 0.2 * random.fraction());
  let failures = 0;

  /** Longer with every failure in a row; spread, so that many processes do not ask all at once when it is over. */
  function backoffMs(): number {
    const mostMs = Math.min(BACKOFF_MAX_MS, refreshMs * 2 ** Math.min(failures, 16));
    return mostMs * (0.5 + 0.5 * random.fraction());
  }

  async function round(): Promise<string | null> {
    manager.forget(address);
    try {
      for (const stage of stages) await manager.read(address, stage);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      return error.message;
    }
    if (!isStopped()) await take();
    manager.forget(address);
    return null;
  }

  return repeat(timers, usualMs, async () => {
    const fault = await round();
    if (isStopped()) return refreshMs;
    board.set(nameOf(address), place, fault);
    failures = fault === null ? 0 : failures + 1;
    return fault === null ? usualMs() : backoffMs();
  });
}
