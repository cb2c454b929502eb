import { settingsOf } from "../../config/index.ts";
import { featureModule, type Gateway, type RunningFeature } from "../../operate/feature.ts";
import { createRouteTable } from "../../web/middleware/router.ts";
import { describeCounts, queueItHealth } from "./health.ts";
import { addHomeMetrics, createHomeCounts, type HomeCounts } from "./metrics.ts";
import { type QueueItSettings, queueItSettings } from "./settings.ts";
import { queueItRoutes } from "./visitor-routes.ts";

interface RunningHome extends RunningFeature {
  readonly counts: HomeCounts;
  /** By issuer; null: it has none. */
  readonly homes: Readonly<Record<string, QueueItSettings | null>>;
  readonly issuers: Gateway["issuers"];
}

/** Sites with a connector of Queue-it send their visitors to an issuer's rooms, where the issuer has this home. */
export const queueItInGateway = featureModule({
  start({ config, rooms, issuers, clock }: Gateway): RunningHome {
    const counts = createHomeCounts((room) => rooms.get(room) !== undefined, clock);
    const homes = Object.fromEntries(
      config.issuers.map((issuer) => [issuer.issuer, settingsOf(issuer, queueItSettings)]),
    );
    return { counts, homes, issuers, describe: () => describeCounts(counts) };
  },
  visitorRoutes({ counts, homes, issuers }, site) {
    const home = homes[site.issuer] ?? null;
    if (home === null) return createRouteTable();
    const directory = issuers.find(({ issuer }) => issuer === site.issuer)?.rooms;
    return queueItRoutes({ home, counts, configOf: (room) => directory?.get(room) }, site);
  },
  addMetrics: addHomeMetrics,
  health: queueItHealth,
});
