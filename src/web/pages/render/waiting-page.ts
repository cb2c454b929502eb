import { join } from "node:path";
import ejs from "ejs";
import { paceJson } from "../../../room/index.ts";
import { fillQuickly, type Locale } from "../locales/locale.ts";
import type { Live } from "../shared/live.ts";
import { estimateText, fillText, isolate, stockText, takingPartText, type Values } from "../shared/wording.ts";
import { type Look, type Looks, messageVariables, rehearsalVariable } from "../themes/looks.ts";
import type { Accept, RenderedWaitingPage, VisitorFigures, WaitingView } from "../types.ts";
import { contentSecurityPolicy, type InlineAsset, readScript } from "./assets.ts";
import { createPageLinks } from "./page-links.ts";
import { revisionOf } from "./status-json.ts";
import { createSlotMarkers } from "./templates.ts";
import { type ChooserFor, onwardVariables } from "./variables.ts";
import type { WaitingFiles } from "./waiting-files.ts";
import {
  type LaterPart,
  type ScriptKind,
  scriptNeedsOf,
  textsForScript,
  type WaitingSources,
} from "./waiting-script.ts";
import type { Contents } from "./while-waiting-page.ts";

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
  readonly sources: WaitingSources;
  readonly contents: Contents;
}

/** What pages of one look and language have in common, whatever the state of their room. */
interface Frame {
  readonly kind: ScriptKind;
  readonly texts: Live["texts"];
  readonly later: Live["later"];
  readonly style: InlineAsset;
  readonly script: InlineAsset;
}

/** @param files where the page has its style and script beside it: null, all stands in the page */
export function createWaitingPage(parts: PageParts, files: WaitingFiles | null) {
  const { looks, browserDir, chooserFor, contents, sources } = parts;
  const markers = createSlotMarkers();
  const slots = Object.fromEntries(slotNames.map((name, index) => [name, markers.marker(index)])) as Slots;
  const links = files && createPageLinks(readScript(join(browserDir, "linked.js")));
  type Compiled = ReturnType<typeof compile>;
  const whole = new WeakMap<WaitingView, Map<Locale, Compiled>>();
  const linked = files === null ? whole : new WeakMap<WaitingView, Map<Locale, Compiled>>();

  const frames = new WeakMap<Look, Map<string, Frame>>();

  function frameOf(view: WaitingView, look: Look, locale: Locale): Frame {
    const ofLook = frames.get(look) ?? new Map<string, Frame>();
    frames.set(look, ofLook);
    const { state, draw, serving, isRehearsal = false } = view;
    const key = `${locale.tag} ${state} ${draw} ${serving === null} ${isRehearsal} ${hasOnward(view)}`;
    const frame = ofLook.get(key) ?? makeFrame(view, look, locale);
    ofLook.set(key, frame);
    return frame;
  }

  function makeFrame(view: WaitingView, look: Look, locale: Locale): Frame {
    const needs = scriptNeedsOf(view);
    return {
      kind: needs.kind,
      texts: textsForScript(needs, locale),
      later: sources.later(locale, needs.isUndrawn),
      style: sources.style(look, view, view.state === "sold_out", hasOnward(view)),
      script: sources.script(needs.kind),
    };
  }

  /** A view in one language, with the texts of its theme. @param isWhole whether all stands in the page */
  function compile(view: WaitingView, usualLocale: Locale, isWhole: boolean) {
    const look = looks(view.theme);
    const locale = look.localeFor(usualLocale);
    const frame = frameOf(view, look, locale);
    const beside = isWhole || files === null || links === null ? null : { files, links };
    const page = { locale, theme: look.variables(locale, beside?.files.imageAddress) };
    const themeTitle = look.titleIn(locale);
    const room = { id: view.room.id, title: themeTitle ?? view.room.title };
    const inFile = beside === null ? {} : { texts: undefined, later: undefined };
    const variables = waitingVariables({ ...view, room }, themeTitle !== undefined, locale, frame, inFile);
    const lead = { lead: slots.titleLead, room: isolate(room.title, locale.dir) };
    const { style, script } = frame;
    const layout = look.templates.layout({
      ...page,
      title: fillText(variables.texts.live.title, lead),
      ...(beside === null ? { style, script } : beside.links.stand),
      rehearsal: rehearsalVariable(view, locale),
      main: look.templates.waiting({ ...page, slots, ...variables }),
      chooser: chooserFor(locale, null),
    });
    const { html, policy: named } =
      beside === null
        ? { html: layout, policy: { style, script } }
        : beside.links.link(layout, beside.files.of(look, view, locale), { style, script });
    const reading = view.whileWaiting?.words ?? null;
    const imageOrigins = [
      ...(beside === null ? [] : ["'self'"]),
      ...(reading === null ? [] : contents(reading, locale.tag).imageOrigins),
    ];
    const loads = { connects: true, loadsParts: true, hasWorker: view.hasPush === true, imageOrigins };
    const policy = contentSecurityPolicy({ ...named, ...loads, hasForm: true });
    return { template: markers.compile(html), locale, policy, isLinked: beside !== null };
  }

  return (view: WaitingView, visitor: VisitorFigures, usualLocale: Locale, accept: Accept): RenderedWaitingPage => {
    const { gzip, here = "/", isWhole = false } = accept;
    const compiled = isWhole ? whole : linked;
    const byLocale = compiled.get(view) ?? new Map<Locale, Compiled>();
    compiled.set(view, byLocale);
    const page = byLocale.get(usualLocale) ?? compile(view, usualLocale, isWhole);
    byLocale.set(usualLocale, page);
    const { template, locale, policy, isLinked } = page;
    const slots = slotValues(view, visitor, locale, isLinked ? "" : here);
    return {
      filled: template.fill(
        slotNames.map((name) => escapeQuickly(slots[name])),
        gzip,
      ),
      contentEncoding: gzip ? "gzip" : undefined,
      language: locale.tag,
      contentSecurityPolicy: policy,
    };
  };
}

