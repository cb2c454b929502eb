import type { PaceJson, PollGuidance } from "../../../../room/public-status/status.ts";

/** A page of the waiting room, as its own script reads it. */
export type UsherPage =
  | ({ readonly kind: "waiting" } & WaitingPage)
  | { readonly kind: "notice"; readonly code: string; readonly retryMs: number | null };

export interface WaitingPage {
  readonly room: string;
  readonly edition: number;
  readonly position: number;
  readonly ahead: number;
  readonly state: string;
  /** The position is an entry number, until the place is drawn. */
  readonly isUndrawn: boolean;
  readonly retryMs: number;
  readonly poll: PollGuidance;
  readonly pace: PaceJson | null;
}

/** Null for anything else. */
export function readUsherPage(html: string): UsherPage | null {
  const data = dataOf(/<main\b([^>]*)>/.exec(html)?.[1] ?? "");
  const { notice, room, position, edition, state } = data;
  if (notice !== undefined) {
    return { kind: "notice", code: notice, retryMs: data["retry-ms"] === undefined ? null : Number(data["retry-ms"]) };
  }
  const live = readLive(/<script\b[^>]*\bid="live"[^>]*>([^<]*)</.exec(html)?.[1] ?? "");
  if (room === undefined || live === null) return null;
  return {
    kind: "waiting",
    room,
    edition: Number(edition),
    position: Number(position),
    ahead: Number(data.ahead) || 0,
    state: state ?? "waiting",
    isUndrawn: data.draw === "undrawn",
    retryMs: Number(data["retry-ms"]) || 1_000,
    poll: live.poll,
    pace: live.pace,
  };
}

function dataOf(attributes: string): Record<string, string | undefined> {
  return Object.fromEntries(
    [...attributes.matchAll(/\bdata-([a-z-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
}

interface LivePart {
  readonly poll: PollGuidance;
  readonly pace: PaceJson | null;
}

function readLive(text: string): LivePart | null {
  try {
    const live = JSON.parse(text) as Partial<LivePart>;
    return live.poll === undefined ? null : { pace: null, ...live, poll: live.poll };
  } catch {
    return null;
  }
}
