/** The elements of a page that a script fills, by their ids. */
import { messageIn, type RoomStatus } from "../../room/public-status/status.ts";
import { attempt } from "../pages/shared/wording.ts";
import { rememberOf } from "./of-rooms.ts";

/** An element of the page; where it is missing, one that nobody sees. */
export function part(id: string): HTMLElement {
  return document.getElementById(id) ?? document.createElement("p");
}

/**
 * An element with what was written into it last, by the server or a script: a translator, or an extension, may have made something else of
 * it since. It stands at the element, for a later part of the script brings this module a second time.
 */
type Written = HTMLElement & { written?: string };

/** To be called before anything else can rewrite the page. */
export function readWritten(): void {
  for (const element of document.querySelectorAll<Written>("[id]")) element.written = element.textContent ?? "";
}

/** What a part was last made to say. */
export function writtenIn(id: string): string {
  const element = part(id) as Written;
  return element.written ?? element.textContent ?? "";
}

export function say(id: string, text: string): void {
  const element = part(id) as Written;
  // Unchanged text is left alone, or a screen reader might read it again.
  if (writtenIn(id) !== text) element.textContent = text;
  element.written = text;
}

/** A moment in words and for programs. @param epochMs null where the words name none */
export function sayMoment(id: string, text: string, epochMs: number | null): void {
  say(id, text);
  (part(id) as HTMLTimeElement).dateTime = epochMs === null ? "" : new Date(epochMs).toISOString();
}

/** Whether somebody may be looking at the page. */
export function isSeen(): boolean {
  return document.visibilityState !== "hidden";
}

/**
 * Shows the operator's words, on every page of a room. New ones are said aloud once: politely, or at once if they are grave.
 *
 * @param lang the page's, as the server made it: a translator names its own
 */
export function showMessage(status: RoomStatus, lang: string): void {
  const current = part("message");
  const { text, language } = messageIn(status, lang);
  const severity = (text && status.message_severity) || "information";
  // Something else than words is none of the operator's.
  if (typeof text !== "string" || (writtenIn("message-text") === text && current.dataset.severity === severity)) return;
  const next = current.cloneNode(true) as HTMLElement;
  next.hidden = text === "";
  next.dataset.severity = severity;
  const [label, words] = ["#message-label", "#message-text"].map((id) => next.querySelector<Written>(id));
  if (label) label.textContent = part("words").getAttribute(`data-${severity}`);
  if (words) {
    words.textContent = text;
    // A copy of an element lacks it.
    words.written = text;
    words.lang = language || lang;
  }
  // All in one change of the page, so that screen readers announce it once.
  current.remove();
  part(severity === "information" ? "words-status" : "words-alert").append(next);
}

/**
 * What the bar counts from: the people ahead when this place was first seen in this browser, so that it goes on where
 * it was after a reload.
 */
export function firstAhead(room: string, edition: number, position: number, ahead: number): number {
  try {
    const item = rememberOf(localStorage, "usher.first", room, (stored) => {
      const [ofEdition, ofPosition, first = NaN] = `${stored}`.split(" ").map(Number);
      const isIt = ofEdition === edition && ofPosition === position && first < 1e9;
      return [edition, position, isIt ? first : ahead].join(" ");
    });
    return Number(item.split(" ")[2]);
  } catch {
    // Storage is closed to us: count from here.
    return ahead;
  }
}

const aheadKey = "usher.ahead";

/** Of which place a number of people ahead is. */
function placeOfPage(): string {
  const { room, edition, position } = document.querySelector("main")?.dataset ?? {};
  return `${room} ${edition} ${position} `;
}

/** For the next page of this place in this tab. */
export function rememberAhead(ahead: number): void {
  try {
    sessionStorage.setItem(aheadKey, placeOfPage() + ahead);
  } catch {
    // Storage is closed to us.
  }
}

/**
 * Those at the door are a few more than were ahead in line: the number does not rise above what the page before it showed last, but for a crowd
 * that was called.
 */
export function atDoor(rank: number): number {
  try {
    const [, ahead] = sessionStorage.getItem(aheadKey)?.split(placeOfPage()) ?? [];
    if (Number(ahead) > 0 && rank <= Number(ahead) + 20) return Math.min(rank, Number(ahead));
  } catch {
    // As it is, then.
  }
  return rank;
}

/**
 * A field whose text is there to be taken along, and a button that copies it where the browser lets it.
 *
 * @param id of the field; the button is `copy`, and `copied` says when it is done
 */
export function offerCopy(id: string): void {
  const field = part(id) as HTMLInputElement;
  const copy = part("copy");
  field.addEventListener("focus", () => field.select());
  if (!attempt(() => navigator.clipboard.writeText, null)) return;
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    say("copied", "");
    try {
      await navigator.clipboard.writeText(field.value);
      say("copied", part("copied").dataset.copied ?? "");
    } catch {
      field.focus();
    }
  });
}
