import { Counter, Gauge } from "prom-client";
import type { Read, Sample } from "../../operate/ops/metric.ts";

type Counted = "waiting" | "admitted" | "refused";

export type HomeCounts = ReturnType<typeof createHomeCounts>;

/** What this process has answered to programs at the addresses of sites. */
export function createHomeCounts() {
  const counts = new Map<string, { readonly room: string; readonly answer: Counted; count: number }>();
  return {
    add(room: string, answer: Counted): void {
      const name = `${room} ${answer}`;
      const counted = counts.get(name) ?? { room, answer, count: 0 };
      counted.count++;
      counts.set(name, counted);
    },
    get all() {
      return [...counts.values()];
    },
  };
}

/** @param rooms of all issuers */
export function addHomeMetrics(
  read: Read,
  { counts, rooms }: { readonly counts: Pick<HomeCounts, "all">; readonly rooms: readonly string[] },
): void {
  if (rooms.length === 0) return;
  read(
    Gauge,
    "usher_cloudflare_home",
    "1 for each room in which programs wait as in Cloudflare's Waiting Room",
    ["room"],
    () => rooms.map((room): Sample => [{ room }, 1]),
  );
  read(
    Counter,
    "usher_cloudflare_home_answers_total",
    "Answers to such programs at the addresses of sites: they wait, are admitted, or refused for good",
    ["room", "answer"],
    () => counts.all.map(({ room, answer, count }): Sample => [{ room, answer }, count]),
  );
}
