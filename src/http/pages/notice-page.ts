import { join } from "node:path";
import { contentSecurityPolicy, readScript, readStyles, readTemplate } from "./assets.ts";
import { escapeHtml, safeHref } from "./html.ts";
import { fillPlaceholders, type Locale } from "./locale.ts";
import { createSlotMarkers, type PageTemplate } from "./page-template.ts";
import type { Notice, NoticeAction, RenderedPage } from "./types.ts";

export type NoticePage = (notice: Notice, locale: Locale, gzip: boolean) => RenderedPage;

/**
 * Everything but the waiting page: errors, farewells, questions. The layout around it is compressed once per
 * language, because a flood of bad requests must not cost more than a flood of good ones.
 */
export function createNoticePage({ viewsDir, browserDir }: { viewsDir: string; browserDir: string }): NoticePage {
  const markers = createSlotMarkers();
  const layout = readTemplate(join(viewsDir, "layout.ejs"));
  const main = readTemplate(join(viewsDir, "notice.ejs"));
  const style = readStyles(join(viewsDir, "styles"), ["base.css", "notice.css"]);
  const liveScript = readScript(join(browserDir, "notice.js"));
  const layouts = { quiet: new Map<Locale, PageTemplate>(), live: new Map<Locale, PageTemplate>() };

  function layoutFor(locale: Locale, isLive: boolean): PageTemplate {
    const known = isLive ? layouts.live : layouts.quiet;
    let template = known.get(locale);
    if (template === undefined) {
      const script = isLive ? liveScript : undefined;
      const [title, content] = [markers.marker(0), markers.marker(1)];
      template = markers.compile(layout({ locale, title, style, script, main: content }));
      known.set(locale, template);
    }
    return template;
  }

  return (notice, locale, gzip) => {
    const isLive = notice.autoRetryMs !== undefined || typeof notice.opensAtMs === "number";
    const variables = noticeVariables(notice, locale);
    const body = layoutFor(locale, isLive).fill([escapeHtml(variables.title), main(variables)], gzip);
    return {
      body,
      contentEncoding: gzip ? "gzip" : undefined,
      language: locale.tag,
      contentSecurityPolicy: contentSecurityPolicy({
        style,
        script: isLive ? liveScript : undefined,
        connects: notice.autoRetryMs !== undefined && notice.watch !== undefined,
        hasForm: notice.action?.kind === "post",
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
  const values = { ...notice.values, ...duration, ...until };
  const reference = { code: notice.code, requestId: notice.requestId ?? "" };
  return {
    code: notice.code,
    tone: texts.tone,
    title: fillPlaceholders(texts.title, values),
    paragraphs: texts.paragraphs
      .map((paragraph) => fillPlaceholders(paragraph, values))
      // A sentence without its value says nothing true, so it is left out.
      .filter((_, index) => hasAllValues(texts.paragraphs[index] ?? "", values)),
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
