import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { isolate } from "../locales/bidi.ts";
import { fillPlaceholders, type Locale } from "../locales/locale.ts";
import type { Look, Looks } from "../themes/looks.ts";
import type { Accept, Notice, NoticeAction, RenderedPage } from "../types.ts";
import { contentSecurityPolicy, readScript } from "./assets.ts";
import type { ChooserFor } from "./chooser.ts";
import { drawVariables } from "./draw-variables.ts";
import { escapeHtml, safeHref } from "./html.ts";
import { messageVariables } from "./message-variables.ts";
import { moveVariables } from "./move-variables.ts";
import { createSlotMarkers, type PageTemplate } from "./page-template.ts";

export type NoticePage = (notice: Notice, locale: Locale, accept: Accept) => RenderedPage;

export interface NoticePageOptions {
  readonly looks: Looks;
  readonly browserDir: string;
  readonly chooserFor: ChooserFor;
}

/**
 * Everything but the waiting page: errors, farewells, questions. The layout around it is compressed once per
 * look and language, because a flood of bad requests must not cost more than a flood of good ones.
 */
export function createNoticePage({ looks, browserDir, chooserFor }: NoticePageOptions): NoticePage {
  const markers = createSlotMarkers();
  const scripts = {
    live: readScript(join(browserDir, "notice.js")),
    move: readScript(join(browserDir, "move.js")),
    draw: readScript(join(browserDir, "draw.js")),
  };
  const layouts = new WeakMap<Look, Map<string, PageTemplate>>();

  const styleOf = (look: Look, { hasWords, script }: Kind) =>
    look.style(
      "base.css",
      ...(hasWords ? ["message.css"] : []),
      "notice.css",
      ...(script === "move" || script === "draw" ? ["field.css", `${script}.css`] : []),
    );

  function layoutFor(look: Look, locale: Locale, kind: Kind): PageTemplate {
    const ofLook = layouts.get(look) ?? new Map<string, PageTemplate>();
    layouts.set(look, ofLook);
    const { hasWords, hasChooser } = kind;
    const key = `${locale.tag} ${kind.script} ${hasWords} ${hasChooser}`;
    let template = ofLook.get(key);
    if (template === undefined) {
      const script = kind.script && scripts[kind.script];
      const [title, content, here] = [markers.marker(0), markers.marker(1), markers.marker(2)];
      const chooser = hasChooser ? chooserFor(locale, here) : undefined;
      const style = styleOf(look, kind);
      const theme = look.variables(locale);
      const html = look.templates.layout({ locale, theme, title, style, script, main: content, chooser });
      template = markers.compile(html);
      ofLook.set(key, template);
    }
    return template;
  }

  return (notice, usualLocale, { gzip, here }) => {
    const look = looks(notice.theme);
    const locale = look.localeFor(usualLocale);
    const hasChooser = here !== undefined && chooserFor(locale, here) !== undefined;
    const kind: Kind = { script: scriptOf(notice), hasWords: notice.message !== undefined, hasChooser };
    const variables = noticeVariables(notice, look.titleIn(locale), locale);
    const main = look.templates.notice({ locale, theme: look.variables(locale), ...variables });
    const values = [escapeHtml(variables.title), main, escapeHtml(here ?? "")];
    // Much of a draw's page is its own, and nobody is led to it by mistake: it is worth compressing as a whole.
    const isWhole = gzip && kind.script === "draw";
    const filled = layoutFor(look, locale, kind).fill(values, gzip && !isWhole);
    const body = isWhole ? gzipSync(filled) : filled;
    return {
      body,
      contentEncoding: gzip ? "gzip" : undefined,
      language: locale.tag,
      contentSecurityPolicy: contentSecurityPolicy({
        style: styleOf(look, kind),
        script: kind.script && scripts[kind.script],
        connects:
          kind.script === "move" ||
          kind.script === "draw" ||
          (notice.autoRetryMs !== undefined && notice.watch !== undefined),
        hasWorker: kind.script === "draw",
        hasForm: hasChooser || notice.action?.kind === "post",
      }),
    };
  };
}

