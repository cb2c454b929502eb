import { join } from "node:path";
import ejs from "ejs";
import type { Locale } from "../locales/locale.ts";
import { withoutRepeatedForms } from "../locales/texts.ts";
import type { Live, LiveTexts } from "../shared/live.ts";
import { estimateText, fillText, isolate, stockText, takingPartText, type Values } from "../shared/wording.ts";
import type { Looks } from "../themes/looks.ts";
import type { Accept, RenderedPage, VisitorFigures, WaitingView } from "../types.ts";
import { revisionOf } from "../while-waiting/revision.ts";
import type { Contents } from "../while-waiting/while-waiting-page.ts";
import { contentSecurityPolicy, readScript } from "./assets.ts";
import { fileOfPart, type LaterPart } from "./later-parts.ts";
import { createSlotMarkers } from "./page-template.ts";
import { paceJson } from "./status-json.ts";
import { type ChooserFor, messageVariables, rehearsalSheets, rehearsalVariable } from "./variables.ts";
import type { Words } from "./words.ts";

/** What differs between two visitors of the same view, in the order of the slots. */
const slotNames = [
  ...(["titleLead", "position", "digits", "ahead", "edition", "retryMs", "positionText"] as const),
  ...(["drawnText", "aheadText", "progress", "estimateText", "stockText", "here"] as const),
];
type Slots = Record<(typeof slotNames)[number], string>;

export interface PageParts {
  readonly looks: Looks;
  readonly browserDir: string;
  readonly chooserFor: ChooserFor;
  readonly laterParts: ReadonlyMap<string, LaterPart>;
  readonly words: Words;
  readonly contents: Contents;
}

