/** Events as others read them: CloudEvents 1.0. Nothing secret is in one. */
import { formatTime, settingsDifferences } from "../../config/index.ts";
import type { RoomEvent } from "../../store/contract/room-store.ts";
import { typeOf } from "./room-event-types.ts";

/** See https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md and its JSON format. */
export interface CloudEvent {
  readonly specversion: "1.0";
  /** The same whenever the event is told. */
  readonly id: string;
  /** The issuer. */
  readonly source: string;
  readonly type: string;
  /** What it is about: `rooms/ROOM`, say. */
  readonly subject: string;
  /** By the store's clock. */
  readonly time: string;
  readonly datacontenttype: "application/json";
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the installation tells: an event without what its row adds. */
export type OtherEvent = Pick<CloudEvent, "source" | "type" | "subject" | "data"> & {
  /** Where it is known otherwise than by its place in the stream. */
  readonly id?: string;
};

/** An event of the installation. */
export interface Happening extends OtherEvent {
  readonly atMs: number;
}

/** Of a line: where its events come from, and what they are about. */
export interface Line {
  readonly name: string;
  /** Null: of the installation. */
  readonly room: string | null;
  readonly issuer: string;
}

export function cloudEvent(line: Line, event: RoomEvent): CloudEvent {
  const common = { specversion: "1.0", datacontenttype: "application/json" } as const;
  const time = formatTime(event.atMs);
  if (event.kind === "other") {
    const { id, source, type, subject, data } = JSON.parse(event.json) as OtherEvent;
    return { ...common, id: id ?? `installation.${event.id}`, source, type, subject, time, data };
  }
  const { issuer: source, name, room } = line;
  const type = typeOf(event);
  return {
    ...common,
    id: `${name}.${event.id}`,
    source,
    type,
    subject: `rooms/${room}`,
    time,
    data: dataOf(line, event),
  };
}

function dataOf({ room }: Line, event: Exclude<RoomEvent, { kind: "other" }>): Record<string, unknown> {
  switch (event.kind) {
    case "phase": {
      const { edition, phase, reason, before } = event;
      return { room, edition, phase, reason, before };
    }
    case "hold":
      return { room, hold: event.hold };
    case "edition":
      return { room, edition: event.edition, before: event.before };
    case "settings":
      return { room, version: event.version, changes: changesOf(event.before, event.after) };
    case "sold_out":
      return { room, returns: event.hasReturns };
    case "full":
      return { room };
    case "refusals":
      return { room, joined: event.joined, refused: event.refused };
    case "draw": {
      const { edition, draw, stage, first, last, commitment, seed } = event;
      const numbers = { first: first || null, last: last || null };
      return { room, edition, draw, stage, ...numbers, commitment, seed: seed === "" ? null : seed };
    }
    case "log_sealed":
      return { room, ...event.head };
    case "recovered":
      return { room, queued: event.queued, serving: event.serving };
    case "figures": {
      const { figures: f } = event;
      return {
        room,
        edition: f.edition,
        phase: f.phase,
        queued: f.queued,
        serving: f.serving,
        waiting: f.waiting,
        ready_to_enter: f.readyToEnter,
        absent: f.absent,
        live_admissions: f.liveAdmissions,
        outflow_per_minute: f.outflowPerMinute,
        limit_per_minute: f.limitPerMinute,
        joined: f.joined,
        entered: f.entered,
        passed: f.passed,
        bypassed: f.bypassed,
        no_shows: f.noShows,
        left: f.left,
      };
    }
    case "admission": {
      const { sub, edition, position, via } = event;
      return { room, sub, edition, position: position || null, via };
    }
    case "admission_ended":
      return { room, sub: event.sub, end: event.end };
  }
}

/** By their paths, in the words of the configuration file; of addresses nothing behind the `?`. */
function changesOf(before: string, after: string): Record<string, { before: unknown; after: unknown }> {
  const differences = settingsDifferences(JSON.parse(before), JSON.parse(after));
  return Object.fromEntries(
    Object.entries(differences).map(([path, { file, in_force }]) => [path, { before: file, after: in_force }]),
  );
}
