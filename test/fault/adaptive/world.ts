import { type Gateway, startGateways } from "../../support/gateway.ts";
import { createHttpClient, type HttpClient } from "../../support/http-client.ts";
import { type LoadedSite, startLoadedSite } from "../../support/loaded-site.ts";
import { startRedis } from "../../support/redis-server.ts";
import { clientOf } from "../people.ts";

/** Two gateways on one Redis before a site with six workers, each busy for 80 ms with every request. */
export interface AdaptiveWorld {
  readonly http: HttpClient;
  readonly site: LoadedSite;
  readonly gateways: readonly Gateway[];
  readonly origins: readonly string[];
  stop(): Promise<void>;
}

export async function startAdaptiveWorld(room: string, inlet: object): Promise<AdaptiveWorld> {
  const redis = await startRedis();
  const site = await startLoadedSite({ workers: 6, serviceMs: 80 });
  const http = createHttpClient({ connectionsMax: 400 });
  const probe = { url: site.url, interval: "200ms" };
  const gateways = await startGateways(2, {
    asProcess: true,
    config: {
      store: { type: "redis", url: redis.url },
      rooms: [{ id: room, inlet: { type: "adaptive", probe, ...inlet } }],
      clients: [clientOf(room)],
    },
    env: { USHER_LOG_LEVEL: "info" },
  });
  return {
    http,
    site,
    gateways,
    origins: gateways.map(({ origin }) => origin),
    async stop() {
      http.close();
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await site.stop();
      await redis.stop();
    },
  };
}
