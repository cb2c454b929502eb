import { z } from "zod";
import type { DeepReadonly } from "../../lib/json.ts";
import {
  type Change,
  type ContentKind,
  differences,
  readerOf,
  recordedChanges,
  withChanges,
} from "../../registry/index.ts";

/** How far an incident has come, as the status page says it. */
export const incidentStates = ["investigating", "identified", "monitoring", "resolved"] as const;
export type IncidentState = (typeof incidentStates)[number];

/** Far more than an installation that people trust has; a status page shows them all. */
export const INCIDENT_BOUNDS = {
  /** Those that go on and those that are kept. */
  incidentsMax: 50,
  /** One more, where it resolves. */
  updatesMax: 50,
  titleMax: 150,
  textMax: 2_000,
  roomsMax: 100,
  /** How long one that is resolved is kept. */
  retentionMs: 14 * 24 * 3_600_000,
  /** Of all of them as JSON: the document travels as a whole. */
  bytesMax: 256 * 1_024,
} as const;

const timeMs = z.number().min(0);

const update = z.strictObject({
  at_ms: timeMs,
  state: z.enum(incidentStates),
  text: z.string().min(1).max(INCIDENT_BOUNDS.textMax),
});

const incident = z.strictObject({
  title: z.string().min(1).max(INCIDENT_BOUNDS.titleMax),
  /** A canonical tag: that of title and texts; null for readers of every language. */
  language: z.string().max(35).nullable(),
  /** Ids of those that it affects; null: all of the installation. */
  rooms: z.array(z.string().min(1).max(32)).min(1).max(INCIDENT_BOUNDS.roomsMax).nullable(),
  /** Oldest first. The state of the last one is the incident's. */
  updates: z
    .array(update)
    .min(1)
    .max(INCIDENT_BOUNDS.updatesMax + 1),
});

const content = z.strictObject({
  format: z.literal(1),
  /** By id. */
  incidents: z.record(z.string(), incident),
  changes: recordedChanges.optional(),
});

/** The incidents of an installation. Shared as JSON. */
export type IncidentsContent = DeepReadonly<z.infer<typeof content>>;
export type Incident = IncidentsContent["incidents"][string];
export type IncidentUpdate = Incident["updates"][number];

export const incidentsContent: ContentKind<IncidentsContent> = {
  empty: { format: 1, incidents: {} },
  read: readerOf(content),
};

export function lastUpdate({ updates }: Incident): IncidentUpdate {
  return updates.at(-1) as IncidentUpdate;
}

/** Since when it is resolved; null while it goes on. */
export function resolvedMs({ updates }: Incident): number | null {
  return updates[updates.findLastIndex(({ state }) => state !== "resolved") + 1]?.at_ms ?? null;
}

/** Open incidents, and resolved ones whose last update is recent. */
export function retainedIncidents({ incidents }: IncidentsContent, nowMs: number): IncidentsContent["incidents"] {
  const isRetained = (incident: Incident) => {
    const { state, at_ms: atMs } = lastUpdate(incident);
    return state !== "resolved" || nowMs < atMs + INCIDENT_BOUNDS.retentionMs;
  };
  return Object.fromEntries(Object.entries(incidents).filter(([, incident]) => isRetained(incident)));
}

/** What is published of a change, beside what all changes have. */
interface IncidentChange extends Change {
  readonly title?: string;
  readonly incident_state?: IncidentState;
}

/** The content with a note of what was opened, updated, resolved or removed. That an old one is kept no longer is no news. */
export function withIncidentChanges(
  before: IncidentsContent,
  after: IncidentsContent,
  version: number,
  nowMs: number,
): IncidentsContent {
  const old = retainedIncidents(before, nowMs);
  const news = differences(old, after.incidents).map(([id, what]): IncidentChange => {
    const now = after.incidents[id];
    if (now === undefined) return { kind: "incident", id, what: "deleted" };
    const { state } = lastUpdate(now);
    const done = what === "created" ? "opened" : state === "resolved" ? "resolved" : "updated";
    return { kind: "incident", id, what: done, title: now.title, incident_state: state };
  });
  return withChanges(after, news, version, nowMs);
}
