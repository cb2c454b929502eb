/**
 * The page of a draw: works out places and checks the record, by a worker that is loaded when it is needed first; and
 * shows the draw as soon as it is done.
 */
import { offerCopy } from "./copy-field.ts";
import type { Answer, Question } from "./draw-questions.ts";
import { jitter } from "./line-figures.ts";
import { readNumber } from "./number-field.ts";
import { part, say } from "./page-parts.ts";
import { timeoutMs } from "./status-poll.ts";

type Data = { [name: string]: string | undefined };

const { id, stage = "", recordUrl = "", checkerUrl = "" }: Data = part("draw").dataset;
const drawId = Number(id);
const words: Data = part("check").dataset;
const numbers = new Intl.NumberFormat(document.documentElement.lang);
const number = part("number") as HTMLInputElement;
const buttons = [part("compute"), part("check-all")] as HTMLButtonElement[];
/** How often a draw that is under way is looked at. */
const watchMs = 4_000;

let checker: Worker | undefined;
let record: unknown;

// --- Checking -----------------------------------------------------------------------------------------------------

async function readRecord(): Promise<unknown> {
  const giveUp = new AbortController();
  const timeout = setTimeout(() => giveUp.abort(), timeoutMs);
  try {
    const response = await fetch(recordUrl, {
      credentials: "omit",
      headers: { Accept: "application/json" },
      signal: giveUp.signal,
    });
    if (!response.ok) throw new Error(String(response.status));
    return await response.json();
  } finally {
    clearTimeout(timeout);
  }
}

/** @param hear called with each answer but the last */
function ask(question: Question, hear: (answer: Answer) => void): Promise<void> {
  checker ??= new Worker(checkerUrl);
  const mine = checker;
  return new Promise((resolve, reject) => {
    mine.onerror = reject;
    mine.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.kind !== "done") hear(data);
      if (data.kind !== "check") resolve();
    };
    mine.postMessage(question);
  });
}

/** One question at a time. */
async function work(questionOf: (record: unknown) => Question, hear: (answer: Answer) => void): Promise<void> {
  for (const button of buttons) button.disabled = true;
  try {
    record ??= await readRecord();
    await ask(questionOf(record), hear);
  } catch {
    checker?.terminate();
    checker = undefined;
    say("result", words.unreachable ?? "");
  }
  for (const button of buttons) button.disabled = false;
}

async function computePlace(): Promise<void> {
  const wanted = readNumber(number.value);
  say("result", "");
  if (wanted === null) {
    if (number.value.trim() !== "") say("result", words.outside ?? "");
    return number.focus();
  }
  const show = (place: number | null) =>
    say(
      "result",
      place === null
        ? (words.outside ?? "")
        : (words.result ?? "").replace("{n}", numbers.format(wanted)).replace("{place}", numbers.format(place)),
    );
  await work(
    (all) => ({ kind: "place", record: all, draw: drawId, number: wanted }),
    // A record that cannot be read has no places.
    (answer) => show(answer.kind === "place" ? answer.place : null),
  );
}

async function checkEverything(): Promise<void> {
  say("result", "");
  const receipt = (part("receipt") as Partial<HTMLInputElement>).value ?? "";
  await work((all) => ({ kind: "all", record: all, draw: drawId, receipt }), showCheck);
}

function showCheck(answer: Answer): void {
  if (answer.kind !== "check") return;
  const line = part(`check-${answer.thing}`);
  const [outcome, detail] = [".outcome", ".detail"].map((each) => line.querySelector(each));
  line.dataset.outcome = answer.outcome;
  if (outcome) outcome.textContent = words[answer.outcome] ?? "";
  if (detail) detail.textContent = answer.detail;
  line.hidden = false;
}

// --- Waiting for the draw -----------------------------------------------------------------------------------------

function isElsewhere(fetched: unknown): boolean {
  const { draws } = fetched as { draws?: { id: number; stage: string }[] };
  return draws?.find((draw) => draw.id === drawId)?.stage !== stage;
}

/** Once while the draw is to come, when somebody looks; again and again while it is under way. */
async function watch(): Promise<void> {
  try {
    if (document.visibilityState !== "hidden" && isElsewhere(await readRecord())) return location.reload();
  } catch {
    // The visitor asks again, or reloads.
  }
  if (stage !== "committed") setTimeout(watch, jitter(watchMs));
}

offerCopy("receipt");
part("check").hidden = false;
part("compute").addEventListener("click", computePlace);
part("check-all").addEventListener("click", checkEverything);
number.addEventListener("keydown", ({ key }) => {
  if (key === "Enter") void computePlace();
});
if (stage === "closing" || stage === "closed") setTimeout(watch, jitter(watchMs));
if (stage === "committed") document.addEventListener("visibilitychange", watch);
