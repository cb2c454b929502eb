/**
 * The page of a draw: works out places and checks the record, by a worker that is loaded when it is needed first; and
 * shows the draw as soon as it is done.
 */
import { createWording, fillText } from "../pages/shared/wording.ts";
import type { Answer, Question } from "./draw-checks.ts";
import { readNumber } from "./number-field.ts";
import { isSeen, offerCopy, part, say } from "./page-parts.ts";
import { jitter, readJson } from "./requests.ts";

const { id, stage = "", recordUrl = "", checkerUrl = "" } = part("draw").dataset;
const drawId = Number(id);
const word = (name: string) => part("check").dataset[name] ?? "";
const numbers = createWording(document.documentElement.lang);
const number = part("number") as HTMLInputElement;
const buttons = [part("compute"), part("check-all")] as HTMLButtonElement[];
/** How often a draw that is under way is looked at. */
const watchMs = 4_000;

let checker: Worker | undefined;
let record: unknown;

// --- Checking -----------------------------------------------------------------------------------------------------

interface DrawsRecord {
  readonly draws: readonly { readonly id: number; readonly stage: string }[];
}

/** @throws where there is none to be had: somebody else may answer */
async function readRecord(): Promise<DrawsRecord> {
  const headers = { Accept: "application/json" };
  const found = await readJson<DrawsRecord>(recordUrl, { credentials: "omit", headers });
  if (!Array.isArray(found.draws)) throw found;
  return found;
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
    say("result", word("unreachable"));
  }
  for (const button of buttons) button.disabled = false;
}

async function computePlace(): Promise<void> {
  const wanted = readNumber(number.value);
  say("result", "");
  if (wanted === null) {
    if (number.value.trim() !== "") say("result", word("outside"));
    return number.focus();
  }
  await work(
    (all) => ({ kind: "place", record: all, draw: drawId, number: wanted }),
    (answer) => {
      // A record that cannot be read has no places.
      const place = answer.kind === "place" ? answer.place : null;
      const values = { n: numbers.number(wanted), place: numbers.number(place ?? 0) };
      say("result", place === null ? word("outside") : fillText(word("result"), values));
    },
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
  if (outcome) outcome.textContent = word(answer.outcome);
  if (detail) detail.textContent = answer.detail;
  line.hidden = false;
}

// --- Waiting for the draw -----------------------------------------------------------------------------------------

const isElsewhere = ({ draws }: DrawsRecord) => draws.find((draw) => draw.id === drawId)?.stage !== stage;

/** Once while the draw is to come, when somebody looks; again and again while it is under way. */
async function watch(): Promise<void> {
  try {
    if (isSeen() && isElsewhere(await readRecord())) return location.reload();
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
