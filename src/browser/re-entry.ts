/**
 * A page that asks for itself again must not do so for ever. How often it did so lately is kept for the tab, across
 * the pages that answer.
 */

const forgetAfterMs = 60_000;

/** Asks for this same address again, in place: the history does not grow. */
export function reloadPage(): void {
  // Without the fragment, which would make this a jump within the page.
  location.replace(location.href.split("#")[0] ?? "");
}

/**
 * A browser that closes its storage to us refuses cookies as well, and the place would be gone when the turn comes.
 * So the server is asked at once: it sees whether the cookie came back, and explains. Once in a tab, for the answer may
 * be this page again.
 */
export function exposeRefusedCookies(isStorageOpen: boolean): void {
  const mark = "usher.asked";
  if ((isStorageOpen && navigator.cookieEnabled) || window.name === mark) return;
  window.name = mark;
  reloadPage();
}

export function createReentryMemory(key: string) {
  /** When this tab last did so, and how often in a row. Null where storage is closed to us. */
  function read(): { at: number; n: number } | null {
    try {
      const last = JSON.parse(sessionStorage.getItem(key) ?? "null") as { at: number; n: number } | null;
      const sinceMs = last ? Date.now() - last.at : -1;
      return last && sinceMs >= 0 && sinceMs < forgetAfterMs ? last : { at: 0, n: 0 };
    } catch {
      return null;
    }
  }
  return {
    read,
    /** @param isRepeat whether it counts as one more in a row */
    note(isRepeat: boolean): void {
      const n = isRepeat ? (read()?.n ?? 0) + 1 : 0;
      try {
        sessionStorage.setItem(key, JSON.stringify({ at: Date.now(), n }));
      } catch {
        // Without storage, callers wait a fixed time instead.
      }
    },
  };
}
