import { namesOfPlace, settingsOf } from "../../config/index.ts";
import { featureModule, type Gateway, type RunningFeature } from "../../operate/feature.ts";
import { createRouteTable } from "../../web/middleware/router.ts";
import { describeCounts, queueItHealth } from "./health.ts";
import { addHomeMetrics, createHomeCounts, type HomeCounts } from "./metrics.ts";
import { nameOfSecret, type QueueItSettings, queueItSettings } from "./settings.ts";
import { queueItRoutes } from "./visitor-routes.ts";

interface RunningHome extends RunningFeature {
  readonly counts: HomeCounts;
  /** By issuer; null: it has none. */
  readonly homes: Readonly<Record<string, QueueItSettings | null>>;
  readonly issuers: Gateway["issuers"];
}

/** Sites with a connector of Queue-it send their visitors to an issuer's rooms, where the issuer has this home. */
export const queueItInGateway = featureModule({
  start({ config, rooms, issuers, clock, followSecrets }: Gateway): RunningHome {
    const counts = createHomeCounts((room) => rooms.get(room) !== undefined, clock);
    /** What the sources of secrets say by now. */
    const secrets = new Map<string, readonly string[]>();
    followSecrets(queueItSettings, (name, current) => void secrets.set(name, current));
    const homes = Object.fromEntries(
      config.issuers.map((issuer, index) => {
        const home = settingsOf(issuer, queueItSettings);
        return [issuer.issuer, home && withSecretsOfNow(home, namesOfPlace(queueItSettings, index), secrets)];
      }),
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

/** The settings, with secrets that go on changing. @param places where the home may stand in the configuration */
function withSecretsOfNow(
  home: QueueItSettings,
  places: readonly string[],
  secrets: ReadonlyMap<string, readonly string[]>,
): QueueItSettings {
  const ofNow = (name: Parameters<typeof nameOfSecret>[1], atStart: readonly string[]) => {
    const [current = atStart] = places.flatMap((place) => {
      const found = secrets.get(nameOfSecret(place, name));
      return found === undefined ? [] : [found];
    });
    return current;
  };
  return {
    ...home,
    get secretKeys() {
      return ofNow("secret_key", home.secretKeys);
    },
    get apiKeys() {
      return ofNow("api_key", home.apiKeys);
    },
  };
}
