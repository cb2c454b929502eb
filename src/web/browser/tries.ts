/** Tries of a page that loads itself anew: one that gets nowhere stops, and says so. */
const triesMax = 4;
/** Within so many milliseconds. */
const triesMs = 60_000;

/**
 * @param key by which the browser remembers them
 * @param what was tried: anything else than before is a first try
 */
export function isAnotherTry(key: string, what = ""): boolean {
  try {
    const nowMs = Date.now();
    const [count, sinceMs, before] = readTries(sessionStorage.getItem(key));
    const isRecent = before === what && nowMs - sinceMs >= 0 && nowMs - sinceMs < triesMs;
    sessionStorage.setItem(key, JSON.stringify(isRecent ? [count + 1, sinceMs, what] : [1, nowMs, what]));
    return !isRecent || count < triesMax;
  } catch {
    // Storage is closed to us: the server asks for cookies anyway.
    return true;
  }
}

/** None where something else stands there: it must not count as a first try again and again. */
function readTries(item: string | null): [count: number, sinceMs: number, what: unknown] {
  try {
    const [count, sinceMs, what] = JSON.parse(item ?? "[]");
    if (Number.isFinite(count) && Number.isFinite(sinceMs)) return [count, sinceMs, what];
  } catch {}
  return [0, Number.NaN, ""];
}
