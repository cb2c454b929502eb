/**
 * Runs in the waiting page: polls the room's public status at the pace that the server sets, keeps the numbers true,
 * and enters when it is the visitor's turn and the page is visible. Without the script the page does the same on
 * request. The build makes two scripts of it (scripts/lib/browser.mjs), of which each page carries the one that it
 * needs: for visitors with an entry number, and for all others, who may be held.
 */

import { createCall } from "./call.ts";
import { showDrawn, watchDraw } from "./draw-watch.ts";
import { createEntry } from "./entry.ts";
import { firstAhead } from "./first-ahead.ts";
import { createHeldPlace } from "./held-place.ts";
import {
  countAhead,
  createWording,
  estimateWait,
  fillText,
  jitter,
  type LiveTexts,
  type PaceJson,
  type PollGuidance,
  pollAfterMs,
  type RoomStatus,
} from "./line-figures.ts";
import { showMessage } from "./message.ts";
import { describeOpening, pollForOpeningMs, spreadOut } from "./opening.ts";
import { isolate, part, say } from "./page-parts.ts";
import { createStatusPoll, listenForWaking, staleMs } from "./status-poll.ts";
import { createTimeWords, ownLocale } from "./time-words.ts";
import { createTurnDeadline } from "./turn-deadline.ts";

declare const FOR_ENTRY: boolean;

const waitingPage = document.querySelector("main");
const liveJson = document.getElementById("live");
if (waitingPage && liveJson) wait(waitingPage, JSON.parse(liveJson.textContent ?? "") as Live);

/** What the page carries for this script. */
interface Live {
  texts: LiveTexts;
  poll: PollGuidance;
  room: string;
  /** The room is called so here, whatever its status says. */
  isRenamed?: boolean;
  claimWithinMs: number | null;
  /** While the line moves, or is about to; null where nothing is known of it. */
  pace: PaceJson | null;
  /** The place is to be drawn: until then the position is an entry number. */
  isUndrawn?: boolean;
}

