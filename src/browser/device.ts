/**
 * The page of a room that binds places to browsers: signs with the browser's own key, posts that, and loads the page anew, which now
 * goes on. A browser that keeps no key goes on without, where the room lets it; else the page says so.
 */
import { ownKey, sign } from "./device-key.ts";
import { part, say } from "./page-parts.ts";
import { jitter, load, postForm } from "./requests.ts";
import { isAnotherTry } from "./tries.ts";

const { nonce = "", answerUrl = "", failed = "" } = part("device").dataset;
const actions = document.querySelector<HTMLElement>(".actions");
/** A browser whose storage does not answer keeps no key. */
const patienceMs = 8_000;
const pauseMsMax = 30_000;

async function run(): Promise<void> {
  if (!isAnotherTry("usher.device")) return goWithout();
  setBusy(true);
  let proof: string;
  try {
    proof = await Promise.race([makeProof(), giveUpLater()]);
  } catch {
    return goWithout();
  }
  for (let failures = 0; ; ) {
    const answer = await postForm(answerUrl, { proof }).catch(() => null);
    // What does not count any more is asked for anew.
    if (answer !== null && answer.status < 500) return load();
    await new Promise((resolve) => setTimeout(resolve, jitter(Math.min(pauseMsMax, 1_000 * 2 ** failures++))));
  }
}

const makeProof = async () => sign(await ownKey(), answerUrl, nonce);

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
