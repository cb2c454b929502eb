import { settingsOf } from "../../config/index.ts";
import { featureModule, type Gateway, type RunningFeature, type VisitorSite } from "../../operate/feature.ts";
import { createRouteTable } from "../../web/middleware/router.ts";
import { createAtSite } from "./at-site.ts";
import { addHomeMetrics, createHomeCounts, type HomeCounts } from "./metrics.ts";
import { type CloudflareSettings, cloudflareSettings } from "./settings.ts";
import { waitingRoomJson, wantsWaitingRoomJson } from "./wire.ts";

interface RunningHome extends RunningFeature {
  readonly counts: HomeCounts;
  hangIn(site: VisitorSite): void;
}

/** In rooms that are named in `homes.cloudflare` programs wait in the words of Cloudflare's Waiting Room. It has no address of its own. */
export const cloudflareInGateway = featureModule({
  start({ config }: Gateway): RunningHome {
    const counts = createHomeCounts();
    /** By issuer; null: it has none. */
    const homes = new Map<string, CloudflareSettings | null>(
      config.issuers.map((issuer) => [issuer.issuer, settingsOf(issuer, cloudflareSettings)]),
    );
    return {
      counts,
      hangIn(site: VisitorSite): void {
        const atSite = createAtSite(site, counts);
        for (const id of homes.get(site.issuer)?.rooms ?? [])
          site.programs.set(id, {
            members: ({ headers }, waiting) =>
              wantsWaitingRoomJson(headers) ? { cfWaitingRoom: waitingRoomJson(waiting) } : null,
            atSite,
          });
      },
    };
  },
  visitorRoutes({ hangIn }, site) {
    hangIn(site);
    return createRouteTable();
  },
  addMetrics: addHomeMetrics,
});