/** Whether it says where to go on. */
const hasOnward = ({ onward }: WaitingView) => (onward?.links ?? onward?.nextSale) !== undefined;

/** As EJS does it: hardly any value needs it, and most that do for an address alone. */
function escapeQuickly(value: string): string {
  if (/[<>"']/.test(value)) return ejs.escapeXML(value);
  return value.includes("&") ? value.replaceAll("&", "&amp;") : value;
}

/**
 * @param isRenamed whether the room is called otherwise than in its status
 * @param inFile what the script's file has, and the page therefore not
 */
function waitingVariables(
  view: WaitingView,
  isRenamed: boolean,
  locale: Locale,
  frame: Frame,
  inFile: { readonly [name in keyof Live]?: undefined },
) {
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
    recoveryLeftMs = 0,
    onward,
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
    texts: frame.texts,
    poll,
    room: view.room.title,
    ...(isRenamed && { isRenamed }),
    claimWithinMs,
    ...(showsPeople && frame.kind === "entry" && { showsPeople }),
    ...(stock !== undefined && { stock: texts.stock }),
    ...(whileWaiting !== undefined && { whileWaiting: whileWaiting.revisions }),
    ...(hasPush && { push: true }),
    later: frame.later,
    // So that the first question comes when it should: before the visitor's turn, and not much sooner.
    pace: (state === "waiting" || (state === "entered" && view.draw !== "undrawn")) && pace ? paceJson(pace) : null,
  };
  return {
    view: { ...shown, claimWithinMs },
    hasDoors: frame.kind === "entry" && !isSoldOut,
    hasStock: stock !== undefined,
    moves,
    whileWaiting: whileWaitingVariable(whileWaiting, locale),
    ...onwardVariables({ timeZone, ...onward }, locale),
    isSoldOut,
    texts,
    message: messageVariables(message, locale, isSoldOut),
    problem: state === "store_away" || state === "recovering" ? live.problem[state] : "",
    status: isSoldOut ? "" : live.status[view.isBehind ? "behind" : view.heldBy === "capacity" ? "full" : state],
    hint: data.texts.autoHint,
    pausedReason: (live.pausedReasons as Readonly<Record<string, string>>)[reason] ?? reason,
    // For pages without scripts: others tell it anew again and again.
    takingPart: takingPartText(locale.texts.later.draw, locale.number, drawToCome),
    note: note === null ? "" : live.paceNotes[note],
    opens: opensAtMs === null ? live.doors.unset : locale.moment(opensAtMs, timeZone),
    opensIso: isoTime(opensAtMs),
    serving: serving === null || isEntered ? "" : fillText(live.serving, { n: locale.number(serving) }),
    hold: recoveryLeftMs > 0 ? fillText(locale.texts.later.hold, { span: locale.duration(recoveryLeftMs) }) : "",
    claimHint: duration === null ? "" : fillText(texts.claimHint, { duration }),
    updatedIso: isoTime(updatedAtMs),
    updatedTime: updatedAtMs === null ? "" : locale.timeOfDay(updatedAtMs, timeZone),
    // The time stands in an element of its own, so the sentence is cut around it.
    updatedWords: texts.updated.split("{time}"),
    liveJson: jsonForScript({ ...data, ...inFile }),
  };
}

/** The link for visitors without scripts. */
function whileWaitingVariable(offer: WaitingView["whileWaiting"], { tag, texts }: Locale) {
  const { words = null, url } = offer ?? {};
  if (words === null) return null;
  return { href: `${url}?of=${revisionOf(words)}&language=${tag}`, label: texts.waiting.whileWaiting };
}

function slotValues(view: WaitingView, visitor: VisitorFigures, locale: Locale, here: string): Slots {
  const { position, entry, entries, ahead, edition, retryMs, estimate } = visitor;
  const { live } = locale.texts.waiting;
  const positionText = locale.number(position);
  const aheadTexts = view.serving === null ? live.aheadAtMost : live.ahead;
  const aheadValues = { n: locale.number(ahead) };
  const wait = estimate && ([estimate.lowSec, estimate.highSec] as const);
  return {
    titleLead: titleLead(view, ahead === 0, aheadValues, locale),
    position: String(position),
    digits: String(positionText.length),
    ahead: String(ahead),
    edition: String(edition),
    retryMs: retryMs === null ? "" : String(retryMs),
    positionText,
    drawnText: view.draw === "drawn" && entry !== null ? drawnText(entry, position, entries, locale) : "",
    aheadText: ahead === 0 ? live.aheadNone : locale.plural(aheadTexts, ahead, aheadValues),
    progress: String(Math.max(0, position - ahead)),
    stockText: stockText(
      locale.texts.waiting.stock,
      locale.number,
      view.stock ?? null,
      view.draw === "undrawn" || view.state === "sold_out" ? -1 : ahead,
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
function titleLead({ state, draw, serving }: WaitingView, isNext: boolean, values: Values, locale: Locale): string {
  const { live, draw: ofDraw } = locale.texts.waiting;
  const { titles } = live;
  if (state === "sold_out") return locale.texts.waiting.soldOut.title;
  if (state === "entered" || state === "drawing" || state === "paused" || (state === "held" && isNext)) {
    return titles[state];
  }
  if (draw === "undrawn") return ofDraw.number;
  if (isNext) return titles.next;
  return fillQuickly(serving === null ? titles.aheadAtMost : titles.ahead, values);
}

/** JSON for the inside of a `<script type="application/json">`: nothing in it can end the element. */
function jsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
