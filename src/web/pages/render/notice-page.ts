import { join } from "node:path";
import { gzipSync } from "node:zlib";
import ejs from "ejs";
import type { Locale } from "../locales/locale.ts";
import { fillText, isolate, type Values } from "../shared/wording.ts";
import { type Look, messageVariables, rehearsalSheets, rehearsalVariable } from "../themes/looks.ts";
import type { Accept, Notice, NoticeAction, RenderedPage } from "../types.ts";
import { contentSecurityPolicy, readScript } from "./assets.ts";
import { createSlotMarkers } from "./templates.ts";
import {
  checkVariables,
  deviceVariables,
  drawVariables,
  moveVariables,
  onwardVariables,
  safeHref,
} from "./variables.ts";
import type { PageParts } from "./waiting-page.ts";
import { fileOfPart } from "./waiting-script.ts";

/** What the layout around a notice goes by. */
interface Kind {
  readonly script: "notice" | "move" | "draw" | "check" | "device" | undefined;
  readonly hasWords: boolean;
  readonly hasChooser: boolean;
  /** Whether it says where to go on. */
  readonly hasOnward: boolean;
  readonly isSoldOut: boolean;
  readonly isRehearsal: boolean;
}

/**
 * Everything but the waiting page: errors, farewells, questions. The layout around it is compressed once per
 * look and language, because a flood of bad requests must not cost more than a flood of good ones.
 */
export function createNoticePage({ looks, browserDir, chooserFor, laterParts }: PageParts) {
  const markers = createSlotMarkers();
  const read = (name: string) => readScript(join(browserDir, `${name}.js`));
  const scripts = {
    notice: read("notice"),
    move: read("move"),
    draw: read("draw"),
    check: read("check"),
    device: read("device"),
  };
  const solver = fileOfPart(laterParts, "solve");
  const layouts = new WeakMap<Look, Map<string, ReturnType<typeof makeLayout>>>();

  function layoutFor(look: Look, locale: Locale, kind: Kind) {
    const ofLook = layouts.get(look) ?? new Map<string, ReturnType<typeof makeLayout>>();
    layouts.set(look, ofLook);
    const key = `${locale.tag} ${kind.script} ${kind.hasWords} ${kind.hasOnward} ${kind.isSoldOut} ${kind.hasChooser} ${kind.isRehearsal}`;
    const layout = ofLook.get(key) ?? makeLayout(look, locale, kind);
    ofLook.set(key, layout);
    return layout;
  }

  function makeLayout(look: Look, locale: Locale, kind: Kind) {
    const { script, hasWords, hasChooser } = kind;
    const style = look.style(
      "base.css",
      ...rehearsalSheets(kind),
      ...(hasWords ? ["message.css"] : []),
      "notice.css",
      ...(kind.hasOnward ? ["onward.css"] : []),
      ...(kind.isSoldOut ? ["sold-out.css"] : []),
      ...(script === "check" || script === "device" ? ["check.css"] : []),
      ...(script === "move" || script === "draw" ? ["field.css", `${script}.css`] : []),
    );
    const html = look.templates.layout({
      locale,
      theme: look.variables(locale),
      title: markers.marker(0),
      style,
      script: script && scripts[script],
      rehearsal: rehearsalVariable(kind, locale),
      main: markers.marker(1),
      chooser: hasChooser ? chooserFor(locale, markers.marker(2)) : undefined,
    });
    return { template: markers.compile(html), style };
  }

  return (notice: Notice, usualLocale: Locale, { gzip, here }: Accept): RenderedPage => {
    const look = looks(notice.theme);
    const locale = look.localeFor(usualLocale);
    const hasChooser = here !== undefined && chooserFor(locale, here) !== undefined;
    const script = scriptOf(notice);
    const { message, isRehearsal = false } = notice;
    const hasOnward = (notice.links ?? notice.calendarUrl) !== undefined;
    const isSoldOut = notice.code === "sold_out";
    const kind = { script, hasWords: message !== undefined, hasChooser, hasOnward, isSoldOut, isRehearsal };
    const { template, style } = layoutFor(look, locale, kind);
    const variables = noticeVariables(notice, look.titleIn(locale), locale, solver);
    const main = look.templates.notice({ locale, theme: look.variables(locale), ...variables });
    const values = [ejs.escapeXML(variables.title), main, ejs.escapeXML(here ?? "")];
    // Much of a draw's page is its own, and nobody is led to it by mistake: it is worth compressing as a whole.
    const isWhole = gzip && script === "draw";
    const filled = template.fill(values, gzip && !isWhole).whole();
    return {
      body: isWhole ? gzipSync(filled) : filled,
      contentEncoding: gzip ? "gzip" : undefined,
      language: locale.tag,
      contentSecurityPolicy: contentSecurityPolicy({
        style,
        script: script && scripts[script],
        connects: (script !== undefined && script !== "notice") || variables.watch !== undefined,
        hasWorker: script === "draw" || script === "check",
        foreignOrigins: notice.check?.task.type === "challenge" ? notice.check.task.widget.origins : [],
        hasForm: hasChooser || notice.action?.kind === "post",
      }),
    };
  };
}

