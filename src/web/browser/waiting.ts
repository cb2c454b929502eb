/**
 * Runs in the waiting page: polls the room's public status at the pace that the server sets, keeps the numbers true,
 * and enters when it is the visitor's turn and the page is visible. Without the script the page does the same on
 * request. The build makes three scripts of it (scripts/lib/browser.mjs), of which each page carries the one that it
 * needs: for visitors before closed doors, for those who are held, and for all others.
 */

import type { StatusReader } from "../../room/public-status/pace.ts";
import {
  blurMs,
  countAhead,
  estimateWait,
  firstPollMs,
  isServed,
  pollForDrawMs,
  pollForOpeningMs,
  pollPauseMs,
  staleMs,
  statusAgeMs,
} from "../../room/public-status/pacing.ts";
import { type RoomStatus, readStatus } from "../../room/public-status/status.ts";
import type { LaterTexts, Live } from "../pages/shared/live.ts";
import { attempt, fillText, isolate } from "../pages/shared/wording.ts";
import { createClaim } from "./claim.ts";
import { showDrawn, watchDraw } from "./draw-watch.ts";
import { createEntry, exposeRefusedCookies } from "./entry.ts";
import type { Call } from "./later/call.ts";
import type { DrawShow } from "./later/draw.ts";
import type { Life } from "./later/life.ts";
import type { Progress } from "./later/progress.ts";
import { createLater } from "./later.ts";
import { createLineWording } from "./line-figures.ts";
import { describeOpening, type OpeningTexts, spreadOut } from "./opening.ts";
import { atDoor, firstAhead, isSeen, part, readWritten, say, writtenIn } from "./page-parts.ts";
import { createStatusPoll, listenForWaking } from "./status-poll.ts";
import { createTimeWords, createTurnDeadline, regionalLocale } from "./times.ts";

/** What only one kind of page does stands inside its condition, where the build can leave it out. */
declare const FOR_ENTRY: boolean;
declare const FOR_HELD: boolean;

/** What the page says of what holds a place, by the key of its text; of the limit: `held`. */
const ofHold: Readonly<Record<string, string>> = { capacity: "full", recovery: "waiting" };

/** Said aloud when the number of people ahead falls to one of these; a number each poll would be chatter. */
const milestones = [100, 50, 20, 10, 5, 1, 0];

const waitingPage = document.querySelector("main");
const liveJson = document.getElementById("live");
if (waitingPage && liveJson) wait(waitingPage, JSON.parse(liveJson.textContent ?? "") as Live);