/** What the layout around a notice goes by. */
interface Kind {
  readonly script: "live" | "move" | "draw" | undefined;
  readonly hasWords: boolean;
  readonly hasChooser: boolean;
}

function scriptOf({ move, draw, autoRetryMs, opensAtMs }: Notice): Kind["script"] {
  if (move !== undefined) return "move";
  if (draw !== undefined) return "draw";
  return autoRetryMs !== undefined || typeof opensAtMs === "number" ? "live" : undefined;
}

/** @param roomTitle what the room is called here; undefined: as it calls itself */
function noticeVariables(notice: Notice, roomTitle: string | undefined, locale: Locale) {
  const { notices, notice: words, actions: labels } = locale.texts;
  const texts = notices[notice.code] ?? notices.internal_error;
  if (texts === undefined) throw new Error(`no text for the notice "${notice.code}"`);
  const duration = notice.durationMs === undefined ? {} : { duration: locale.duration(notice.durationMs) };
  const until = notice.untilMs === undefined ? {} : { until: locale.hourAndMinute(notice.untilMs, notice.timeZone) };
  const room = notice.values?.room === undefined || roomTitle === undefined ? {} : { room: roomTitle };
  const values = { ...isolateEach({ ...notice.values, ...room }, locale), ...duration, ...until };
  const reference = isolateEach({ code: notice.code, requestId: notice.requestId ?? "" }, locale);
  return {
    code: notice.code,
    tone: texts.tone ?? "info",
    title: fillPlaceholders(texts.title, values),
    paragraphs: texts.paragraphs
      .map((paragraph) => fillPlaceholders(paragraph, values))
      // A sentence without its value says nothing true, so it is left out.
      .filter((_, index) => hasAllValues(texts.paragraphs[index] ?? "", values)),
    message: notice.message === undefined ? undefined : messageVariables(notice.message, locale),
    move: notice.move && moveVariables(notice.move, locale),
    draw: notice.draw && drawVariables(notice.draw, locale),
    action: notice.action && actionVariables(notice.action, labels[notice.action.label]),
    opens: notice.opensAtMs === undefined ? undefined : openingVariables(notice, notice.opensAtMs, locale),
    drawLink: notice.drawUrl && {
      href: notice.drawUrl,
      label: notices.draw?.title ?? "",
      rule: locale.texts.waiting.draw.rule,
    },
    nowMs: notice.nowMs,
    autoRetryMs: notice.autoRetryMs,
    autoRetryHint: notice.opensAtMs === undefined ? words.autoRetry : words.opens.auto,
    watch:
      notice.autoRetryMs === undefined || notice.watch === undefined
        ? undefined
        : { waitsForPlaces: false, ...notice.watch },
    openTitle: fillPlaceholders(words.open.title, values),
    words,
    reference: fillPlaceholders(notice.requestId === undefined ? words.code : words.codeWithRequest, reference),
  };
}

function isolateEach(
  values: Readonly<Record<string, string | number>>,
  { dir }: Locale,
): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? isolate(value, dir) : value]),
  );
}

function openingVariables({ entryAtMs = null, timeZone }: Notice, opensAtMs: number | null, locale: Locale) {
  const texts = locale.texts.notice.opens;
  const tell = (atMs: number | null) =>
    atMs === null ? null : { iso: new Date(atMs).toISOString(), moment: locale.moment(atMs, timeZone) };
  // The time stands in an element of its own, so the sentence is cut around it.
  const entry = { iso: "", moment: "", ...tell(entryAtMs), atMs: entryAtMs, words: texts.entry.split("{time}") };
  return { atMs: opensAtMs, iso: "", moment: texts.unset, ...tell(opensAtMs), entry, texts };
}

function actionVariables(action: NoticeAction, label: string = action.label) {
  return action.kind === "link"
    ? { kind: action.kind, label, href: safeHref(action.href), fields: [] }
    : { kind: action.kind, label, href: safeHref(action.action), fields: Object.entries(action.fields) };
}

function hasAllValues(text: string, values: Readonly<Record<string, unknown>>): boolean {
  return [...text.matchAll(/\{(\w+)\}/g)].every(([, name]) => name !== undefined && values[name] !== undefined);
}
