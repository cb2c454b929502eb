/** Tries of a page that loads itself anew: one that gets nowhere stops, and says so. */
const triesMax = 4;
/** Within so many milliseconds. */
const triesMs = 60_000;

/** @param key by which the browser remembers them */
export function isAnotherTry(key: string): boolean {
  try {
    const nowMs = Date.now();
    const [count = 0, sinceMs = nowMs] = JSON.parse(sessionStorage.getItem(key) ?? "[]") as number[];
    const isRecent = nowMs - sinceMs >= 0 && nowMs - sinceMs < triesMs;
    sessionStorage.setItem(key, JSON.stringify(isRecent ? [count + 1, sinceMs] : [1, nowMs]));
    return !isRecent || count < triesMax;
  } catch {
    // Storage is closed to us: the server asks for cookies anyway.
    return true;
  }
}
