/**
 * For notices that go away by themselves: counts down to the opening, where there is one, and asks for the same page
 * again when that may lead further: when the room's public status names another phase than the page speaks of, when it
 * says that places are given again, or after a while. Only where the server answers, while somebody is looking, and
 * never all at the same instant.
 */
import { statusAgeMs } from "../../room/public-status/pacing.ts";
import { type RoomStatus, readStatus } from "../../room/public-status/status.ts";
import { createEntry } from "./entry.ts";
import {
  describeOpening,
  laterEntry,
  nextOpening,
  type OpeningTexts,
  spreadOut,
  tickingWords,
  watchAfterMs,
} from "./opening.ts";
import { isSeen, part, readWritten, say, sayMoment, showMessage, writtenIn } from "./page-parts.ts";
import { jitter } from "./requests.ts";
import { createStatusPoll, listenForWaking } from "./status-poll.ts";
import {
  canJoin,
  firstQuestionMs,
  unavailableBackoffMsMax,
  unavailablePauseMsMax,
  unavailablePollMs,
} from "./temporarily-unavailable.ts";
import { createTimeWords, regionalLocale } from "./times.ts";

const noticePage = document.querySelector("main");
if (noticePage) run(noticePage.dataset);

function run(data: DOMStringMap): void {
  readWritten();
  const { lang } = document.documentElement;
  const { retryMs, now, statusUrl = "", phase, openTitle = "", openHeading = "" } = data;
  const waitsForPlaces = data.waitsFor === "places";
  const closed = { title: document.title, heading: writtenIn("heading") };
  let opensAtMs = Number(data.opensAt) || null;
  let entryAtMs = Number(data.entryAt) || null;
  let spreadMs = Number(data.spreadMs);
  /** From this page's own clock, which runs evenly whatever becomes of the device's, to the server's; NaN until that is known. */
  let clockOffsetMs = Number(now || Number.NaN) - performance.now();
  const serverNow = () => performance.now() + clockOffsetMs;
  let isOpen = false;

  /** On pages that count down to an opening. */
  const texts = part("countdown").dataset as DOMStringMap & OpeningTexts;
  const times = tickingWords(createTimeWords(regionalLocale(lang, navigator.languages), texts.pair ?? ""));
  const hints = part("retrying").dataset;
  const usualHint = writtenIn("retrying");

  const statusPoll = createStatusPoll({
    read: (ask) => ask(statusUrl).then(readStatus),
    // A page that only waits for another try has nobody to call while nobody is looking.
    isWanted: () => statusUrl !== "" && (phase !== undefined || isSeen()),
    take,
    nextMs,
    floorMs: () => 2_000,
    ...(waitsForPlaces && { backoffMsMax: unavailableBackoffMsMax }),
    settled() {
      entry.retry();
      show();
    },
  });
  const entry = createEntry({
    key: "usher.notice",
    ...(waitsForPlaces && { pauseMsMax: unavailablePauseMsMax }),
    // Where nothing can be asked, what the browser knows of the connection has to do.
    silentMs: () => (statusUrl === "" && navigator.onLine ? 0 : statusPoll.silentMs()),
    askFirst: statusPoll.askFirst,
  });

  // --- What is on the page ------------------------------------------------------------------------------------

  function show(): void {
    // Of an opening that is to come there is nothing to count before the server has said what time it is.
    if (texts.unset && !(opensAtMs && Number.isNaN(clockOffsetMs))) {
      // Without a word from the server, an opening that has passed is not known to be put off.
      const nowMs = statusPoll.isFailing() ? Math.min(serverNow(), opensAtMs ?? 0) : serverNow();
      const { moment, countdown, span } = describeOpening(texts, times, opensAtMs, nowMs);
      sayMoment("opens", moment, countdown === "" ? null : opensAtMs);
      say("countdown", countdown);
      part("calendar").hidden = span === null;
      part("entry-line").hidden = entryAtMs === null;
      if (entryAtMs !== null) sayMoment("entry", times.moment(entryAtMs), entryAtMs);
    }
    const next = part("next-at") as HTMLTimeElement;
    if (next.dateTime) say("next-at", times.moment(Date.parse(next.dateTime), "numeric"));
    const hint = !navigator.onLine ? hints.offline : statusPoll.isStale() ? hints.unreachable : isOpen && hints.open;
    say("retrying", hint || usualHint);
  }

  /** Alerts a visitor in another tab by the title; and keeps the page true while it stands. */
  function setOpen(next: boolean): void {
    if (next === isOpen) return;
    isOpen = next;
    document.title = (next && openTitle) || closed.title;
    say("heading", (next && openHeading) || closed.heading);
    part("closed").hidden = next;
  }

  // --- Asking -------------------------------------------------------------------------------------------------

  function take(status: RoomStatus, serverMs: number): void {
    const updatedMs = Date.parse(status.updated_at);
    if (!now) clockOffsetMs = updatedMs + statusAgeMs(updatedMs, serverMs) - performance.now();
    spreadMs = status.poll.spread_ms;
    // Requests because of the opening are already spread out.
    const isOnTime = opensAtMs !== null && serverNow() >= opensAtMs;
    opensAtMs = nextOpening(status, opensAtMs, serverNow());
    entryAtMs = laterEntry(status, opensAtMs);
    const hasChanged = phase !== undefined && status.phase !== phase;
    if (phase !== undefined) setOpen(hasChanged && status.phase !== "idle" && status.phase !== "ended");
    if (hasChanged) entry.start(isOnTime ? 0 : spreadOut(spreadMs));
    else if (waitsForPlaces && canJoin(status)) entry.start(0);
    else if (waitsForPlaces || phase !== undefined) entry.stop();
    showMessage(status, lang);
  }

  function nextMs(): number {
    if (waitsForPlaces) return unavailablePollMs();
    if (phase === undefined) return Infinity;
    const usualMs = phase === "ended" ? 45_000 : 30_000;
    return watchAfterMs(usualMs, (opensAtMs ?? Number.NaN) - serverNow() || null, spreadMs);
  }

  function wakeUp(): void {
    show();
    if (!isSeen()) return;
    if (isWatching || statusPoll.isFailing()) statusPoll.askSoon();
    entry.retry();
  }

  /** Whether the status, and not time alone, decides when to load the page. */
  const isWatching = phase !== undefined || waitsForPlaces;
  if (retryMs) {
    part("retrying").hidden = false;
    listenForWaking(wakeUp, statusPoll);
    if (isWatching) statusPoll.schedule(waitsForPlaces ? firstQuestionMs(Number(retryMs)) : nextMs());
    else entry.start(jitter(Math.max(1_000, Number(retryMs))));
  }
  setInterval(show, 1_000);
  show();
}
