/**
 * For notices that go away by themselves: counts down to the opening, where there is one, and asks for the same page
 * again when that may lead further: when the room's public status names another phase than the page speaks of, when it
 * says that places are given again, or after a while. Only where the server answers, while somebody is looking, and
 * never all at the same instant.
 */
import { createEntry } from "./entry.ts";
import { jitter, type RoomStatus } from "./line-figures.ts";
import { showMessage } from "./message.ts";
import { describeOpening, laterEntry, nextOpening, spreadOut, watchAfterMs } from "./opening.ts";
import { part, say, sayMoment } from "./page-parts.ts";
import { createStatusPoll, listenForWaking } from "./status-poll.ts";
import {
  areGivingPlaces,
  firstQuestionMs,
  unavailableBackoffMsMax,
  unavailablePauseMsMax,
  unavailablePollMs,
} from "./temporarily-unavailable.ts";
import { createTimeWords, ownLocale } from "./time-words.ts";

const noticePage = document.querySelector("main");
if (noticePage) run(noticePage.dataset);

function run(data: DOMStringMap): void {
  const { retryMs = "", opensAt = "", now = "", statusUrl = "", phase = "" } = data;
  const waitsForPlaces = statusUrl !== "" && data.waitsFor === "places";
  /** Whether the status, and not time alone, decides when to load the page. */
  const isWatching = phase !== "" || waitsForPlaces;
  const closed = { title: document.title, heading: part("heading").textContent ?? "" };
  let opensAtMs = opensAt === "" ? null : Number(opensAt);
  let entryAtMs = data.entryAt ? Number(data.entryAt) : null;
  /** Undefined where the server does not say. */
  let spreadMs = data.spreadMs ? Number(data.spreadMs) : undefined;
  /** The server's clock minus this device's, which may be wrong by hours. */
  let clockOffsetMs = now === "" ? 0 : Number(now) - Date.now();
  let isOpen = false;

  const { unset = "", in: inText = "", now: nowText = "", pair = "" } = part("countdown").dataset;
  const openingTexts = { unset, in: inText, now: nowText };
  const times = createTimeWords(ownLocale(document.documentElement.lang, navigator.languages), pair);
  const hints = part("retrying").dataset;
  const usualHint = part("retrying").textContent ?? "";

  const statusPoll =
    statusUrl === ""
      ? undefined
      : createStatusPoll({
          url: statusUrl,
          // A page that only waits for another try has nobody to call while nobody is looking.
          isWanted: () => phase !== "" || document.visibilityState !== "hidden",
          take,
          nextMs,
          floorMs: () => 2_000,
          ...(waitsForPlaces && { backoffMsMax: unavailableBackoffMsMax }),
          settled() {
            show();
            entry.retry();
          },
        });
  const entry = createEntry({
    key: "usher.notice",
    ...(waitsForPlaces && { pauseMsMax: unavailablePauseMsMax }),
    // Where nothing can be asked, what the browser knows of the connection has to do.
    lastAnswerMs: () => statusPoll?.lastAnswerMs() ?? (navigator.onLine ? Date.now() : 0),
    askFirst() {
      if (!statusPoll?.isFailing()) statusPoll?.askSoon();
    },
  });

  // --- What is on the page ------------------------------------------------------------------------------------

  function show(): void {
    if (unset !== "") {
      // Without a word from the server, an opening that has passed is not known to be put off.
      const nowMs = statusPoll?.isFailing() ? Math.min(serverNow(), opensAtMs ?? 0) : serverNow();
      const { moment, countdown } = describeOpening(openingTexts, times, opensAtMs, nowMs);
      sayMoment("opens", moment, countdown === "" ? null : opensAtMs);
      say("countdown", countdown);
      part("entry-line").hidden = entryAtMs === null;
      if (entryAtMs !== null) sayMoment("entry", times.moment(entryAtMs), entryAtMs);
    }
    say("retrying", hint());
  }

  function hint(): string {
    if (!navigator.onLine) return hints.offline ?? "";
    if (statusPoll?.isStale()) return hints.unreachable ?? "";
    return (isOpen ? hints.open : undefined) ?? usualHint;
  }

  /** Alerts a visitor in another tab by the title; and keeps the page true while it stands. */
  function setOpen(next: boolean): void {
    isOpen = next;
    document.title = (next && data.openTitle) || closed.title;
    say("heading", (next && data.openHeading) || closed.heading);
    part("closed").hidden = next;
  }

  function serverNow(): number {
    return Date.now() + clockOffsetMs;
  }

  // --- Asking -------------------------------------------------------------------------------------------------

  function take(status: RoomStatus): void {
    showMessage(status);
    if (now === "") clockOffsetMs = Date.parse(status.updated_at) - Date.now();
    spreadMs = status.poll.spread_ms ?? spreadMs;
    // Requests because of the opening are already spread out.
    const isOnTime = opensAtMs !== null && serverNow() >= opensAtMs;
    opensAtMs = nextOpening(status, opensAtMs, serverNow());
    entryAtMs = laterEntry(status, opensAtMs);
    if (waitsForPlaces) {
      if (areGivingPlaces(status)) entry.start(0);
      else entry.stop();
    }
    if (phase === "") return;
    const hasChanged = status.phase !== phase;
    setOpen(hasChanged && status.phase !== "idle" && status.phase !== "ended");
    if (hasChanged) entry.start(isOnTime ? 0 : spreadOut(spreadMs));
    else entry.stop();
  }

  function nextMs(): number {
    if (waitsForPlaces) return unavailablePollMs();
    if (phase === "") return Infinity;
    const usualMs = phase === "ended" ? 45_000 : 30_000;
    return watchAfterMs(usualMs, opensAtMs === null ? null : opensAtMs - serverNow(), spreadMs);
  }

  function wakeUp(): void {
    show();
    if (document.visibilityState === "hidden" || retryMs === "") return;
    if (isWatching || statusPoll?.isFailing()) statusPoll?.askSoon();
    entry.retry();
  }

  if (retryMs !== "") {
    part("retrying").hidden = false;
    listenForWaking(wakeUp, statusPoll);
    if (!isWatching) entry.start(jitter(Math.max(1_000, Number(retryMs))));
    else statusPoll?.schedule(waitsForPlaces ? firstQuestionMs(Number(retryMs)) : nextMs());
  }
  show();
  setInterval(show, 1_000);
}
