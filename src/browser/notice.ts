/**
 * For notices that go away by themselves: counts down to the opening, where there is one, and asks for the same page
 * again after a while, when it can be seen, ever more slowly, and never all at the same instant.
 */
import { jitter } from "./line-figures.ts";
import { describeOpening, spreadOut } from "./opening.ts";
import { part, say } from "./page-parts.ts";
import { createReentryMemory, reloadPage } from "./re-entry.ts";
import { createTimeWords, ownLocale } from "./time-words.ts";

const { retryMs = "", opensAt = "", now = "" } = document.querySelector("main")?.dataset ?? {};
/** The server's clock minus this device's, which may be wrong by hours. */
const clockOffsetMs = now === "" ? 0 : Number(now) - Date.now();

if (opensAt !== "") countDown(Number(opensAt));
if (Number(retryMs) > 0) keepTrying(Number(retryMs), opensAt === "" ? Infinity : Number(opensAt) - serverNow());

function serverNow(): number {
  return Date.now() + clockOffsetMs;
}

function countDown(opensAtMs: number): void {
  const { unset = "", in: inText = "", now: nowText = "", pair = "" } = part("countdown").dataset;
  const texts = { unset, in: inText, now: nowText };
  const times = createTimeWords(ownLocale(document.documentElement.lang, navigator.languages), pair);
  const show = () => {
    const { moment, countdown } = describeOpening(texts, times, opensAtMs, serverNow());
    say("opens", moment);
    say("countdown", countdown);
  };
  show();
  setInterval(show, 1_000);
}

/** @param opensInMs Infinity where no time is set; below zero when it ought to have opened by now */
function keepTrying(delayMs: number, opensInMs: number): void {
  const memory = createReentryMemory("usher.notice");
  const usualMs = opensInMs > 0 ? delayMs : 2_000;
  const slowerMs = Math.min(30_000, usualMs * 1.5 ** (memory.read()?.n ?? 2));
  const soonMs = opensInMs > 0 ? opensInMs + spreadOut() : Infinity;
  const waitMs = Math.min(soonMs, jitter(Math.max(1_000, usualMs, slowerMs)));
  const dueMs = Date.now() + waitMs;
  const retry = () => {
    if (document.visibilityState === "hidden" || Date.now() < dueMs - 50) return;
    memory.note(true);
    reloadPage();
  };
  setTimeout(retry, waitMs);
  document.addEventListener("visibilitychange", retry);
  part("retrying").hidden = false;
}
