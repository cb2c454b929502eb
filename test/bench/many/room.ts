/** One gateway, one Redis, and the room that the crowd waits in. */
import { createAdmin } from "../../support/admin.ts";
import { startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { startRedis } from "../../support/redis-server.ts";
import { redirectUri } from "../requests.ts";

export type CrowdedRoom = Awaited<ReturnType<typeof openRoom>>;

export async function openRoom() {
  const redis = await startRedis();
  const gateway = await startGateway({
    asProcess: true,
    config: {
      store: { type: "redis", url: redis.url },
      listen: { trusted_proxies: ["127.0.0.1/32"] },
      rooms: [{ id: "line", title: "Autumn tour tickets", inlet: { type: "manual" } }],
      clients: [{ client_id: "site", client_secret: "x".repeat(32), redirect_uris: [redirectUri], room: "line" }],
    },
    env: { USHER_LOG_LEVEL: "warn" },
  });
  const http = createHttpClient();
  return {
    redis,
    gateway,
    admin: createAdmin(http, gateway.origin),
    /** What requests name, whichever address they go to. */
    host: new URL(gateway.issuer).host,
    async close(): Promise<void> {
      http.close();
      await gateway.stop();
      await redis.stop();
    },
  };
}
