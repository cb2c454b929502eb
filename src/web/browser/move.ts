/**
 * The page with a link that carries the place to another browser: copies it, asks whether it was used, and leads back to
 * where the visitor came from when it was, when their turn has come meanwhile, or when it can be used no more. Nobody is led
 * anywhere who does not look: there they may be let in.
 */
import { isSeen, offerCopy, part } from "./page-parts.ts";
import { jitter, readJson } from "./requests.ts";

const { stateUrl = "", leftMs = "" } = part("move").dataset;
const firstPauseMs = 1_000;
const usualPauseMs = 4_000;
const pauseMsMax = 30_000;
/** Most links are used at once. The longer a page is open, the less often it asks: each time after a tenth more. */
const ageDivisor = 10;
/** Another gateway may learn of it a moment later than this one. */
const hearingMs = 1_500;
const openedMs = performance.now();
const endsMs = openedMs + Number(leftMs);
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
/** The link was used. */
let isOver = false;
/** By the last status it is not their turn. */
let isBeforeTurn = false;

offerCopy("link");

/** The way in says what became of the place. */
function goBack(): void {
  const { href } = document.querySelector<HTMLAnchorElement>(".actions a") ?? location;
  if (href !== location.href) location.replace(href);
}

/** @param state of the place */
function take({ moved, state }: { moved: boolean; state: string }): void {
  // Of another shape it is no answer of the room.
  if (typeof state !== "string" || typeof moved !== "boolean") throw state;
  isOver = moved;
  const hasTurn = isBeforeTurn && state === "served";
  isBeforeTurn = state === "entered" || state === "waiting";
  if (hasTurn && !isOver) goBack();
}

async function ask(): Promise<void> {
  try {
    take(await readJson(stateUrl));
    failures = 0;
  } catch {
    failures++;
  }
  if (isOver) setTimeout(goBack, hearingMs);
  else plan(jitter(Math.min(pauseMsMax, pauseMs() * 2 ** failures)));
}

function pauseMs(): number {
  return Math.max(usualPauseMs, (performance.now() - openedMs) / ageDivisor);
}

function plan(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(
    () => {
      if (!isSeen()) return;
      if (performance.now() >= endsMs) goBack();
      else void ask();
    },
    Math.min(ms, Math.max(0, endsMs - performance.now())),
  );
}

// A visitor who returns to this page wants to know.
document.addEventListener("visibilitychange", () => {
  if (!isOver) plan(0);
});
plan(firstPauseMs);
