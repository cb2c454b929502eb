/**
 * For notices that go away by themselves: asks for the same page again after a while, when it can be seen, ever
 * more slowly, and never all at the same instant.
 */
import { createReentryMemory, reloadPage } from "./re-entry.ts";

keepTrying();

function keepTrying(): void {
  const hint = document.getElementById("retrying");
  const delayMs = Number(document.querySelector("main")?.dataset.retryMs);
  if (!hint || !(delayMs > 0)) return;
  const memory = createReentryMemory("usher.notice");
  const slowerMs = Math.min(30_000, delayMs * 1.5 ** (memory.read()?.n ?? 2));
  const waitMs = Math.max(1_000, delayMs, slowerMs) * (0.7 + 0.6 * Math.random());
  const dueMs = Date.now() + waitMs;
  const retry = () => {
    if (document.visibilityState === "hidden" || Date.now() < dueMs - 50) return;
    memory.note(true);
    reloadPage();
  };
  setTimeout(retry, waitMs);
  document.addEventListener("visibilitychange", retry);
  hint.hidden = false;
}
