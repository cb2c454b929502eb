const firstMs = 100;
const longestMs = 30_000;
/** One that has lived so long, in milliseconds, is well: what ends it then is another fault than that of its start. */
const wellAfterMs = 60_000;

/** After which time workers are started again that end unasked: at once nearly, then ever later, at least every 30 s. */
export function createRestartDelay() {
  const inARow = new Map<number, number>();
  return {
    /**
     * @param livedMs how long the one that has ended was there
     * @returns milliseconds
     */
    after(slot: number, livedMs: number): number {
      const crashes = livedMs >= wellAfterMs ? 1 : (inARow.get(slot) ?? 0) + 1;
      inARow.set(slot, crashes);
      return Math.min(longestMs, firstMs * 2 ** (crashes - 1));
    },
  };
}
