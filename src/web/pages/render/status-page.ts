import { readFileSync } from "node:fs";
import { join } from "node:path";
import ejs from "ejs";
import type { Locale } from "../locales/locale.ts";
import { fillText, isolate } from "../shared/wording.ts";
import type { Looks } from "../themes/looks.ts";
import type { IncidentShown, RoomCondition, RoomShown, StatusShown, Theme } from "../types.ts";
import { contentSecurityPolicy, type KeptPage, keepPage } from "./assets.ts";
import type { ChooserFor } from "./variables.ts";

export interface StatusPageParts {
  readonly viewsDir: string;
  readonly looks: Looks;
  readonly chooserFor: ChooserFor;
}

/**
 * How the rooms of an issuer are, for everybody: the same bytes for all who read the same language. Without a script, and in
 * an operator's layout and colours, with a template that is not theirs to change.
 */
export function createStatusPage({ viewsDir, looks, chooserFor }: StatusPageParts) {
  const file = join(viewsDir, "status-page.ejs");
  const options = { filename: file, strict: true, _with: false, localsName: "locals", rmWhitespace: true };
  const render = ejs.compile(readFileSync(file, "utf8"), { ...options, destructuredLocals: ["page"] });

  return (shown: StatusShown, theme: Theme | undefined, usualLocale: Locale): KeptPage => {
    const look = looks(theme);
    const locale = look.localeFor(usualLocale);
    const { statusPage: words, waiting } = locale.texts;
    const style = look.style("base.css", "status-page.css");
    const page = {
      locale,
      words,
      eyebrow: waiting.eyebrow,
      isWell: shown.isWell,
      rooms: shown.rooms.map((room) => roomVariables(room, locale)),
      incidents: shown.incidents.map((each) => incidentVariables(each, shown, locale)),
      resolved: shown.resolved.map((each) => incidentVariables(each, shown, locale)),
      updated: fillText(waiting.updated, { time: locale.moment(shown.atMs, shown.timeZone) }),
      chooser: chooserFor(locale, null),
    };
    const html = look.templates.layout({
      locale,
      theme: look.variables(locale),
      title: words.title,
      style,
      script: undefined,
      rehearsal: "",
      main: render({ page }),
      chooser: undefined,
    });
    const policy = contentSecurityPolicy({ style, script: undefined, connects: false, hasForm: true });
    return keepPage(html, locale, policy);
  };
}

function roomVariables(room: RoomShown, locale: Locale) {
  const { notice, waiting } = locale.texts;
  const { title, condition, reason, lineAtMs, doorsAtMs, timeZone } = room;
  const opening = (label: string, atMs: number | null) =>
    atMs === null ? [] : [{ label, ...timeVariables(atMs, timeZone, locale) }];
  const reasons: Readonly<Record<string, string>> = waiting.live.pausedReasons;
  return {
    title,
    condition,
    text: conditionText(condition, locale),
    reason: (reason === null ? undefined : reasons[reason]) ?? "",
    times: [...opening(notice.opens.label, lineAtMs), ...opening(waiting.doors.label, doorsAtMs)],
    isWell: !["paused", "interrupted"].includes(condition),
  };
}

function conditionText(condition: RoomCondition, { texts }: Locale): string {
  const { statusPage, waiting, message } = texts;
  const { titles } = waiting.live;
  const all: Readonly<Record<RoomCondition, string>> = {
    idle: titles.idle,
    prequeue: titles.entered,
    moving: statusPage.moving,
    still: statusPage.still,
    nobody: statusPage.nobody,
    passthrough: statusPage.passthrough,
    paused: titles.paused,
    sold_out: message.sold_out,
    ended: titles.ended,
    interrupted: statusPage.interrupted,
  };
  return all[condition];
}

function incidentVariables(incident: IncidentShown, { timeZone }: StatusShown, locale: Locale) {
  const { affected, states } = locale.texts.statusPage;
  const { title, state, rooms } = incident;
  const language = incident.language ?? "";
  const named = rooms.map((each) => isolate(each, locale.dir)).join(" · ");
  return {
    title,
    state,
    stateText: states[state],
    language: language === locale.tag ? "" : language,
    affected: rooms.length === 0 ? "" : fillText(affected, { rooms: named }),
    updates: incident.updates.map((each) => ({
      text: each.text,
      stateText: states[each.state],
      ...timeVariables(each.atMs, timeZone, locale),
    })),
  };
}

function timeVariables(atMs: number, timeZone: string | undefined, locale: Locale) {
  return { iso: new Date(atMs).toISOString(), moment: locale.moment(atMs, timeZone) };
}