function scriptOf({ move, draw, check, device, autoRetryMs, opensAtMs }: Notice): Kind["script"] {
  if (move !== undefined) return "move";
  if (draw !== undefined) return "draw";
  if (check !== undefined) return "check";
  if (device !== undefined) return "device";
  return autoRetryMs !== undefined || typeof opensAtMs === "number" ? "notice" : undefined;
}

/** @param roomTitle what the room is called here; undefined: as it calls itself */
function noticeVariables(notice: Notice, roomTitle: string | undefined, locale: Locale, solver: string) {
  const { notices, notice: words, actions, waiting } = locale.texts;
  const { code, requestId, durationMs, untilMs, timeZone, opensAtMs, autoRetryMs, drawUrl } = notice;
  const texts = notices[code];
  const room = notice.values?.room === undefined ? undefined : (roomTitle ?? notice.values.room);
  const values = {
    ...isolateValues({ ...notice.values, room }, locale),
    ...(durationMs !== undefined && { duration: locale.duration(durationMs) }),
    ...(untilMs !== undefined && { until: locale.hourAndMinute(untilMs, timeZone) }),
  };
  return {
    code,
    tone: texts.tone,
    title: fillText(texts.title, values),
    paragraphs: texts.paragraphs
      // A sentence without its value says nothing true, so it is left out.
      .filter((paragraph) => hasAllValues(paragraph, values))
      .map((paragraph) => fillText(paragraph, values)),
    message: notice.message === undefined ? undefined : messageVariables(notice.message, locale, code === "sold_out"),
    move: notice.move && moveVariables(notice.move, locale),
    check: notice.check && checkVariables(notice.check, solver, locale),
    device: notice.device && deviceVariables(notice.device, locale),
    draw: notice.draw && drawVariables(notice.draw, locale),
    action: notice.action && actionVariables(notice.action, actions[notice.action.label]),
    ...onwardVariables(notice, locale),
    opens: opensAtMs === undefined ? undefined : openingVariables(notice, opensAtMs, locale),
    drawLink: drawUrl && { href: drawUrl, label: notices.draw.title, rule: waiting.draw.rule },
    nowMs: notice.nowMs,
    autoRetryMs,
    autoRetryHint: opensAtMs === undefined ? words.autoRetry : words.opens.auto,
    watch: autoRetryMs === undefined ? undefined : notice.watch && { waitsForPlaces: false, ...notice.watch },
    openTitle: fillText(words.open.title, values),
    words,
    reference: fillText(
      requestId === undefined ? words.code : words.codeWithRequest,
      isolateValues({ code, requestId }, locale),
    ),
  };
}

function isolateValues(values: Values, { dir }: Locale): Values {
  const isolated = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? isolate(value, dir) : value,
  ]);
  return Object.fromEntries(isolated) as Values;
}

function openingVariables({ entryAtMs = null, timeZone }: Notice, opensAtMs: number | null, locale: Locale) {
  const texts = locale.texts.notice.opens;
  const tell = (atMs: number | null, unset: string) => ({
    atMs,
    iso: atMs === null ? "" : new Date(atMs).toISOString(),
    moment: atMs === null ? unset : locale.moment(atMs, timeZone),
  });
  // The time stands in an element of its own, so the sentence is cut around it.
  const entry = { ...tell(entryAtMs, ""), words: texts.entry.split("{time}") };
  return { ...tell(opensAtMs, texts.unset), entry, texts };
}

function actionVariables(action: NoticeAction, label: string) {
  const isLink = action.kind === "link";
  const href = safeHref(isLink ? action.href : action.action);
  return { kind: action.kind, label, href, fields: isLink ? [] : Object.entries(action.fields) };
}

function hasAllValues(text: string, values: Values): boolean {
  return [...text.matchAll(/\{(\w+)\}/g)].every(([, name = ""]) => values[name] !== undefined);
}
