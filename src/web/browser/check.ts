/**
 * The page of a check before a join: does the work in workers, or shows a provider's challenge, posts what came of it, and loads the
 * page anew, which now has a place to give. A browser that is sent in circles stops after a few times, and says so.
 */
import { isLaterStatus } from "../../room/public-status/pacing.ts";
import { isSeen, part, say } from "./page-parts.ts";
import { type Challenge, type Solution, solve } from "./proof.ts";
import { jitter, load, postForm, type Refusal } from "./requests.ts";
import { isAnotherTry } from "./tries.ts";

const { challenge = "", answerUrl = "", solver = "", scriptUrl = "" } = document.querySelector("main")?.dataset ?? {};
const { working = "", done = "", failed = "", unavailable = "" } = part("check").dataset;
const actions = document.querySelector<HTMLElement>(".actions");
/** More help little: phones get warm, and few have more that are fast. */
const workersMax = 4;
const pauseMsMax = 30_000;
/** Until a provider that did not answer is tried again. */
const laterMs = 10_000;

async function run(): Promise<void> {
  if (challenge) await doWork(JSON.parse(challenge));
  else offerWidget();
}

async function doWork(first: Challenge): Promise<void> {
  if (!crypto.subtle || !isAnotherTry("usher.check")) return show(failed, false);
  show(working, true);
  let next = first;
  for (;;) {
    // Of another shape it is no challenge, and a browser may refuse to do the work.
    const solution = await work(next).catch(() => null);
    if (solution === null) return show(failed, false);
    const refusal = await post({ proof: btoa(JSON.stringify({ challenge: next, solution })) });
    if (refusal === null) return goOn();
    // It took too long, or many have joined meanwhile: there is another one to do.
    const challenge = refusal.check?.challenge as Challenge | undefined;
    if (!challenge || !isAnotherTry("usher.check")) return show(failed, false);
    next = challenge;
  }
}

/** The provider's script fills the element by itself, and calls these by the names that stand there. */
function offerWidget(): void {
  if (actions) actions.hidden = true;
  Object.assign(window, { usherChecked: takeResponse, usherFailed: tryLater });
  if (!scriptUrl) return;
  const script = document.createElement("script");
  script.async = true;
  script.onerror = tryLater;
  script.src = scriptUrl;
  document.head.append(script);
}

async function takeResponse(response: string): Promise<void> {
  part("busy").hidden = false;
  const refusal = await post({ challenge_response: response }, "provider_unavailable");
  if (refusal === null) return goOn();
  part("busy").hidden = true;
  if (refusal.error === "provider_unavailable") return tryLater();
  // In place of a provider that does not answer.
  if (refusal.check?.challenge) return doWork(refusal.check.challenge as Challenge);
  show(failed, false);
}

/** Not all at the same instant, and while somebody looks. */
function tryLater(): void {
  say("check", unavailable);
  setTimeout(() => {
    if (isSeen()) load();
    else document.addEventListener("visibilitychange", load, { once: true });
  }, jitter(laterMs));
}

function goOn(): void {
  say("check", done);
  load();
}

function show(text: string, isBusy: boolean): void {
  say("check", text);
  part("busy").hidden = !isBusy;
  if (actions) actions.hidden = isBusy;
}

/**
 * How Usher refuses what was done; null where it counts. Asks until somebody answers who knows: what was done is not done again.
 *
 * @param final what is not asked again for, of what a later answer may be another of
 */
async function post(form: Record<string, string>, final = ""): Promise<Refusal | null> {
  for (let failures = 0; ; failures++) {
    try {
      const refusal = await postForm(answerUrl, form);
      if (refusal === null || refusal.error === final || !isLaterStatus(refusal.status)) return refusal;
    } catch {
      // There is no connection, or somebody else answers.
    }
    await new Promise((resolve) => setTimeout(resolve, jitter(Math.min(pauseMsMax, 1_000 * 2 ** failures))));
  }
}

/** By as many workers as the device has cores for; where there are none, by the page itself. */
async function work(next: Challenge): Promise<Solution> {
  const workers: Worker[] = [];
  try {
    const step = Math.max(1, Math.min(workersMax, navigator.hardwareConcurrency || 1));
    return await new Promise<Solution>((resolve, reject) => {
      for (let start = 0; start < step; start++) {
        const worker = new Worker(solver);
        workers.push(worker);
        worker.onmessage = ({ data }: MessageEvent<Solution>) => resolve(data);
        worker.onerror = reject;
        worker.postMessage({ challenge: next, start, step });
      }
    });
  } catch {
    return solve({ challenge: next, start: 0, step: 1 });
  } finally {
    for (const worker of workers) worker.terminate();
  }
}

void run();
