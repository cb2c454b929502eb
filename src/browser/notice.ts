/**
 * For notices that go away by themselves: asks for the same page again after a while, when it can be seen, ever
 * more slowly, and never all at the same instant.
 */
{
  const KEY = "usher.notice";
  const main = document.querySelector("main");
  const hint = document.getElementById("retrying");
  const delayMs = Number(main?.dataset.retryMs);
  // No early exit: this is a plain script, not a function.
  if (main && delayMs > 0) {
    let attempts = 0;
    try {
      const last = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as { at: number; n: number } | null;
      attempts = last && Math.abs(Date.now() - last.at) < 180_000 ? last.n : 0;
    } catch {
      // Storage is closed to us: no growth, then.
    }
    const waitMs = Math.min(60_000, delayMs * 1.5 ** attempts) * (0.7 + 0.6 * Math.random());
    const dueMs = Date.now() + waitMs;
    const retry = () => {
      if (document.visibilityState === "hidden" || Date.now() < dueMs - 50) return;
      try {
        sessionStorage.setItem(KEY, JSON.stringify({ at: Date.now(), n: attempts + 1 }));
      } catch {
        // As above.
      }
      // Without the fragment, which would make this a jump within the page.
      location.replace(location.href.split("#")[0] ?? "");
    };
    setTimeout(retry, waitMs);
    document.addEventListener("visibilitychange", retry);
    if (hint) hint.hidden = false;
  }
}
