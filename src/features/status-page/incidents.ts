import type { Clock, Random } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import { createRegistry, type RegistryOptions } from "../../registry/index.ts";
import {
  INCIDENT_BOUNDS,
  type Incident,
  type IncidentState,
  type IncidentsContent,
  incidentsContent,
  lastUpdate,
  resolvedMs,
  retainedIncidents,
  withIncidentChanges,
} from "./incidents-content.ts";

/** The document's name in the store. */
export const incidentsName = "incidents";
const idBytes = 6;

export interface IncidentView extends Incident {
  readonly id: string;
  /** That of the last update. */
  readonly state: IncidentState;
  readonly openedMs: number;
  /** Null while it goes on. */
  readonly resolvedMs: number | null;
}

/** What an operator writes first. */
export type NewIncident = Pick<Incident, "title" | "language" | "rooms"> & IncidentWords;
/** What an operator writes then. */
export interface IncidentWords {
  readonly state: IncidentState;
  readonly text: string;
}

export type Incidents = ReturnType<typeof createIncidents>;

/** What operators tell the public of what is wrong, alike at all processes. One that is resolved is kept for 14 days. */
export function createIncidents(
  options: Omit<RegistryOptions<IncidentsContent>, "kind" | "name"> & {
    /** The store's. */
    readonly clock: Clock;
    readonly random: Random;
  },
) {
  const { clock, random } = options;
  const registry = createRegistry({
    ...options,
    kind: incidentsContent,
    name: incidentsName,
    annotate: (before, after, version) => withIncidentChanges(before, after, version, clock.now()),
  });

  return {
    registry,
    /** Those that go on first, then those that are resolved; of both the latest first. Asks no store. */
    get all(): readonly IncidentView[] {
      const views = Object.entries(retainedIncidents(registry.content, clock.now())).map(incidentView);
      const rank = (incident: IncidentView) => incident.resolvedMs ?? Number.POSITIVE_INFINITY;
      return views.toSorted((a, b) => compare(rank(b), rank(a)) || b.openedMs - a.openedMs || compare(a.id, b.id));
    },
    /** @throws UsherError `not_found`. Asks no store. */
    find: (id: string): IncidentView => incidentView([id, found(retainedIncidents(registry.content, clock.now()), id)]),
    /** @returns its id @throws UsherError `conflict` where there are too many, or they are too long; `store_unavailable` */
    async open({ title, language, rooms, ...words }: NewIncident): Promise<string> {
      const id = random.bytes(idBytes).toString("hex");
      await change((incidents, atMs) => {
        if (Object.keys(incidents).length >= INCIDENT_BOUNDS.incidentsMax) {
          throw conflict(`there are ${INCIDENT_BOUNDS.incidentsMax} incidents, and no more can be: delete some`);
        }
        return { ...incidents, [id]: { title, language, rooms, updates: [{ at_ms: atMs, ...words }] } };
      });
      return id;
    },
    /** Adds what is known now. One that was resolved goes on where the state says so. @throws UsherError `not_found`, `conflict`, `store_unavailable` */
    update(id: string, { state, text }: { readonly state?: IncidentState | undefined; readonly text: string }) {
      return change((incidents, nowMs) => {
        const before = found(incidents, id);
        const last = lastUpdate(before);
        // An incident with the most updates can still be resolved.
        const most = INCIDENT_BOUNDS.updatesMax + (state === "resolved" ? 1 : 0);
        if (before.updates.length >= most) {
          throw conflict(
            `this incident has ${INCIDENT_BOUNDS.updatesMax} updates, and no more can be but the one that resolves it`,
          );
        }
        // Processes may differ by milliseconds, and readers go by the order.
        const added = { at_ms: Math.max(nowMs, last.at_ms), state: state ?? last.state, text };
        return { ...incidents, [id]: { ...before, updates: [...before.updates, added] } };
      });
    },
    /** @throws UsherError `not_found`, `conflict`, `store_unavailable` */
    remove(id: string): Promise<void> {
      return change((incidents) => {
        found(incidents, id);
        const { [id]: _, ...others } = incidents;
        return others;
      });
    },
  };

  /** `make` may be called again with newer ones. */
  async function change(
    make: (incidents: IncidentsContent["incidents"], nowMs: number) => IncidentsContent["incidents"],
  ): Promise<void> {
    await registry.update((content) => {
      const nowMs = Math.floor(clock.now());
      const incidents = make(retainedIncidents(content, nowMs), nowMs);
      if (Buffer.byteLength(JSON.stringify(incidents)) > INCIDENT_BOUNDS.bytesMax) {
        throw conflict("the incidents take more than 256 KiB together: shorten texts, or delete some");
      }
      return { ...content, incidents };
    });
  }
}

function conflict(message: string): UsherError {
  return new UsherError("conflict", message);
}

function found(incidents: IncidentsContent["incidents"], id: string): Incident {
  const incident = Object.hasOwn(incidents, id) ? incidents[id] : undefined;
  if (incident === undefined) throw new UsherError("not_found", "there is no incident of this id");
  return incident;
}

function incidentView([id, incident]: [string, Incident]): IncidentView {
  const openedMs = incident.updates[0]?.at_ms ?? 0;
  return { id, ...incident, state: lastUpdate(incident).state, openedMs, resolvedMs: resolvedMs(incident) };
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
