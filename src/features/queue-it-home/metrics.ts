import { Counter } from "prom-client";
import type { Clock } from "../../lib/clock-and-random.ts";
import type { Read, Sample } from "../../operate/ops/metric.ts";
import type { RedirectType } from "./token.ts";

/** Why a site has sent a visitor back, as its connector calls it; `other` for what nobody has documented. */
export const errorKinds = ["hash", "eventid", "timestamp", "ip", "qidlimit", "sessionstate"] as const;
export type ErrorKind = (typeof errorKinds)[number] | "other";

/** What becomes of visitors: `sent` by a site into the room. */
export type Counted = RedirectType | ErrorKind | "loop" | "sent";

export type HomeCounts = ReturnType<typeof createHomeCounts>;

/**
 * What this process has counted, and when it last did.
 *
 * @param isThere whether there is a room of this id: counts of one that was removed are dropped
 */
export function createHomeCounts(isThere: (room: string) => boolean, clock: Clock) {
  const counts = new Map<string, { readonly what: Counted; readonly room: string; count: number; lastMs: number }>();
  return {
    add(what: Counted, room: string): void {
      const key = `${what} ${room}`;
      const counted = counts.get(key) ?? { what, room, count: 0, lastMs: 0 };
      counted.count++;
      counted.lastMs = clock.now();
      counts.set(key, counted);
    },
    get all() {
      for (const [key, { room }] of counts) if (!isThere(room)) counts.delete(key);
      return [...counts.values()];
    },
  };
}

/** What a site should not do. */
export const faults: ReadonlySet<Counted> = new Set<Counted>([...errorKinds, "other", "loop"]);

export function addHomeMetrics(read: Read, { counts }: { readonly counts: Pick<HomeCounts, "all"> }): void {
  const samples = (areFaults: boolean, label: string) => () =>
    counts.all
      .filter(({ what }) => what !== "sent" && faults.has(what) === areFaults)
      .map(({ what, room, count }): Sample => [{ room, [label]: what }, count]);
  read(Counter, "usher_queue_it_sent_total", "Visitors whom sites have sent to the room, each time", ["room"], () =>
    counts.all.flatMap(({ what, room, count }): Sample[] => (what === "sent" ? [[{ room }, count]] : [])),
  );
  read(
    Counter,
    "usher_queue_it_hand_overs_total",
    "Visitors handed over to sites by queueittoken",
    ["room", "type"],
    samples(false, "type"),
  );
  read(
    Counter,
    "usher_queue_it_refused_total",
    "Visitors whom sites have sent back with a token that they refuse, and those who came back too often",
    ["room", "reason"],
    samples(true, "reason"),
  );
}
