import { join } from "node:path";
import { contentSecurityPolicy, readScript, readStyles, readTemplate } from "./assets.ts";
import { isolate } from "./bidi.ts";
import type { ChooserFor } from "./chooser.ts";
import { escapeHtml, safeHref } from "./html.ts";
import { fillPlaceholders, type Locale } from "./locale.ts";
import { messageVariables } from "./message-variables.ts";
import { createSlotMarkers, type PageTemplate } from "./page-template.ts";
import type { Accept, Notice, NoticeAction, RenderedPage } from "./types.ts";

export type NoticePage = (notice: Notice, locale: Locale, accept: Accept) => RenderedPage;

export interface NoticePageOptions {
  readonly viewsDir: string;
  readonly browserDir: string;
  readonly chooserFor: ChooserFor;
}

/**
 * Everything but the waiting page: errors, farewells, questions. The layout around it is compressed once per
 * language, because a flood of bad requests must not cost more than a flood of good ones.
 */
export function createNoticePage({ viewsDir, browserDir, chooserFor }: NoticePageOptions): NoticePage {
  const markers = createSlotMarkers();
  const layout = readTemplate(join(viewsDir, "layout.ejs"));
  const main = readTemplate(join(viewsDir, "notice.ejs"));
  const readStyle = (...names: string[]) => readStyles(join(viewsDir, "styles"), ["base.css", ...names, "notice.css"]);
  const styles = { usual: readStyle(), withWords: readStyle("message.css") };
  const liveScript = readScript(join(browserDir, "notice.js"));
  const layouts = new Map<string, PageTemplate>();

  function layoutFor(locale: Locale, isLive: boolean, hasWords: boolean, hasChooser: boolean): PageTemplate {
    const key = `${locale.tag} ${isLive} ${hasWords} ${hasChooser}`;
    let template = layouts.get(key);
    if (template === undefined) {
      const script = isLive ? liveScript : undefined;
      const [title, content, here] = [markers.marker(0), markers.marker(1), markers.marker(2)];
      const chooser = hasChooser ? chooserFor(locale, here) : undefined;
      const style = hasWords ? styles.withWords : styles.usual;
      template = markers.compile(layout({ locale, title, style, script, main: content, chooser }));
      layouts.set(key, template);
    }
    return template;
  }

  return (notice, locale, { gzip, here }) => {
    const hasChooser = here !== undefined && chooserFor(locale, here) !== undefined;
    const isLive = notice.autoRetryMs !== undefined || typeof notice.opensAtMs === "number";
    const hasWords = notice.message !== undefined;
    const variables = noticeVariables(notice, locale);
    const values = [escapeHtml(variables.title), main(variables), escapeHtml(here ?? "")];
    const body = layoutFor(locale, isLive, hasWords, hasChooser).fill(values, gzip);
    return {
      body,
      contentEncoding: gzip ? "gzip" : undefined,
      language: locale.tag,
      contentSecurityPolicy: contentSecurityPolicy({
        style: hasWords ? styles.withWords : styles.usual,
        script: isLive ? liveScript : undefined,
        connects: notice.autoRetryMs !== undefined && notice.watch !== undefined,
        hasForm: hasChooser || notice.action?.kind === "post",
      }),
    };
  };
}

function noticeVariables(notice: Notice, locale: Locale) {
  const { notices, notice: words, actions: labels } = locale.texts;
  const texts = notices[notice.code] ?? notices.internal_error;
  if (texts === undefined) throw new Error(`no text for the notice "${notice.code}"`);
  const duration = notice.durationMs === undefined ? {} : { duration: locale.duration(notice.durationMs) };
  const until = notice.untilMs === undefined ? {} : { until: locale.hourAndMinute(notice.untilMs, notice.timeZone) };
  const values = { ...isolateEach(notice.values ?? {}, locale), ...duration, ...until };
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
    action: notice.action && actionVariables(notice.action, labels[notice.action.label]),
    opens: notice.opensAtMs === undefined ? undefined : openingVariables(notice, notice.opensAtMs, locale),
    nowMs: notice.nowMs,
    autoRetryMs: notice.autoRetryMs,
    autoRetryHint: notice.opensAtMs === undefined ? words.autoRetry : words.opens.auto,
    watch: notice.autoRetryMs === undefined ? undefined : notice.watch,
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
  const entry = { ...tell(entryAtMs), atMs: entryAtMs, words: texts.entry.split("{time}") };
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
