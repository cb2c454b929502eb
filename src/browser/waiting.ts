/**
 * Runs in the waiting page: asks for the room's public status at the pace the server names, keeps the numbers
 * true, and goes in when it is the visitor's turn and they are looking. Without it the page says the same, on request.
 */
import { createCall } from "./call.ts";
import { createEntry } from "./entry.ts";
import { firstAhead } from "./first-ahead.ts";
import { createKnock, type Knock } from "./knock.ts";
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
}

function wait(main: HTMLElement, { texts, ...live }: Live): void {
  /** Said aloud when the number of people ahead falls to one of these; a number each poll would be chatter. */
  const milestones = [100, 50, 20, 10, 5, 1, 0];

  const data = main.dataset;
  const position = Number(data.position);
  const edition = Number(data.edition);
  const language = document.documentElement.lang;
  const wording = createWording(texts, language);
  const times = createTimeWords(ownLocale(language, navigator.languages), texts.timePair);
  const turnDeadline = createTurnDeadline(position, live.claimWithinMs);
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
  const knock = createKnock(data.knockUrl ?? "");
  const entry = createEntry({
    key: "usher.entry",
    door: { isHeld: () => state === "held", knock: knockAndTell },
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
  const barStart = Math.max(1, firstAhead(data.room ?? "", edition, position, ahead));
  let opensAtMs = Date.parse(opens.dateTime) || null;
  let lastNote = part("note").textContent;
  /** As if the doors were open. */
  let waitOnceOpen = live.pace && estimateWait({ phase: "open", pace: live.pace }, ahead);
  let expectedWait = state === "entered" ? null : waitOnceOpen;
  let updatedMs = Date.parse(updated.dateTime) || 0;
  /** The server's clock minus this device's, which may be wrong by hours. */
  let clockOffsetMs = updatedMs - Date.now();

  // --- What is on the page ------------------------------------------------------------------------------------

  function setState(next: string): void {
    if (next === state) return;
    const hasOpened = state === "entered" && next === "waiting";
    state = next;
    data.state = next;
    // What was said aloud of another state holds no more.
    say("milestone", "");
    const isTurn = next === "turn";
    const isOver = next === "idle" || next === "ended";
    say("label", next === "entered" ? texts.labels.entry : texts.labels.place);
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
      (state === "held" && ahead > 0 ? undefined : titles[state]) ?? (ahead === 0 ? titles.next : undefined);
    return ofState ?? fillText(isAtMost() ? titles.aheadAtMost : titles.ahead, { n: wording.number(ahead) });
  }

  function opening() {
    return describeOpening(texts.doors, times, opensAtMs, serverNow());
  }

  /** The page came without numbers, and none have been heard since: the people ahead are a bound. */
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
    if (state !== "entered") return jitter(pollAfterMs(poll, ahead, expectedWait));
    return pollForOpeningMs(poll, ahead, waitOnceOpen, opensAtMs === null ? null : opensAtMs - serverNow());
  }

  /** @param serverMs the server's time at its answer, in whole seconds; NaN where it did not say */
  function take(status: RoomStatus, serverMs: number): void {
    // Nothing that the line does any more changes that.
    if (isAdmitted) return;
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
    // Who goes in first at the door is told there.
    if (state !== "held" || counted > 0) ahead = counted;
    expectedWait = estimateWait(status, counted);
    waitOnceOpen = estimateWait({ phase: "open", pace: status.pace }, counted);
    opens.dateTime = status.opens_at ?? "";
    opensAtMs = Date.parse(opens.dateTime) || null;
    const isPaused = status.phase === "paused";
    const isHeld = Boolean(status.held_until) && status.phase !== "passthrough";
    if (status.phase === "passthrough") turnDeadline.forget();
    else turnDeadline.note(status.serving, updatedMs, isPaused || isHeld);
    // Old numbers are shown, and open no door.
    const isFresh = ageMs <= staleMs;
    say("problem", !isFresh ? texts.problem.stale : isHeld ? texts.problem.recovering : "");
    if (isFresh || isPaused) follow(status.phase, status.serving >= position && !isHeld);
    showStatus(status);
    showLine();
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
      setState(phase === "paused" ? phase : phase === "prequeue" ? "entered" : "waiting");
    }
  }

  /** It is the visitor's turn: calls them, and enters as soon as they are looking. */
  function comeIn(afterMs: number): void {
    if (state !== "held") setState("turn");
    entry.start(afterMs + 300 * Math.random());
  }

  async function knockAndTell(): Promise<Knock> {
    const answer = await knock();
    if (answer.result === "admitted") {
      isAdmitted = true;
      ahead = 0;
      turnDeadline.forget();
      setState("turn");
      showTitle();
    } else if (answer.result === "held" && state === "held") tellAtTheDoor(answer.by, answer.ahead);
    return answer;
  }

  /** What holds the visitor, and how many go in first. The words are said aloud when they are others. */
  function tellAtTheDoor(by: string, first: number): void {
    const wordsOf = () => texts.status[ahead > 0 ? "behind" : data.heldBy === "capacity" ? "full" : "held"] ?? "";
    const before = wordsOf();
    data.heldBy = by;
    ahead = first;
    showLine();
    const words = wordsOf();
    if (words === before) return;
    say("status", words);
    say("milestone", words);
  }

  function showStatus(status: RoomStatus): void {
    const { phase, phase_reason: reason, serving } = status;
    if (!live.isRenamed) title = status.title;
    data.serving = String(serving);
    part("facts").hidden = false;
    say("room", title);
    say("serving", phase === "prequeue" ? "" : fillText(texts.serving, { n: wording.number(serving) }));
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
  if (!isAtMost()) turnDeadline.note(Number(data.serving), updatedMs, state === "paused");
  showLine();
  showTime();
  setInterval(showTime, 1_000);
  if (state === "held") comeIn(Number(data.retryMs) || 1_000);
  statusPoll.schedule(nextPollMs());
}
