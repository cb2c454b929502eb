/**
 * A world whose issuer is https, as load balancers and user pools demand: gateways behind nginx, and certificates for
 * the hosts of the relying parties.
 */
import { afterAll, beforeAll } from "vitest";
import { startNginx } from "../../support/nginx.ts";
import { freePort } from "../../support/ports.ts";
import { makeTempDir } from "../../support/temp-dir.ts";
import { makeTls, type Tls } from "../../support/tls.ts";
import { memoryStore, type RoomUnderTest, startWorld, type World } from "../world.ts";

const ISSUER_HOST = "queue.example.test";

export interface HttpsWorld {
  readonly world: World;
  /** The issuer's port. */
  readonly port: number;
  /** For the hosts that were named. */
  readonly tls: Tls;
}

/** Starts it before the tests of a `describe` and ends it after them. */
export function useHttpsWorld(
  hosts: readonly string[],
  prepare: () => Promise<readonly RoomUnderTest[]>,
): () => HttpsWorld {
  let started: HttpsWorld | undefined;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const folder = await makeTempDir("relying-parties");
    ends.unshift(() => folder.remove());
    const tls = await makeTls(folder.path, hosts);
    const gatewayPort = await freePort();
    const nginx = await startNginx({
      upstreamPorts: [gatewayPort],
      serverName: ISSUER_HOST,
      tls: true,
      port: await freePort(),
    });
    ends.unshift(() => nginx.stop());
    const world = await startWorld({
      store: memoryStore,
      rooms: await prepare(),
      ports: [gatewayPort],
      issuer: nginx.origin,
      ca: `${nginx.tls?.ca}\n${tls.ca}`,
      config: { listen: { trusted_proxies: ["127.0.0.1/32"] } },
    });
    ends.unshift(() => world.stop());
    started = { world, port: nginx.port, tls };
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  return () => {
    if (started === undefined) throw new Error("the world has not been started");
    return started;
  };
}
