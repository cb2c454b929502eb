/**
 * The page of a room that binds places to browsers: signs with the browser's own key, posts that, and loads the page anew, which now
 * goes on. A browser that keeps no key goes on without, where the room lets it; else the page says so.
 */
import { isLaterStatus } from "../../room/public-status/pacing.ts";
import { browserKey, sign } from "./device-key.ts";
import { part, say } from "./page-parts.ts";
import { jitter, load, postForm } from "./requests.ts";
import { isAnotherTry } from "./tries.ts";

const { nonce = "", answerUrl = "", failed = "" } = part("device").dataset;
const actions = document.querySelector<HTMLElement>(".actions");
/** A browser whose storage does not answer keeps no key. */
const patienceMs = 8_000;
const pauseMsMax = 30_000;
/** Other tabs wait for no page that is longer under way. */
const loadMsMax = 5_000;

async function run(): Promise<void> {
  // Each login takes a proof: one that is asked for again after it was shown gets nowhere.
  if (!isAnotherTry("usher.device", location.pathname + location.search)) return goWithout();
  setBusy(true);
  let proof: string;
  try {
    proof = await Promise.race([makeProof(), giveUpLater()]);
  } catch {
    return goWithout();
  }
  for (let failures = 0; ; ) {
    if (await inTurn(() => show(proof))) return;
    await pause(jitter(Math.min(pauseMsMax, 1_000 * 2 ** failures++)));
  }
}

/** Whether the page goes on by it. What does not count any more is asked for anew. */
async function show(proof: string): Promise<boolean> {
  try {
    const refusal = await postForm(answerUrl, { proof });
    if (refusal !== null && isLaterStatus(refusal.status)) return false;
  } catch {
    // There is no connection, or somebody else answers.
    return false;
  }
  load();
  await pause(loadMsMax);
  return true;
}

/** One tab at a time: the browser keeps what was shown last, and the page that comes next is to see it. */
async function inTurn(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await navigator.locks.request("usher.device", work);
  } catch {
    // A browser that has no such turns, or refuses them.
    return work();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const makeProof = async () => sign(await browserKey(), answerUrl, nonce);

function giveUpLater(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(reject, patienceMs);
  });
}

function goWithout(): void {
  const form = document.querySelector<HTMLFormElement>(".actions form");
  form?.submit();
  if (form !== null) return;
  setBusy(false);
  say("device", failed);
}

function setBusy(isBusy: boolean): void {
  part("busy").hidden = !isBusy;
  if (actions) actions.hidden = isBusy;
}

void run();
