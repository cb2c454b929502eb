import { Counter } from "prom-client";
import type { CrawlerResult } from "../../lib/rules/index.ts";
import type { Read, Sample } from "../../operate/ops/metric.ts";

export function addCrawlerMetrics(
  read: Read,
  { counts }: { readonly counts: () => Readonly<Record<CrawlerResult, number>> },
): void {
  read(
    Counter,
    "usher_crawler_lookups_total",
    "Lookups of clients of sites that say they are crawlers, by what the DNS said of them",
    ["result"],
    () => Object.entries(counts()).map(([result, count]): Sample => [{ result }, count]),
  );
}
