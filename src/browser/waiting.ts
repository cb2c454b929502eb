/**
 * Runs in the waiting page: asks for the room's public status at the pace the server names, keeps the numbers
 * true, and goes in when it is the visitor's turn and they are looking. Without it the page says the same, on request.
 */
import {
  countAhead,
  createWording,
  estimateWait,
  fillText,
  jitter,
  type LiveTexts,
  type PollGuidance,
  pollAfterMs,
  type RoomStatus,
} from "./line-figures.ts";
import { createReentryMemory, exposeRefusedCookies, reloadPage } from "./re-entry.ts";

const waitingPage = document.querySelector("main");
const liveJson = document.getElementById("live");
if (waitingPage && liveJson) wait(waitingPage, JSON.parse(liveJson.textContent ?? "") as Live);

/** What the page carries for this script. */
interface Live {
  texts: LiveTexts;
  poll: PollGuidance;
  limitBinds: boolean;
  room: string;
}

function wait(main: HTMLElement, { texts, limitBinds, ...live }: Live): void {
  const timeoutMs = 10_000;
  const backoffMsMax = 60_000;
  const staleMs = 15_000;
  /** Said aloud when the number of people ahead falls to one of these; a number each poll would be chatter. */
  const milestones = [100, 50, 20, 10, 5, 1, 0];

  const data = main.dataset;
  const position = Number(data.position);
  const edition = Number(data.edition);
  const wording = createWording(texts, document.documentElement.lang);
  const entries = createReentryMemory("usher.entry");

  let state = data.state ?? "waiting";
  let title = live.room;
  let poll = live.poll;
  let ahead = Number(data.ahead);
  let announcedAhead = ahead;
  const barStart = Math.max(1, firstAhead());
  let expectedWait: [number, number] | null = null;
  let updatedMs = Number(data.updatedAt);
  /** The server's clock minus this device's, which may be wrong by hours. */
  let clockOffsetMs = updatedMs - Date.now();

  let request: AbortController | undefined;
  let failures = 0;
  let lastSuccessMs = Date.now();
  /** When this origin last answered at all. */
  let lastContactMs = Date.now();
  let lastAskedMs = 0;
  let pollTimer = 0;
  /** When entering may be tried, on this device's clock; Infinity while it is not the visitor's turn. */
  let enterAtMs = Infinity;
  let enterTimer = 0;

  // --- What is on the page ------------------------------------------------------------------------------------

  function part(id: string): HTMLElement {
    return document.getElementById(id) ?? main;
  }

  function say(id: string, text: string): void {
    // Unchanged text is left alone, or a screen reader might read it again.
    if (part(id).textContent !== text) part(id).textContent = text;
  }

  function setState(next: string): void {
    if (next === state) return;
    state = next;
    data.state = next;
    const isTurn = next === "turn";
    say("status", isTurn ? "" : (texts.status[next] ?? ""));
    say("turn", isTurn ? (texts.status.turn ?? "") : "");
    say("hint", isTurn ? texts.turnHint : texts.autoHint);
    say("enter", isTurn ? texts.enter : checkText);
    say("reason", "");
  }

  function showLine(): void {
    const people = wording.people(ahead, isAtMost());
    say("ahead", people);
    const bar = part("progress") as HTMLProgressElement;
    bar.max = barStart;
    bar.value = Math.max(0, barStart - ahead);
    bar.setAttribute("aria-valuetext", people);
    document.title = fillText(texts.title, { lead: titleLead(), room: title });
    if (state === "waiting" && milestones.some((milestone) => ahead <= milestone && milestone < announcedAhead)) {
      announcedAhead = ahead;
      say("milestone", people);
    }
  }

  function titleLead(): string {
    if (state === "turn") return texts.titleTurn;
    if (state === "paused") return texts.titlePaused;
    if (state === "held" || ahead === 0) return texts.titleNext;
    return fillText(isAtMost() ? texts.titleAheadAtMost : texts.titleAhead, { n: wording.number(ahead) });
  }

  /** The page came without numbers, and none have been heard since: the people ahead are a bound. */
  function isAtMost(): boolean {
    return data.serving === "";
  }

  /** The last good numbers stay, with their age; and when they cannot be renewed, the page says so. */
  function showAge(): void {
    const ageMs = Math.max(0, Date.now() + clockOffsetMs - updatedMs);
    say("updated", wording.age(Math.round(ageMs / 1_000)));
    if (!navigator.onLine) say("problem", texts.problem.offline);
    else if (failures > 0 && Date.now() - lastSuccessMs > staleMs) say("problem", texts.problem.stale);
  }

  /** What the bar counts from: the people ahead when this place was first seen in this browser. */
  function firstAhead(): number {
    const key = `usher.first.${data.room}`;
    try {
      const [ofEdition, ofPosition, first] = JSON.parse(localStorage.getItem(key) ?? "[]") as number[];
      if (ofEdition === edition && ofPosition === position && first !== undefined) return first;
      localStorage.setItem(key, JSON.stringify([edition, position, ahead]));
    } catch {
      // Storage is closed to us: count from here.
    }
    return ahead;
  }

  // --- Asking -------------------------------------------------------------------------------------------------

  function schedule(ms: number): void {
    clearTimeout(pollTimer);
    pollTimer = setTimeout(ask, ms);
  }

  async function ask(): Promise<void> {
    if (request) return;
    const mine = new AbortController();
    request = mine;
    lastAskedMs = Date.now();
    const timeout = setTimeout(() => mine.abort(), timeoutMs);
    let retryAfterMs = 0;
    try {
      const response = await fetch(data.statusUrl ?? "", { credentials: "omit", signal: mine.signal });
      lastContactMs = Date.now();
      retryAfterMs = 1_000 * Math.min(120, Number(response.headers.get("retry-after")) || 0);
      if (!response.ok) throw new Error(String(response.status));
      take((await response.json()) as RoomStatus, Date.parse(response.headers.get("date") ?? ""));
      schedule(jitter(pollAfterMs(poll, ahead, expectedWait)));
    } catch {
      // Given up when the page came back to life: it has asked anew since.
      if (request !== mine) return;
      // No connection, no answer in time, an error, or no JSON: all the same to whoever waits.
      failures++;
      const backoffMs = Math.min(backoffMsMax, poll.floor_ms * 2 ** Math.min(failures, 10));
      schedule(Math.max(retryAfterMs, jitter(backoffMs)));
    }
    clearTimeout(timeout);
    if (request === mine) request = undefined;
    showAge();
    tryToEnter();
  }

  /** @param serverMs the server's time at its answer, in whole seconds; NaN where it did not say */
  function take(status: RoomStatus, serverMs: number): void {
    failures = 0;
    lastSuccessMs = Date.now();
    updatedMs = new Date(status.updated_at).getTime();
    const ageMs = Math.max(0, serverMs - updatedMs || 0);
    clockOffsetMs = updatedMs + ageMs - lastSuccessMs;
    data.updatedAt = String(updatedMs);
    poll = status.poll;
    if (status.edition !== edition) {
      // Another edition: the server decides what that means for this ticket.
      comeIn(0);
      return;
    }
    ahead = countAhead(position, status);
    expectedWait = estimateWait(status, ahead, limitBinds);
    showStatus(status);
    // Old numbers are shown, and open no door.
    const isFresh = ageMs <= staleMs;
    say("problem", !isFresh ? texts.problem.stale : status.held_until ? texts.problem.recovering : "");
    if (status.phase === "paused") {
      enterAtMs = Infinity;
      setState("paused");
      if (status.phase_reason) say("reason", texts.pausedReasons[status.phase_reason] ?? status.phase_reason);
    } else if (isFresh) {
      if (status.serving >= position && !status.held_until) {
        comeIn(0);
      } else if (state !== "held") {
        // Also when an operator moved the line back. A held place was served by better knowledge than this.
        enterAtMs = Infinity;
        setState("waiting");
      }
    }
    showLine();
  }

  function showStatus(status: RoomStatus): void {
    title = status.title;
    data.serving = String(status.serving);
    part("facts").hidden = false;
    data.ahead = String(ahead);
    say("room", title);
    say("serving", fillText(texts.serving, { n: wording.number(status.serving) }));
    say("estimate", status.phase === "paused" ? texts.estimate.paused : wording.estimate(expectedWait));
    say("message-text", status.message ?? "");
    part("message").hidden = !status.message;
  }

  // --- Entering -----------------------------------------------------------------------------------------------

  /** It is the visitor's turn: calls them, and enters as soon as they are looking. */
  function comeIn(afterMs: number): void {
    if (enterAtMs !== Infinity) return;
    enterAtMs = Date.now() + Math.max(afterMs + 300 * Math.random(), pauseBeforeEntry());
    if (state !== "held") setState("turn");
    showLine();
    tryToEnter();
  }

  function tryToEnter(): void {
    clearTimeout(enterTimer);
    if (enterAtMs === Infinity || document.visibilityState === "hidden") return;
    const nowMs = Date.now();
    if (nowMs < enterAtMs) enterTimer = setTimeout(tryToEnter, enterAtMs - nowMs);
    // A phone that just woke up may have no connection yet, and a browser's error page would take this page's
    // place: ask first, and enter when that was answered.
    else if (nowMs - lastContactMs > timeoutMs) schedule(nextAllowedMs());
    else enter();
  }

  function enter(): void {
    entries.note(state !== "held");
    reloadPage();
    // Should the way in be blocked by a dead connection, this page stays: try again.
    enterAtMs = Date.now() + timeoutMs;
    tryToEnter();
  }

  /**
   * At least a second between two entries, doubling up to 30 s while they lead nowhere. A held place asks as often as
   * the server says, or it would lose its turn at the door.
   */
  function pauseBeforeEntry(): number {
    const last = entries.read();
    if (last === null) return 3_000;
    const pauseMs = state === "held" ? 1_000 : Math.min(30_000, 1_000 * 2 ** last.n);
    return Math.max(0, last.at + pauseMs - Date.now());
  }

  // --- Beginning ----------------------------------------------------------------------------------------------

  /** Nothing that the visitor does makes the page ask more than once a second. */
  function nextAllowedMs(): number {
    return Math.max(0, lastAskedMs + 1_000 - Date.now());
  }

  /** The visitor is looking, or the connection is back: ask now. */
  function wakeUp(): void {
    showAge();
    if (document.visibilityState === "hidden") return;
    schedule(nextAllowedMs());
    tryToEnter();
  }

  addEventListener("online", wakeUp);
  addEventListener("offline", showAge);
  document.addEventListener("visibilitychange", wakeUp);
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    // Back from the back/forward cache: whatever was under way has died.
    request?.abort();
    request = undefined;
    wakeUp();
  });
  const checkText = part("enter").textContent ?? "";
  part("enter").addEventListener("click", (event) => {
    event.preventDefault();
    // While nothing is wrong, asking for the numbers is enough, and a dead connection cannot take the page away.
    if (state === "turn" || state === "held" || (failures > 0 && navigator.onLine)) {
      entries.note(false);
      reloadPage();
    } else {
      wakeUp();
    }
  });

  exposeRefusedCookies(entries.read() !== null);
  data.live = "";
  say("hint", texts.autoHint);
  showLine();
  showAge();
  setInterval(showAge, 5_000);
  if (state === "held") comeIn(Number(data.retryMs) || 1_000);
  // The first page says nothing about the pace, so this is a guess by the people ahead.
  schedule(jitter(pollAfterMs(poll, ahead, null)));
}
