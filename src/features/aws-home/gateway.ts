import type { Middleware } from "koa";
import { namesOfPlace, settingsOf } from "../../config/index.ts";
import { createRounds } from "../../lib/rounds.ts";
import { featureModule, type Gateway, type VisitorSite } from "../../operate/feature.ts";
import { isInterruption, type WaitingRoom } from "../../room/index.ts";
import type { RouteTable } from "../../web/middleware/router.ts";
import { createAdmit } from "./admit.ts";
import { createWithRow } from "./audit-rows.ts";
import { createCheckCaller } from "./caller.ts";
import { createEventBus, createPutEvents } from "./event-bus.ts";
import { createExpiredTokens } from "./expired-tokens.ts";
import { createHome } from "./home.ts";
import { addHomeMetrics, createHomeCounts } from "./metrics.ts";
import { createPrivateCalls } from "./private-calls.ts";
import { createPublicCalls } from "./public-calls.ts";
import { homeRoutes } from "./routes.ts";
import { type AccessKey, awsHomeSettings, nameOfKey } from "./settings.ts";
import { createAwsTokens } from "./tokens.ts";
import { createCors } from "./wire.ts";

const passOn: Middleware = (_, next) => next();
const nowhere: RouteTable = { describe: () => [], routes: () => passOn };

/**
 * Clients of AWS's Virtual Waiting Room find their interface here, at an issuer that says so in `homes.aws`. Without one nothing is answered, nothing
 * kept, and nothing runs.
 */
export const awsHomeInGateway = featureModule({
  start(gateway: Gateway) {
    const { config, rooms, issuers, store, eventStore, events, adminKeys, audit, followSecrets } = gateway;
    const { processName, clock, random, logger } = gateway;
    const counts = createHomeCounts();
    const expired = createExpiredTokens(store.documents);
    /** By issuer; those without a home are not among them. */
    const settings = new Map(
      config.issuers.flatMap((issuer, index) => {
        const ofHome = settingsOf(issuer, awsHomeSettings);
        const places = namesOfPlace(awsHomeSettings, index);
        return ofHome === null ? [] : [[issuer.issuer, { ofHome, places }] as const];
      }),
    );
    const isHere = settings.size > 0;
    /** What the sources of secrets say by now. */
    const secrets = new Map<string, readonly string[]>();
    if (isHere) followSecrets(awsHomeSettings, (name, current) => void secrets.set(name, current));
    const roomsHere = [...settings.values()].flatMap(({ ofHome }) => [...ofHome.events.values()]);
    const rounds = createRounds<WaitingRoom>({
      rooms: () => roomsHere.flatMap((id) => rooms.get(id) ?? []),
      random,
      look: (room) => expired.look(room),
      onFailure(room, error) {
        if (isInterruption(error)) return;
        logger.warn({ event: "aws_home.failed", room: room.id, err: error }, "expired tokens were not recorded");
      },
    });

    const onBus = [...settings.values()].flatMap(({ ofHome: { events: byId, eventBus: bus } }) =>
      bus === null ? [] : [...byId].map(([eventId, id]) => ({ eventId, id, bus })),
    );
    const eventBus =
      onBus.length === 0
        ? null
        : createEventBus({
            rooms: () =>
              onBus.flatMap(({ eventId, id, bus }) => {
                const room = rooms.get(id);
                return room === undefined ? [] : [{ room, eventId, bus }];
              }),
            store: eventStore,
            hub: events,
            put: createPutEvents(),
            holder: `${processName}-${random.bytes(6).toString("hex")}`,
            startedMs: clock.now(),
            random,
            logger,
          });

    return {
      isHere,
      counts,
      start() {
        if (isHere) rounds.start();
        eventBus?.start();
      },
      async stop() {
        if (isHere) await rounds.stop();
        await eventBus?.stop();
      },
      routesOf(site: VisitorSite): RouteTable {
        const found = settings.get(site.issuer);
        const live = issuers.find(({ issuer }) => issuer === site.issuer);
        if (found === undefined || live === undefined) return nowhere;
        const { ofHome, places } = found;
        const home = createHome({
          issuer: site.issuer,
          settings: ofHome,
          rooms: site.rooms,
          keys: () => live.keys.current.tickets,
          lineOf: (room) => live.rooms.get(room)?.line,
          random,
        });
        const tokens = createAwsTokens({
          issuer: ofHome.tokenIssuer ?? site.issuer,
          keys: () => live.keys.current.signing,
        });
        const admit = createAdmit({ tokens, counts, steps: site.steps });
        const keys = (): AccessKey[] =>
          ofHome.keys.map((key) => {
            const names = places.map((place) => nameOfKey(place, key.accessKeyId));
            const [current] = names.flatMap((name) => [secrets.get(name) ?? []].filter(({ length }) => length > 0));
            return { ...key, secrets: current ?? key.secrets };
          });
        return homeRoutes({
          issuer: site.issuer,
          publicPath: ofHome.publicPath,
          privatePath: ofHome.privatePath,
          cors: createCors(ofHome.origins),
          home,
          publicCalls: createPublicCalls({ ...site, home, admit, tokens, counts, random }),
          privateCalls: createPrivateCalls({ admit, expired, mayReset: !config.admin.fourEyes.includes("reset") }),
          withRow: createWithRow(audit),
          checkCaller: createCheckCaller({ host: new URL(site.issuer).host, keys, adminKeys, clock }),
          counts,
        });
      },
    };
  },
  visitorRoutes: ({ routesOf }, site) => routesOf(site),
  addMetrics: addHomeMetrics,
});
