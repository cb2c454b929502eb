import { systemClock } from "../../../lib/clock.ts";
import { UsageError } from "../terminal.ts";

/**
 * A time as the admin API takes it. A duration such as `2h` means so long ago, by the clock of this machine; all else is passed on, and
 * the gateway says what is wrong with it.
 *
 * @throws UsageError where it is a duration that no time is behind
 */
export async function timeOf(text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const { formatTime, parseDuration } = await import("../../../config/index.ts");
  const durationMs = parseDuration(text);
  if (durationMs === null) return text;
  const atMs = systemClock.now() - durationMs;
  if (atMs < 0) throw new UsageError(`${text} ago was before 1970`);
  return formatTime(atMs);
}