function wait(main: HTMLElement, { texts, ...live }: Live): void {
  /** Said aloud when the number of people ahead falls to one of these; a number each poll would be chatter. */
  const milestones = [100, 50, 20, 10, 5, 1, 0];

  const data = main.dataset;
  let position = Number(data.position);
  let isUndrawn = FOR_ENTRY && live.isUndrawn === true;
  const edition = Number(data.edition);
  const language = document.documentElement.lang;
  const wording = createWording(texts, language);
  const times = createTimeWords(ownLocale(language, navigator.languages), texts.timePair);
  let turnDeadline = createTurnDeadline(position, live.claimWithinMs);
  const loadedMs = Date.now();
  const statusPoll = createStatusPoll({
    url: data.statusUrl ?? "",
    isWanted: () => true,
    take,
    nextMs: nextPollMs,
    floorMs: () => poll.floor_ms,
    settled() {
      showTime();
      entry.retry();
    },
  });
  // What only one kind of page does stands inside its condition, where the build can leave it out.
  const draw = FOR_ENTRY
    ? watchDraw(`/rooms/${data.room}/tickets/me`, (place) => {
        if (place.state === "entered" || !isUndrawn) return;
        if (place.position === null || !synced) return entry.start(0);
        isUndrawn = false;
        ({ position } = place);
        turnDeadline = createTurnDeadline(position, live.claimWithinMs);
        showDrawn(main, position, place.entry, texts, wording.number);
        ahead = countAhead(position, synced[0]);
        barStart = findBarStart();
        take(...synced);
      })
    : undefined;
  const entry = createEntry({
    key: "usher.entry",
    ...(!FOR_ENTRY && {
      heldPlace: createHeldPlace(data, texts, {
        isHeld: () => state === "held",
        ahead: () => ahead,
        showAhead(first) {
          ahead = first;
          showLine();
        },
        admit() {
          isAdmitted = true;
          ahead = 0;
          turnDeadline.forget();
          setState("turn");
          showTitle();
        },
      }),
    }),
    lastAnswerMs: () => Math.max(loadedMs, statusPoll.lastAnswerMs()),
    askFirst() {
      // After a failure the next question is due in its own time.
      if (!statusPoll.isFailing()) statusPoll.askSoon();
    },
  });
  const call = createCall();

  /** For programs they say the moments themselves, as the server writes them. */
  const [opens, updated] = [part("opens") as HTMLTimeElement, part("updated") as HTMLTimeElement];
  let state = data.state ?? "waiting";
  /** The visitor is let in, and has only to look. */
  let isAdmitted = false;
  let title = live.room;
  let poll = live.poll;
  let ahead = Number(data.ahead);
  let announcedAhead = ahead;
  let people = position;
  let barStart = FOR_ENTRY && isUndrawn ? 1 : findBarStart();
  let opensAtMs = Date.parse(opens.dateTime) || null;
  /** The last status, and the server's time at it. */
  let synced: [status: RoomStatus, serverMs: number] | undefined;
  let lastNote = part("note").textContent;
  /** As if the doors were open. */
  let waitOnceOpen = live.pace && estimateWait({ phase: "open", pace: live.pace }, ahead);
  let expectedWait = state === "entered" ? null : waitOnceOpen;
  let updatedMs = Date.parse(updated.dateTime) || 0;
  /** The server's clock minus this device's, which may be wrong by hours. */
  let clockOffsetMs = updatedMs - Date.now();

  function findBarStart(): number {
    return Math.max(1, firstAhead(data.room ?? "", edition, position, ahead));
  }

  // --- What is on the page ------------------------------------------------------------------------------------

  function setState(next: string): void {
    if (next === state) return;
    const hasOpened = (state === "entered" || (FOR_ENTRY && state === "drawing")) && next === "waiting";
    state = next;
    data.state = next;
    // What was said aloud of another state holds no more.
    say("milestone", "");
    const isTurn = next === "turn";
    const isOver = next === "idle" || next === "ended";
    say("label", (FOR_ENTRY && isUndrawn) || next === "entered" ? texts.labels.entry : texts.labels.place);
    say("status", isTurn ? "" : (texts.status[next] ?? ""));
    say("turn", isTurn ? (texts.status.turn ?? "") : "");
    say("hint", isTurn ? texts.turnHint : isOver ? "" : texts.autoHint);
    say("enter", isTurn ? texts.enter : checkText);
    if (hasOpened) {
      announcedAhead = ahead;
      say("milestone", fillText(texts.doors.opened, { people: wording.people(ahead, false) }));
    }
    call.follow(isTurn, title);
  }

  function showLine(): void {
    const people = wording.people(ahead, isAtMost());
    say("ahead", people);
    data.ahead = String(ahead);
    const bar = part("progress") as HTMLProgressElement;
    bar.max = barStart;
    bar.value = Math.max(0, barStart - ahead);
    bar.setAttribute("aria-valuetext", people);
    showTitle();
    if (state === "waiting" && milestones.some((milestone) => ahead <= milestone && milestone < announcedAhead)) {
      announcedAhead = ahead;
      say("milestone", people);
    }
  }

  function showTitle(): void {
    const next = fillText(texts.title, { lead: titleLead(), room: isolate(title) });
    if (document.title !== next) document.title = next;
  }

  function titleLead(): string {
    const { titles } = texts;
    const span = state === "entered" ? opening().span : null;
    if (span !== null) return fillText(titles.opens, { span });
    const ofState =
      (state === "held" && ahead > 0 ? undefined : titles[state]) ??
      (FOR_ENTRY && isUndrawn ? texts.labels.entry : ahead === 0 ? titles.next : undefined);
    return ofState ?? fillText(isAtMost() ? titles.aheadAtMost : titles.ahead, { n: wording.number(ahead) });
  }

  function opening() {
    return describeOpening(texts.doors, times, opensAtMs, serverNow());
  }

  /** The page came without numbers, and no status has come since: the people ahead are a bound. */
  function isAtMost(): boolean {
    return data.serving === "";
  }

  /** The last good numbers stay, with their age; and when they cannot be renewed, the page says so. */
  function showAge(): void {
    const ageMs = Math.max(0, serverNow() - updatedMs);
    say("updated", wording.age(Math.round(ageMs / 1_000)));
    if (!navigator.onLine) say("problem", texts.problem.offline);
    else if (statusPoll.isStale()) say("problem", texts.problem.stale);
  }

  /** What changes with time alone. */
  function showTime(): void {
    showAge();
    if (state === "entered") {
      const { moment, countdown } = opening();
      say("opens", moment);
      say("countdown", countdown);
      showTitle();
    }
    say("deadline", state === "turn" ? turnDeadline.describe(texts.deadline, times, serverNow()) : "");
  }

  function serverNow(): number {
    return Date.now() + clockOffsetMs;
  }

  // --- Asking -------------------------------------------------------------------------------------------------

  function nextPollMs(): number {
    const opensInMs = opensAtMs === null ? null : opensAtMs - serverNow();
    if (draw && FOR_ENTRY && isUndrawn) return draw.nextPollMs(poll, state, people, opensInMs);
    if (state !== "entered") return jitter(pollAfterMs(poll, ahead, expectedWait));
    return pollForOpeningMs(poll, ahead, waitOnceOpen, opensInMs);
  }

  /** @param serverMs the server's time at its answer, in whole seconds; NaN where it did not say */
  function take(status: RoomStatus, serverMs: number): void {
    // Nothing that the line does any more changes that.
    if (isAdmitted) return;
    if (FOR_ENTRY) synced = [status, serverMs];
    updated.dateTime = status.updated_at;
    updatedMs = Date.parse(status.updated_at);
    const ageMs = Math.max(0, serverMs - updatedMs || 0);
    clockOffsetMs = updatedMs + ageMs - Date.now();
    poll = status.poll;
    if (status.edition !== edition) {
      // Another edition: the server decides what that means for this ticket.
      entry.start(0);
      return;
    }
    const counted = countAhead(position, status);
    // After a loss the room may not know the place, which is in a gap then: a request for it shows the ticket. A failed
    // one is repeated with the next status.
    if (!FOR_ENTRY && status.serving < position && counted === countAhead(position + 1, status)) {
      void fetch(`/rooms/${data.room}/tickets/me`);
    }
    // For a held place the claim reports how many enter first.
    if (FOR_ENTRY || state !== "held" || counted > 0) ahead = counted;
    expectedWait = estimateWait(status, counted);
    waitOnceOpen = estimateWait({ ...status, phase: "open" }, counted);
    opens.dateTime = status.opens_at ?? "";
    opensAtMs = Date.parse(opens.dateTime) || null;
    const isPaused = status.phase === "paused";
    const isHeld = Boolean(status.held_until) && status.phase !== "passthrough";
    if (status.phase === "passthrough") turnDeadline.forget();
    else if (!FOR_ENTRY || !isUndrawn) turnDeadline.note(status.serving, updatedMs, isPaused || isHeld);
    // Old numbers are shown, and open no door.
    const isFresh = ageMs <= staleMs;
    say("problem", !isFresh ? texts.problem.stale : isHeld ? texts.problem.recovering : "");
    if (isFresh || isPaused) follow(status.phase, status.serving >= position && !isHeld && !(FOR_ENTRY && isUndrawn));
    showStatus(status);
    showLine();
    if (!FOR_ENTRY || !isUndrawn) return;
    people = status.waiting ?? people;
    draw?.sync(status, position);
  }

  /** What the room's phase means for this visitor. */
  function follow(phase: string, isServed: boolean): void {
    if (phase === "ended" || phase === "idle") {
      setState(phase);
      entry.start(spreadOut(poll.spread_ms));
    } else if (phase === "passthrough" || (phase === "open" && isServed)) {
      comeIn(call.soundMs());
    } else if (phase !== "open" || state !== "held") {
      // Also when an operator moved the line back. A held place was served by better knowledge than this.
      entry.stop();
      setState(
        phase === "paused" ? phase : phase === "prequeue" ? "entered" : FOR_ENTRY && isUndrawn ? "drawing" : "waiting",
      );
    }
  }

  /** It is the visitor's turn: calls them, and enters as soon as they are looking. */
  function comeIn(afterMs: number): void {
    if (FOR_ENTRY || state !== "held") setState("turn");
    entry.start(afterMs + 300 * Math.random());
  }

  function showStatus(status: RoomStatus): void {
    const { phase, phase_reason: reason, serving } = status;
    if (!live.isRenamed) title = status.title;
    data.serving = String(serving);
    part("facts").hidden = false;
    say("room", title);
    say(
      "serving",
      phase === "prequeue" || (FOR_ENTRY && isUndrawn) ? "" : fillText(texts.serving, { n: wording.number(serving) }),
    );
    say("reason", phase === "paused" && reason ? (texts.pausedReasons[reason] ?? reason) : "");
    say("estimate", phase === "paused" ? texts.estimate.paused : wording.estimate(expectedWait));
    const note = (state === "waiting" && phase === "open" && texts.paceNotes[status.pace.note ?? ""]) || "";
    say("note", note);
    if (note && note !== lastNote) say("milestone", note);
    lastNote = note;
    showMessage(status);
  }

  // --- Beginning ----------------------------------------------------------------------------------------------

  /** The visitor is looking, or the connection is back: ask now. */
  function wakeUp(): void {
    showTime();
    call.look();
    if (document.visibilityState === "hidden") return;
    statusPoll.askSoon();
    entry.retry();
  }

  listenForWaking(wakeUp, statusPoll);
  const checkText = part("enter").textContent ?? "";
  part("enter").addEventListener("click", (event) => {
    event.preventDefault();
    // While nothing is wrong, asking for the numbers is enough, and a dead connection cannot take the page away.
    if (entry.isPending() || (statusPoll.isFailing() && navigator.onLine)) entry.force();
    else wakeUp();
  });

  entry.exposeRefusedCookies();
  data.live = "";
  say("hint", texts.autoHint);
  if (!isAtMost() && !(FOR_ENTRY && isUndrawn)) turnDeadline.note(Number(data.serving), updatedMs, state === "paused");
  showLine();
  showTime();
  setInterval(showTime, 1_000);
  if (!FOR_ENTRY && state === "held") comeIn(Number(data.retryMs) || 1_000);
  statusPoll.schedule(nextPollMs());
}
