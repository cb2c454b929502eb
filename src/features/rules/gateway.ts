import { settingsOf } from "../../config/index.ts";
import { type CrawlerResult, createCrawlerCheck, createCrawlerDns } from "../../lib/rules/index.ts";
import { featureModule, type Gateway } from "../../operate/feature.ts";
import { addCrawlerMetrics } from "./metrics.ts";
import { crawlerSettings } from "./settings.ts";

/** Asks the DNS nothing until a client of a site with such a rule says that it is a crawler. */
export const rulesInGateway = featureModule({
  start({ config, clock }: Gateway) {
    const { dnsServers, timeoutMs } = settingsOf(config, crawlerSettings);
    const counts: Record<CrawlerResult, number> = { verified: 0, refuted: 0, unanswered: 0, refused: 0 };
    const isCrawler = createCrawlerCheck({
      dns: createCrawlerDns({ timeoutMs, ...(dnsServers && { servers: dnsServers }) }),
      nowMs: () => clock.now(),
      timeoutMs,
      count: (result) => void counts[result]++,
    });
    return { isCrawler, counts: () => counts };
  },
  addMetrics: addCrawlerMetrics,
});
