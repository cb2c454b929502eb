/** What the status page shows, and in which words. Its template is views/status-page.ejs, its texts are `statusPage` in views/locales. */
import type { Locale } from "../../web/pages/locales/locale.ts";
import { fillText, isolate } from "../../web/pages/shared/wording.ts";
import type { IncidentState } from "./incidents-content.ts";

/** How a room is, in the words of `statusPage` in the locale, or those of the waiting page. */
export type RoomCondition =
  | "idle"
  | "prequeue"
  | "moving"
  | "still"
  | "nobody"
  | "passthrough"
  | "paused"
  | "sold_out"
  | "ended"
  | "interrupted";

/** What the status page says of a room. */
export interface RoomOnPage {
  readonly id: string;
  readonly title: string;
  readonly condition: RoomCondition;
  /** Why it is paused, a key of `waiting.live.pausedReasons` in the locale; else null. */
  readonly reason: string | null;
  /** When the line begins, in milliseconds since the epoch; null where no time is set, or it has passed. */
  readonly lineAtMs: number | null;
  /** When people are let in, where that is later than the line begins, or the line has begun. */
  readonly doorsAtMs: number | null;
  /** The zone (IANA name) of its times; undefined: UTC. */
  readonly timeZone: string | undefined;
}

/** What the status page says of an incident. */
export interface IncidentOnPage {
  readonly id: string;
  readonly title: string;
  readonly state: IncidentState;
  /** A tag: that of title and texts; null where it is not known. */
  readonly language: string | null;
  /** Titles of rooms; empty: it affects them all. */
  readonly rooms: readonly string[];
  /** Latest first. */
  readonly updates: readonly {
    readonly atMs: number;
    readonly state: IncidentOnPage["state"];
    readonly text: string;
  }[];
}

/** How the rooms of an issuer are. The same for all. */
export interface StatusOnPage {
  /** When that was so, in milliseconds since the epoch. */
  readonly atMs: number;
  /** The zone (IANA name) of times that belong to no room; undefined: UTC. */
  readonly timeZone: string | undefined;
  /** Whether no incident goes on, and no room is interrupted or paused. */
  readonly isWell: boolean;
  readonly rooms: readonly RoomOnPage[];
  /** Those that go on. */
  readonly incidents: readonly IncidentOnPage[];
  readonly resolved: readonly IncidentOnPage[];
}

/** What the template finds in `page`. */
export function pageVariables(status: StatusOnPage, locale: Locale) {
  const { statusPage: words, waiting } = locale.texts;
  return {
    title: words.title,
    words,
    eyebrow: waiting.eyebrow,
    isWell: status.isWell,
    rooms: status.rooms.map((room) => roomVariables(room, locale)),
    incidents: status.incidents.map((each) => incidentVariables(each, status, locale)),
    resolved: status.resolved.map((each) => incidentVariables(each, status, locale)),
    updated: fillText(waiting.updated, { time: locale.moment(status.atMs, status.timeZone) }),
  };
}

function roomVariables(room: RoomOnPage, locale: Locale) {
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

function incidentVariables(incident: IncidentOnPage, { timeZone }: StatusOnPage, locale: Locale) {
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
