/**
 * What visitors may read while they wait, below all else on the page: made by the server, the same for all. It moves nothing that is above it, and where it
 * can't be had, nothing is said.
 */
import type { WhileWaitingRevisions } from "../pages/shared/live.ts";
import { addStyles } from "./own-sheet.ts";
import { jitter } from "./requests.ts";

const timeoutMs = 20_000;
/** Another process may not know yet of a text that was just changed, and something else may answer for long. */
const againAfterMs = 15_000;
const againAfterMsMax = 120_000;

/**
 * @param offered what the page came with
 * @returns to be called with what the room's status says; undefined while there is none
 */
export function createWhileWaiting(
  offered: WhileWaitingRevisions = { room: null, theme: "" },
): (ofRoom?: string | null) => void {
  const inForce = (ofRoom: string | null) => ofRoom ?? offered.theme;
  /** The page's policy allows the images of this text alone. */
  const first = inForce(offered.room);
  const imageOrigins = new Set<string>();
  const { lang } = document.documentElement;
  const { room = "" } = document.querySelector("main")?.dataset ?? {};
  let wanted = "";
  let attempts = 0;
  let section: HTMLElement | undefined;

  function load(revision: string): void {
    // Read as a document, nothing in it can run.
    const request = new XMLHttpRequest();
    request.open("GET", `/rooms/${room}/while-waiting/part?of=${revision}&language=${lang}`);
    request.responseType = "document";
    request.timeout = timeoutMs;
    request.onloadend = () => {
      if (revision !== wanted) return;
      const slot = request.status === 200 && request.responseXML?.querySelector<HTMLElement>(".slot");
      if (slot) show(slot, request.responseXML?.title ?? "", revision);
      else {
        const pauseMs = Math.min(againAfterMsMax, againAfterMs * 2 ** attempts++);
        setTimeout(() => revision === wanted && load(revision), jitter(pauseMs));
      }
    };
    request.send();
  }

  function show(slot: HTMLElement, title: string, revision: string): void {
    for (const image of slot.querySelectorAll("img")) {
      const { origin } = new URL(image.src);
      if (revision === first) imageOrigins.add(origin);
      // The room that it has is kept, whatever size it turns out to be.
      if (imageOrigins.has(origin)) image.style.aspectRatio = `${image.width} / ${image.height}`;
      else image.replaceWith(image.alt);
    }
    if (section === undefined) {
      section = document.createElement("aside");
      // As wide as the page's foot, before which it stands.
      section.className = "languages";
      section.setAttribute("aria-label", title);
      addStyles(slot.dataset.style ?? "");
    }
    section.replaceChildren(slot);
    document.querySelector("main")?.after(section);
  }

  return (ofRoom = offered.room) => {
    const next = inForce(ofRoom);
    if (next === wanted) return;
    wanted = next;
    attempts = 0;
    section?.remove();
    if (next !== "") load(next);
  };
}
