import type { Notice, NoticeAction, RenderedPage, WaitingView } from "../http/index.ts";
import { type Choice, toQuery } from "./choice.ts";
import type { Scene } from "./scenery.ts";

/** The real page of what is chosen. It asks for a status of its own, and what leads out of it leads to a word about that. */
export function renderChosen({ pages }: Scene, choice: Choice): RenderedPage {
  const { look, language, sample } = choice;
  const query = toQuery(choice, false);
  const accept = { gzip: false, language: undefined, chosen: language, here: `/page${query}` };
  const statusUrl = `/rooms/${look.room.id}/status${query}`;
  if (sample.kind === "waiting") {
    const view: WaitingView = { ...sample.view, statusUrl, theme: look.theme };
    return framed(pages.waiting(view, sample.visitor, accept));
  }
  const { watch, action, ...rest } = sample.notice;
  const speaksOfRoom = rest.message !== undefined || watch !== undefined;
  const notice: Notice = {
    ...rest,
    ...(watch !== undefined && { watch: { ...watch, statusUrl } }),
    ...(action !== undefined && { action: keptHere(action) }),
    theme: speaksOfRoom ? look.theme : look.usualTheme,
  };
  return framed(pages.notice(notice, accept));
}

function keptHere(action: NoticeAction): NoticeAction {
  if (action.kind === "post" || !/^https?:/.test(action.href)) return action;
  return { ...action, href: `/elsewhere?to=${encodeURIComponent(action.href)}` };
}

/** Visitors' pages stand in no frame but that of the preview. */
function framed(page: RenderedPage): RenderedPage {
  const contentSecurityPolicy = page.contentSecurityPolicy.replace("frame-ancestors 'none'", "frame-ancestors 'self'");
  return { ...page, contentSecurityPolicy };
}
