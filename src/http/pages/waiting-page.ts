import { join } from "node:path";
import { paceJson } from "../pace-json.ts";
import { contentSecurityPolicy, readScript, readStyles, readTemplate } from "./assets.ts";
import { isolate } from "./bidi.ts";
import type { ChooserFor } from "./chooser.ts";
import { estimateText } from "./estimate-text.ts";
import { escapeHtml, jsonForScript } from "./html.ts";
import { fillPlaceholders, type Locale } from "./locale.ts";
import { messageVariables } from "./message-variables.ts";
import { createSlotMarkers, type PageTemplate } from "./page-template.ts";
import type { Accept, RenderedPage, VisitorFigures, WaitingView } from "./types.ts";

/** What differs between two visitors of the same view, in the order of the slots. */
const SLOTS = [
  "titleLead",
  "position",
  "digits",
  "ahead",
  "edition",
  "retryMs",
  "positionText",
  "aheadText",
  "progress",
  "estimateText",
  "here",
] as const;
type Slots = Record<(typeof SLOTS)[number], string>;

export interface WaitingPageOptions {
  readonly viewsDir: string;
  readonly browserDir: string;
  readonly chooserFor: ChooserFor;
}

export type WaitingPage = (view: WaitingView, visitor: VisitorFigures, locale: Locale, accept: Accept) => RenderedPage;

export function createWaitingPage({ viewsDir, browserDir, chooserFor }: WaitingPageOptions): WaitingPage {
  const markers = createSlotMarkers();
  const slots = Object.fromEntries(SLOTS.map((name, index) => [name, markers.marker(index)])) as Slots;
  const layout = readTemplate(join(viewsDir, "layout.ejs"));
  const main = readTemplate(join(viewsDir, "waiting.ejs"));
  const style = readStyles(join(viewsDir, "styles"), ["base.css", "message.css", "waiting.css"]);
  const script = readScript(join(browserDir, "waiting.js"));
  const policy = contentSecurityPolicy({ style, script, connects: true, hasForm: true });
  const compiled = new WeakMap<WaitingView, Map<Locale, PageTemplate>>();

  function compile(view: WaitingView, locale: Locale): PageTemplate {
    const texts = locale.texts.waiting;
    const room = isolate(view.room.title, locale.dir);
    const title = fillPlaceholders(texts.live.title, { lead: slots.titleLead, room });
    const chooser = chooserFor(locale, slots.here);
    const content = main(mainVariables(view, locale, slots));
    return markers.compile(layout({ locale, title, style, script, main: content, chooser }));
  }

  function templateFor(view: WaitingView, locale: Locale): PageTemplate {
    const byLocale = compiled.get(view) ?? new Map<Locale, PageTemplate>();
    compiled.set(view, byLocale);
    const template = byLocale.get(locale) ?? compile(view, locale);
    byLocale.set(locale, template);
    return template;
  }

  return (view, visitor, locale, { gzip, here = "/" }) => {
    const template = templateFor(view, locale);
    return {
      body: template.fill(slotValues(view, visitor, locale, here), gzip),
      contentEncoding: gzip ? "gzip" : undefined,
      language: locale.tag,
      contentSecurityPolicy: policy,
    };
  };
}

function mainVariables(view: WaitingView, locale: Locale, slots: Slots): object {
  const texts = locale.texts.waiting;
  const { state, pace, opensAtMs, serving } = view;
  const reason = state === "paused" && view.pausedReason !== null ? view.pausedReason : null;
  const note = state === "waiting" ? (pace?.note ?? null) : null;
  return {
    view,
    texts,
    slots,
    message: messageVariables(view.message, locale),
    problem: state === "store_away" || state === "recovering" ? texts.live.problem[state] : "",
    status: texts.live.status[view.isBehind ? "behind" : view.heldBy === "capacity" ? "full" : state],
    pausedReason: reason === null ? "" : (texts.live.pausedReasons[reason] ?? reason),
    note: note === null ? "" : texts.live.paceNotes[note],
    opens: opensAtMs === null ? texts.live.doors.unset : locale.moment(opensAtMs, view.timeZone),
    opensIso: opensAtMs === null ? "" : new Date(opensAtMs).toISOString(),
    serving:
      serving === null || state === "entered"
        ? ""
        : fillPlaceholders(texts.live.serving, { n: locale.number(serving) }),
    claimHint:
      view.claimWithinMs === undefined
        ? ""
        : fillPlaceholders(texts.claimHint, { duration: locale.duration(view.claimWithinMs) }),
    updatedIso: view.updatedAtMs === null ? "" : new Date(view.updatedAtMs).toISOString(),
    updatedTime: view.updatedAtMs === null ? "" : locale.timeOfDay(view.updatedAtMs, view.timeZone),
    // The time stands in an element of its own, so the sentence is cut around it.
    updatedWords: texts.updated.split("{time}"),
    liveJson: jsonForScript({
      texts: texts.live,
      poll: view.poll,
      room: view.room.title,
      opensAtMs,
      claimWithinMs: view.claimWithinMs ?? null,
      // So that the first question comes when it should: before the visitor's turn, and not much sooner.
      pace: state === "waiting" && pace !== null ? paceJson(pace) : null,
    }),
  };
}

/** In the order of SLOTS, as HTML. */
function slotValues(view: WaitingView, visitor: VisitorFigures, locale: Locale, here: string): string[] {
  const { position, ahead, edition, retryMs } = visitor;
  const live = locale.texts.waiting.live;
  const shownPosition = locale.number(position);
  const shownAhead = { n: locale.number(ahead) };
  const isNext = ahead === 0;
  const aheadTexts = view.serving === null ? live.aheadAtMost : live.ahead;
  const estimate = view.state === "paused" ? live.estimate.paused : estimateText(locale, visitor.estimate);
  const values: Slots = {
    titleLead: titleLead(view, isNext, live, shownAhead),
    position: String(position),
    digits: String(shownPosition.length),
    ahead: String(ahead),
    edition: String(edition),
    retryMs: retryMs === null ? "" : String(retryMs),
    positionText: shownPosition,
    aheadText: isNext ? live.aheadNone : locale.plural(aheadTexts, ahead, shownAhead),
    progress: String(Math.max(0, position - ahead)),
    estimateText: estimate,
    here,
  };
  return SLOTS.map((name) => escapeHtml(values[name]));
}

function titleLead(
  view: WaitingView,
  isNext: boolean,
  live: Locale["texts"]["waiting"]["live"],
  shown: { n: string },
): string {
  const { titles } = live;
  const { state } = view;
  if (state === "entered" || state === "paused" || (state === "held" && isNext)) return titles[state];
  if (isNext) return titles.next;
  return fillPlaceholders(view.serving === null ? titles.aheadAtMost : titles.ahead, shown);
}
