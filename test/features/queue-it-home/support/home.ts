/** A world with a home for sites of the connector, and one such site. */
import { afterAll, beforeAll } from "vitest";
import { useWorld, type World, type WorldOptions } from "../../../e2e/world.ts";
import { freePort } from "../../../support/ports.ts";
import type { Visitor } from "../../../support/visitor.ts";
import { apiKey, type ConnectorSite, customerId, secretKey, startConnectorSite } from "./connector-site.ts";

export const homePath = "/queue-it";

/**
 * A configuration file's part. Each room has the id that the connector knows it by: `event-ROOM`. Its targets are `/ROOM/*` and
 * `/ROOM` of the site.
 */
export function homeOf(rooms: WorldOptions["rooms"], origin: string) {
  return {
    rooms: rooms.map((room) => {
      const targets = [`${origin}/${room.id}/*`, `${origin}/${room.id}`];
      return { ...room, settings: { targets, ...room.settings } };
    }),
    config: {
      homes: {
        queue_it: {
          customer_id: customerId,
          secret_key: secretKey,
          api_key: apiKey,
          rooms: Object.fromEntries(rooms.map(({ id }) => [`event-${id}`, id])),
        },
      },
    },
  };
}

export function useHome(store: WorldOptions["store"], rooms: WorldOptions["rooms"]) {
  let site: ConnectorSite | undefined;
  let port = 0;
  const world = useWorld(async () => {
    port = await freePort();
    return { store, ...homeOf(rooms, `http://localhost:${port}`) };
  });
  beforeAll(async () => {
    site = await startConnectorSite(port);
    site.configuration = await pull(world());
  });
  afterAll(() => site?.stop());
  return {
    world,
    site: (): ConnectorSite => {
      if (site === undefined) throw new Error("the site has not been started");
      return site;
    },
  };
}

/** The integration configuration, as connectors pull it. */
export async function pull({ http, issuer }: World): Promise<string> {
  const { status, body } = await http.get(`${issuer}${homePath}/status/integrationconfig/secure/${customerId}`, {
    "api-key": apiKey,
  });
  if (status !== 200) throw new Error(`the pull was answered ${status}: ${body}`);
  return body;
}

/** The address of a home, as a connector sends browsers to it. */
export function enterAddress({ issuer }: World, room: string, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ c: customerId, e: `event-${room}`, ver: "test-1", cver: "1", man: "x", ...more });
  return `${issuer}${homePath}/?${query}`;
}

/** What the site has answered to a visitor who is in. */
export async function arrive(visitor: Visitor, address: string) {
  const page = await visitor.login(address);
  if (page.status !== 200 || page.notice !== undefined) throw new Error(`${page.url} ${page.status} ${page.notice}`);
  return JSON.parse(page.body) as { path: string; queueId: string; redirectType: string | null };
}
