import { settingsOf } from "../../config/index.ts";
import type { Logger } from "../../lib/logger.ts";
import { createSend } from "../../lib/send.ts";
import { featureModule, type Gateway } from "../../operate/feature.ts";
import { onlyRooms } from "../../room/index.ts";
import type { Pages } from "../../web/pages/index.ts";
import { addPushMetrics, createPushCounts } from "./metrics.ts";
import { createPushes, type PushOutcome, type PushWords } from "./pushes.ts";
import { localServices } from "./services.ts";
import { pushSettings } from "./settings.ts";
import { createVapid, type Vapid } from "./vapid.ts";
import { pushRoutes } from "./visitor-routes.ts";

/**
 * Visitors who have subscribed are notified by Web Push (RFC 8030, 8291, 8292) that their turn is near, and that it has come, though their
 * phone sleeps. The store keeps the subscriptions and hands each notification to one process; this feature sends it to the push service, signed with
 * the issuer's key.
 */
export const pushInGateway = featureModule({
  start({ config, rooms, issuers, pages, clock, random, logger }: Gateway) {
    const { services, contact } = settingsOf(config, pushSettings);
    const send = createSend(localServices(services));
    const counts = createPushCounts((room) => rooms.get(room) !== undefined);
    const sites = issuers.map(({ issuer, rooms: directory, keys }) => {
      const vapid = createVapid(
        () => keys.current.tickets,
        contact ?? issuer,
        () => clock.now(),
      );
      const pushes = createPushes({
        rooms: onlyRooms(rooms, (id) => directory.get(id) !== undefined),
        vapid,
        services,
        send,
        clock,
        random,
        wordsFor: (room, stage, language) => ({ title: room.title, ...pushWords(pages, stage, language) }),
        report(outcome) {
          counts.add(outcome);
          logOutcome(outcome, logger);
        },
      });
      return { issuer, vapid, pushes };
    });
    return {
      start() {
        for (const { pushes } of sites) pushes.start();
      },
      async stop() {
        await Promise.all(sites.map(({ pushes }) => pushes.stop()));
      },
      vapids: Object.fromEntries(sites.map(({ issuer, vapid }) => [issuer, vapid])),
      services,
      pages,
      rooms,
      counts,
    };
  },
  visitorRoutes({ vapids, services, pages }, site) {
    const vapid = vapids[site.issuer] as Vapid;
    return pushRoutes(site, { vapid, services, worker: pages.script("push-worker") });
  },
  addMetrics: addPushMetrics,
});

/** Its words are those of the waiting page. */
function pushWords(
  pages: Pick<Pages, "locale">,
  stage: PushOutcome["stage"],
  language: string,
): Omit<PushWords, "title"> {
  const { tag, dir, texts } = pages.locale(language);
  return { body: stage === "near" ? texts.waiting.call.near : texts.waiting.live.titles.turn, dir, language: tag };
}

function logOutcome(outcome: PushOutcome, logger: Logger): void {
  if (outcome.event === "push.failed") {
    const { isOver, ...fields } = outcome;
    logger.warn(fields, `the visitor ${isOver ? "was not notified" : "is notified later"} of the turn`);
  } else logger.debug(outcome);
}
