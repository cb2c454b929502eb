/** What the status page says, from what this process knows: rooms as they were synced, and incidents. Asks no store. */
import { z } from "zod";
import type { DeepReadonly } from "../../lib/json.ts";
import { entranceOf, peopleWaiting, type RoomState, type WaitingRoom, type WaitingRooms } from "../../room/index.ts";
import { statusAnswer } from "../../web/visitor/answers.ts";
import { scheduleJson } from "../../web/visitor/status.ts";
import type { Incidents, IncidentView } from "./incidents.ts";
import { incidentStates } from "./incidents-content.ts";
import type { IncidentOnPage, RoomCondition, RoomOnPage, StatusOnPage } from "./page.ts";

const { phase, phase_reason, availability, prequeue_at, opens_at, ends_at, updated_at: time } = statusAnswer.shape;
const incidentState = z.enum(incidentStates);
/** The answer for programs. */
export const statusPageAnswer = z
  .object({
    /** Whether no incident goes on, and no room is interrupted or paused. */
    well: z.boolean(),
    rooms: z.array(
      z.object({
        room: z.string(),
        title: z.string(),
        /** Null where nothing is known of it yet. */
        phase: phase.nullable(),
        phase_reason,
        availability,
        /** Whether visitors were let in in the last three minutes; null where nobody waits, or no line is open. */
        moving: z.boolean().nullable(),
        prequeue_at,
        opens_at,
        ends_at,
      }),
    ),
    /** Those that go on, then those resolved in the last 14 days. */
    incidents: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        state: incidentState,
        language: z.string().nullable(),
        /** Of those that are shown; null: all. */
        rooms: z.array(z.string()).nullable(),
        opened_at: time,
        resolved_at: time.nullable(),
        /** Oldest first. */
        updates: z.array(z.object({ at: time, state: incidentState, text: z.string() })),
      }),
    ),
    /** To the minute. */
    updated_at: time,
  })
  .meta({ id: "InstallationStatus" });

export interface StatusParts {
  readonly rooms: Pick<WaitingRooms, "all">;
  readonly incidents: Pick<Incidents, "all">;
  /** Ids of the rooms that it shows; null: all, but those for rehearsals. */
  readonly status: { readonly enabled: boolean; readonly rooms: readonly string[] | null };
}

export type StatusPageJson = DeepReadonly<z.output<typeof statusPageAnswer>>;

export interface StatusFacts {
  readonly view: StatusOnPage;
  readonly json: StatusPageJson;
}

const minuteMs = 60_000;

/** @param nowMs by the store's clock: told to the minute, so that all processes tell the same for a while */
export function statusFacts({ rooms: { all }, incidents, status }: StatusParts, nowMs: number): StatusFacts {
  const atMs = nowMs - (nowMs % minuteMs);
  const rooms = all.filter((room) => isListed(room, status.rooms));
  const reports = rooms.map((room) => roomReport(room, nowMs));
  const titles = new Map(rooms.map((room) => [room.id, room.title]));
  const listedIncidents = incidents.all.filter(
    (each) => each.rooms === null || each.rooms.some((id) => titles.has(id)),
  );
  const open = listedIncidents.filter((each) => each.resolvedMs === null);
  const resolved = listedIncidents.filter((each) => each.resolvedMs !== null);
  const zones = new Set(rooms.map((room) => room.settings.timeZone ?? undefined));
  const isPoor = ({ condition }: RoomOnPage) => condition === "paused" || condition === "interrupted";
  const isWell = open.length === 0 && !reports.some(({ view }) => isPoor(view));
  return {
    view: {
      atMs,
      timeZone: zones.size === 1 ? [...zones][0] : undefined,
      isWell,
      rooms: reports.map(({ view }) => view),
      incidents: open.map((each) => publishedIncident(each, titles)),
      resolved: resolved.map((each) => publishedIncident(each, titles)),
    },
    json: {
      well: isWell,
      rooms: reports.map(({ json }) => json),
      incidents: listedIncidents.map((each) => incidentJson(each, titles)),
      updated_at: timeText(atMs),
    },
  };
}

/** Those that are named; else all but those for rehearsals, in which nothing is sold. */
function isListed({ id, settings }: WaitingRoom, named: StatusParts["status"]["rooms"]): boolean {
  return named === null ? settings.rehearsal !== true : named.includes(id);
}

function roomReport(room: WaitingRoom, nowMs: number): { view: RoomOnPage; json: StatusPageJson["rooms"][number] } {
  const { id, title, settings, reportedState: state } = room;
  const availability = room.reportedAvailability;
  const isMoving = state === null || state.phase !== "open" ? null : isLineMoving(state);
  const isInterrupted = availability !== "ready" || room.holdLeftMs > 0;
  const condition = state === null || isInterrupted ? "interrupted" : conditionOf(state, isMoving);
  const times = state === null ? noTimes : scheduleJson(state);
  const isIdle = condition === "idle";
  const toCome = (time: string | null) => (time !== null && Date.parse(time) > nowMs ? Date.parse(time) : null);
  const doorsAtMs = isIdle || condition === "prequeue" ? toCome(times.opens_at) : null;
  const lineAtMs = isIdle ? (toCome(times.prequeue_at) ?? doorsAtMs) : null;
  return {
    view: {
      id,
      title,
      condition,
      lineAtMs,
      reason: condition === "paused" ? (state?.phaseReason ?? null) : null,
      doorsAtMs: doorsAtMs === lineAtMs ? null : doorsAtMs,
      timeZone: settings.timeZone ?? undefined,
    },
    json: {
      room: id,
      title,
      phase: state?.phase ?? null,
      phase_reason: state?.phaseReason ?? null,
      availability,
      moving: isInterrupted ? null : isMoving,
      ...times,
    },
  };
}

const noTimes = { prequeue_at: null, opens_at: null, ends_at: null };

/** Null: nobody waits. */
function isLineMoving(state: RoomState): boolean | null {
  return peopleWaiting(state) === 0 ? null : state.outflowPerMinute > 0;
}

function conditionOf(state: RoomState, isMoving: boolean | null): RoomCondition {
  const { phase, phaseReason } = state;
  if (phaseReason === "sold_out") return "sold_out";
  if (entranceOf(state) === "pass") return "passthrough";
  if (phase !== "open") return phase;
  return isMoving === null ? "nobody" : isMoving ? "moving" : "still";
}

/** Of the rooms of others, and of those that are not shown, nothing is said. */
function affectedRooms({ rooms }: IncidentView, titles: ReadonlyMap<string, string>): string[] {
  return (rooms ?? []).filter((id) => titles.has(id));
}

function publishedIncident(incident: IncidentView, titles: ReadonlyMap<string, string>): IncidentOnPage {
  const { id, title, state, language, updates } = incident;
  const rooms = affectedRooms(incident, titles).map((each) => titles.get(each) ?? each);
  const latestFirst = updates.toReversed().map(({ at_ms: atMs, ...words }) => ({ atMs, ...words }));
  return { id, title, state, language, rooms, updates: latestFirst };
}

function incidentJson(incident: IncidentView, titles: ReadonlyMap<string, string>) {
  const { id, title, state, language, openedMs, resolvedMs, updates } = incident;
  return {
    id,
    title,
    state,
    language,
    rooms: incident.rooms === null ? null : affectedRooms(incident, titles),
    opened_at: timeText(openedMs),
    resolved_at: resolvedMs === null ? null : timeText(resolvedMs),
    updates: updates.map((each) => ({ at: timeText(each.at_ms), state: each.state, text: each.text })),
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
