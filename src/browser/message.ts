/** Shows the operator's words, on every page of a room. New ones are said aloud once: politely, or at once if they are grave. */
import { type MessageJson, messageIn } from "./message-text.ts";
import { part } from "./page-parts.ts";

export function showMessage(status: MessageJson): void {
  const shown = part("message");
  const { text, language } = messageIn(status, document.documentElement.lang);
  const severity = (text && status.message_severity) || "information";
  // Unchanged words are left alone, or a screen reader might read them again.
  if (part("message-text").textContent === text && shown.dataset.severity === severity) return;
  const next = shown.cloneNode(true) as HTMLElement;
  next.hidden = text === "";
  next.dataset.severity = severity;
  const [label, words] = ["#message-label", "#message-text"].map((id) => next.querySelector<HTMLElement>(id));
  if (label) label.textContent = part("words").getAttribute(`data-${severity}`);
  if (words) {
    words.textContent = text;
    words.lang = language || document.documentElement.lang;
  }
  // All in one change of the page, so that screen readers announce it once.
  shown.remove();
  part(severity === "information" ? "words-status" : "words-alert").append(next);
}
