import { Counter } from "prom-client";
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

export function addHomeMetrics(read: Read, { counts }: { readonly counts: Pick<HomeCounts, "all"> }): void {
  read(
    Counter,
    "usher_cloudflare_home_answers_total",
    "Answers to such programs at the addresses of sites: they wait, are admitted, or refused for good",
    ["room", "answer"],
    () => counts.all.map(({ room, answer, count }): Sample => [{ room, answer }, count]),
  );
}