export function createWaitingPage({ looks, browserDir, chooserFor, laterParts, words, contents }: PageParts) {
  const markers = createSlotMarkers();
  const slots = Object.fromEntries(slotNames.map((name, index) => [name, markers.marker(index)])) as Slots;
  const scripts = {
    usual: readScript(join(browserDir, "waiting.js")),
    entry: readScript(join(browserDir, "waiting-entry.js")),
    held: readScript(join(browserDir, "waiting-held.js")),
  };
  const part = (name: string) => fileOfPart(laterParts, name);
  const parts = { call: part("call"), life: part("life"), progress: part("progress"), draw: part("draw") };
  const compiled = new WeakMap<WaitingView, Map<Locale, ReturnType<typeof compile>>>();

  /** A view in one language, with the texts of its theme. */
  function compile(view: WaitingView, usualLocale: Locale) {
    const look = looks(view.theme);
    const locale = look.localeFor(usualLocale);
    const page = { locale, theme: look.variables(locale) };
    const ownTitle = look.titleIn(locale);
    const room = { id: view.room.id, title: ownTitle ?? view.room.title };
    const { draw, ...usual } = parts;
    const later = { ...usual, ...(view.draw === "undrawn" && { draw }), words: words.fileOf(locale) };
    const variables = waitingVariables({ ...view, room }, ownTitle !== undefined, locale, later);
    const lead = { lead: slots.titleLead, room: isolate(room.title, locale.dir) };
    const script = scripts[kindOf(view)];
    const style = look.style("base.css", ...rehearsalSheets(view), "message.css", "waiting.css");
    const html = look.templates.layout({
      ...page,
      title: fillText(variables.texts.live.title, lead),
      style,
      script,
      rehearsal: rehearsalVariable(view, locale),
      main: look.templates.waiting({ ...page, slots, ...variables }),
      chooser: chooserFor(locale, null),
    });
    const reading = view.whileWaiting?.words ?? null;
    const imageOrigins = reading === null ? [] : contents(reading, locale.tag).imageOrigins;
    const loads = { connects: true, loadsParts: true, hasWorker: view.hasPush === true, imageOrigins };
    const policy = contentSecurityPolicy({ style, script, ...loads, hasForm: true });
    return { template: markers.compile(html), locale, policy };
  }

  return (view: WaitingView, visitor: VisitorFigures, usualLocale: Locale, accept: Accept): RenderedPage => {
    const { gzip, here = "/" } = accept;
    const byLocale = compiled.get(view) ?? new Map<Locale, ReturnType<typeof compile>>();
    compiled.set(view, byLocale);
    const page = byLocale.get(usualLocale) ?? compile(view, usualLocale);
    byLocale.set(usualLocale, page);
    const { template, locale, policy } = page;
    const slots = slotValues(view, visitor, locale, here);
    // Hardly any needs it.
    const values = slotNames.map((name) => (/[&<>"']/.test(slots[name]) ? ejs.escapeXML(slots[name]) : slots[name]));
    return {
      body: template.fill(values, gzip),
      contentEncoding: gzip ? "gzip" : undefined,
      language: locale.tag,
      contentSecurityPolicy: policy,
    };
  };
}

/**
 * What the page can come to without being loaded anew: the build makes a script for each. `entry`: the doors are closed yet.
 * `held`: the line has come to the visitor, who is held back.
 */
function kindOf({ state, draw }: WaitingView): "usual" | "entry" | "held" {
  return draw === "undrawn" || state === "entered" || state === "drawing"
    ? "entry"
    : state === "held"
      ? "held"
      : "usual";
}

/** @param isRenamed whether the room is called otherwise than in its status */
function waitingVariables(view: WaitingView, isRenamed: boolean, locale: Locale, later: Live["later"]) {
  const texts = locale.texts.waiting;
  const { live } = texts;
  const {
    message,
    poll,
    pace,
    pausedReason,
    timeZone,
    stock,
    drawToCome,
    theme,
    isRehearsal,
    moves = "once",
    showsPeople = false,
    whileWaiting,
    hasPush,
    claimWithinMs = null,
    ...shown
  } = view;
  const { state, opensAtMs, updatedAtMs, serving } = view;
  const reason = state === "paused" ? (pausedReason ?? "") : "";
  const note = state === "waiting" ? (pace?.note ?? null) : null;
  const isEntered = state === "entered" || state === "drawing";
  const isSoldOut = state === "sold_out";
  const duration = claimWithinMs === null || isSoldOut ? null : locale.duration(claimWithinMs);
  const isoTime = (atMs: number | null) => (atMs === null ? "" : new Date(atMs).toISOString());
  const data: Live = {
    texts: textsForScript(view, locale),
    poll,
    room: view.room.title,
    ...(isRenamed && { isRenamed }),
    claimWithinMs,
    ...(showsPeople && kindOf(view) === "entry" && { showsPeople }),
    ...(stock !== undefined && { stock: texts.stock }),
    ...(whileWaiting !== undefined && { whileWaiting: whileWaiting.revisions }),
    ...(hasPush && { push: true }),
    later,
    // So that the first question comes when it should: before the visitor's turn, and not much sooner.
    pace: (state === "waiting" || state === "entered") && pace !== null ? paceJson(pace) : null,
  };
  return {
    view: { ...shown, claimWithinMs },
    hasDoors: kindOf(view) === "entry",
    hasStock: stock !== undefined,
    moves,
    whileWaiting: whileWaitingVariable(whileWaiting, locale),
    isSoldOut,
    texts,
    message: messageVariables(message, locale),
    problem: state === "store_away" || state === "recovering" ? live.problem[state] : "",
    status: isSoldOut
      ? locale.texts.message.sold_out
      : live.status[view.isBehind ? "behind" : view.heldBy === "capacity" ? "full" : state],
    hint: data.texts.autoHint,
    pausedReason: isSoldOut
      ? texts.soldOut.text
      : ((live.pausedReasons as Readonly<Record<string, string>>)[reason] ?? reason),
    // For pages without scripts: others tell it anew again and again.
    takingPart: takingPartText(locale.texts.later.draw, locale.number, drawToCome),
    note: note === null ? "" : live.paceNotes[note],
    opens: opensAtMs === null ? live.doors.unset : locale.moment(opensAtMs, timeZone),
    opensIso: isoTime(opensAtMs),
    serving: serving === null || isEntered ? "" : fillText(live.serving, { n: locale.number(serving) }),
    claimHint: duration === null ? "" : fillText(texts.claimHint, { duration }),
    updatedIso: isoTime(updatedAtMs),
    updatedTime: updatedAtMs === null ? "" : locale.timeOfDay(updatedAtMs, timeZone),
    // The time stands in an element of its own, so the sentence is cut around it.
    updatedWords: texts.updated.split("{time}"),
    liveJson: jsonForScript(data),
  };
}

/** The link for visitors without scripts. */
function whileWaitingVariable(offer: WaitingView["whileWaiting"], { tag, texts }: Locale) {
  const { words = null, url } = offer ?? {};
  if (words === null) return null;
  return { href: `${url}?of=${revisionOf(words)}&language=${tag}`, label: texts.waiting.whileWaiting };
}

/** Without what only the page itself says, when it comes while the store is away, and what this one never comes to say. */
function textsForScript(view: WaitingView, { texts: all }: Locale): LiveTexts {
  const { live, draw, soldOut } = all.waiting;
  const isSoldOut = view.state === "sold_out";
  const isUndrawn = view.draw === "undrawn";
  const atMost = view.serving !== null || isUndrawn ? { aheadAtMost: undefined } : {};
  const kind = kindOf(view);
  const ofDraw = isUndrawn ? {} : { drawing: undefined };
  const ofDoors = kind === "entry" ? {} : { entered: undefined, opens: undefined };
  const ofTurn = kind === "held" ? {} : { held: undefined, full: undefined, behind: undefined };
  const texts = {
    ...live,
    ...atMost,
    drawn: isUndrawn ? live.drawn : undefined,
    doors: kind === "entry" ? live.doors : undefined,
    labels: {
      place: live.labels.place,
      entry: isUndrawn ? draw.number : kind === "entry" ? live.labels.entry : undefined,
    },
    titles: {
      ...live.titles,
      ...atMost,
      ...ofTurn,
      ...ofDraw,
      ...ofDoors,
      ...(isSoldOut && { sold_out: all.message.sold_out }),
    },
    // Another page has the words, and comes at once.
    pausedReasons: { ...live.pausedReasons, sold_out: isSoldOut ? soldOut.text : all.message.sold_out },
    ...(isSoldOut && { autoHint: "", estimate: { ...live.estimate, paused: "" } }),
    problem: { ...live.problem, store_away: undefined },
    status: { ...live.status, ...ofTurn, ...ofDraw, ...ofDoors, store_away: undefined, recovering: undefined },
  };
  return withoutRepeatedForms(texts) as unknown as LiveTexts;
}

function slotValues(view: WaitingView, visitor: VisitorFigures, locale: Locale, here: string): Slots {
  const { position, entry, entries, ahead, edition, retryMs, estimate } = visitor;
  const { live } = locale.texts.waiting;
  const positionText = locale.number(position);
  const aheadTexts = view.serving === null ? live.aheadAtMost : live.ahead;
  const shownAhead = { n: locale.number(ahead) };
  const wait = estimate && ([estimate.lowSec, estimate.highSec] as const);
  return {
    titleLead: titleLead(view, ahead === 0, shownAhead, locale),
    position: String(position),
    digits: String(positionText.length),
    ahead: String(ahead),
    edition: String(edition),
    retryMs: retryMs === null ? "" : String(retryMs),
    positionText,
    drawnText: view.draw === "drawn" && entry !== null ? drawnText(entry, position, entries, locale) : "",
    aheadText: ahead === 0 ? live.aheadNone : locale.plural(aheadTexts, ahead, shownAhead),
    progress: String(Math.max(0, position - ahead)),
    stockText: stockText(
      locale.texts.waiting.stock,
      locale.number,
      view.stock ?? null,
      view.draw === "undrawn" ? -1 : ahead,
    ),
    estimateText:
      view.state === "sold_out"
        ? ""
        : view.state === "paused"
          ? live.estimate.paused
          : estimateText(live.estimate, locale, wait),
    here,
  };
}

/** Of what the place was drawn, and among how many where that is known. */
function drawnText(entry: number, position: number, entries: number | null, { texts, number }: Locale): string {
  const drawn = fillText(texts.waiting.live.drawn, { n: number(entry) });
  if (entries === null) return drawn;
  return `${fillText(texts.later.draw.result, { n: number(position), of: number(entries) })} · ${drawn}`;
}

/** What the title begins with: in states that have a text of their own by that, else by the people ahead. */
function titleLead({ state, draw, serving }: WaitingView, isNext: boolean, shown: Values, locale: Locale): string {
  const { live, draw: ofDraw } = locale.texts.waiting;
  const { titles } = live;
  if (state === "sold_out") return locale.texts.message.sold_out;
  if (state === "entered" || state === "drawing" || state === "paused" || (state === "held" && isNext)) {
    return titles[state];
  }
  if (draw === "undrawn") return ofDraw.number;
  if (isNext) return titles.next;
  return fillText(serving === null ? titles.aheadAtMost : titles.ahead, shown);
}

/** JSON for the inside of a `<script type="application/json">`: nothing in it can end the element. */
function jsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
