import { settingsOf } from "../../config/index.ts";
import { createSend } from "../../lib/send.ts";
import { featureModule, type Gateway } from "../../operate/feature.ts";
import { webhookRoutes } from "./admin-routes.ts";
import { createDeliveries } from "./deliveries.ts";
import { createDeliveryReport, webhooksHealth } from "./health.ts";
import { addWebhookMetrics } from "./metrics.ts";
import { webhooksSettings } from "./settings.ts";
import { createWebhooks, webhooksName } from "./webhooks.ts";

/** The webhooks of a gateway: the receivers, and what is sent to them by this process. */
export const webhooksInGateway = featureModule({
  start(gateway: Gateway) {
    const { config, rooms, issuers, store, eventStore, events, eventTypes, fileOf, followSecrets } = gateway;
    const { processName, clock, random, logger } = gateway;
    const { allowedHosts, receivers } = settingsOf(config, webhooksSettings);
    const webhooks = createWebhooks({
      documents: store.documents,
      file: fileOf(webhooksName),
      ofFile: receivers,
      usualTypes: eventTypes.usual,
      roots: () => issuers[0]?.keys.current.tickets ?? [],
      clock,
      random,
      report: (event) => logger[event.event === "registry.unreadable" ? "error" : "info"](event),
    });
    followSecrets(webhooksSettings, webhooks.setFileSecrets);
    const deliveries = createDeliveries({
      store: eventStore,
      hub: events,
      webhooks,
      send: createSend(allowedHosts),
      holder: `${processName}-${random.bytes(6).toString("hex")}`,
      nowMs: () => clock.now(),
      logger,
    });
    return {
      registries: [webhooks.registry],
      describe: createDeliveryReport(deliveries, clock),
      prepare: () => webhooks.recordFileWebhooks(),
      start: () => deliveries.start(),
      stop: () => deliveries.stop(),
      webhooks,
      deliveries,
      allowedHosts,
      eventTypes,
      rooms,
      issuers,
      clock,
    };
  },
  adminRoutes: webhookRoutes,
  addMetrics: addWebhookMetrics,
  health: webhooksHealth,
});
