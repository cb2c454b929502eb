/**
 * Rotation of secrets: the newest is used, and those before it are accepted until they end, since the other side changes over at
 * another moment. For client secrets, admin keys, secrets of webhooks, and secrets that a file of the operator's held before.
 */
export interface RotatedSecret {
  /** Milliseconds since 1970; null: never. */
  readonly expires_ms: number | null;
}

/** Those that a new secret replaces: they end when the overlap does, unless they end sooner; without an overlap, now. */
export function superseded<Secret extends RotatedSecret>(
  secrets: readonly Secret[],
  nowMs: number,
  overlapMs: number,
): Secret[] {
  const endMs = nowMs + overlapMs;
  const ending = secrets.map((secret) => ({ ...secret, expires_ms: Math.min(secret.expires_ms ?? endMs, endMs) }));
  return unexpired(ending, nowMs);
}

/** Without those that have ended. */
export function unexpired<Secret extends RotatedSecret>(secrets: readonly Secret[], nowMs: number): Secret[] {
  return secrets.filter(({ expires_ms: endMs }) => endMs === null || nowMs < endMs);
}
