import { join } from "node:path";
import { isolate } from "../locales/bidi.ts";
import { fillPlaceholders, type Locale } from "../locales/locale.ts";
import type { Look, Looks } from "../themes/looks.ts";
import type { Accept, RenderedPage, VisitorFigures, WaitingView } from "../types.ts";
import { contentSecurityPolicy, type InlineAsset, readScript } from "./assets.ts";
import type { ChooserFor } from "./chooser.ts";
import { estimateText } from "./estimate-text.ts";
import { escapeHtml, jsonForScript } from "./html.ts";
import { messageVariables } from "./message-variables.ts";
import { paceJson } from "./pace-json.ts";
import { createSlotMarkers, type PageTemplate } from "./page-template.ts";

/** What differs between two visitors of the same view, in the order of the slots. */
const SLOTS = [
  "titleLead",
  "position",
  "digits",
  "ahead",
  "edition",
  "retryMs",
  "positionText",
  "drawnText",
  "aheadText",
  "progress",
  "estimateText",
  "here",
] as const;
type Slots = Record<(typeof SLOTS)[number], string>;

export interface WaitingPageOptions {
  readonly looks: Looks;
  readonly browserDir: string;
  readonly chooserFor: ChooserFor;
}

export type WaitingPage = (view: WaitingView, visitor: VisitorFigures, locale: Locale, accept: Accept) => RenderedPage;

export function createWaitingPage({ looks, browserDir, chooserFor }: WaitingPageOptions): WaitingPage {
  const markers = createSlotMarkers();
  const slots = Object.fromEntries(SLOTS.map((name, index) => [name, markers.marker(index)])) as Slots;
  const scripts = {
    usual: readScript(join(browserDir, "waiting.js")),
    entry: readScript(join(browserDir, "waiting-entry.js")),
  };
  const scriptOf = ({ draw }: WaitingView) => scripts[draw === "undrawn" ? "entry" : "usual"];
  const policies = new Map<Look, Map<InlineAsset, string>>();
  const compiled = new WeakMap<WaitingView, Map<Locale, PageTemplate>>();

  const styleOf = (look: Look) => look.style("base.css", "message.css", "waiting.css");

  function policyOf(look: Look, script: InlineAsset): string {
    const ofLook = policies.get(look) ?? new Map<InlineAsset, string>();
    policies.set(look, ofLook);
    const policy =
      ofLook.get(script) ?? contentSecurityPolicy({ style: styleOf(look), script, connects: true, hasForm: true });
    ofLook.set(script, policy);
    return policy;
  }

  function compile(view: WaitingView, usualLocale: Locale): PageTemplate {
    const look = looks(view.theme);
    const { layout, waiting } = look.templates;
    const locale = look.localeFor(usualLocale);
    const theme = look.variables(locale);
    const room = look.titleIn(locale) ?? view.room.title;
    const title = fillPlaceholders(locale.texts.waiting.live.title, {
      lead: slots.titleLead,
      room: isolate(room, locale.dir),
    });
    const chooser = chooserFor(locale, null);
    const isRenamed = look.titleIn(locale) !== undefined;
    const named = { ...view, room: { ...view.room, title: room } };
    const main = waiting({ locale, theme, ...mainVariables(named, isRenamed, locale, slots) });
    return markers.compile(
      layout({ locale, theme, title, style: styleOf(look), script: scriptOf(view), main, chooser }),
    );
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
    const look = looks(view.theme);
    return {
      body: template.fill(slotValues(view, visitor, look.localeFor(locale), here), gzip),
      contentEncoding: gzip ? "gzip" : undefined,
      language: locale.tag,
      contentSecurityPolicy: policyOf(look, scriptOf(view)),
    };
  };
}

/** @param isRenamed whether the room is called otherwise than in its status */
function mainVariables(view: WaitingView, isRenamed: boolean, locale: Locale, slots: Slots) {
  const texts = locale.texts.waiting;
  const { state, pace, opensAtMs, serving } = view;
  const reason = state === "paused" && view.pausedReason !== null ? view.pausedReason : null;
  const note = state === "waiting" ? (pace?.note ?? null) : null;
  return {
    view: viewVariables(view),
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
      serving === null || state === "entered" || state === "drawing"
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
      texts: textsForScript(view, texts),
      poll: view.poll,
      room: view.room.title,
      ...(isRenamed && { isRenamed }),
      claimWithinMs: view.claimWithinMs ?? null,
      ...(view.draw === "undrawn" && { isUndrawn: true }),
      // So that the first question comes when it should: before the visitor's turn, and not much sooner.
      pace: (state === "waiting" || state === "entered") && pace !== null ? paceJson(pace) : null,
    }),
  };
}

/** Without what only the page itself says, when it comes while the store is away, and what this one never comes to say. */
function textsForScript({ serving, draw }: WaitingView, { live, draw: ofEntry }: Locale["texts"]["waiting"]): object {
  const isKnown = serving !== null;
  const isUndrawn = draw === "undrawn";
  const atMost = isKnown || isUndrawn ? { aheadAtMost: undefined } : {};
  // Before the draw nobody is ready to enter.
  const whenReady = isUndrawn ? { held: undefined, full: undefined, behind: undefined } : {};
  const ofDraw = isUndrawn ? {} : { drawing: undefined };
  return {
    ...live,
    ...atMost,
    drawn: isUndrawn ? live.drawn : undefined,
    labels: isUndrawn ? { ...live.labels, entry: ofEntry.number } : live.labels,
    titles: {
      ...live.titles,
      ...atMost,
      ...(isUndrawn && { held: undefined }),
      ...ofDraw,
    },
    problem: { ...live.problem, store_away: undefined },
    status: { ...live.status, ...whenReady, ...ofDraw, store_away: undefined, recovering: undefined },
  };
}

/** A state with a text of its own has it beside the status. */
function viewVariables({ message, poll, pace, pausedReason, timeZone, theme, ...view }: WaitingView) {
  return { ...view, claimWithinMs: view.claimWithinMs ?? null };
}

/** In the order of SLOTS, as HTML. */
function slotValues(view: WaitingView, visitor: VisitorFigures, locale: Locale, here: string): string[] {
  const { position, entry, ahead, edition, retryMs } = visitor;
  const live = locale.texts.waiting.live;
  const shownPosition = locale.number(position);
  const shownAhead = { n: locale.number(ahead) };
  const isNext = ahead === 0;
  const aheadTexts = view.serving === null ? live.aheadAtMost : live.ahead;
  const estimate = view.state === "paused" ? live.estimate.paused : estimateText(locale, visitor.estimate);
  const values: Slots = {
    titleLead: titleLead(view, isNext, locale.texts.waiting, shownAhead),
    position: String(position),
    digits: String(shownPosition.length),
    ahead: String(ahead),
    edition: String(edition),
    retryMs: retryMs === null ? "" : String(retryMs),
    positionText: shownPosition,
    drawnText: view.draw === "drawn" && entry !== null ? fillPlaceholders(live.drawn, { n: locale.number(entry) }) : "",
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
  { live, draw }: Locale["texts"]["waiting"],
  shown: { n: string },
): string {
  const { titles } = live;
  const { state } = view;
  if (state === "entered" || state === "drawing" || state === "paused" || (state === "held" && isNext)) {
    return titles[state];
  }
  if (view.draw === "undrawn") return draw.number;
  if (isNext) return titles.next;
  return fillPlaceholders(view.serving === null ? titles.aheadAtMost : titles.ahead, shown);
}