function wait(main: HTMLElement, { texts, ...live }: Live): void {
  readWritten();
  const data = main.dataset;
  const { lang, dir } = document.documentElement;
  const edition = Number(data.edition);
  const statusUrl = data.statusUrl as string;
  const placeUrl = `/rooms/${data.room}/tickets/me`;
  const wording = createLineWording(texts, lang);
  const times = createTimeWords(regionalLocale(lang, navigator.languages), texts.timePair);
  /** For programs they say the moments themselves, as the server writes them. */
  const [opens, updated] = [part("opens") as HTMLTimeElement, part("updated") as HTMLTimeElement];
  const [checkText, firstReason, firstNote] = ["enter", "reason", "note"].map(writtenIn) as [string, string, string];

  let position = Number(data.position);
  let isUndrawn = FOR_ENTRY && data.draw === "undrawn";
  let turnDeadline = createTurnDeadline(position, live.claimWithinMs);
  let state = data.state ?? "waiting";
  /** The page of a room that is sold out: it is loaded anew when that is over, as others are when it begins. */
  const isSoldOut = state === "sold_out";
  /** The visitor is let in, and has only to look. */
  let isAdmitted = false;
  let title = live.room;
  let titleWritten = document.title;
  /** What is wrong by the last answer, or by the page as it came. */
  let problem = writtenIn("problem");
  /** The last answer came while the browser said that it was offline: a browser may be wrong about that. */
  let isHeardOffline = false;
  let poll = live.poll;
  let ahead = FOR_HELD ? atDoor(Number(data.ahead)) : Number(data.ahead);
  /** As it is shown: it falls by what is known of the pace. */
  let displayedAhead = ahead;
  let announcedAhead = ahead;
  const serverNow = () => performance.now() + clockOffsetMs;
  const opening = () => describeOpening(texts.doors as OpeningTexts, times, opensAtMs, serverNow());
  /** The page came without numbers, and no status has come since: the people ahead are a bound. */
  const isAtMost = () => data.serving === "";
  const findBarStart = () => Math.max(1, firstAhead(data.room ?? "", edition, position, ahead));
  let barStart = isUndrawn ? 1 : findBarStart();
  let opensAtMs = Date.parse(opens.dateTime) || null;
  /** The last status, and the server's time at it. */
  let synced: [status: RoomStatus, serverMs: number] | undefined;
  /** Nobody enters now, by the last status. */
  let isStill = false;
  /** Until when nobody enters after a loss, by the server's clock; NaN for no such time. */
  let recoveringUntilMs = NaN;
  /** As if the doors were open. */
  let waitOnceOpen = live.pace && estimateWait(live.pace, ahead);
  let expectedWait = state === "entered" ? null : waitOnceOpen;
  let updatedMs = Date.parse(updated.dateTime) || 0;
  /** From this page's own clock, which runs evenly whatever becomes of the device's, to the server's. */
  let clockOffsetMs = updatedMs - performance.now();
  /** What makes the numbers fall between two answers; undefined until it has come. */
  let life: Life | undefined;
  /** Costs less as soon as more of the script has come. */
  let readRoom: StatusReader = (ask) => ask(statusUrl).then(readStatus);
  let ticker = 0;

  const statusPoll = createStatusPoll({
    read: (ask) => readRoom(ask),
    take,
    nextMs: nextPollMs,
    floorMs: () => poll.floor_ms,
    settled() {
      entry.retry();
      if (!statusPoll.isFailing()) loadParts();
      show(showTime);
    },
  });
  const entry = createEntry({
    key: "usher.entry",
    ...(FOR_HELD && {
      doorEntry: {
        isAtDoor: () => state === "held",
        claim: createClaim(data.claimUrl ?? ""),
        takeAnswer(answer) {
          if (answer.result === "admitted") {
            isAdmitted = true;
            ahead = 0;
            turnDeadline.forget();
            setState("turn");
            show(showTitle);
          } else if (answer.result === "held" && state === "held") {
            data.heldBy = answer.by;
            ahead = atDoor(answer.ahead);
            show(showLine);
            const words = texts.status[ahead > 0 ? "behind" : (ofHold[answer.by] ?? "held")] ?? "";
            // Said aloud when something else holds the place.
            if (writtenIn("status") !== words) say("milestone", words);
            say("status", words);
          }
        },
      },
    }),
    silentMs: statusPoll.silentMs,
    askFirst: statusPoll.askFirst,
  });
  const draw = FOR_ENTRY
    ? watchDraw(placeUrl, (place) => {
        if (place.state === "entered" || !isUndrawn) return;
        if (!place.position || !synced) return entry.start(0);
        isUndrawn = false;
        ({ position } = place);
        turnDeadline = createTurnDeadline(position, live.claimWithinMs);
        showDrawn(main, position, place.entry, texts, wording.number);
        ahead = countAhead(position, synced[0]);
        barStart = findBarStart();
        take(...synced);
        drawShow?.reveal(place, serverNow());
      })
    : undefined;
  /** The draw as something that happens; undefined until it has come. */
  let drawShow: DrawShow | undefined;
  const loadDraw = FOR_ENTRY
    ? createLater<typeof import("./later/draw.ts"), LaterTexts>(
        [live.later.draw as string, live.later.words],
        ({ createDrawShow }, words) => {
          drawShow = createDrawShow(words.default.draw, times, serverNow());
        },
      )
    : undefined;
  /** What calls a visitor who looks elsewhere; undefined until it is asked for, and has come. */
  let call: Call | undefined;
  const offers = part("call") as HTMLDetailsElement;
  const loadCall = createLater<{ createCall(texts: LaterTexts["call"], hasPush?: boolean): Call }, LaterTexts>(
    [live.later.call, live.later.words],
    ({ createCall }, words) => {
      call = createCall(words.default.call, live.push);
    },
    () => say("call-blocked", texts.problem.stale),
  );
  /** Shows the place of another page of the browser, where that is the one that counts. */
  let lookForOthers: (() => void) | undefined;
  const loadLife = createLater<{
    createLife(offered: Live["whileWaiting"]): Life;
    meetOthers: typeof import("./meeting.ts").meetOthers;
    createReader(url: string): StatusReader;
  }>([live.later.life], ({ createLife, meetOthers, createReader }) => {
    readRoom = createReader(statusUrl);
    life = createLife(live.whileWaiting);
    lookForOthers = meetOthers(`${data.room} ${edition}`, String(data.position), entry.force);
  });

  /** What the visitor has behind them; undefined until it has come. */
  let progress: Progress | undefined;
  /** What a page comes to say after its first second alone; undefined until they have come. */
  let laterTexts: LaterTexts | undefined;
  const loadProgress = createLater<
    { createProgress(texts: LaterTexts["progress"], language: string, lineOf: string): Progress },
    LaterTexts
  >([live.later.progress, live.later.words], ({ createProgress }, words) => {
    progress = createProgress(words.default.progress, lang, `${data.room} ${edition}`);
    laterTexts = words.default;
    progress.follow(state === "turn");
    if (synced) showStatus(synced[0]);
    showProgress();
    prepare();
    if (state === "turn") show(showTime);
  });

  /** Long before the doors open, mostly: at that moment nobody need ask for anything more. What does not come is asked for with later answers. */
  function loadParts(): void {
    offerCall();
    loadLife();
    loadProgress();
    if (FOR_ENTRY && isUndrawn) loadDraw?.();
  }

  // --- What is on the page ------------------------------------------------------------------------------------

  /** What is shown, and where a browser fails at it, decides nothing: the page asks and enters all the same. */
  function show(...displays: (() => void)[]): void {
    for (const display of displays) attempt(display, 0);
  }

  function offerCall(): void {
    if (offers.open !== false) loadCall();
  }

  function setState(next: string): void {
    if (next === state) return;
    const hasOpened = FOR_ENTRY && (state === "entered" || state === "drawing") && next === "waiting";
    state = next;
    data.state = next;
    // What was said aloud of another state holds no more.
    say("milestone", "");
    const isTurn = next === "turn";
    const isOver = next === "idle" || next === "ended";
    if (FOR_ENTRY) say("label", (isUndrawn || next === "entered" ? texts.labels.entry : texts.labels.place) ?? "");
    say("status", texts.status[next] ?? laterTexts?.status[next] ?? "");
    say("turn", (isTurn && texts.titles.turn) || "");
    say("hint", isTurn ? texts.turnHint : isOver ? "" : texts.autoHint);
    say("enter", isTurn ? texts.enter : checkText);
    if (hasOpened) {
      announcedAhead = ahead;
      say("milestone", fillText(texts.doors?.opened ?? "", { people: wording.people(ahead, false) }));
    }
    show(
      () => call?.follow(isTurn, title),
      () => progress?.follow(isTurn),
    );
  }

  /** The number in all its places at once: the line, the bar and the tab. Announcements follow the answers. */
  function showAhead(): void {
    const report = state === "waiting" && !isStill && !problem && !cutOff() && !isAtMost() && (synced?.[0] ?? live);
    displayedAhead =
      attempt(() => life?.(barStart, ahead, report, statusPoll.lastAnswerMs(), synced?.[0]), ahead) ?? ahead;
    const people = wording.people(displayedAhead, isAtMost());
    say("ahead", people);
    const bar = part("progress") as HTMLProgressElement;
    bar.max = barStart;
    bar.value = Math.max(0, barStart - displayedAhead);
    bar.setAttribute("aria-valuetext", people);
    showTitle();
  }

  function showLine(): void {
    showAhead();
    data.ahead = String(ahead);
    if (
      state === "waiting" &&
      milestones.some((milestone) => displayedAhead <= milestone && milestone < announcedAhead)
    ) {
      announcedAhead = displayedAhead;
      say("milestone", wording.people(displayedAhead, isAtMost()));
    }
  }

  function showProgress(): void {
    if (state === "entered" || isUndrawn || !synced) return;
    progress?.note(updatedMs, synced[0].serving);
    if (state !== "waiting" || !progress) return;
    // Of a way of a few steps there is nothing to tell.
    say("status", (barStart > 9 && progress.milestone(1 - displayedAhead / barStart)) || (texts.status.waiting ?? ""));
  }

  /** For the last minute before the turn. */
  function prepare(): void {
    const isKnown = state === "waiting" && !isStill && !problem && !cutOff() && !isAtMost();
    progress?.prepare(isKnown && expectedWait ? expectedWait[1] : Infinity);
  }

  function showTitle(): void {
    const next = fillText(texts.title, { lead: titleLead(), room: isolate(title, dir) });
    if (titleWritten !== next) document.title = next;
    titleWritten = next;
  }

  function titleLead(): string {
    const { titles } = texts;
    const span = FOR_ENTRY && state === "entered" ? opening().span : null;
    if (FOR_ENTRY && span !== null) return fillText(titles.opens ?? "", { span });
    const ofState = FOR_HELD && state === "held" && ahead > 0 ? undefined : titles[state];
    const ofPlace = isUndrawn ? texts.labels.entry : ahead === 0 ? titles.next : undefined;
    return (
      ofState ??
      ofPlace ??
      fillText(isAtMost() ? titles.aheadAtMost : titles.ahead, { n: wording.number(displayedAhead) })
    );
  }

  /** Why nothing can be heard of the line; "" while it can. */
  function cutOff(): string {
    if (!navigator.onLine && !isHeardOffline) return texts.problem.offline;
    return statusPoll.isStale() ? texts.problem.stale : "";
  }

  /** What changes with time alone. The last good numbers stay, with their age; when they cannot be renewed, the page says so. */
  function showTime(): void {
    const nowMs = serverNow();
    showAhead();
    say("updated", wording.age(Math.round(Math.max(0, nowMs - updatedMs) / 1_000)));
    const holdMs = recoveringUntilMs - nowMs;
    say("problem", cutOff() || problem || (holdMs > 0 && laterTexts?.recovering) || "");
    if (FOR_ENTRY && state === "entered") {
      const { moment, countdown } = opening();
      say("opens", moment);
      say("countdown", countdown);
    }
    if (FOR_ENTRY && isUndrawn && synced) drawShow?.tell(synced[0].draw, nowMs);
    // Until the words are there, what the page came with stays.
    if (!laterTexts) return;
    const hold = state === "waiting" && holdMs > 0 ? fillText(laterTexts.hold, { span: times.span(holdMs) }) : "";
    say("deadline", state === "turn" ? turnDeadline.describe(laterTexts.deadline, times, nowMs) : hold);
    prepare();
  }

  // --- Asking -------------------------------------------------------------------------------------------------

  function nextPollMs(): number {
    if (!FOR_ENTRY || (state !== "entered" && !isUndrawn)) return pollPauseMs(poll, ahead, expectedWait, Math.random);
    const opensInMs = opensAtMs === null ? null : opensAtMs - serverNow();
    if (isUndrawn) {
      const people = synced?.[0].waiting ?? position;
      return pollForDrawMs(poll, state === "drawing", people, opensInMs, Math.random);
    }
    return pollForOpeningMs(poll, ahead, waitOnceOpen, opensInMs, Math.random);
  }

  /** @param serverMs the server's time at its answer, in whole seconds; NaN where it did not say */
  function take(status: RoomStatus, serverMs: number): void {
    // Nothing that the line does any more changes that.
    if (isAdmitted) return;
    const { phase, serving, availability } = status;
    const atMs = Date.parse(status.updated_at);
    const ageMs = statusAgeMs(atMs, serverMs);
    const isAway = availability === "away";
    // Old numbers are shown, and open no door.
    const isFresh = ageMs <= staleMs;
    // What the page says of a store that is away holds until it is back.
    problem = !isFresh ? texts.problem.stale : isAway ? problem : "";
    isHeardOffline = !navigator.onLine;
    // Another process, or a cache, knows less than what is shown already. A server's clock that was put back counts anew.
    if (atMs < updatedMs && atMs > updatedMs - 60_000) return;
    synced = [status, serverMs];
    updated.dateTime = status.updated_at;
    updatedMs = atMs;
    clockOffsetMs = updatedMs + ageMs - performance.now();
    poll = status.poll;
    // Another edition: the server decides what that means for this ticket.
    if (status.edition !== edition) {
      entry.start(0);
      return;
    }
    const counted = countAhead(position, status);
    // After a loss the room may not know the place, which is in a gap then: a request for it shows the ticket. A failed
    // one is repeated with the next status.
    if (!isUndrawn && serving < position && counted === countAhead(position + 1, status))
      fetch(placeUrl).catch(() => {});
    // For a held place the claim reports how many enter first.
    if (state !== "held" || counted > 0) ahead = counted;
    waitOnceOpen = estimateWait(status.pace, counted);
    const moves = phase === "open" && !isAway;
    expectedWait = moves ? waitOnceOpen : null;
    recoveringUntilMs = Date.parse(status.held_until ?? "");
    isStill = !moves || recoveringUntilMs > 0;
    if (FOR_ENTRY) {
      opens.dateTime = status.opens_at ?? "";
      opensAtMs = Date.parse(opens.dateTime) || null;
    }
    const isPaused = phase === "paused";
    if (phase === "passthrough") turnDeadline.forget();
    else if (!isUndrawn) turnDeadline.note(serving, updatedMs, isPaused || recoveringUntilMs > 0);
    if (isFresh || isPaused) follow(status, isServed(status, position, isUndrawn));
    if (isUndrawn) draw?.sync(status, position);
    show(() => showStatus(status), showLine, showProgress, prepare);
  }

  /** What the room's phase means for this visitor. */
  function follow({ phase, phase_reason: reason, availability, held_until }: RoomStatus, isTurn: boolean): void {
    if (isTurn) {
      // Their turn: calls them, and enters as soon as they are looking.
      if (state !== "held") setState("turn");
      entry.start((call?.soundMs() ?? 0) + blurMs * Math.random());
      return;
    }
    // The pages of closed doors, and of what is sold out, are others; after a loss the server has them as soon as it knows the room again.
    const isElsewhere = (!FOR_ENTRY && phase === "prequeue") || isSoldOut !== (reason === "sold_out");
    if (isElsewhere && availability !== "ready") return;
    if (phase === "ended" || phase === "idle" || isElsewhere) {
      if (!isElsewhere) setState(phase);
      entry.start(spreadOut(poll.spread_ms));
    } else if (phase !== "open" || state !== "held" || held_until) {
      // Also when an operator moved the line back. A held place was served by better knowledge than this, but for a hold of all.
      entry.stop();
      setState(
        phase === "paused"
          ? isSoldOut
            ? "sold_out"
            : phase
          : phase === "prequeue"
            ? "entered"
            : isUndrawn
              ? "drawing"
              : "waiting",
      );
    }
  }

  function showStatus({ phase, phase_reason: reason, serving, pace, stock, ...status }: RoomStatus): void {
    if (!live.isRenamed) ({ title } = status);
    data.serving = String(serving);
    part("facts").hidden = false;
    say("room", title);
    const showsServing = phase !== "prequeue" && !isUndrawn;
    const people = FOR_ENTRY && live.showsPeople && !isUndrawn ? progress?.here(status.waiting) : undefined;
    say("serving", showsServing ? fillText(texts.serving, { n: wording.number(serving) }) : (people ?? ""));
    const words = isSoldOut ? undefined : laterTexts;
    say("reason", phase !== "paused" || !reason ? "" : words ? (words.pausedReasons[reason] ?? reason) : firstReason);
    say("estimate", isSoldOut ? "" : phase === "paused" ? (words?.paused ?? "") : wording.estimate(expectedWait));
    if (live.stock) progress?.stock(live.stock, stock, isUndrawn || reason === "sold_out" ? -1 : ahead);
    const note = state === "waiting" && phase === "open" ? pace.note : null;
    // Until the words are there, what the page came with stays as long as it holds.
    const noteText =
      (state === "waiting" && progress?.risen(position, ahead, displayedAhead)) ||
      (note && (laterTexts ? laterTexts.paceNotes[note] : note === live.pace?.note ? firstNote : ""));
    if (noteText && writtenIn("note") !== noteText) say("milestone", noteText);
    say("note", noteText || "");
  }

  // --- Beginning ----------------------------------------------------------------------------------------------

  /** While nobody looks, only the title counts, and there to the opening alone. */
  function tick(): void {
    clearInterval(ticker);
    if (isSeen() || (FOR_ENTRY && state === "entered")) ticker = setInterval(showTime, 1_000);
  }

  /** The visitor is looking, or the connection is back: ask now. */
  function wakeUp(): void {
    show(showTime, tick, () => call?.look());
    if (!isSeen()) return;
    lookForOthers?.();
    loadParts();
    statusPoll.askSoon();
    entry.retry();
  }

  offers.addEventListener("toggle", offerCall);
  try {
    // What was ticked earlier is in force again, and to be seen.
    if (["sound", "notify", "awake"].some((name) => localStorage.getItem(`usher.call-${name}`))) offers.open = true;
  } catch {}
  offerCall();
  listenForWaking(wakeUp, statusPoll);
  part("enter").addEventListener("click", (event) => {
    event.preventDefault();
    // While nothing is wrong, asking for the numbers is enough, and a dead connection cannot take the page away.
    if (entry.isPending() || (statusPoll.isFailing() && navigator.onLine)) entry.force();
    else wakeUp();
  });

  statusPoll.schedule(firstPollMs(poll, nextPollMs(), Math.random));
  if (FOR_HELD && state === "held") entry.start((Number(data.retryMs) || 1_000) + blurMs * Math.random());
  exposeRefusedCookies();
  data.live = "";
  say("hint", texts.autoHint);
  if (!isAtMost() && !isUndrawn) turnDeadline.note(Number(data.serving), updatedMs, state === "paused" || isSoldOut);
  show(showLine, showTime, tick);
  // The page is there first.
  setTimeout(loadParts, 1_000);
}
